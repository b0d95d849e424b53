// SPDX-License-Identifier: Apache-2.0
// Whether the table of a log of 2,000 runs follows the hand: what one step of scrolling, one letter
// of a search, a sort and a grouping take until they are painted, in processor time of the GUI
// thread, which waits for nothing, so that a busy machine does not count; and how long its curves
// are awaited. Without a display: QT_QPA_PLATFORM=offscreen. `--smoke` takes a small log and judges
// nothing. Exit 1 when a target is missed, 2 when nothing was shown.
#include "tests/benchmarks/figures.h"
#include "tests/support/example_log.h"
#include "ui/models/run_table_model.h"
#include "ui/rows/run_curves.h"
#include "ui/run/run_log_follower.h"
#include "ui/runs/group_button.h"
#include "ui/runs/run_list_view.h"
#include "ui/runs/run_search.h"
#include "ui/runs/runs_page.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QTemporaryDir>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <time.h>

using namespace accrue;

namespace {

constexpr double kFrame = 16.7; // ms, at 60 Hz
constexpr double kAtOnce = 50; // ms: no pause is seen after a letter

// Runs the event loop until `done`, at most a minute; true: done.
bool waitUntil(const std::function<bool()>& done)
{
    QElapsedTimer timer;
    timer.start();
    while (!done() && timer.elapsed() < 60'000)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return done();
}

double milliseconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

double threadMilliseconds()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

class Times {
public:
    void measure(const std::function<void()>& act)
    {
        const double before = threadMilliseconds();
        act();
        m_times.push_back(threadMilliseconds() - before);
    }
    double quantile(double share)
    {
        std::sort(m_times.begin(), m_times.end());
        const auto at = static_cast<std::size_t>(share * static_cast<double>(m_times.size()));
        return m_times.at(std::min(at, m_times.size() - 1));
    }
    void add(std::vector<Figure>& figures, const std::string& what, double limit)
    {
        figures.push_back({ what + ", median", quantile(0.5), "ms", {} });
        figures.push_back({ what + ", 99 of 100", quantile(0.99), "ms", limit });
    }

private:
    std::vector<double> m_times;
};

void writeLog(const std::filesystem::path& file, int runs, std::int64_t steps)
{
    RunLogWriter log(file);
    int index = 0;
    for (const Experiment& experiment : exampleExperiments(runs)) {
        const RunId run =
            writeExampleRun(log, { experiment, steps, steps / 10, 0.01, RunOutcome::Completed, 0 });
        if (++index % 5 == 0)
            log.changeTags(run, { index % 2 == 0 ? "baseline" : "paper" }, {});
    }
    log.flush();
}

// What has changed, as the event loop does it.
void paint(RunListView& list)
{
    QCoreApplication::sendPostedEvents();
    QCoreApplication::sendPostedEvents(list.window(), QEvent::UpdateRequest);
}

// Counts what is painted, so that a time in which nothing was is not taken for a fast one.
class PaintCount : public QObject {
public:
    explicit PaintCount(QWidget& widget) { widget.installEventFilter(this); }
    int count() const { return m_count; }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int m_count = 0;
};

void measureScrolling(std::vector<Figure>& figures, RunListView& list)
{
    Times times;
    QScrollBar* const bar = list.verticalScrollBar();
    for (int step = 0; step < 600; ++step)
        times.measure([&] {
            bar->setValue((bar->value() + 3) % std::max(1, bar->maximum()));
            paint(list);
            QCoreApplication::processEvents(); // what the curves' reading brings
        });
    times.add(figures, "a step of scrolling by three rows, painted", kFrame);
}

void measureSearch(std::vector<Figure>& figures, RunListView& list, RunSearch& search)
{
    Times times;
    for (const char* text :
        { "norm=group b<=32 digits", "lenet5 accuracy>0.98", "tag=paper lr<0.05" })
        for (int round = 0; round < 3; ++round) {
            const QString whole = QLatin1String(text);
            for (qsizetype length = 1; length <= whole.size(); ++length)
                times.measure([&] {
                    search.search(whole.left(length));
                    paint(list);
                });
            times.measure([&] {
                search.search({});
                paint(list);
            });
        }
    times.add(figures, "a letter of a search, filtered and painted", kAtOnce);
}

void measureOrder(std::vector<Figure>& figures, RunListView& list, GroupButton& groups)
{
    Times sorts;
    for (int column = 0; column < RunTableModel::ColumnCount; ++column)
        if (!list.isColumnHidden(column))
            sorts.measure([&] {
                list.sortByColumn(column, Qt::DescendingOrder);
                paint(list);
            });
    sorts.add(figures, "sorting by a column, painted", 2 * kAtOnce);
    Times groupings;
    for (const char* keys : { "seeds", "norm", "norm, b, lr", "seed", "" })
        groupings.measure([&] {
            groups.setGrouping(RunGrouping::of(QLatin1String(keys)));
            paint(list);
        });
    groupings.add(figures, "grouping, painted", 2 * kAtOnce);
}

double curvesOfAScreen(RunListView& list, RunCurves& curves)
{
    QElapsedTimer timer;
    timer.start();
    list.verticalScrollBar()->setValue(list.verticalScrollBar()->maximum() / 3);
    paint(list);
    waitUntil([&] {
        for (int y = 0; y < list.viewport()->height(); y += 30)
            if (const int row = list.rowAt(y); row >= 0)
                if (curves.curve(list.shown().runsAt(row).front(), RunCurves::Kind::Loss)
                    == nullptr)
                    return false;
        return true;
    });
    return milliseconds(timer);
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.apply(ThemeChoice::Light);
    const bool smoke = application.arguments().contains(QStringLiteral("--smoke"));
    const int runs = smoke ? 40 : 2000;
    QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath(QStringLiteral("bench.db")).toStdString();
    writeLog(file, runs, smoke ? 50 : 1000);

    RunLogFollower follower;
    RunsPage page(follower);
    page.resize(1600, 1000);
    page.show();
    follower.setFile(file);
    if (!waitUntil([&] { return page.model().rowCount() == runs; })) {
        std::fprintf(stderr, "bench_runs_table: the page did not show the log within a minute\n");
        return 2;
    }
    auto& list = *page.findChild<RunListView*>();
    const PaintCount paints(*list.viewport());
    std::vector<Figure> figures {
        { "curves of all rows of a screen, from scrolling there",
            curvesOfAScreen(list, *page.findChild<RunCurves*>()), "ms", 1000 },
    };
    measureScrolling(figures, list);
    measureSearch(figures, list, *page.findChild<RunSearch*>());
    measureOrder(figures, list, *page.findChild<GroupButton*>());
    figures.push_back(
        { "paintings of the table", static_cast<double>(paints.count()), "", 600, Wanted::Floor });
    return report(figures, !smoke) ? 0 : 1;
}
