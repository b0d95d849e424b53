// SPDX-License-Identifier: Apache-2.0
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEventLoop>
#include <QFile>
#include <QFontInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

#include "tests/support/example_log.h"
#include "tests/support/measured_application.h"
#include "tests/support/sanitized.h"
#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/equivalence_card.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/law_answers.h"
#include "ui/memory/law_card.h"
#include "ui/memory/memory_page.h"
#include "ui/models/message_model.h"
#include "ui/models/run_words.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_tagging.h"
#include "ui/runs/runs_page.h"
#include "ui/train/checks_panel.h"
#include "ui/train/experiment_form.h"
#include "ui/train/forecast_bar.h"
#include "ui/train/live_charts.h"
#include "ui/train/next_run_column.h"
#include "ui/train/run_start.h"
#include "ui/train/shown_run.h"
#include "ui/train/shown_run_column.h"
#include "ui/train/train_page.h"
#include "ui/widgets/color_dot.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/reserved_label.h"
#include "ui/window/message_panel.h"
#include "ui/window/run_strip.h"

using namespace accrue;

namespace {

// A folder that this process may not write to while this object exists; also for root.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(std::filesystem::path folder)
        : m_folder(std::move(folder))
    {
        allow(0555, 0444);
        if (geteuid() == 0)
            m_wasRoot = seteuid(65534) == 0;
    }

    ~ReadOnlyFolder()
    {
        if (m_wasRoot && seteuid(0) != 0)
            std::abort();
        allow(0755, 0644);
    }

    ReadOnlyFolder(const ReadOnlyFolder&) = delete;
    ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

private:
    void allow(int folder, int file) const
    {
        using std::filesystem::perms;
        std::filesystem::permissions(m_folder, perms(folder | 0200));
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
            if (entry.is_regular_file())
                std::filesystem::permissions(entry.path(), perms(file));
        std::filesystem::permissions(m_folder, perms(folder));
    }

    std::filesystem::path m_folder;
    bool m_wasRoot = false;
};

// The engine's state when a widget is painted for the first time.
class FirstPaint : public QObject {
public:
    FirstPaint(QWidget& widget, const EngineHost& engine)
        : m_engine(engine)
    {
        widget.installEventFilter(this);
    }

    std::optional<EngineHost::State> state;

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && !state)
            state = m_engine.state();
        return QObject::eventFilter(watched, event);
    }

private:
    const EngineHost& m_engine;
};

MeasuredApplication* g_application = nullptr;

void runEventsFor(std::chrono::milliseconds time)
{
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
}

} // namespace

class TestMainWindow : public WindowTest {
    Q_OBJECT
private:
    static QString wholeText(const QLabel& label)
    {
        const auto* elided = qobject_cast<const ElidedLabel*>(&label);
        return elided != nullptr ? elided->fullText() : label.text();
    }

    bool stripShowsARun() const
    {
        return m_window->findChild<RunStrip*>()->findChild<ColorDot*>()->isVisible();
    }

    void setOpen(bool open)
    {
        m_window->findChild<MessagePanel*>()->setOpen(open);
        QCoreApplication::processEvents();
    }

    // Drags the line above the messages with the mouse until they have that height.
    void drag(int height)
    {
        auto* splitter = m_window->findChild<MessageSplitter*>();
        QSplitterHandle* handle = splitter->handle(1);
        const int up = height - splitter->widget(1)->height();
        const QPoint from = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, from);
        QTest::mouseMove(handle, from - QPoint(0, up));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center());
        QVERIFY(std::abs(splitter->widget(1)->height() - height) <= 4); // the line can be gripped
    }

