// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/memory_page.h"

#include "ui/actions/make_action.h"
#include "ui/charts/area_chart.h"
#include "ui/draft/experiment_draft.h"
#include "ui/memory/followed_window.h"
#include "ui/memory/law_card.h"
#include "ui/memory/layers_card.h"
#include "ui/memory/run_choice.h"
#include "ui/memory/step_choice.h"
#include "ui/memory/window_drawing.h"
#include "ui/models/format.h"
#include "ui/models/memory_words.h"
#include "ui/widgets/chart_pictures.h"
#include "ui/widgets/empty_page.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/reserved_label.h"

#include <QAction>
#include <QEvent>
#include <QFrame>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>

#include <cmath>

// Two parts that share nothing but the page: above, what a window of a run needed memory for, from
// the run log; below, the memory model of the experiment in the form. The upper part is an empty
// page until a run has measured memory; the lower one always has content.

namespace accrue {

namespace {

constexpr std::int64_t kMostMicroBatches = 24; // that can be distinguished

} // namespace

MemoryPage::MemoryPage(Backend& backend, ExperimentDraft& draft, QWidget* parent)
    : Page({ "memory", "memory", tr("Memory"), Qt::CTRL | Qt::Key_4 }, parent)
    , m_follower(backend.follower)
    , m_window(new FollowedWindow(backend.follower, this))
    , m_stack(new QStackedWidget(this))
{
    m_stack->setObjectName(QStringLiteral("memoryOfRuns"));
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(buildContent());
    m_law = new LawCard(backend, this); // last in the tab order
    layOut();
    connectParts();
    connectLaw(draft);
    fillMenu();
    draw();
}

void MemoryPage::layOut()
{
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_law);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ 1, 1 });
    m_splitter->setContentsMargins(16, 12, 16, 12);
    m_splitter->handle(1)->setToolTip(tr("Drag to resize"));
    // Both parts have room on a small screen, too: there the page scrolls.
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    // It would be a tab stop of its own that shows no focus.
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_splitter);
    makeColumn(this, { scroll });
}

void MemoryPage::connectParts()
{
    connect(&m_follower, &RunLogFollower::runsChanged, this,
        [this](const std::shared_ptr<const RunList>& runs) { m_runs->setRuns(*runs); });
    connect(m_window, &FollowedWindow::changed, this, &MemoryPage::showWindow);
    connect(&m_follower, &RunLogFollower::fileChanged, this, [this] {
        // Numbers identify other runs in another log, so neither the choice nor the list remains.
        m_runs->followLatest();
        m_runs->setRuns({});
    });
    connect(m_runs, &RunChoice::shownChanged, this, &MemoryPage::showRun);
    connect(m_steps, &StepChoice::chosen, m_window, &FollowedWindow::choose);
    connect(m_onlyChanging, &QCheckBox::toggled, this, [this] {
        // From now on the box is the user's: showWindow() does not set it any more.
        m_userChose = true;
        draw();
    });
    connect(m_evaluation, &QCheckBox::toggled, this, &MemoryPage::draw);
}

// The memory model is that of the draft.
void MemoryPage::connectLaw(ExperimentDraft& draft)
{
    // The question includes the result of the check: the card must not show another answer about
    // the same texts than the form.
    const auto show = [this, &draft] {
        const ExperimentCheck& check = draft.check();
        const auto plan = check.asked ? std::optional(check.asked->plan) : std::nullopt;
        m_law->setQuestion({ draft.experiment(), plan, check.firstError, check.law });
    };
    connect(&draft, &ExperimentDraft::checked, this, show);
    connect(m_law, &LawCard::lookRequested, &draft, &ExperimentDraft::lookForLaw);
    connect(m_law, &LawCard::reported, this, &Page::reported);
    show();
}

// ---- building --------------------------------------------------------------------------------

QWidget* MemoryPage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("memory"), tr("No memory measured yet"),
        tr("Start a run to see what each phase of a window uses memory for, by category and by "
           "layer. Runs are profiled unless Memory profiling is off."),
        tr("Train"), this);
    connect(page->button(), &QPushButton::clicked, this, &MemoryPage::trainRequested);
    page->showLogProblem(m_follower.problem());
    connect(&m_follower, &RunLogFollower::failed, page, &EmptyPage::showLogProblem);
    for (const auto readable : { &RunLogFollower::recovered, &RunLogFollower::fileChanged })
        connect(&m_follower, readable, page, [page] { page->showLogProblem({}); });
    return page;
}

QWidget* MemoryPage::buildContent()
{
    auto* content = new QWidget(this);
    auto* charts = makeRow(nullptr);
    auto* layout = makeColumn(content);
    layout->addLayout(buildBar(content));
    layout->addWidget(m_summary);
    layout->addLayout(charts, 1);
    charts->addWidget(buildChart(content), 2);
    m_layers = new LayersCard(content);
    charts->addWidget(m_layers, 1);
    return content;
}

