// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_histograms.h"

#include <QCheckBox>
#include <QComboBox>
#include <QMenu>
#include <QSignalBlocker>

#include "engine/base/format.h"
#include "engine/experiment/key_names.h"
#include "ui/charts/metric_chart.h"
#include "ui/choices/searched_box.h"
#include "ui/curves/run_selection.h"
#include "ui/histograms/histogram_view.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/run_comparison.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kParameterWidth = 220; // pixels

std::vector<long long> keysOf(const std::vector<RunId>& runs)
{
    std::vector<long long> keys;
    keys.reserve(runs.size());
    for (const RunId run : runs)
        keys.push_back(numberOf(run));
    return keys;
}

std::string countsOf(const ParameterHistogram& histogram)
{
    std::string counts;
    for (const std::int64_t count : histogram.counts)
        counts += (counts.empty() ? "" : " ") + std::to_string(count);
    return counts;
}

std::vector<std::string> lineOf(const RunRecord& run, const HistogramColumn& column)
{
    const ParameterHistogram& of = column.histogram;
    std::vector<std::string> line { std::to_string(numberOf(run.id)), run.name, of.parameter,
        std::string(nameOf(of.of)), std::to_string(column.step), std::to_string(countOf(of)),
        std::to_string(of.notFinite) };
    for (const double number : { of.mean, of.deviation, of.least, column.below5, column.median,
             column.below95, of.largest })
        line.push_back(exactNumber(number));
    line.push_back(countsOf(of));
    return line;
}

} // namespace

CompareHistograms::CompareHistograms(
    const RunLogFollower& follower, RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_follower(follower)
    , m_selection(selection)
    , m_parameter(new SearchedBox(tr("Search parameters"), this))
    , m_of(new FormComboBox(this))
    , m_shared(new QCheckBox(tr("Same axis for all runs"), this))
    , m_outliers(new QCheckBox(tr("Ignore outliers"), this))
    , m_logY(new QCheckBox(tr("log y"), this))
    , m_notes(new ElidedLabel(this))
    , m_view(new HistogramView(this))
    , m_pictured(&m_view->maps())
    , m_feed(new HistogramFeed(this))
{
    m_of->addItem(tr("Parameter values"), static_cast<int>(HistogramOf::Value));
    m_of->addItem(tr("Gradients"), static_cast<int>(HistogramOf::Gradient));
    m_shared->setChecked(true);
    m_view->maps().setTitle(tr("Histograms")); // until there are some
    layOut();
    connectParts();
    connectSelection();
}

void CompareHistograms::layOut()
{
    m_parameter->setAccessibleName(tr("Parameter"));
    m_parameter->setToolTip(tr("The tensor of the network whose values are shown"));
    m_parameter->setFixedWidth(kParameterWidth);
    m_of->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_of->setAccessibleName(tr("Values or gradients"));
    m_of->setToolTip(tr("The values of the parameter, or its gradients as the optimizer got them"));
    m_shared->setToolTip(tr("Off: the values of each run fill the height of its own map"));
    m_outliers->setToolTip(
        tr("The axis holds 99 % of the values at nearly all steps; the others leave the map"));
    auto* const first = makeRow(nullptr, { m_parameter, m_of, m_shared }, {}, 12);
    first->addStretch(1);
    m_notes->setProperty("role", QLatin1String("muted"));
    auto* const second = makeRow(nullptr, { m_outliers, m_logY }, {}, 12);
    second->addWidget(m_notes, 1);
    auto* const layout = makeColumn(this, {}, { 0, 12, 0, 0 });
    layout->addLayout(first);
    layout->addLayout(second);
    layout->addWidget(m_view, 1);
}

void CompareHistograms::connectParts()
{
    connect(m_parameter, &QComboBox::activated, this, [this] {
        m_chosen = m_parameter->currentData().toString().toStdString();
        ask();
    });
    connect(m_of, &QComboBox::currentIndexChanged, this, &CompareHistograms::ask);
    for (const QCheckBox* box : { m_shared, m_outliers })
        connect(box, &QCheckBox::toggled, this, &CompareHistograms::takeScales);
    MetricChart& overlay = m_view->overlay();
    connect(m_logY, &QCheckBox::toggled, &overlay, &MetricChart::setLogY);
    // The chart's own menu switches its axis, too.
    connect(&overlay, &MetricChart::logYChanged, m_logY, &QCheckBox::setChecked);
    connect(&overlay, &MetricChart::zoomChanged, this, &CompareHistograms::zoomChanged);
    for (PicturedChart* chart : { m_pictured, static_cast<PicturedChart*>(&overlay) }) {
        connect(chart, &PicturedChart::menuOpening, this, &CompareHistograms::menuOpening);
        connect(chart, &PicturedChart::pictureRequested, this, [this, chart] {
            PicturedChart* const usual = std::exchange(m_pictured, chart);
            Q_EMIT pictureRequested();
            m_pictured = usual;
        });
    }
    connect(m_feed, &HistogramFeed::read, this, [this] {
        m_problem.clear();
        draw();
    });
    // In the place of the maps and not as a notice: with a live run it is found again and again.
    connect(m_feed, &HistogramFeed::failed, this, [this](const QString& problem) {
        m_problem = problem;
        draw();
    });
}

void CompareHistograms::connectSelection()
{
    connect(m_view, &HistogramView::pointedAt, this, [this](long long key) {
        m_selection.pointAt(key == 0 ? RunSelection::Runs() : RunSelection::Runs { RunId { key } });
    });
    connect(m_view, &HistogramView::clicked, this, [this](long long key, bool adds) {
        RunSelection::Runs runs = adds ? m_selection.selected() : RunSelection::Runs();
        if (key != 0 && std::erase(runs, RunId { key }) == 0)
            runs.push_back(RunId { key });
        m_selection.select(runs);
    });
    connect(m_view, &HistogramView::selectionRequested, this,
        [this](const std::vector<long long>& keys) {
            RunSelection::Runs runs;
            for (const long long key : keys)
                runs.push_back(RunId { key });
            m_selection.select(runs);
        });
    connect(&m_selection, &RunSelection::selectedChanged, this,
        [this] { m_view->setSelected(keysOf(m_selection.selected())); });
    connect(&m_selection, &RunSelection::pointedAtChanged, this,
        [this] { m_view->setPointedAt(keysOf(m_selection.pointedAt())); });
    connect(&m_selection, &RunSelection::hiddenChanged, this, &CompareHistograms::draw);
}

// ---- runs ------------------------------------------------------------------------------------

void CompareHistograms::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    ask();
    draw(); // looks may have changed
}

