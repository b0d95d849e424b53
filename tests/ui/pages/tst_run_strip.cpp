// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_strip.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "ui/pages/theme.h"

using namespace accrue;

namespace {

constexpr int kRoomy = 1800;

RunRecord runningOne()
{
    RunRecord run;
    run.id = RunId { 112 };
    run.name = "resnet18-cifar10-groupnorm";
    run.state = RunState::Running;
    run.device = "cpu";
    run.step = 1312;
    run.totalSteps = 46900;
    run.seconds = 1000;
    run.throughput = 9840;
    run.peakBytes = std::int64_t { 10 } << 30;
    return run;
}

} // namespace

class TestRunStrip : public QObject {
    Q_OBJECT
private:
    void show(const RunRecord& run, int width)
    {
        m_strip.resize(width, m_strip.sizeHint().height());
        m_window.show();
        m_strip.showRun(run, true, QStringLiteral("running"));
        QCoreApplication::processEvents();
    }

    // The label that shows it; null: none does.
    const QLabel* labelWith(const char* word) const
    {
        for (const QLabel* label : m_strip.findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(QLatin1String(word)))
                return label;
        return nullptr;
    }
    const QLabel* memory() const { return labelWith("peak"); }
    const QLabel* rate() const { return labelWith("img/s"); }

    int needed() const { return m_strip.minimumSizeHint().width(); }

    Theme m_theme;
    QAction m_pause { QStringLiteral("Pause") };
    QAction m_stop { QStringLiteral("Stop") };
    QWidget m_window; // a strip alone would not become less wide than it wants to be
    QAction m_cancel { QStringLiteral("Cancel") };
    RunStrip m_strip { &m_pause, &m_stop, &m_cancel, &m_window };

private Q_SLOTS:
    void initTestCase() { m_theme.apply(ThemeChoice::Light); }

    void theRateThenABudgetAndThenThePeakGoWhereTheyFindNoRoom()
    {
        RunRecord run = runningOne();
        run.experiment.memory.budget = Bytes { std::int64_t { 12 } << 30 };
        show(run, kRoomy);
        const QString all = QStringLiteral("10.0 GiB training peak of 12.0 GiB");
        QCOMPARE(memory()->text(), all);
        const int withRate = needed();
        show(run, withRate);
        QCOMPARE(memory()->text(), all);
        QVERIFY(rate() != nullptr);
        show(run, withRate - 1);
        QCOMPARE(memory()->text(), all);
        QVERIFY(rate() == nullptr);
        const int withBudget = needed();
        QVERIFY(withBudget < withRate);
        show(run, withBudget);
        QCOMPARE(memory()->text(), all);
        show(run, withBudget - 1);
        QCOMPARE(memory()->text(), QStringLiteral("10.0 GiB training peak"));
        QCOMPARE(memory()->toolTip(), all);
        const int withPeak = needed();
        QVERIFY(withPeak < withBudget);
        m_strip.resize(withPeak - 1, m_strip.height());
        QVERIFY(memory() == nullptr);
        QVERIFY(needed() < withPeak);
        m_strip.resize(kRoomy, m_strip.height());
        QCOMPARE(memory()->text(), all);
        QVERIFY(rate() != nullptr);
    }

    // There the peak is the allocator's, and the budget is also for what others hold.
    void theBudgetOfACardIsNotHeldAgainstThePeak()
    {
        RunRecord run = runningOne();
        run.device = "cuda:0";
        run.experiment.memory.budget = Bytes { std::int64_t { 12 } << 30 };
        show(run, kRoomy);
        QCOMPARE(memory()->text(), QStringLiteral("10.0 GiB training peak"));
        QVERIFY(memory()->toolTip().contains(QLatin1String("budget of 12.0 GiB")));
        QVERIFY(memory()->toolTip().contains(QLatin1String("other programs")));
    }

    void aRunBeforeItsFirstStepHasNoMemory()
    {
        show(runningOne(), kRoomy);
        QVERIFY(memory() != nullptr);
        RunRecord run = runningOne();
        run.peakBytes = 0;
        show(run, kRoomy);
        QVERIFY(memory() == nullptr);
        QVERIFY(rate() != nullptr);
    }

    void aFitHasABarAndIsCancelledWhereARunIsStopped()
    {
        show(runningOne(), kRoomy);
        const auto buttons = m_strip.findChildren<QToolButton*>();
        const QRect stop = buttons[1]->geometry();
        ShownProgress progress;
        progress.share = 0.5;
        progress.percent = QStringLiteral("50 %");
        m_strip.showWork(QStringLiteral("first-run"), QStringLiteral("measuring"), progress,
            RunStrip::Steers::Fit);
        QCoreApplication::processEvents();
        QVERIFY(!buttons[0]->isVisible()); // no pause
        QCOMPARE(buttons[1]->text(), QStringLiteral("Cancel"));
        QCOMPARE(buttons[1]->geometry(), stop);
        const auto* bar = m_strip.findChild<QProgressBar*>();
        QCOMPARE(2 * bar->value(), bar->maximum());
        QVERIFY(memory() == nullptr);
        QSignalSpy cancelled(&m_cancel, &QAction::triggered);
        QSignalSpy stopped(&m_stop, &QAction::triggered);
        buttons[1]->click();
        QCOMPARE(cancelled.size(), 1);
        show(runningOne(), kRoomy);
        buttons[1]->click();
        QCOMPARE(stopped.size(), 1);
        QCOMPARE(cancelled.size(), 1);
    }

    void aLongerStateTakesTheRoomOfTheMemory()
    {
        show(runningOne(), kRoomy);
        show(runningOne(), needed() - 1); // without the rate
        show(runningOne(), needed());
        QVERIFY(memory() != nullptr);
        m_strip.showRun(runningOne(), false, QStringLiteral("running"));
        QVERIFY(memory() == nullptr);
    }
};

QTEST_MAIN(TestRunStrip)
#include "tst_run_strip.moc"