QLayout* MemoryPage::buildBar(QWidget* parent)
{
    m_runs = new RunChoice(parent);
    m_summary = new ReservedLabel(/*characters=*/70, parent);
    m_summary->setProperty("role", QLatin1String("muted"));
    m_onlyChanging = new QCheckBox(tr("Transient memory only"), parent);
    m_onlyChanging->setToolTip(tr("Hide memory that is constant throughout the window: data set, "
                                  "parameters, gradients, optimizer state"));
    m_evaluation = new QCheckBox(tr("Evaluation"), parent);
    m_evaluation->setToolTip(tr("Also draw the evaluation, which is not part of the window and has "
                                "its own batch size, run.evaluation_batch"));
    m_steps = new StepChoice(parent);
    m_savePicture = makePageAction(*this,
        { "save", tr("Save the window's chart as picture…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P,
            tr("Save the chart of this window as SVG or PNG") },
        [this] { savePicture(); });
    auto* bar = makeRow(nullptr,
        { m_runs, m_onlyChanging, m_evaluation, m_steps, makeFramedButton(m_savePicture, parent) });
    bar->insertStretch(1, 1);
    return bar;
}

QFrame* MemoryPage::buildChart(QWidget* parent)
{
    auto* card = new QFrame(parent);
    card->setProperty("card", true);
    m_chart = new AreaChart(card);
    m_chart->setEmptyText(tr("Measuring the first window."));
    m_chart->setValueFormatter(
        [](double value) { return bytesText(std::llround(value)); }, PlotAxis::Ticks::Bytes);
    connect(m_chart, &AreaChart::pictureRequested, this, &MemoryPage::savePicture);
    makeColumn(card, { m_chart }, { 1, 1, 1, 1 });
    return card;
}

void MemoryPage::savePicture()
{
    askAndSavePicture(*this, *m_chart, QStringLiteral("memory of one window"));
}

// Without a sentence here, the tooltip of a disabled action has the reason.
void MemoryPage::fillMenu()
{
    addToMenu(Menu::Own,
        {
            { "memory.measure", m_law->measureAction(), {}, tr("Measure which micro-batch fits") },
            { "memory.use", m_law->useAction(), {}, tr("Use the micro-batch that fits"),
                Leads::Elsewhere },
            { "memory.useFastest", m_law->useFastestAction(), {}, tr("Use the fastest split"),
                Leads::Elsewhere },
            {},
            { "memory.savePicture", m_savePicture },
            { "memory.saveLawPicture", m_law->savePictureAction(),
                tr("Measure first which micro-batch fits.") },
        });
}

// ---- which run -------------------------------------------------------------------------------

void MemoryPage::showRun()
{
    m_stack->setCurrentIndex(m_runs->shown() != nullptr ? 1 : 0);
    // Also for a record that changed: a run that has ended opens at another window.
    m_window->setRun(m_runs->shown());
    showSummary();
}

std::vector<KeptState> MemoryPage::keptState()
{
    return { { QStringLiteral("memory/splitter"), [this] { return m_splitter->saveState(); },
        [this](const QVariant& state) { m_splitter->restoreState(state.toByteArray()); } } };
}

// ---- drawing ---------------------------------------------------------------------------------

// Until the user has chosen, only the transient memory is drawn if it would hardly be visible
// otherwise.
void MemoryPage::showWindow()
{
    const MemoryMeasured& window = m_window->memory().window;
    if (!m_userChose && !window.phases.empty()) {
        // Otherwise the box would count as chosen by the user, and be right for the first run only.
        const QSignalBlocker blocker(m_onlyChanging);
        m_onlyChanging->setChecked(isMostlyConstant(withoutEvaluation(window)));
    }
    draw();
}

void MemoryPage::showSummary()
{
    const MemoryMeasured& window = m_window->memory().window;
    const RunRecord* run = m_runs->shown();
    m_summary->setText(run == nullptr || window.phases.empty()
            ? QString()
            : windowSummary(window, *run, m_evaluation->isChecked()));
}

void MemoryPage::draw()
{
    m_steps->showSteps(m_window->memory(), m_window->index());
    showSummary();
    const MemoryMeasured& window = m_window->memory().window;
    // A window of hundreds of micro-batches has more bands than the chart has pixels. Those that
    // equal the one before are left out, and the caption states that.
    const WindowExcerpt excerpt = excerptOf(
        m_evaluation->isChecked() ? window : withoutEvaluation(window), kMostMicroBatches);
    const Background background = backgroundOf(palette());
    WindowDrawing drawing = drawingOf(excerpt.window, m_onlyChanging->isChecked(), background);
    const RunRecord* run = m_runs->shown();
    const Metering metering = run != nullptr ? run->experiment.memory.metering : Metering::Window;
    m_chart->setTitle(windowCaption(excerpt, drawing.leftOutBytes, metering));
    m_savePicture->setEnabled(!drawing.content.bands.empty());
    m_chart->setContent(std::move(drawing.content));
    m_layers->showWindow(window, background);
}

// ---- events ----------------------------------------------------------------------------------

void MemoryPage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    m_window->setSeen(true);
}

void MemoryPage::hideEvent(QHideEvent* event)
{
    Page::hideEvent(event);
    m_window->setSeen(false);
}

void MemoryPage::changeEvent(QEvent* event)
{
    Page::changeEvent(event);
    // The first palette event arrives before the chart exists.
    if (event->type() == QEvent::PaletteChange && m_chart != nullptr)
        draw();
}

} // namespace accrue