void CompareHistograms::setAsking(bool asking)
{
    if (std::exchange(m_isAsking, asking) == asking)
        return;
    ask();
    draw();
}

void CompareHistograms::reset()
{
    m_view->resetAxes();
}

HistogramOf CompareHistograms::of() const
{
    return static_cast<HistogramOf>(m_of->currentData().toInt());
}

void CompareHistograms::ask()
{
    if (!m_isAsking || m_runs.empty())
        return;
    HistogramFeed::Question question { m_follower.file(), {}, m_chosen, of() };
    for (const RunRecord& run : m_runs)
        question.runs.push_back({ run.id, run.step, run.state });
    m_feed->ask(question);
}

// ---- drawing ---------------------------------------------------------------------------------

void CompareHistograms::offerParameters()
{
    const HistogramFeed::Answer& answer = m_feed->answer();
    QStringList names;
    for (const std::string& name : answer.parameters)
        names.append(QString::fromStdString(name));
    QStringList offered;
    for (int row = 0; row < m_parameter->count(); ++row)
        offered.append(m_parameter->itemText(row));
    const QSignalBlocker silent(m_parameter);
    // A list that is open must stay while live runs grow.
    if (names != offered) {
        m_parameter->clear();
        for (const QString& name : names)
            m_parameter->addItem(name, name);
    }
    m_parameter->setCurrentIndex(m_parameter->findData(QString::fromStdString(answer.parameter)));
    m_parameter->setEnabled(!names.isEmpty());
}

// Of the runs that are shown and have histograms, in the order of the list. The answer may be of
// the runs before.
HistogramPanels CompareHistograms::panels() const
{
    const std::vector<RunStyle> styles = stylesIn(styling(), m_runs, m_background);
    const QStringList titles = legendTexts(m_runs);
    HistogramPanels panels;
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        for (const auto& read : m_feed->answer().runs)
            if (read->run == m_runs[i].id && !read->columns.empty()
                && m_selection.isShown(m_runs[i].id))
                panels.push_back({ numberOf(m_runs[i].id), titles[static_cast<int>(i)],
                    styles[i].color, styles[i].line, read });
    return panels;
}

