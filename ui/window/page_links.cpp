// SPDX-License-Identifier: Apache-2.0
#include "ui/window/page_links.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/equivalence_card.h"
#include "ui/curves/run_selection.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/law_card.h"
#include "ui/memory/memory_page.h"
#include "ui/run/equivalence_check.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_tagging.h"
#include "ui/runs/runs_page.h"
#include "ui/train/next_run_column.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/run_start.h"
#include "ui/train/shown_run.h"
#include "ui/train/train_page.h"

#include <QPointer>

#include <algorithm>
#include <utility>

// One page requests, another fulfils, and the window shows the page with the result. Signals are
// connected to the backend directly if no other page is involved.

namespace accrue {

namespace {

Fix withBudget(const std::optional<Bytes>& budget)
{
    Experiment emulating;
    emulating.memory.budget = budget;
    const std::string size = settingText(settingOf(emulating, key::memoryBudget).value());
    const QString label = budget
        ? PageLinks::tr("Emulate a card with %1").arg(QString::fromStdString(size))
        : PageLinks::tr("Emulate no card");
    return { Message::plain(label.toStdString()), { key::assignment(key::memoryBudget, size) } };
}

// Two checkpoints are compared by the engine, on the check's own thread.
EquivalenceCheck::Distance distanceBy(EngineHost& engine)
{
    return [&engine](const std::filesystem::path& a, const std::filesystem::path& b) {
        const LoadedEngine loaded = engine.await();
        if (loaded.engine != nullptr)
            return loaded.engine->distance(a, b);
        ParameterDistance unknown;
        unknown.problem = loaded.problem;
        return unknown;
    };
}

} // namespace

PageLinks::PageLinks(
    Backend& backend, const Pages& pages, std::function<void(Page&)> show, QObject* parent)
    : QObject(parent)
    , m_backend(backend)
    , m_pages(pages)
    , m_show(std::move(show))
{
    connect(
        &m_pages.compare, &ComparePage::runsPageRequested, this, [this] { m_show(m_pages.runs); });
    connect(&m_pages.memory, &MemoryPage::trainRequested, this, [this] { m_show(m_pages.train); });
    linkEquivalence();
    linkForm();
    linkRuns();
    linkLog();
    linkMemoryModel();
}

// Not before the engine is loaded, or known to be missing: a check that awaits one that is never
// loaded would never end, and a window that is closed waits for it.
void PageLinks::linkEquivalence()
{
    EngineHost& engine = m_backend.engine;
    const auto measure = [this, &engine] {
        m_pages.compare.equivalence().setDistance(distanceBy(engine));
    };
    if (engine.state() == EngineHost::State::Ready || engine.state() == EngineHost::State::Missing)
        measure();
    connect(&engine, &EngineHost::engineLoaded, this, measure);
    connect(&engine, &EngineHost::engineMissed, this, measure);
}

void PageLinks::linkForm()
{
    connect(&m_pages.train, &TrainPage::measureRequested, this, [this] { m_show(m_pages.memory); });
    connect(&m_pages.train, &TrainPage::compareRequested, this, &PageLinks::compare);
    connect(
        &m_backend.controller, &RunController::stateChanged, this, &PageLinks::reportWhyNotTrain);
    connect(&m_backend.fits, &FitController::stateChanged, this, &PageLinks::reportWhyNotTrain);
    connect(&m_backend.engine, &EngineHost::engineMissed, this, &PageLinks::reportWhyNotTrain);
}

void PageLinks::linkRuns()
{
    const RunActions& actions = m_pages.runs.runActions();
    connect(&actions, &RunActions::compareRequested, this, &PageLinks::compare);
    connect(&actions, &RunActions::addToCompareRequested, this, &PageLinks::addToCompare);
    connect(&actions, &RunActions::resumeRequested, this, &PageLinks::resume);
    connect(&actions, &RunActions::duplicateRequested, this, [this](const RunRecord& run) {
        m_pages.train.loadSettings(run);
        m_show(m_pages.train);
    });
    connect(&actions, &RunActions::opened, this, [this](RunId run) {
        m_pages.train.shownRun().show(run);
        m_show(m_pages.train);
    });
    // One way to stop runs, from wherever that is requested.
    connect(&m_pages.compare, &ComparePage::stopRequested, &actions, &RunActions::stopRequested);
    connect(&m_pages.runs, &RunsPage::trainRequested, this, [this] { m_show(m_pages.train); });
    linkBaseline();
}

// Both pages show differences to the same run.
void PageLinks::linkBaseline()
{
    RunSelection& compared = m_pages.compare.selection();
    connect(&m_pages.runs, &RunsPage::baselineChanged, &compared, &RunSelection::setBaseline);
    connect(&compared, &RunSelection::baselineChanged, &m_pages.runs,
        [this, &compared] { m_pages.runs.setBaseline(compared.baseline()); });
}

// Changes are written on the log's thread. They return with the follower's next list, for all pages
// alike, or as a failure to the page that requested them.
void PageLinks::linkLog()
{
    const RunsPage& runs = m_pages.runs;
    const LogHost& log = m_backend.log;
    connect(&runs, &RunsPage::renameRequested, &log, &LogHost::rename);
    connect(&runs, &RunsPage::noteRequested, &log, &LogHost::setNote);
    connect(&runs.runActions().tagging(), &RunTagging::tagsRequested, &log, &LogHost::changeTags);
    connect(&runs.runActions(), &RunActions::archiveRequested, &log, &LogHost::setArchived);
    connect(&log, &LogHost::changeFailed, &runs, &RunsPage::showFailedChange);
}

// A change that the memory model recommends is applied to the draft that it is about.
void PageLinks::linkMemoryModel()
{
    const LawCard& law = m_pages.memory.law();
    connect(&law, &LawCard::useMicroRequested, this, [this](const Fix& fix) {
        m_show(m_pages.train); // where the change is visible and can be undone
        m_pages.draft.applyFix(fix);
    });
    connect(&law, &LawCard::emulateRequested, this, &PageLinks::emulate);
}

// The form moves the focus to the field that it changes; here it stays on the Memory page.
void PageLinks::emulate(const std::optional<Bytes>& budget)
{
    // Guarded, because applying the change may delete the widget that has the focus.
    const QPointer<QWidget> keyboard(m_pages.memory.window()->focusWidget());
    m_pages.draft.applyFix(withBudget(budget));
    if (keyboard != nullptr)
        keyboard->setFocus(Qt::OtherFocusReason);
}

void PageLinks::compare(const std::vector<RunId>& runs)
{
    m_pages.compare.setRuns(runs);
    m_show(m_pages.compare);
}

// Behind those that are compared already, which keep their places.
void PageLinks::addToCompare(const std::vector<RunId>& runs)
{
    std::vector<RunId> all = m_pages.compare.runs();
    for (const RunId run : runs)
        if (std::find(all.begin(), all.end(), run) == all.end())
            all.push_back(run);
    compare(all);
}

void PageLinks::showInTable(RunId run)
{
    m_show(m_pages.runs);
    m_pages.runs.selectRun(run);
}

void PageLinks::resume(const RunRecord& run)
{
    m_pages.train.starter().resume(run);
    m_show(m_pages.train);
}

void PageLinks::openRecipe(const QString& nameOrPath)
{
    m_pages.train.nextRun().recipes().openRecipe(nameOrPath);
    m_show(m_pages.train);
}

// The Train page knows the reason; the Runs page, which offers Resume, cannot access it.
void PageLinks::reportWhyNotTrain()
{
    m_pages.runs.runActions().setWhyNotTrain(m_pages.train.starter().whyNotTrain());
}

} // namespace accrue
