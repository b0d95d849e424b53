// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/window/window_test.h"

#include <QAction>
#include <QApplication>

#include <filesystem>
#include <optional>

#include "tests/support/waiting.h"
#include "ui/train/experiment_form.h"
#include "ui/train/train_page.h"

#include "ui/draft/experiment_draft.h"
#include "ui/train/next_run_column.h"
namespace accrue {

WindowTest::WindowTest() = default;

WindowTest::~WindowTest() = default;

FakeEngine& WindowTest::engine()
{
    static FakeEngine fake;
    return fake;
}

void WindowTest::open(const char* log)
{
    const std::filesystem::path folder = m_folder->path().toStdString();
    m_backend = std::make_unique<Backend>(folder / log);
    m_window = std::make_unique<MainWindow>(*m_backend, m_theme);
    m_window->show();
}

void WindowTest::shut()
{
    m_window.reset();
    m_backend.reset();
    // The next window is built like the first one of a program, before there is a style sheet:
    // under the style sheet of the earlier window this takes several times as long.
    qApp->setStyleSheet({});
}

void WindowTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
    qputenv("XDG_CONFIG_HOME", m_folder->path().toLocal8Bit());
    setEngineForTesting(&engine());
    engine().setOptions({});
    open();
}

void WindowTest::cleanup()
{
    shut();
}

void WindowTest::startLongRun()
{
    engine().setOptions({ .stepTime = std::chrono::milliseconds(5) });
    SettingEditor* epochs = m_window->train().nextRun().form().editor("run.epochs");
    epochs->setText(QStringLiteral("1000"));
    Q_EMIT epochs->edited();
    QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
    m_window->train().action("train.start")->trigger();
    QTRY_VERIFY(isTraining());
}

void WindowTest::train(const char* name)
{
    Experiment experiment = m_window->draft().experiment();
    experiment.name = name;
    experiment.run.limitSteps = 2;
    m_backend->controller.start(requireResolved(experiment), {});
    QTRY_VERIFY(!m_backend->controller.isActive());
    const auto listed = [&] {
        const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
        return runs != nullptr && !runs->empty() && runs->front().name == name;
    };
    m_backend->follower.refresh();
    QTRY_VERIFY(listed());
}

void WindowTest::startFit()
{
    engine().setOptions({ .held = true });
    m_backend->fits.start({ m_window->draft().experiment(), {} });
    QTRY_VERIFY(m_backend->fits.progress().micro > 0);
}

bool WindowTest::isTraining() const
{
    const std::shared_ptr<const RunList> runs = m_backend->follower.runs();
    return runs != nullptr && !runs->empty() && runs->front().step >= 2;
}

std::vector<RunRecord> WindowTest::logged() const
{
    return RunLogReader(m_folder->path().toStdString() + "/runs.db").runs();
}

void WindowTest::assertStoppedAndLogged() const
{
    const RunRecord run = logged().front();
    QCOMPARE(run.outcome, std::optional(RunOutcome::Stopped));
    const std::string file = m_folder->path().toStdString() + "/runs.db";
    const std::vector<SeriesPoint> losses = RunLogReader(file).series(run.id, "loss", Axis::Step);
    QCOMPARE(static_cast<std::int64_t>(losses.size()), run.step);
}

} // namespace accrue
