// SPDX-License-Identifier: Apache-2.0
#include "ui/train/window_view.h"
#include "ui/widgets/phase_color.h"

#include <QTest>

#include <cstdlib>
#include <set>

#include "tests/support/painted_row.h"
#include "ui/widgets/theme.h"

using namespace accrue;

class TestWindowView : public QObject {
    Q_OBJECT
private:
    static constexpr int kAboveText = 4;

    static std::vector<Stretch> paintedIn(WindowView& view, const QColor& color)
    {
        view.resize(500, 24);
        return stretchesOf(paintedRow(view, kAboveText), color);
    }

private Q_SLOTS:
    void everyPhaseHasWordsOfItsOwn()
    {
        WindowView view;
        std::set<QString> words;
        for (int phase = 0; phase <= static_cast<int>(Phase::Paused); ++phase) {
            view.setProgress({ static_cast<Phase>(phase), 3, 4 });
            words.insert(view.words());
        }
        QCOMPARE(words.size(), static_cast<std::size_t>(Phase::Paused) + 1);
        QVERIFY(words.count(QString()) == 0);
        view.setProgress({ Phase::Backward, 3, 4 });
        QVERIFY2(view.words().contains(QLatin1String("3 of 4")), qPrintable(view.words()));
    }

    void whileNothingTrainsItSaysWhatAWindowWillBe()
    {
        WindowView view;
        const QString none = view.words();
        view.setMicroBatches(1);
        const QString one = view.words();
        QVERIFY(one != none && one.contains(QLatin1String("1 micro-batch,")));
        view.setMicroBatches(6);
        QVERIFY(view.words().contains(QLatin1String("6 micro-batches")));
    }

    void thePresentBoxIsLit()
    {
        WindowView view;
        view.setMicroBatches(4);
        QVERIFY(paintedIn(view, phaseColor(Phase::Forward)).empty());
        view.setProgress({ Phase::Forward, 1, 4 });
        const auto first = paintedIn(view, phaseColor(Phase::Forward));
        QCOMPARE(first.size(), std::size_t { 1 });
        QVERIFY(paintedIn(view, phaseColor(Phase::Backward)).empty());
        view.setProgress({ Phase::Backward, 3, 4 });
        const auto third = paintedIn(view, phaseColor(Phase::Backward));
        QCOMPARE(third.size(), std::size_t { 1 });
        QVERIFY(third.front().left > first.front().right() + 3 * first.front().width);
        QVERIFY(paintedIn(view, phaseColor(Phase::Forward)).empty()); // finished boxes are paler
        view.setProgress({ Phase::Optimizer, 4, 4 });
        const auto step = paintedIn(view, phaseColor(Phase::Optimizer));
        QCOMPARE(step.size(), std::size_t { 1 });
        QVERIFY(step.front().left > third.front().right());
    }

    void moreMicroBatchesThanFitAreABarThatFills()
    {
        WindowView view;
        view.setProgress({ Phase::Forward, 100, 500 });
        const auto early = paintedIn(view, phaseColor(Phase::Forward));
        QCOMPARE(early.size(), std::size_t { 1 });
        view.setProgress({ Phase::Forward, 300, 500 });
        const auto late = paintedIn(view, phaseColor(Phase::Forward));
        QCOMPARE(late.size(), std::size_t { 1 });
        QVERIFY(std::abs(late.front().width - 3 * early.front().width) <= 15);
    }
};

QTEST_MAIN(TestWindowView)
#include "tst_window_view.moc"
