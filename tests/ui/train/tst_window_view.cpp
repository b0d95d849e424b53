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

    void everyDeviceHasARow_data()
    {
        QTest::addColumn<int>("devices");
        for (const int devices : { 2, 3, 4, 8, 16, 40 })
            QTest::addRow("%d", devices) << devices;
    }

    // Of more than 16 the first ones and the last.
    void everyDeviceHasARow()
    {
        QFETCH(int, devices);
        WindowView view;
        const int alone = view.sizeHint().height();
        view.setPlan(4, devices);
        QVERIFY(view.sizeHint().height() > alone && view.sizeHint().height() <= 80);
        view.resize(500, view.sizeHint().height());
        std::vector<Progress> progress(static_cast<std::size_t>(devices), { Phase::Forward, 1, 4 });
        progress.back() = { Phase::Backward, 3, 4 };
        view.setProgressOfRanks(progress);
        int lowestForward = 0;
        int highestBackward = view.height();
        for (int y = 0; y < view.height(); ++y) {
            if (!stretchesOf(paintedRow(view, y), phaseColor(Phase::Forward)).empty())
                lowestForward = y;
            if (!stretchesOf(paintedRow(view, y), phaseColor(Phase::Backward)).empty())
                highestBackward = std::min(highestBackward, y);
        }
        QVERIFY(lowestForward > 0 && lowestForward < highestBackward);
        QVERIFY(highestBackward < view.height());
    }

    void theWordsNameTheDevicesThatDiffer()
    {
        WindowView view;
        view.setPlan(4, 3);
        view.setProgressOfRanks(
            { { Phase::Forward, 2, 4 }, { Phase::Backward, 1, 4 }, { Phase::Forward, 2, 4 } });
        QCOMPARE(view.words(),
            QStringLiteral("micro-batch 2 of 4, forward (rank 0, 2); "
                           "micro-batch 1 of 4, backward (rank 1)"));
        std::vector<Progress> many(16, { Phase::Forward, 2, 4 });
        many[1].phase = Phase::Backward;
        view.setProgressOfRanks(many);
        QVERIFY2(
            view.words().startsWith(QStringLiteral("micro-batch 2 of 4, forward (rank 0, 2–15); ")),
            qPrintable(view.words()));
        view.setProgressOfRanks(std::vector<Progress>(3, { Phase::Forward, 2, 4 }));
        QCOMPARE(view.words(), QStringLiteral("micro-batch 2 of 4, forward"));
    }

    void ofDevicesOnOtherMachinesNothingIsSaid()
    {
        WindowView view;
        view.setPlan(4, 8);
        view.setProgressOfRanks({ { Phase::Forward, 2, 4 } });
        QCOMPARE(view.words(), QStringLiteral("micro-batch 2 of 4, forward (rank 0)"));
        view.resize(500, view.sizeHint().height());
        QVERIFY(!stretchesOf(paintedRow(view, 2), phaseColor(Phase::Forward)).empty());
        QVERIFY(
            stretchesOf(paintedRow(view, view.height() - 2), phaseColor(Phase::Forward)).empty());
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