private Q_SLOTS:
    void aLiveRunOfAnotherLogIsShownThoughItHasTheNumberOfOurs()
    {
        train("one");
        const std::filesystem::path file = m_folder->path().toStdString() + "/other.db";
        RunLogWriter other(file);
        ExampleRunInLog live(other, { exampleExperiments(1).front() });
        QCOMPARE(live.id(), RunId { 1 });
        m_window->openRunLog(file);
        QTRY_VERIFY(stripShowsARun());
        live.end();
        QTRY_VERIFY(!stripShowsARun());
    }

    void whatIsMeasuredIsSeenAndCancelledOnEveryPage()
    {
        startFit();
        m_window->showPage(m_window->runs());
        QVERIFY(stripShowsARun());
        QStringList words;
        for (const QLabel* label : m_window->findChild<RunStrip*>()->findChildren<QLabel*>())
            words << wholeText(*label);
        QVERIFY2(words.contains(QStringLiteral("measuring"))
                && words.contains(QStringLiteral("window 1 of about 4")),
            qPrintable(words.join(QStringLiteral(", "))));
        QToolButton* cancel = m_window->findChild<RunStrip*>()->findChildren<QToolButton*>()[1];
        QCOMPARE(cancel->text(), QStringLiteral("Cancel"));
        cancel->click();
        QTRY_VERIFY(!m_backend->fits.isActive());
        QVERIFY(!stripShowsARun());
        QVERIFY(!cancel->isVisible());
    }

    void theRunStripTakesTheSameRoomWhetherSomethingRunsOrNot()
    {
        m_theme.apply(ThemeChoice::Dark);
        QCoreApplication::processEvents();
        const RunStrip& strip = *m_window->findChild<RunStrip*>();
        const int height = strip.height();
        const auto words = [&] {
            QStringList shown;
            for (const QLabel* label : strip.findChildren<QLabel*>())
                if (label->isVisible() && !wholeText(*label).isEmpty())
                    shown << wholeText(*label);
            return shown;
        };
        QVERIFY(!stripShowsARun());
        QCOMPARE(words(), QStringList { QStringLiteral("No run in progress") });
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        QCoreApplication::processEvents();
        QCOMPARE(strip.height(), height);
        m_window->showPage(m_window->compare());
        QVERIFY(stripShowsARun());
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!stripShowsARun());
        QCoreApplication::processEvents();
        QCOMPARE(strip.height(), height);
        QCOMPARE(words(), QStringList { QStringLiteral("No run in progress") });
    }

    void theRunIsNamedOnceOnItsOwnPage()
    {
        startLongRun();
        const QString title = runTitle(logged().front());
        const auto named = [&] {
            QCoreApplication::processEvents();
            int found = 0;
            for (const auto* label : m_window->findChildren<ElidedLabel*>())
                found += label->isVisible() && label->fullText() == title ? 1 : 0;
            return found;
        };
        QTRY_COMPARE(named(), 1); // by the heading
        m_window->showPage(m_window->compare());
        QCOMPARE(named(), 1); // by the strip
        m_window->showPage(m_window->train());
        QCOMPARE(named(), 1);
    }

    void aStoppedRunGoesOnLiveFromTheRunsPage()
    {
        startLongRun();
        const RunId run = *m_backend->controller.run();
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        const std::int64_t before = logged().front().step;
        m_window->showPage(m_window->runs());
        QAction* resume = m_window->runs().action("runs.resume");
        QTRY_VERIFY2(resume->isEnabled(), qPrintable(resume->toolTip()));
        resume->trigger();
        QCOMPARE(m_window->page().id(), m_window->train().id());
        QTRY_VERIFY(logged().front().step > before);
        QVERIFY(!resume->isEnabled());
        QCOMPARE(m_window->train().shownRun().id(), std::optional(run));
        QCOMPARE(logged().front().attempt, 2);
        const auto points = [this] {
            const auto& curves = m_window->train().runColumn().charts().lossChart()->curves();
            return curves.empty() ? std::vector<SeriesPoint>() : curves.front().points;
        };
        QTRY_VERIFY(!points().empty() && points().back().x > static_cast<double>(before));
        QCOMPARE(points().front().x, 1.0);
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        assertStoppedAndLogged();
    }

    void aDamagedCheckpointIsAskedAboutBeforeARunGoesOn()
    {
        startLongRun();
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        const std::string saved = logged().front().checkpoint;
        std::filesystem::resize_file(saved + "/checkpoint.toml", 0);
        QTRY_VERIFY(m_window->runs().action("runs.resume")->isEnabled());
        m_window->runs().action("runs.resume")->trigger();
        const auto question = [this] { return m_window->findChild<QMessageBox*>(); };
        QTRY_VERIFY(question() != nullptr);
        QVERIFY(question()->text().contains(QString::fromStdString(saved)));
        QCOMPARE(logged().front().attempt, 1);
        QVERIFY(!question()->isModal());
        for (QAbstractButton* button : question()->buttons())
            if (button->text() == QLatin1String("Resume from the beginning"))
                button->click();
        QTRY_VERIFY(isTraining() && logged().front().attempt == 2);
        QVERIFY(engine().lastRequest().resumeFrom.empty());
    }

    void theFormLeadsToWhereMemoryIsMeasured()
    {
        QTRY_VERIFY(
            m_window->train().nextRun().form().forecast().isEnabled()); // the engine is there
        QTest::mouseClick(
            m_window->train().nextRun().form().forecast().measureButton(), Qt::LeftButton);
        QCOMPARE(m_window->page().id(), m_window->memory().id());
    }

    void resumeStandsWherePauseStood()
    {
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        const auto buttons = m_window->findChild<RunStrip*>()->findChildren<QToolButton*>();
        const auto places = [&] {
            QCoreApplication::processEvents();
            return std::vector { buttons[0]->geometry(), buttons[1]->geometry() };
        };
        const std::vector<QRect> before = places();
        m_window->train().action("train.pause")->trigger();
        QTRY_COMPARE(buttons[0]->text(), QStringLiteral("Resume"));
        QCOMPARE(places(), before);
        m_window->train().action("train.pause")->trigger();
        QTRY_COMPARE(buttons[0]->text(), QStringLiteral("Pause"));
        QCOMPARE(places(), before);
    }

    void openedMessagesShowSixRowsAndClosedOnesGiveTheirRoomBack()
    {
        auto* panel = m_window->findChild<MessagePanel*>();
        auto* splitter = m_window->findChild<MessageSplitter*>();
        const int whole = splitter->widget(0)->height();
        for (int i = 0; i < 8; ++i)
            m_window->messages().say(QStringLiteral("message %1").arg(i));
        setOpen(true);
        const QTreeView& rows = *panel->view();
        const QRect sixth = rows.visualRect(rows.model()->index(5, 0));
        QVERIFY(sixth.isValid() && rows.viewport()->rect().contains(sixth.bottomLeft()));
        drag(panel->height() + 40);
        const int high = panel->height();
        setOpen(false);
        QCOMPARE(splitter->widget(0)->height(), whole);
        QCOMPARE(panel->height(), panel->maximumHeight());
        QCOMPARE(panel->geometry().bottom(), splitter->rect().bottom());
        setOpen(true);
        QCOMPARE(panel->height(), high);
        setOpen(false);
        m_window->resize(m_window->width(), m_window->height() + 40);
        QTRY_COMPARE(splitter->widget(0)->height(), whole + 40);
    }

    void theHeightOfTheMessagesIsRememberedAlsoWhileTheyAreClosed()
    {
        setOpen(true);
        drag(m_window->findChild<MessagePanel*>()->height() - 40); // there is always room for less
        const int high = m_window->findChild<MessagePanel*>()->height();
        setOpen(false);
        for (int start = 0; start < 2; ++start) {
            QVERIFY(m_window->close());
            shut();
            open();
            QCoreApplication::processEvents();
            auto* panel = m_window->findChild<MessagePanel*>();
            QCOMPARE(panel->height(), panel->maximumHeight());
            QCOMPARE(panel->geometry().bottom(), panel->parentWidget()->rect().bottom());
        }
        setOpen(true);
        QCOMPARE(m_window->findChild<MessagePanel*>()->height(), high);
    }

    void theKeyboardStaysWithThePageWhenItsButtonGoes()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        startLongRun();
        QTRY_VERIFY(stripShowsARun());
        auto* stop = m_window->findChild<RunStrip*>()->findChildren<QToolButton*>()[1];
        stop->setFocus();
        QVERIFY(stop->hasFocus());
        QTest::keyClick(stop, Qt::Key_Space);
        QVERIFY(!stop->isEnabled());
        QVERIFY(m_window->train().isAncestorOf(m_window->focusWidget()));
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        // Not on Start: a stray Space would train again.
        QVERIFY(m_window->train().isAncestorOf(m_window->focusWidget()));
        QVERIFY(qobject_cast<QPushButton*>(m_window->focusWidget()) == nullptr);
    }

    void theKeyboardStaysInTheListWhenSomethingBesideItGoes()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        train("one");
        m_window->showPage(m_window->runs());
        m_window->runs().selectRun(RunId { 1 });
        m_window->runs().action("runs.archive")->trigger();
        QPushButton* const undo = NoticeSlot::of(*m_window).button();
        QVERIFY(undo->isVisible());
        undo->setFocus();
        QTest::keyClick(undo, Qt::Key_Space);
        QVERIFY(!undo->isVisible());
        QVERIFY2(m_window->runs().isAncestorOf(m_window->focusWidget()),
            m_window->focusWidget()->metaObject()->className());
    }

    void aFileThatIsNoRunLogLeavesTheOpenOne_data()
    {
        QTest::addColumn<bool>("folder");
        QTest::newRow("another file") << false;
        QTest::newRow("folder") << true;
    }

    void aFileThatIsNoRunLogLeavesTheOpenOne()
    {
        QFETCH(bool, folder);
        train("one");
        m_window->runs().model().setChecked({ RunId { 1 } });
        m_window->compare().setRuns({ RunId { 1 } });
        const std::filesystem::path before = m_backend->log.file();
        QFile file(m_folder->filePath(QStringLiteral("notes.db")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(QByteArray(5000, 'x')) == 5000);
        file.close();
        m_window->openRunLog((folder ? m_folder->path() : file.fileName()).toStdString());
        QCOMPARE(m_backend->log.file(), before);
        QCOMPARE(m_backend->follower.file(), before);
        QCOMPARE(m_window->runs().checkedRuns(), std::vector { RunId { 1 } });
        QCOMPARE(m_window->compare().runs(), std::vector { RunId { 1 } });
        const QString said = m_window->messages().newest();
        QVERIFY2(said.contains(QLatin1String("is still")), qPrintable(said));
        QVERIFY2(!said.contains(QLatin1String("--db")), qPrintable(said));
    }

    void anotherLogIsRefusedWhileARunIsWritten()
    {
        startLongRun();
        const std::filesystem::path before = m_backend->log.file();
        m_window->openRunLog(m_folder->filePath(QStringLiteral("other.db")).toStdString());
        QCOMPARE(m_backend->log.file(), before);
        QVERIFY(m_window->messages().newest().contains(QLatin1String("Stop it")));
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
        m_window->openRunLog(m_folder->filePath(QStringLiteral("other.db")).toStdString());
        QVERIFY(m_backend->log.file() != before);
    }

    void aChangeOfAReadOnlyLogDoesNotStayOnTheScreen()
    {
        train("one");
        shut();
        open(); // nothing has been written yet
        QTRY_COMPARE(m_window->runs().model().rowCount(), 1);
        RunTableModel& model = m_window->runs().model();
        const auto name = [&] { return model.run(0).name; };
        {
            const ReadOnlyFolder locked(m_folder->path().toStdString());
            model.setData(model.index(0, RunTableModel::Name), QStringLiteral("new"), Qt::EditRole);
            QCOMPARE(name(), std::string("new"));
            QTRY_COMPARE(name(), std::string("one"));
            const QString said = m_window->messages().newest();
            QVERIFY2(said.contains(QLatin1String("Permission denied")), qPrintable(said));
            const int told = m_window->messages().rowCount();
            auto* note = m_window->runs().findChild<QPlainTextEdit*>();
            note->setPlainText(QStringLiteral("seen"));
            QTest::keyClick(note, Qt::Key_Return, Qt::ControlModifier);
            QTRY_VERIFY(m_window->messages().rowCount() > told);
            QTRY_COMPARE(model.run(0).note, std::string());
            QCOMPARE(note->toPlainText(), QString());
        }
        model.setData(model.index(0, RunTableModel::Name), QStringLiteral("new"), Qt::EditRole);
        QTRY_COMPARE(logged().front().name, std::string("new"));
        QCOMPARE(name(), std::string("new"));
    }

    void nothingIsDoneToAReadOnlyLog()
    {
        train("one");
        m_backend->log.setArchived(RunId { 1 }, true);
        startLongRun();
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!isTraining());
        const std::filesystem::path folder = m_folder->path().toStdString();
        const auto deletion = [this]() -> QAction* {
            for (QAction* action : m_window->findChildren<QAction*>())
                if (action->text() == QStringLiteral("Delete archived runs…"))
                    return action;
            return nullptr;
        };
        const auto resume = [this] {
            m_window->runs().selectRun(RunId { 2 });
            return m_window->runs().action("runs.resume");
        };
        QTRY_VERIFY(resume()->isEnabled());
        QTRY_VERIFY(deletion()->isEnabled());
        shut(); // nothing of the log is open
        {
            const ReadOnlyFolder locked(folder);
            open();
            QTRY_COMPARE(m_window->runs().model().rowCount(), 2);
            QVERIFY(!resume()->isEnabled());
            QVERIFY(resume()->toolTip().startsWith(m_window->train().starter().whyNotTrain()));
            QVERIFY(!deletion()->isEnabled());
        }
        m_window->openRunLog(folder / "other.db");
        m_window->openRunLog(folder / "runs.db");
        QTRY_VERIFY(resume()->isEnabled());
    }

    void theEngineIsLoadedAfterTheFirstPaint()
    {
        shut();
        m_backend = std::make_unique<Backend>(m_folder->filePath("runs.db").toStdString());
        m_window = std::make_unique<MainWindow>(*m_backend, m_theme);
        const FirstPaint paint(m_window->train(), m_backend->engine);
        m_window->show();
        QTRY_VERIFY(paint.state.has_value());
        QCOMPARE(*paint.state, EngineHost::State::NotLoaded);
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
    }

    void aNoticeDoesNotCoverStart()
    {
        m_window->resize(1024, 700);
        m_window->showPage(m_window->train());
        NoticeSlot& notice = NoticeSlot::of(*m_window);
        notice.reportProblem(QString(QStringLiteral("It cannot be written. ")).repeated(12));
        QCoreApplication::processEvents();
        const auto placeOf = [this](const QWidget& widget) {
            return QRect(widget.mapTo(m_window.get(), QPoint()), widget.size());
        };
        int buttons = 0;
        for (const QPushButton* button : m_window->train().findChildren<QPushButton*>())
            if (button->accessibleName() == QStringLiteral("Start")) {
                QVERIFY(!placeOf(*button).intersects(notice.geometry()));
                ++buttons;
            }
        QCOMPARE(buttons, 1);
        const auto* checks = m_window->train().findChild<ChecksPanel*>();
        QVERIFY(!placeOf(*checks).intersects(notice.geometry()));
    }

    void theMicroBatchThatFitsGoesIntoTheForm()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        const Experiment before = m_window->draft().experiment(); // B 128 = 32 × 4
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger(); // from the menu or the palette
        QCOMPARE(m_window->page().id(), m_window->memory().id());
        QVERIFY(!m_window->train().action("train.start")->isEnabled());
        QVERIFY(m_window->train()
                    .action("train.start")
                    ->toolTip()
                    .contains(QStringLiteral("Accrue is measuring memory")));
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
        QVERIFY(law.useAction()->isEnabled());
        law.useAction()->trigger();
        QCOMPARE(m_window->page().id(), m_window->train().id());
        const auto& next = m_window->draft().check().resolved;
        QCOMPARE(next->plan.effective, std::int64_t { 128 });
        QCOMPARE(next->plan.micro, std::int64_t { 128 });
        QCOMPARE(next->plan.steps, std::int64_t { 1 });
        QVERIFY(!law.useAction()->isEnabled()); // the form has it
        m_window->train().action("edit.undo")->trigger();
        QVERIFY(m_window->draft().experiment() == before);
    }

    void theFastestSplitGoesIntoTheForm()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.useFastestAction()->isEnabled());
        law.useFastestAction()->trigger();
        QCOMPARE(m_window->page().id(), m_window->train().id());
        const auto& next = m_window->draft().check().resolved;
        QCOMPARE(next->plan.effective, std::int64_t { 128 });
        QCOMPARE(next->plan.micro, std::int64_t { 128 });
        m_window->train().action("edit.undo")->trigger();
        QVERIFY(law.useFastestAction()->isEnabled());
    }

    void theLawThatIsUsedIsThatOfTheForm()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        LawCard& law = m_window->memory().law();
        const Experiment measured = m_window->draft().experiment();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.useAction()->isEnabled());
        m_window->showPage(m_window->train());
        Experiment other = measured;
        other.model.name = ModelName::Mlp;
        RunRecord loaded;
        loaded.experiment = other;
        m_window->train().loadSettings(loaded);
        QVERIFY(!law.useAction()->isEnabled());
        loaded.experiment = measured;
        m_window->train().loadSettings(loaded);
        QVERIFY(law.useAction()->isEnabled());
        shut();
        open(); // a memory model of an earlier session is known without opening the page
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        QTRY_VERIFY(m_window->memory().law().useAction()->isEnabled());
    }

    void theFormKnowsALawThatCouldNotBeStored()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        std::filesystem::create_directories(lawDirectory().parent_path());
        QFile inTheWay(QString::fromStdString(lawDirectory().string()));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.statusLabel()->text().contains(QStringLiteral("could not be stored")));
        m_window->showPage(m_window->train());
        QVERIFY(m_window->train().nextRun().form().forecast().forecast());
        QVERIFY(inTheWay.remove());
    }

    void aCardIsEmulatedFromTheMemoryPage()
    {
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(m_backend->engine.state(), EngineHost::State::Ready);
        m_window->showPage(m_window->memory());
        LawCard& law = m_window->memory().law();
        law.measureAction()->trigger();
        QTRY_VERIFY(law.fit().has_value());
        QComboBox* cards = law.answers()->cardBox();
        cards->setFocus();
        QTest::keyClick(cards, Qt::Key_Down);
        const auto budget = [&] { return m_window->draft().experiment().memory.budget; };
        QCOMPARE(budget(), std::optional(Bytes { std::int64_t { 4 } << 30 }));
        QCOMPARE(m_window->page().id(), m_window->memory().id());
        QVERIFY(cards->hasFocus()); // the focus remains
        QTRY_VERIFY(law.statusLabel()->text().contains(QStringLiteral("the budget of 4.00 GiB")));
        m_window->train().action("edit.undo")->trigger();
        QVERIFY(!budget());
    }

    void theThemeChangesAtRunTime()
    {
        m_theme.apply(ThemeChoice::Dark);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() < 60);
        m_theme.apply(ThemeChoice::Light);
        QVERIFY(m_window->palette().color(QPalette::Window).lightness() > 200);
    }

    void anotherThemeLeavesTheSizeOfTheText()
    {
        const auto sizes = [this] {
            QCoreApplication::processEvents();
            std::vector<int> all { m_window->menuBar()->height() };
            for (const QWidget* widget : m_window->findChildren<QWidget*>())
                all.push_back(QFontInfo(widget->font()).pixelSize());
            return all;
        };
        const std::vector<int> before = sizes();
        m_theme.apply(ThemeChoice::Light);
        QCOMPARE(sizes(), before);
        m_theme.apply(ThemeChoice::Dark);
        QCOMPARE(sizes(), before);
    }

    void tagsThatAreChangedAreInTheLog()
    {
        train("one");
        const RunId id = logged().front().id;
        Q_EMIT m_window->runs().runActions().tagging().tagsRequested(id, { "baseline" }, {});
        QTRY_COMPARE(logged().front().tags, (std::vector<std::string> { "baseline" }));
        QTRY_COMPARE(m_window->runs().model().find(id)->tags, logged().front().tags);
    }

    // A check that waits for the engine would keep the window, which waits for the check.
    void aComparisonAwaitsNoEngineThatNobodyLoads()
    {
        shut();
        const std::filesystem::path file = m_folder->path().toStdString() + "/compared.db";
        {
            RunLogWriter log(file);
            for (int i = 0; i < 2; ++i) {
                ExampleRunInLog run(log, { exampleExperiments(1).front() });
                run.advance(100);
                log.sink(run.id()).emitEvent(CheckpointSaved { 100, 1, "/saved/step-100" });
                run.end();
            }
            QVERIFY(log.flush());
        }
        m_backend = std::make_unique<Backend>(file);
        m_window = std::make_unique<MainWindow>(*m_backend, m_theme); // not shown: it loads none
        EquivalenceCard& card = m_window->compare().equivalence();
        card.setRuns(file, RunLogReader(file).runs());
        card.ask();
        const auto* words = card.findChild<QLabel*>(QStringLiteral("equivalence"));
        QTRY_VERIFY(words->text().startsWith(QLatin1String("Equivalent: losses are identical")));
        QVERIFY(m_backend->engine.state() == EngineHost::State::NotLoaded);
        QVERIFY(!words->text().contains(QLatin1String("weights")));
        m_backend->engine.load();
        QTRY_VERIFY(words->text().contains(QLatin1String("weights")));
    }

    void theDraftOutlivesThePagesThatShowIt()
    {
        QStringList ends;
        const auto note = [&](const QObject* object, const char* name) {
            connect(object, &QObject::destroyed, this,
                [&ends, name] { ends << QString::fromLatin1(name); });
        };
        note(&m_window->draft(), "draft");
        note(&m_window->train(), "train");
        note(&m_window->memory(), "memory");
        shut();
        QCOMPARE(ends.size(), 3);
        QCOMPARE(ends.last(), QStringLiteral("draft"));
    }

    void theGuiThreadIsNeverHeldLong()
    {
        if constexpr (test::kIsSanitized)
            QSKIP("Instrumented code is too slow to measure.");
        startLongRun();
        runEventsFor(std::chrono::milliseconds(500)); // the first layout and the first charts
        g_application->forget();
        runEventsFor(std::chrono::seconds(2));
        qInfo("longest hold of the GUI thread: %.1f ms", g_application->longestOwnHoldMs());
        QVERIFY(g_application->longestOwnHoldMs() > 0);
        QVERIFY(g_application->longestOwnHoldMs() <= 50);
        m_window->train().action("train.stop")->trigger();
        QTRY_VERIFY(!m_backend->controller.isActive());
    }
};

int main(int argc, char** argv)
{
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi); // as QTEST_MAIN
    MeasuredApplication application(argc, argv);
    g_application = &application;
    TestMainWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_main_window.moc"
