// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/charts/metric_chart.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/comparison_table_model.h"
#include "ui/models/equivalence_words.h"
#include "ui/models/format.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"
#include "ui/pages/export_notice.h"
#include "ui/pages/icons.h"
#include "ui/run/csv_export.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

constexpr int kStateVersion = 2;
constexpr int kBuckets = 600;
// Of the tabs.
constexpr int kCurves = 0;
constexpr int kTable = 1;
constexpr int kPeaks = 2;

// What the list, the table of settings and the peaks show of a run.
bool looksAlike(const RunRecord& a, const RunRecord& b)
{
    const auto shown = [](const RunRecord& run) {
        return std::tie(run.id, run.name, run.state, run.outcome, run.attempt, run.plan,
            run.cutMicro, run.deviceName, run.threads, run.parameters, run.codeRevision,
            run.peakBytes, run.evaluationPeakBytes);
    };
    return shown(a) == shown(b);
}

} // namespace

ComparePage::ComparePage(RunLogFollower& follower, QWidget* parent)
    : QWidget(parent)
    , m_follower(follower)
    , m_curvesQuery(follower.addQuery())
    , m_tableQuery(follower.addQuery())
    , m_runsModel(new ChosenRunsModel(this))
    , m_tableModel(new ComparisonTableModel(this))
    , m_csv(new CsvExport(this))
{
    m_runsModel->setBackground(backgroundOf(palette()));
    m_tableModel->setBackground(backgroundOf(palette()));
    buildActions();
    tellOfExports(*m_csv, *this);
    m_tabs = new QTabWidget(this);
    m_tabs->addTab(buildCurves(), tr("Curves"));
    m_tabs->addTab(buildTable(), tr("Table"));
    m_tabs->addTab(buildPeaks(), tr("Memory"));
    m_tabs->setCornerWidget(buildExports());
    m_tabs->setAccessibleName(tr("Curves, table and memory"));
    buildSwitches();
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(8);
    m_splitter->addWidget(buildChosen());
    m_splitter->addWidget(m_tabs);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({ 240, 900 });
    m_stack = new QStackedWidget(this);
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(m_splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addWidget(m_stack, 1);
    layout->addWidget(buildEquivalence());

    setFocusProxy(m_list);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::ask);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::updateChartActions);
    for (const MetricChart* chart : { m_chart, m_peaks })
        connect(chart, &MetricChart::zoomChanged, this, &ComparePage::updateChartActions);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &ComparePage::setRecords);
    connect(&m_follower, &RunLogFollower::seriesChanged, this, &ComparePage::receive);
    connect(&m_equivalence, &EquivalenceCheck::answered, this, &ComparePage::showEquivalence);
    connect(m_csv, &CsvExport::started, this, &ComparePage::updateExportActions);
    connect(m_csv, &CsvExport::ended, this, &ComparePage::updateExportActions);
    axesChanged();
    peakAxesChanged();
    updateRuns();
}

ComparePage::~ComparePage()
{
    m_follower.removeQuery(m_curvesQuery);
    m_follower.removeQuery(m_tableQuery);
}

// ---- what is compared ------------------------------------------------------------------------

void ComparePage::setRuns(const std::vector<RunId>& runs)
{
    m_chosen = runs;
    if (m_follower.runs())
        setRecords(m_follower.runs());
    axesChanged();
    peakAxesChanged();
}

void ComparePage::setRecords(const std::shared_ptr<const RunList>& runs)
{
    std::vector<const RunRecord*> found;
    for (const RunId id : m_chosen) {
        const auto record = std::find_if(
            runs->begin(), runs->end(), [id](const RunRecord& run) { return run.id == id; });
        if (record != runs->end())
            found.push_back(&*record);
    }
    const bool same = std::equal(found.begin(), found.end(), m_records.begin(), m_records.end(),
        [](const RunRecord* now, const RunRecord& before) { return looksAlike(*now, before); });
    if (same && m_chosen.size() == found.size())
        return; // a step of a live run, five times a second
    m_records.clear();
    for (const RunRecord* record : found)
        m_records.push_back(*record);
    m_chosen = shownRuns(); // a number that is gone may become another run's in a new log
    updateRuns();
}

void ComparePage::updateRuns()
{
    m_runsModel->setRuns(m_records);
    m_tableModel->setRuns(m_records);
    const bool any = !m_records.empty();
    m_stack->setCurrentIndex(any ? 1 : 0);
    m_equivalenceAsked = false;
    m_equivalence.forget();
    reserveEquivalence();
    askEquivalence();
    updateExportActions();
    updateChartActions();
    drawCurves();
    drawPeaks();
}

