// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/memory_page.h"

#include "engine/events/memory_layers.h"
#include "ui/charts/area_chart.h"
#include "ui/charts/bar_chart.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/memory_words.h"
#include "ui/models/run_words.h"
#include "ui/models/saw_tooth.h"
#include "ui/pages/chart_pictures.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/icons.h"
#include "ui/pages/law_card.h"
#include "ui/pages/marked_slider.h"
#include "ui/pages/reserved_label.h"
#include "ui/pages/run_choice.h"
#include "ui/pages/window_view.h"

#include <QAction>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>

namespace accrue {

namespace {

constexpr double kMostly = 0.75; // of the highest peak
constexpr std::int64_t kMostMicroBatches = 24; // that have room to be told apart

// The colour that the phase has on the Train page.
QColor colorOf(MemoryPhase phase)
{
    switch (phase) {
    case MemoryPhase::Data:
        return phaseColor(Phase::Data);
    case MemoryPhase::Forward:
        return phaseColor(Phase::Forward);
    case MemoryPhase::Backward:
        return phaseColor(Phase::Backward);
    case MemoryPhase::Optimizer:
        return phaseColor(Phase::Optimizer);
    case MemoryPhase::Evaluation:
        break;
    }
    return phaseColor(Phase::Evaluation);
}

std::vector<ChartBand> bandsOf(const MemoryMeasured& window)
{
    std::vector<ChartBand> bands;
    bands.reserve(window.phases.size());
    double x = 0;
    for (const PhaseMemory& phase : window.phases) {
        bands.push_back({ x, x + 1, phaseTitle(phase.phase), phaseLetter(phase.phase),
            colorOf(phase.phase), phaseText(phase) });
        x += 1;
    }
    return bands;
}

template <typename Bytes> std::vector<double> valuesOf(const SawTooth& curve, Bytes bytes)
{
    std::vector<double> values;
    values.reserve(curve.points.size());
    for (const SawTooth::Point& point : curve.points)
        values.push_back(static_cast<double>(bytes(point)));
    return values;
}

// In bytes.
std::vector<ChartArea> areasOf(const SawTooth& curve, Background background)
{
    std::vector<ChartArea> areas;
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        areas.push_back({ categoryTitle(category), categoryMeaning(category),
            categoryColor(category, background), /*faint=*/false,
            valuesOf(curve, [i](const SawTooth::Point& point) { return point.bytes.at(i); }) });
    }
    areas.push_back({ cachedTitle(), cachedMeaning(),
        categoryColor(MemoryCategory::Workspace, background), /*faint=*/true,
        valuesOf(curve, [](const SawTooth::Point& point) { return point.cachedBytes; }) });
    areas.push_back({ othersTitle(), othersMeaning(),
        categoryColor(MemoryCategory::DataSet, background), /*faint=*/true,
        valuesOf(curve, [](const SawTooth::Point& point) { return point.otherBytes; }) });
    return areas;
}

bool isConstant(const ChartArea& area)
{
    return std::all_of(area.values.begin(), area.values.end(),
        [&](double value) { return value == area.values.front(); });
}

// Gives how many bytes one is.
double scaleToUnit(std::vector<ChartArea>& areas)
{
    std::vector<double> sums;
    for (const ChartArea& area : areas) {
        sums.resize(area.values.size());
        std::transform(
            sums.begin(), sums.end(), area.values.begin(), sums.begin(), std::plus<double>());
    }
    const double unit = byteUnit(sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end()));
    for (ChartArea& area : areas)
        for (double& value : area.values)
            value /= unit;
    return unit;
}

QString batchOf(const RunRecord& run)
{
    const QString batch = MemoryPage::tr("B %1").arg(batchSumText(planInForce(run)));
    return planInForce(run) == run.plan
        ? batch
        : MemoryPage::tr("%1, reduced from b %2 after an out-of-memory error")
              .arg(batch, countText(run.plan.micro));
}

MemoryMeasured withoutEvaluation(MemoryMeasured window)
{
    std::erase_if(window.phases,
        [](const PhaseMemory& phase) { return phase.phase == MemoryPhase::Evaluation; });
    return window;
}