void CompareHistograms::draw()
{
    if (!m_isAsking)
        return;
    offerParameters();
    const HistogramFeed::Answer& answer = m_feed->answer();
    const QString name = QString::fromStdString(answer.parameter);
    const bool isValue = answer.asked.of == HistogramOf::Value;
    const std::string drawn = answer.parameter + std::string(nameOf(answer.asked.of));
    if (std::exchange(m_drawn, drawn) != drawn)
        m_view->resetAxes();
    HistogramPanels shown = panels();
    if (shown.empty() || !m_problem.isEmpty())
        m_view->showNone(whyNone());
    else
        m_view->showRuns(std::move(shown),
            { (isValue ? tr("%1, values") : tr("%1, gradients")).arg(name),
                (isValue ? tr("Value of %1") : tr("Gradient of %1")).arg(name) });
    m_view->setSelected(keysOf(m_selection.selected()));
    m_notes->setFullText(missing().join(QLatin1Char(' ')));
}

void CompareHistograms::takeScales()
{
    m_view->setScales(
        { m_shared->isChecked(), m_outliers->isChecked() ? Outliers::Ignored : Outliers::Shown });
}

bool CompareHistograms::isZoomed() const
{
    return m_view->overlay().isZoomed();
}

void CompareHistograms::resetZoom()
{
    m_view->overlay().resetZoom();
}

// ---- words -----------------------------------------------------------------------------------

QString CompareHistograms::whyNone() const
{
    if (!m_problem.isEmpty())
        return m_problem;
    const HistogramFeed::Answer& answer = m_feed->answer();
    if (!std::ranges::equal(answer.asked.runs, m_runs, {}, &HistogramFeed::AskedRun::run,
            [](const RunRecord& run) { return run.id; }))
        return tr("The histograms are being read.");
    if (answer.parameters.empty())
        return tr("None of these runs has histograms. Choose “%1” in the form before a run "
                  "begins, for example 1 epoch.")
            .arg(keyLabel(key::traceHistograms));
    if (std::ranges::none_of(
            m_runs, [this](const RunRecord& run) { return m_selection.isShown(run.id); }))
        return tr("All of these runs are hidden.");
    return tr("None of the shown runs has histograms of this parameter.");
}

// Of the runs that are compared, also of those that are hidden.
QStringList CompareHistograms::missing() const
{
    std::int64_t without = 0;
    std::int64_t withoutThis = 0;
    const HistogramFeed::Answer& answer = m_feed->answer();
    for (const auto& read : answer.runs)
        if (read->names.parameters.empty())
            ++without;
        else if (read->columns.empty())
            ++withoutThis;
    QStringList sentences;
    const auto all = static_cast<qlonglong>(answer.runs.size());
    if (without > 0 && without < all)
        sentences.append(
            (without == 1 ? tr("%1 of %2 runs has no histograms; “%3” in the form logs them.")
                          : tr("%1 of %2 runs have no histograms; “%3” in the form logs them."))
                .arg(without)
                .arg(all)
                .arg(keyLabel(key::traceHistograms)));
    if (withoutThis > 0)
        sentences.append((withoutThis == 1 ? tr("%1 of %2 runs has others, but not this one.")
                                           : tr("%1 of %2 runs have others, but not this one."))
                             .arg(withoutThis)
                             .arg(all));
    return sentences;
}

std::vector<std::vector<std::string>> CompareHistograms::drawnNumbers() const
{
    const HistogramPanels& shown = m_view->maps().panels();
    if (shown.empty())
        return {};
    std::vector<std::vector<std::string>> table { { "run", "name", "parameter", "of", "step",
        "count", "not_finite", "mean", "deviation", "least", "below_5_percent", "median",
        "below_95_percent", "largest", "counts" } };
    for (const HistogramPanel& panel : shown)
        if (const RunRecord* const run = findRun(m_runs, RunId { panel.key }))
            for (const HistogramColumn& column : panel.data->columns)
                table.push_back(lineOf(*run, column));
    return table;
}

// ---- what is kept ----------------------------------------------------------------------------

QJsonObject CompareHistograms::state() const
{
    return { { QStringLiteral("parameter"), QString::fromStdString(m_chosen) },
        { QStringLiteral("of"), m_of->currentIndex() },
        { QStringLiteral("shared"), m_shared->isChecked() },
        { QStringLiteral("outliersIgnored"), m_outliers->isChecked() },
        { QStringLiteral("logY"), m_logY->isChecked() } };
}

void CompareHistograms::restore(const QJsonObject& state)
{
    m_chosen = state[QLatin1String("parameter")].toString().toStdString();
    m_of->setCurrentIndex(std::clamp(state[QLatin1String("of")].toInt(), 0, m_of->count() - 1));
    m_shared->setChecked(state[QLatin1String("shared")].toBool(true));
    m_outliers->setChecked(state[QLatin1String("outliersIgnored")].toBool());
    m_logY->setChecked(state[QLatin1String("logY")].toBool());
    ask();
}

} // namespace accrue
