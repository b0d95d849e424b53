// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_checks.h"

#include "tests/engine/distributed/ranks_in_processes.h"

#include <QTest>

#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace {

const std::vector<std::string> kTexts { "", "of the second", "of the third\n" };

std::vector<RankResult> checked(const std::string& dataOfLast)
{
    return onRanks(3, [&](World& world) {
        const bool isLast = world.rank() == 2;
        requireAlike(world,
            { { Message::plain("The version"), "0.1.0" },
                { Message::plain("The data"), isLast ? dataOfLast : std::string("digits") } });
        return at::ones({ 1 });
    });
}

} // namespace

class TestRankChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    void everyRankHasTheTextsOfAll()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            const auto texts = textsOfAll(world, kTexts[static_cast<std::size_t>(world.rank())]);
            return at::full({ 1 }, texts == kTexts ? 1.0 : 0.0);
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QCOMPARE(rank.numbers.item<double>(), 1.0);
        }
    }

    void everyRankHasTheTextOfTheFirst()
    {
        const std::string text(100'000, 'x');
        const std::vector<RankResult> results = onRanks(3, [&](World& world) {
            const bool isSame = textOfFirst(world, world.rank() == 0 ? text : "other") == text;
            const bool isEmpty = textOfFirst(world, world.rank() == 0 ? "" : "other").empty();
            return at::tensor({ isSame ? 1.0 : 0.0, isEmpty ? 1.0 : 0.0 });
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(at::ones({ 2 }, at::kDouble)));
        }
    }

    void theOthersLearnOfARankThatCannotTrain()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            requireNoFailure(world, world.rank() == 1 ? Message::plain("No data.") : Message());
            return at::ones({ 1 });
        });
        QCOMPARE(results[1].problem, std::string()); // it reports the reason itself
        for (const std::size_t rank : { 0, 2 })
            QCOMPARE(results[rank].problem, std::string("Rank 1 cannot go on: No data."));
    }

    void aLongTextIsCut()
    {
        const std::string text(100'000, 'x');
        QVERIFY(text.starts_with(textsOfAll(World::alone(), text).front()));
    }

    void ranksThatAreAlikeGoOn()
    {
        for (const RankResult& rank : checked("digits"))
            QCOMPARE(rank.problem, std::string());
    }

    void allNameTheRankThatDiffers()
    {
        for (const RankResult& rank : checked("digits, others"))
            QVERIFY2(rank.problem.find("The data of rank 2 differs from that of rank 0")
                    != std::string::npos,
                rank.problem.c_str());
    }
};

QTEST_GUILESS_MAIN(TestRankChecks)
#include "tst_rank_checks.moc"