// Of what is drawn, then of an evaluation that is not.
QString peaksOf(const MemoryMeasured& window, bool evaluationDrawn)
{
    const MemoryMeasured drawn = evaluationDrawn ? window : withoutEvaluation(window);
    const QString text = highestPeakText(drawn);
    std::int64_t notDrawn = 0;
    for (auto at = drawn.phases.size(); at < window.phases.size(); ++at) // they stand last
        notDrawn = std::max(notDrawn, window.phases[at].peakBytes);
    return notDrawn > 0 ? MemoryPage::tr("%1; evaluation %2").arg(text, bytesText(notDrawn)) : text;
}

QString summaryOf(const MemoryMeasured& window, const RunRecord& run, bool evaluationDrawn)
{
    QStringList parts { peaksOf(window, evaluationDrawn), batchOf(run), tailText(window, run.plan),
        QString::fromStdString(run.device) };
    parts.removeAll(QString());
    const QString text = parts.join(MemoryPage::tr("; "));
    const std::optional<Bytes>& budget = run.experiment.memory.budget;
    return budget ? MemoryPage::tr("%1, budget %2").arg(text, bytesText(budget->count)) : text;
}

QString whichOf(const WindowExcerpt& excerpt)
{
    if (excerpt.drawn == excerpt.microBatches)
        return MemoryPage::tr("every micro-batch");
    const QString text = excerpt.cut
        ? MemoryPage::tr("the first %1 of %2 micro-batches that differ")
        : MemoryPage::tr("%1 of %2 micro-batches; the others are like them");
    return text.arg(countText(excerpt.drawn), countText(excerpt.microBatches));
}

// Bytes of the areas that are the same throughout, which are taken out.
std::int64_t leaveOutConstant(std::vector<ChartArea>& areas)
{
    double bytes = 0;
    for (const ChartArea& area : areas)
        if (isConstant(area) && !area.values.empty() && !area.faint)
            bytes += area.values.front();
    std::erase_if(areas, isConstant);
    return std::llround(bytes);
}

// Whether what is live between two windows is so much that what comes and goes is hardly seen.
bool isMostlyConstant(const MemoryMeasured& window)
{
    const PhaseMemory* peak = highestPeak(window);
    return peak != nullptr
        && static_cast<double>(window.phases.front().beginBytes)
        > kMostly * static_cast<double>(peak->peakBytes);
}

// Of the first windows after memory was short, as places of the slider.
std::vector<int> marksOf(const SeriesBatch::Memory& memory)
{
    std::vector<int> marks;
    for (const std::int64_t step : memory.shortAt) {
        const auto at = std::lower_bound(memory.steps.begin(), memory.steps.end(), step);
        if (at != memory.steps.end())
            marks.push_back(static_cast<int>(at - memory.steps.begin()));
    }
    return marks;
}

QFrame* makeCard(QWidget* parent)
{
    auto* card = new QFrame(parent);
    card->setProperty("card", true);
    return card;
}

} // namespace

MemoryPage::MemoryPage(Backend& backend, QWidget* parent)
    : QWidget(parent)
    , m_follower(backend.follower)
    , m_query(m_follower.addQuery())
    , m_stack(new QStackedWidget(this))
{
    m_stack->setObjectName(QStringLiteral("memoryOfRuns"));
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(buildContent());
    m_law = new LawCard(backend, this); // the keyboard gets to it last
    m_splitter = new QSplitter(Qt::Vertical, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(m_stack);
    m_splitter->addWidget(m_law);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ 1, 1 });
    m_splitter->setContentsMargins(16, 12, 16, 12);
    m_splitter->handle(1)->setToolTip(tr("Drag: more room for the window or for the memory model"));
    // Both parts have room on a small screen, too: there the page scrolls.
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    connect(&m_follower, &RunLogFollower::runsChanged, this,
        [this](const std::shared_ptr<const RunList>& runs) { m_runs->setRuns(*runs); });
    connect(&m_follower, &RunLogFollower::seriesChanged, this, &MemoryPage::receive);
    connect(&m_follower, &RunLogFollower::fileChanged, this, [this] {
        m_runs->followLatest();
        m_runs->setRuns({});
    });
    connect(m_runs, &RunChoice::shownChanged, this, &MemoryPage::showRun);
    connect(m_slider, &QSlider::valueChanged, this, &MemoryPage::takeStep);
    connect(m_onlyChanging, &QCheckBox::toggled, this, [this] {
        m_wasAsked = true;
        draw();
    });
    connect(m_evaluation, &QCheckBox::toggled, this, &MemoryPage::draw);
    draw();
}

