// SPDX-License-Identifier: Apache-2.0
#include "ui/window/run_strip.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/theme.h"

using namespace accrue;

namespace {

constexpr int kRoomy = 1800;
constexpr int kNarrow = 1024 - 80; // beside the sidebar

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
    run.samples = 9'840'000;
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

    const QProgressBar* bar() const { return m_strip.findChild<QProgressBar*>(); }

    void assertNothingOverlaps() const
    {
        QCoreApplication::processEvents();
        QList<const QWidget*> shown;
        for (const QWidget* part :
            m_strip.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (part->isVisible())
                shown << part;
        for (const QWidget* a : shown) {
            QVERIFY2(m_strip.rect().contains(a->geometry()), a->metaObject()->className());
            for (const QWidget* b : shown)
                QVERIFY2(a == b || !a->geometry().intersects(b->geometry()),
                    qPrintable(QStringLiteral("%1 over %2 at %3")
                                   .arg(QLatin1String(a->metaObject()->className()),
                                       QLatin1String(b->metaObject()->className()))
                                   .arg(m_strip.width())));
        }
    }

    Theme m_theme;
    QAction m_pause { QStringLiteral("Pause") };
    QAction m_stop { QStringLiteral("Stop") };
    QWidget m_window; // a strip alone would not become less wide than it wants to be
    QAction m_cancel { QStringLiteral("Cancel") };
    RunStrip m_strip { &m_pause, &m_stop, &m_cancel, &m_window };

private Q_SLOTS:
    void initTestCase() { m_theme.apply(ThemeChoice::Light); }

    // At each width another part is hidden, and no part overlaps another.
    void theBarThenTheRateThenABudgetAndThenThePeakGoWhereTheyFindNoRoom()
    {
        RunRecord run = runningOne();
        run.experiment.memory.budget = Bytes { std::int64_t { 12 } << 30 };
        const QString all = QStringLiteral("10.0 GiB training peak of 12.0 GiB");
        QStringList found;
        for (int width = kRoomy; width >= kNarrow; width -= 4) {
            show(run, width);
            const QString now = QStringLiteral("%1 %2 %3")
                                    .arg(int(bar()->isVisible()))
                                    .arg(int(rate() != nullptr))
                                    .arg(memory() == nullptr          ? 0
                                            : memory()->text() == all ? 2
                                                                      : 1);
            if (found.isEmpty() || found.back() != now)
                found << now;
            if (memory() != nullptr)
                QCOMPARE(memory()->toolTip(), all);
            assertNothingOverlaps();
        }
        QCOMPARE(found,
            QStringList({ QStringLiteral("1 1 2"), QStringLiteral("0 1 2"), QStringLiteral("0 0 2"),
                QStringLiteral("0 0 1"), QStringLiteral("0 0 0") }));
        show(run, kRoomy);
        QVERIFY(bar()->isVisible() && rate() != nullptr);
    }

    void aRunOfAnotherProcessIsWholeInTheSmallestWindow()
    {
        RunRecord run = runningOne();
        run.step = 0;
        run.totalSteps = 0; // it prepares
        m_strip.resize(kNarrow, m_strip.height());
        m_window.show();
        m_strip.showRun(run, false, QStringLiteral("running"));
        QCoreApplication::processEvents();
        assertNothingOverlaps();
        for (const QToolButton* button : m_strip.findChildren<QToolButton*>())
            QVERIFY(!button->isVisible()); // nothing to steer from here
        const auto* state = m_strip.findChildren<ElidedLabel*>().at(1);
        QCOMPARE(state->fullText(), QStringLiteral("running, started elsewhere"));
    }

    void aLogThatCannotBeWrittenHasALock()
    {
        m_strip.resize(kRoomy, m_strip.height());
        m_window.show();
        m_strip.showNothing();
        const auto* lock = m_strip.findChild<QLabel*>(QStringLiteral("readOnly"));
        QVERIFY(!lock->isVisible());
        m_strip.setReadOnly(QStringLiteral("The run log cannot be written."));
        QVERIFY(lock->isVisible());
        QCOMPARE(lock->toolTip(), QStringLiteral("The run log cannot be written."));
        const QImage light = lock->pixmap().toImage();
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(lock->pixmap().toImage() != light); // in the colours of the theme
        m_theme.apply(ThemeChoice::Light);
        m_strip.setReadOnly({});
        QVERIFY(!lock->isVisible());
    }

    void whatThePageShowsIsNotShownTwice()
    {
        const RunRecord run = runningOne();
        const auto words = [this] {
            QStringList shown;
            for (const ElidedLabel* label : m_strip.findChildren<ElidedLabel*>())
                if (label->isVisible())
                    shown << label->fullText();
            return shown;
        };
        show(run, kRoomy);
        QCOMPARE(words().size(), 2); // name and state
        m_strip.showRun(run, true, QStringLiteral("running"), /*isNamed=*/true);
        QCOMPARE(words(), QStringList());
        QVERIFY(labelWith("step") != nullptr); // the progress stays
        m_strip.showRun(run, true, QStringLiteral("stopping"), /*isNamed=*/true);
        QCOMPARE(words(), QStringList { QStringLiteral("stopping") });
        assertNothingOverlaps();
        m_strip.showRun(run, false, QStringLiteral("running"), /*isNamed=*/true);
        QCOMPARE(words(), QStringList { QStringLiteral("running, started elsewhere") });
    }

    void theQueueIsToldInAsManyWordsAsFit()
    {
        const QString text = QStringLiteral("3 queued, until 14:20");
        const QString brief = QStringLiteral("3 queued");
        const QToolButton* const queue = m_strip.queueButton();
        show(runningOne(), kRoomy);
        m_strip.showQueue(text, brief, QStringLiteral("why"));
        QVERIFY(queue->isVisible());
        QCOMPARE(queue->text(), text);
        assertNothingOverlaps();
        show(runningOne(), kNarrow);
        QCOMPARE(queue->text(), brief);
        assertNothingOverlaps();
        show(runningOne(), kRoomy);
        QCOMPARE(queue->text(), text);
        m_strip.showQueue({}, {}, {});
        QVERIFY(!queue->isVisible());
    }

    // There the peak is the allocator's, and the budget includes memory of other programs.
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
        RunRecord run = runningOne();
        run.id = RunId { 78 }; // none whose pace the strip knows
        show(run, kRoomy);
        QVERIFY(memory() != nullptr);
        run.peakBytes = 0;
        show(run, kRoomy);
        QVERIFY(memory() == nullptr);
        QVERIFY(rate() != nullptr);
    }

    void aNumberIsAnotherRunInAnotherLog()
    {
        show(runningOne(), kRoomy);
        m_strip.showNothing(); // while the other log is opened
        RunRecord other = runningOne();
        other.step = 10;
        other.seconds = 10;
        other.samples = 5'000;
        show(other, kRoomy);
        QVERIFY(labelWith("500 img/s") != nullptr);
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
        int width = kRoomy;
        for (show(runningOne(), width); memory() != nullptr; show(runningOne(), width))
            --width;
        show(runningOne(), width + 1);
        QVERIFY(memory() != nullptr);
        m_strip.showRun(runningOne(), false, QStringLiteral("running, and much more than that"));
        QVERIFY(memory() == nullptr);
    }
};

QTEST_MAIN(TestRunStrip)
#include "tst_run_strip.moc"
