// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/border_search.h"

#include <vector>

#include <QTest>
#include <rapidcheck.h>

using accrue::BorderSearch;

namespace {

// What was tried, with everything up to `border` fitting.
std::vector<std::int64_t> triedBy(BorderSearch& search, std::int64_t border)
{
    std::vector<std::int64_t> tried;
    while (const auto next = search.next()) {
        tried.push_back(*next);
        search.setFits(*next <= border);
    }
    return tried;
}

} // namespace

class TestBorderSearch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRightGuessCostsTwoTrials()
    {
        BorderSearch search(1, 60'000, 4711);
        QCOMPARE(triedBy(search, 4711), (std::vector<std::int64_t> { 4711, 4712 }));
        QCOMPARE(search.border().value(), 4711);
    }

    void soDoesOneThatIsOneTooHigh()
    {
        BorderSearch search(1, 60'000, 4712);
        QCOMPARE(triedBy(search, 4711), (std::vector<std::int64_t> { 4712, 4711 }));
    }

    void whereEverythingFitsItSaysSo()
    {
        BorderSearch search(1, 1000, 5000);
        QCOMPARE(triedBy(search, 9999), (std::vector<std::int64_t> { 1000 }));
        QCOMPARE(search.border().value(), 1000);
    }

    void whereNothingFitsThereIsNoBorder()
    {
        BorderSearch search(2, 1000, 0);
        QCOMPARE(triedBy(search, 1), (std::vector<std::int64_t> { 2 }));
        QVERIFY(!search.border());
    }

    void findsEveryBorderFromEveryGuessInFewTrials()
    {
        QVERIFY(rc::check([] {
            const auto smallest = *rc::gen::inRange<std::int64_t>(1, 3);
            const auto largest = *rc::gen::inRange<std::int64_t>(smallest, 60'000);
            const auto guess = *rc::gen::inRange<std::int64_t>(0, 100'000);
            const auto border = *rc::gen::inRange<std::int64_t>(smallest - 1, largest + 1);
            BorderSearch search(smallest, largest, guess);
            const std::vector<std::int64_t> tried = triedBy(search, border);
            RC_ASSERT(tried.size() <= 36);
            for (const std::int64_t one : tried)
                RC_ASSERT(one >= smallest && one <= largest);
            RC_ASSERT(search.border().has_value() == (border >= smallest));
            if (search.border())
                RC_ASSERT(*search.border() == border);
        }));
    }
};

QTEST_GUILESS_MAIN(TestBorderSearch)
#include "tst_border_search.moc"