MemoryPage::~MemoryPage()
{
    m_follower.removeQuery(m_query);
}

// ---- building --------------------------------------------------------------------------------

QWidget* MemoryPage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("memory"), tr("No memory was measured yet"),
        tr("Train a run: what each phase of a window needs memory for is drawn here, by category "
           "and by layer. Runs are metered unless the form says “Memory is measured: "
           "Peak only”."),
        tr("Train"), this);
    connect(page->button(), &QPushButton::clicked, this, &MemoryPage::trainRequested);
    connect(&m_follower, &RunLogFollower::failed, page, &EmptyPage::showLogProblem);
    for (const auto readable : { &RunLogFollower::recovered, &RunLogFollower::fileChanged })
        connect(&m_follower, readable, page, [page] { page->showLogProblem({}); });
    return page;
}

QWidget* MemoryPage::buildContent()
{
    auto* content = new QWidget(this);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(8);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(buildBar(content));
    layout->addWidget(m_summary);
    layout->addLayout(charts, 1);
    charts->addWidget(buildChart(content), 2);
    charts->addWidget(buildLayers(content), 1);
    return content;
}

QLayout* MemoryPage::buildBar(QWidget* parent)
{
    m_runs = new RunChoice(parent);
    m_summary = new ReservedLabel(/*characters=*/70, parent);
    m_summary->setProperty("role", QLatin1String("muted"));
    m_onlyChanging = new QCheckBox(tr("Transient memory only"), parent);
    m_onlyChanging->setToolTip(tr("Leave out what is the same throughout the window, such as data "
                                  "set, parameters, gradients and optimizer state"));
    m_evaluation = new QCheckBox(tr("Evaluation"), parent);
    m_evaluation->setToolTip(tr("Draw the evaluation, too: it is no part of the window, and its "
                                "passes have a size of their own, run.evaluation_batch"));
    m_slider = new MarkedSlider(parent);
    m_slider->setAccessibleName(tr("Window"));
    m_slider->setToolTip(
        tr("Which window: each place is a step at which memory changed. A run that "
           "trains is followed at the right end; one that has ended opens where "
           "its peak is highest. A tick marks an out-of-memory error, after which the "
           "micro-batches are smaller."));
    m_slider->setFixedWidth(120);
    m_slider->setPageStep(1);
    m_stepText = new QLabel(parent);
    m_stepText->setTextFormat(Qt::PlainText);
    m_savePicture = new QAction(
        themedIcon(QLatin1String("save")), tr("Save the window's chart as picture…"), this);
    m_savePicture->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_P);
    m_savePicture->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_savePicture->setToolTip(tr("Save the chart of this window as SVG or PNG"));
    addAction(m_savePicture);
    auto* picture = new QToolButton(parent);
    picture->setDefaultAction(m_savePicture);
    picture->setProperty("framed", true);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(8);
    bar->addWidget(m_runs);
    bar->addStretch(1);
    bar->addWidget(m_onlyChanging);
    bar->addWidget(m_evaluation);
    bar->addWidget(m_slider);
    bar->addWidget(m_stepText);
    bar->addWidget(picture);
    return bar;
}

QFrame* MemoryPage::buildChart(QWidget* parent)
{
    QFrame* card = makeCard(parent);
    m_chart = new AreaChart(card);
    m_chart->setEmptyText(tr("The first window is being measured."));
    m_chart->setValueFormatter(
        [this](double value) { return bytesText(std::llround(value * m_unit)); });
    const auto ask = [this] {
        askAndSavePicture(*this, *m_chart, QStringLiteral("memory of one window"));
    };
    connect(m_chart, &AreaChart::pictureRequested, this, ask);
    connect(m_savePicture, &QAction::triggered, this, ask);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(m_chart);
    return card;
}