void ComparePage::updateChartActions()
{
    m_remove->setEnabled(!m_list->selectionModel()->selectedIndexes().isEmpty());
    m_wholeChart->setEnabled(shownChart().isZoomed());
    m_logXAction->setEnabled(m_tabs->currentIndex() == kCurves); // it is of their axis
    m_logYAction->setEnabled(m_tabs->currentIndex() != kTable);
}

void ComparePage::resetZoom()
{
    shownChart().resetZoom();
}

void ComparePage::remove(RunId run)
{
    std::erase(m_chosen, run);
    setRuns(std::vector<RunId>(m_chosen));
    Q_EMIT runsChosen(m_chosen);
}

void ComparePage::removeSelected()
{
    std::vector<RunId> kept = m_chosen;
    for (const RunId run : selectedRuns())
        std::erase(kept, run);
    if (kept.size() == m_chosen.size())
        return;
    setRuns(kept);
    Q_EMIT runsChosen(m_chosen);
}

std::vector<RunId> ComparePage::selectedRuns() const
{
    std::vector<RunId> runs;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        runs.push_back(static_cast<RunId>(index.data(ChosenRunsModel::RunIdRole).toLongLong()));
    return runs;
}

void ComparePage::selectRuns(const std::vector<RunId>& runs)
{
    QItemSelection selection;
    for (std::size_t row = 0; row < m_records.size(); ++row)
        if (std::find(runs.begin(), runs.end(), m_records[row].id) != runs.end()) {
            const QModelIndex index = m_runsModel->index(static_cast<int>(row));
            selection.select(index, index);
        }
    m_list->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void ComparePage::showListMenu(const QPoint& position)
{
    QMenu menu(this);
    menu.addAction(m_remove);
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

// ---- curves ----------------------------------------------------------------------------------

std::string ComparePage::shownMetric() const
{
    return m_metric->currentData().toString().toStdString();
}

Axis ComparePage::axis() const
{
    return static_cast<Axis>(m_axis->currentData().toInt());
}

double ComparePage::smoothing() const
{
    // The slider's upper half is fine: that is where weights matter.
    const double share = static_cast<double>(m_smoothing->value()) / (m_smoothing->maximum() + 1);
    return share == 0 ? 0 : 1 - std::pow(1 - share, 1.5);
}

void ComparePage::showSmoothing()
{
    m_smoothingText->setText(QString::number(smoothing(), 'f', 2));
    ask();
}

void ComparePage::axesChanged()
{
    const std::string shown = shownMetric();
    const Axis over = axis();
    m_chart->setTitle(m_metric->currentText());
    m_chart->setAxisTitles(axisTitle(over), {});
    m_chart->setValueFormatter([shown](double value) { return metricText(shown, value); });
    m_chart->setXFormatter([over](double value) { return axisText(over, value); });
    m_batch.reset();
    m_chart->setCurves({});
    m_chart->resetAxes();
    ask();
}

void ComparePage::ask()
{
    FollowQuery curves;
    FollowQuery table;
    const bool seen = m_seen;
    const bool curvesSeen = !m_tabs || m_tabs->currentIndex() == kCurves;
    const bool tableSeen = m_tabs && m_tabs->currentIndex() == kTable;
    if (seen && curvesSeen) {
        for (const RunId run : m_chosen)
            curves.series.push_back({ run, shownMetric() });
        curves.axis = axis();
        curves.buckets = kBuckets;
        curves.smoothing = smoothing();
    }
    if (seen && tableSeen)
        table.summariesOf = m_chosen;
    m_follower.setQuery(m_curvesQuery, curves);
    m_follower.setQuery(m_tableQuery, table);
    askEquivalence();
}

void ComparePage::askEquivalence()
{
    if (!m_seen || m_equivalenceAsked || m_records.size() != 2)
        return;
    m_equivalenceAsked = true;
    m_equivalence.ask(m_follower.file(), { m_records.front().id, m_records.back().id });
}

// An answer about the same two runs stays until the next one: they may still train.
void ComparePage::reserveEquivalence()
{
    decltype(m_equivalenceOf) now;
    if (m_records.size() == 2)
        now.emplace(m_follower.file(), m_records.front().id, m_records.back().id);
    m_equivalenceCard->setVisible(now.has_value());
    if (std::exchange(m_equivalenceOf, now) == now)
        return;
    m_equivalenceText->setText(tr("Comparing their losses …"));
    m_equivalenceWhy->clear();
}

void ComparePage::showEquivalence(const EquivalenceAnswer& answer)
{
    m_equivalenceText->setText(equivalenceText(answer));
    m_equivalenceWhy->setText(equivalenceExplanation(answer));
    for (QLabel* label : { m_equivalenceText, m_equivalenceWhy }) // its room is limited
        label->setToolTip(label->text());
}

void ComparePage::receive(int query, const std::shared_ptr<const SeriesBatch>& batch)
{
    if (query == m_curvesQuery && !batch->series.empty()) {
        m_batch = batch;
        drawCurves();
    } else if (query == m_tableQuery && !batch->summaries.empty())
        m_tableModel->setSummaries(batch->summaries);
}

void ComparePage::drawCurves()
{
    if (!m_batch)
        return;
    const QStringList names = legendTexts(m_records);
    const std::vector<RunStyle> styles = stylesOf(m_records, backgroundOf(palette()));
    std::vector<ChartCurve> curves;
    for (const SeriesBatch::Series& series : m_batch->series) {
        const auto record = std::find_if(m_records.begin(), m_records.end(),
            [&](const RunRecord& run) { return run.id == series.run; });
        if (record == m_records.end())
            continue;
        const auto at = record - m_records.begin();
        const RunStyle& style = styles.at(static_cast<std::size_t>(at));
        const QString id = runNumber(series.run);
        const QString& name = names.at(at);
        const bool smooth = !series.smoothed.empty();
        if (smooth)
            curves.push_back({ id + QStringLiteral("/original"), {}, style.color, true, style.line,
                series.points });
        curves.push_back(
            { id, name, style.color, false, style.line, smooth ? series.smoothed : series.points });
    }
    m_chart->setCurves(std::move(curves));
}

// ---- peaks of memory -------------------------------------------------------------------------

MetricChart& ComparePage::shownChart() const
{
    return m_tabs->currentIndex() == kPeaks ? *m_peaks : *m_chart;
}

void ComparePage::peakAxesChanged()
{
    const auto setting = static_cast<PeakSetting>(m_peakSetting->currentData().toInt());
    m_peaks->setAxisTitles(settingTitle(setting), {});
    m_peaks->setXFormatter([setting](double value) { return settingValueText(setting, value); });
    m_peaks->setCurves({});
    m_peaks->setXInPowersOfTwo(isCounted(setting));
    m_peaks->resetAxes();
    m_peaks->setYRangeHint(0, std::numeric_limits<double>::quiet_NaN());
    drawPeaks();
}

void ComparePage::drawPeaks()
{
    const auto setting = static_cast<PeakSetting>(m_peakSetting->currentData().toInt());
    const std::vector<RunStyle> styles = stylesOf(m_records, backgroundOf(palette()));
    const QStringList names = legendTexts(m_records);
    std::vector<ChartCurve> curves;
    std::vector<SeriesPoint> points;
    for (std::size_t i = 0; i < m_records.size(); ++i)
        if (const auto point = peakOver(setting, m_records[i])) {
            ChartCurve& dot = curves.emplace_back();
            dot.id = runNumber(m_records[i].id);
            dot.title = names.at(static_cast<qsizetype>(i));
            dot.color = styles[i].color;
            dot.line = Qt::NoPen;
            dot.ring = styles[i].line == Qt::SolidLine ? Qt::NoPen : styles[i].line; // as runDot
            dot.points = { *point };
            points.push_back(*point);
        }
    const std::vector<double> shifts = shiftsOf(points);
    for (std::size_t i = 0; i < curves.size(); ++i)
        curves[i].shift = shifts[i];
    const PeakRange range = rangeOf(setting, points);
    m_peaks->setXRangeHint(range.low, range.high);
    m_peaks->setCurves(std::move(curves));
}

// ---- events and memory -----------------------------------------------------------------------

bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_list && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            removeSelected();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void ComparePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_seen = true;
    ask();
}

void ComparePage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_seen = false;
    ask();
}

void ComparePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_chart)
        return;
    m_runsModel->setBackground(backgroundOf(palette()));
    m_tableModel->setBackground(backgroundOf(palette()));
    drawCurves();
    drawPeaks();
}

QByteArray ComparePage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kStateVersion << m_metric->currentData().toString() << m_axis->currentIndex()
        << m_smoothing->value() << m_logX->isChecked() << m_logY->isChecked()
        << m_hideIdentical->isChecked() << m_tabs->currentIndex() << m_peakSetting->currentIndex()
        << m_splitter->saveState();
    return bytes;
}

bool ComparePage::restoreState(const QByteArray& state)
{
    QDataStream in(state);
    int version = 0;
    QString shown;
    int over = 0;
    int smooth = 0;
    int tab = 0;
    int setting = 0;
    bool logX = false;
    bool logY = false;
    bool hide = true;
    QByteArray splitter;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> shown >> over >> smooth >> logX >> logY >> hide >> tab >> setting >> splitter;
    if (in.status() != QDataStream::Ok)
        return false;
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(shown)));
    m_axis->setCurrentIndex(over);
    m_smoothing->setValue(smooth);
    m_logX->setChecked(logX);
    m_logY->setChecked(logY);
    m_hideIdentical->setChecked(hide);
    m_tabs->setCurrentIndex(tab);
    m_peakSetting->setCurrentIndex(setting);
    m_splitter->restoreState(splitter);
    return true;
}

} // namespace accrue