QFrame* MemoryPage::buildLayers(QWidget* parent)
{
    QFrame* card = makeCard(parent);
    m_layersTitle = makeSectionLabel(tr("Activations by layer"), card);
    m_layersTitle->setToolTip(categoryMeaning(MemoryCategory::Activations));
    m_layersText = new ReservedLabel(/*characters=*/56, card);
    m_layersText->setProperty("role", QLatin1String("muted"));
    m_layers = new BarChart;
    m_layers->setAccessibleName(tr("Activations by layer"));
    m_layers->setEmptyText(tr("The layers of this window were not looked at."));
    auto* scroll = new QScrollArea(card);
    scroll->setAccessibleName(tr("Activations by layer"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_layers);
    scroll->viewport()->setAutoFillBackground(false);
    m_layers->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addWidget(m_layersTitle);
    layout->addWidget(m_layersText);
    layout->addWidget(scroll, 1);
    return card;
}

void MemoryPage::savePictureTo(const QString& path)
{
    savePicture(*m_chart, path);
}

// ---- which run -------------------------------------------------------------------------------

// Also where only its record has changed: one that ends opens at another window, one that is
// resumed may be elsewhere.
void MemoryPage::showRun()
{
    const RunRecord* run = record();
    m_stack->setCurrentIndex(run != nullptr ? 1 : 0);
    const auto id = run != nullptr ? std::optional(run->id) : std::nullopt;
    if (id != m_run) {
        m_run = id;
        m_step.reset();
        m_memory = {};
        draw();
    }
    ask();
    showSummary();
}

const RunRecord* MemoryPage::record() const
{
    return m_runs->shown();
}

QLabel* MemoryPage::summaryLabel() const
{
    return m_summary;
}

QLabel* MemoryPage::layersLabel() const
{
    return m_layersText;
}

QByteArray MemoryPage::saveState() const
{
    return m_splitter->saveState();
}

void MemoryPage::restoreState(const QByteArray& state)
{
    m_splitter->restoreState(state);
}

// ---- which window ----------------------------------------------------------------------------

void MemoryPage::takeStep(int index)
{
    if (index < 0 || index >= static_cast<int>(m_memory.steps.size()))
        return;
    const auto at = static_cast<std::size_t>(index);
    const bool follows =
        record() != nullptr && isLive(*record()) && at + 1 == m_memory.steps.size();
    m_step = follows ? std::nullopt : std::optional(m_memory.steps[at]);
    m_stepText->setText(validityText(m_memory.steps, at));
    ask();
}

void MemoryPage::ask()
{
    FollowQuery query;
    if (m_seen && m_run) {
        FollowMemory& memory = query.memoryOf.emplace_back(FollowMemory { .run = *m_run });
        if (m_step)
            memory.step = *m_step;
        else
            memory.highest = record() != nullptr && !isLive(*record());
    }
    m_follower.setQuery(m_query, std::move(query));
}

void MemoryPage::receive(int query, const std::shared_ptr<const SeriesBatch>& batch)
{
    if (query != m_query || batch->memory.empty() || batch->memory.front().run != m_run)
        return;
    if (batch->memory.front() == m_memory)
        return; // a step of a live run, five times a second
    m_memory = batch->memory.front();
    if (!m_wasAsked) {
        const QSignalBlocker blocker(m_onlyChanging);
        m_onlyChanging->setChecked(isMostlyConstant(withoutEvaluation(m_memory.window)));
    }
    draw();
}

// ---- drawing ---------------------------------------------------------------------------------

// As wide for every place of the slider, so that nothing moves while it does.
void MemoryPage::fixStepWidth()
{
    if (m_memory.steps.empty())
        return;
    const std::int64_t newest = m_memory.steps.back();
    const QFontMetrics metrics = m_stepText->fontMetrics();
    int width = 0;
    for (const std::size_t form : { 0, 1 })
        width =
            std::max(width, metrics.horizontalAdvance(validityText({ newest, newest + 2 }, form)));
    m_stepText->setFixedWidth(width + 2); // what QLabel adds
}

void MemoryPage::showSteps()
{
    fixStepWidth();
    const std::vector<std::int64_t>& steps = m_memory.steps;
    const QSignalBlocker blocker(m_slider);
    const int last = std::max(0, static_cast<int>(steps.size()) - 1);
    m_slider->setRange(0, last);
    m_slider->setVisible(last > 0);
    m_slider->setMarks(marksOf(m_memory));
    if (steps.empty()) {
        m_stepText->clear();
        return;
    }
    const auto at =
        std::lower_bound(steps.begin(), steps.end(), m_step.value_or(m_memory.window.step));
    const auto index = std::min<std::ptrdiff_t>(at - steps.begin(), last);
    m_slider->setValue(static_cast<int>(index));
    m_stepText->setText(validityText(steps, static_cast<std::size_t>(index)));
}

void MemoryPage::showSummary()
{
    const MemoryMeasured& window = m_memory.window;
    const RunRecord* run = record();
    m_summary->setText(run == nullptr || window.phases.empty()
            ? QString()
            : summaryOf(window, *run, m_evaluation->isChecked()));
}

// What is left out is said first: there it is not elided.
QString MemoryPage::titleOfChart(const WindowExcerpt& excerpt, std::int64_t leftOut) const
{
    const RunRecord* run = record();
    const bool full = run != nullptr && run->experiment.memory.metering == Metering::Full;
    const QString which = full ? whichOf(excerpt) : tr("each phase at its peak");
    return leftOut > 0 ? tr("Transient memory (+ %1 that stays), %2").arg(bytesText(leftOut), which)
                       : tr("Memory in one window, %1").arg(which);
}

void MemoryPage::draw()
{
    showSteps();
    showSummary();
    const MemoryMeasured& window = m_memory.window;
    const WindowExcerpt excerpt = excerptOf(
        m_evaluation->isChecked() ? window : withoutEvaluation(window), kMostMicroBatches);
    const MemoryMeasured& drawn = excerpt.window;
    const SawTooth curve = sawToothOf(drawn);
    AreaContent content;
    content.bands = bandsOf(drawn);
    content.areas = areasOf(curve, backgroundOf(palette()));
    const std::int64_t leftOut = m_onlyChanging->isChecked() ? leaveOutConstant(content.areas) : 0;
    m_chart->setTitle(titleOfChart(excerpt, leftOut));
    m_unit = scaleToUnit(content.areas);
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        content.xs.push_back(curve.points[i].x);
        content.pointTitles.push_back(i % 3 == 0 ? tr("begin")
                : i % 3 == 1                     ? tr("peak")
                                                 : tr("end"));
    }
    m_savePicture->setEnabled(!content.bands.empty());
    m_chart->setContent(std::move(content));
    drawLayers();
}

void MemoryPage::drawLayers()
{
    const PhaseMemory* const forward = mostKept(m_memory.window);
    std::vector<BarChart::Bar> bars;
    std::int64_t all = 0;
    if (forward != nullptr)
        for (const LayerBytes& layer : forward->kept) {
            const bool none = layer.layer.empty();
            bars.push_back({ none ? tr("no layer") : QString::fromStdString(layer.layer),
                static_cast<double>(layer.bytes), bytesText(layer.bytes),
                categoryColor(MemoryCategory::Activations, backgroundOf(palette())),
                none ? tr("Kept outside the model's layers, such as by the loss") : QString() });
            all += layer.bytes;
        }
    m_layersText->setText(all == 0 || forward->samples == 0
            ? QString()
            : tr("%1 kept for the backward pass, %2 a sample")
                  .arg(bytesText(all), bytesText(all / forward->samples)));
    m_layers->setBars(std::move(bars));
}

// ---- events ----------------------------------------------------------------------------------

void MemoryPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_seen = true;
    ask();
}

void MemoryPage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_seen = false;
    ask();
}

void MemoryPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_chart != nullptr)
        draw();
}

} // namespace accrue
