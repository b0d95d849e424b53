// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDataStream>
#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/charts/metric_chart.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/comparison_table_model.h"
#include "ui/models/run_words.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/icons.h"
#include "ui/pages/inline_message.h"
#include "ui/pages/run_delegates.h"
#include "ui/pages/theme.h"
#include "ui/run/csv_export.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

constexpr int kStateVersion = 1;
constexpr int kBuckets = 600;
constexpr int kSmoothingSteps = 100; // of the slider
constexpr std::array kAxes { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch,
    Axis::Seconds };

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
    m_message = new InlineMessage(this);
    m_tabs = new QTabWidget(this);
    m_tabs->addTab(buildCurves(), tr("Curves"));
    m_tabs->addTab(buildTable(), tr("Table"));
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
    layout->addWidget(m_message);

    setFocusProxy(m_list);
    connect(m_tabs, &QTabWidget::currentChanged, this, &ComparePage::ask);
    connect(&m_follower, &RunLogFollower::runsChanged, this, &ComparePage::setRecords);
    connect(&m_follower, &RunLogFollower::seriesChanged, this, &ComparePage::receive);
    connectExport();
    axesChanged();
    updateRuns();
}

ComparePage::~ComparePage()
{
    m_follower.removeQuery(m_curvesQuery);
    m_follower.removeQuery(m_tableQuery);
}

// ---- building --------------------------------------------------------------------------------

void ComparePage::buildActions()
{
    const auto make = [this](const char* icon, const QString& text, const QString& tip,
                          const QString& keys, void (ComparePage::*act)()) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        action->setShortcut(QKeySequence(keys));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        action->setToolTip(
            tr("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
        connect(action, &QAction::triggered, this, act);
        addAction(action);
        return action;
    };
    m_exportSeries = make("export", tr("Export series as CSV…"),
        tr("Write every metric of every step of these runs to a CSV file"),
        QStringLiteral("Ctrl+E"), &ComparePage::exportSeries);
    m_exportTable = make("export", tr("Export table as CSV…"),
        tr("Write the table as it is shown to a CSV file"), QStringLiteral("Ctrl+Shift+E"),
        &ComparePage::exportTable);
    m_savePicture = make("save", tr("Save chart as picture…"), tr("Save the chart as SVG or PNG"),
        QStringLiteral("Ctrl+Shift+P"), &ComparePage::savePicture);
}

QWidget* ComparePage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("compare"), tr("Nothing to compare yet"),
        tr("Check two or more runs and press Compare: their curves are laid over each other here, "
           "and a table names the settings in which they differ."),
        tr("Choose runs"), this);
    connect(page->button(), &QPushButton::clicked, this, &ComparePage::runsPageRequested);
    return page;
}

QWidget* ComparePage::buildChosen()
{
    auto* side = new QWidget(this);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_list = new QListView(side);
    m_list->setModel(m_runsModel);
    m_list->setObjectName(QStringLiteral("chosenRuns"));
    m_list->setAccessibleName(tr("Compared runs"));
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMinimumWidth(180);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* delegate = new ChosenRunDelegate(m_list);
    m_list->setItemDelegate(delegate);
    m_list->installEventFilter(this);
    connect(delegate, &ChosenRunDelegate::removeClicked, this, [this](const QModelIndex& index) {
        remove(static_cast<RunId>(index.data(ChosenRunsModel::RunIdRole).toLongLong()));
    });
    connect(m_list, &QWidget::customContextMenuRequested, this, &ComparePage::showListMenu);
    auto* add = new QPushButton(themedIcon(QLatin1String("runs")), tr("Choose runs"), side);
    add->setToolTip(tr("Go to the list of runs, and check those to compare"));
    connect(add, &QPushButton::clicked, this, &ComparePage::runsPageRequested);
    layout->addWidget(m_list, 1);
    layout->addWidget(add);
    return side;
}

void ComparePage::buildChoices(QWidget* parent)
{
    m_metric = new QComboBox(parent);
    for (const MetricInfo& info : metrics())
        m_metric->addItem(QString::fromStdString(info.title), QString::fromStdString(info.name));
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setToolTip(tr("What is drawn"));
    m_axis = new QComboBox(parent);
    for (const Axis each : kAxes)
        m_axis->addItem(tr("over %1").arg(axisTitle(each)));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setToolTip(tr("What it is drawn over"));
    m_smoothing = new QSlider(Qt::Horizontal, parent);
    m_smoothing->setRange(0, kSmoothingSteps - 1);
    m_smoothing->setFixedWidth(110);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Exponential smoothing; the original stays faint behind it"));
    m_smoothingText = new QLabel(parent);
    m_smoothingText->setProperty("role", QLatin1String("muted"));
    m_smoothingText->setFixedWidth(
        m_smoothingText->fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
    m_logX = new QCheckBox(tr("log x"), parent);
    m_logY = new QCheckBox(tr("log y"), parent);
}

QLayout* ComparePage::buildCurvesBar(QWidget* parent)
{
    auto* smoothingTitle = new QLabel(tr("Smooth&ing"), parent);
    smoothingTitle->setBuddy(m_smoothing);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(8);
    bar->addWidget(m_metric);
    bar->addWidget(m_axis);
    bar->addSpacing(8);
    bar->addWidget(smoothingTitle);
    bar->addWidget(m_smoothing);
    bar->addWidget(m_smoothingText);
    bar->addWidget(m_logX);
    bar->addWidget(m_logY);
    bar->addStretch(1);
    for (QAction* action : { m_savePicture, m_exportSeries }) {
        auto* button = new QToolButton(parent);
        button->setDefaultAction(action);
        button->setProperty("framed", true);
        bar->addWidget(button);
    }
    return bar;
}

QWidget* ComparePage::buildCurves()
{
    auto* page = new QWidget(this);
    buildChoices(page);
    m_chart = new MetricChart(page);
    m_chart->setEmptyText(tr("None of these runs has this metric yet."));

    auto* frame = new QFrame(page);
    frame->setProperty("card", true);
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(1, 1, 1, 1);
    inner->addWidget(m_chart);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(buildCurvesBar(page));
    layout->addWidget(frame, 1);

    connect(m_metric, &QComboBox::currentIndexChanged, this, &ComparePage::axesChanged);
    connect(m_axis, &QComboBox::currentIndexChanged, this, &ComparePage::axesChanged);
    connect(m_smoothing, &QSlider::valueChanged, this, &ComparePage::showSmoothing);
    connect(m_logX, &QCheckBox::toggled, m_chart, &MetricChart::setLogX);
    connect(m_logY, &QCheckBox::toggled, m_chart, &MetricChart::setLogY);
    showSmoothing();
    return page;
}

QWidget* ComparePage::buildTable()
{
    auto* page = new QWidget(this);
    m_hideIdentical = new QCheckBox(tr("Hide settings that are the same"), page);
    m_hideIdentical->setChecked(true);
    connect(m_hideIdentical, &QCheckBox::toggled, m_tableModel,
        &ComparisonTableModel::setIdenticalHidden);
    auto* legend = new QLabel(tr("Green: best of the line. Grey: worst."), page);
    legend->setProperty("role", QLatin1String("muted"));
    m_table = new QTableView(page);
    m_table->setModel(m_tableModel);
    m_table->setAccessibleName(tr("Comparison"));
    m_table->setHorizontalHeader(new RunHeader(m_table));
    m_table->horizontalHeader()->setDefaultSectionSize(170);
    m_table->setItemDelegate(new ComparisonDelegate(m_table));
    m_table->setShowGrid(false);
    m_table->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 8px; border: none; }"));
    m_table->setWordWrap(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->setHighlightSections(false);
    auto* button = new QToolButton(page);
    button->setDefaultAction(m_exportTable);
    button->setProperty("framed", true);

    auto* bar = new QHBoxLayout;
    bar->setSpacing(16);
    bar->addWidget(m_hideIdentical);
    bar->addWidget(legend);
    bar->addStretch(1);
    bar->addWidget(button);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    return page;
}

void ComparePage::connectExport()
{
    connect(m_csv, &CsvExport::started, this, [this](const QString& target) {
        m_message->tellProgress(
            tr("Writing %1 …").arg(QDir::toNativeSeparators(target)), [this] { m_csv->cancel(); });
    });
    connect(m_csv, &CsvExport::progressed, m_message, &InlineMessage::setProgress);
    connect(m_csv, &CsvExport::finished, this, [this](const QString& target) {
        m_message->tell(tr("Wrote %1").arg(QDir::toNativeSeparators(target)));
    });
    connect(m_csv, &CsvExport::cancelled, this,
        [this] { m_message->tell(tr("The export was cancelled; nothing was written.")); });
    connect(m_csv, &CsvExport::failed, m_message, &InlineMessage::tellProblem);
}

// ---- what is compared ------------------------------------------------------------------------

void ComparePage::setRuns(const std::vector<RunId>& runs)
{
    m_chosen = runs;
    if (m_follower.runs())
        setRecords(m_follower.runs());
    axesChanged();
}

void ComparePage::setRecords(const std::shared_ptr<const RunList>& runs)
{
    m_records.clear();
    for (const RunId id : m_chosen) {
        const auto found = std::find_if(
            runs->begin(), runs->end(), [id](const RunRecord& run) { return run.id == id; });
        if (found != runs->end())
            m_records.push_back(*found);
    }
    updateRuns();
}

void ComparePage::updateRuns()
{
    m_runsModel->setRuns(m_records);
    m_tableModel->setRuns(m_records);
    const bool any = !m_records.empty();
    m_stack->setCurrentIndex(any ? 1 : 0);
    for (QAction* action : { m_exportTable, m_exportSeries, m_savePicture })
        action->setEnabled(any);
    drawCurves();
}

void ComparePage::remove(RunId run)
{
    std::erase(m_chosen, run);
    setRuns(std::vector<RunId>(m_chosen));
    Q_EMIT runsChosen(m_chosen);
}

void ComparePage::removeSelected()
{
    std::vector<RunId> removed;
    for (const QModelIndex& index : m_list->selectionModel()->selectedIndexes())
        removed.push_back(static_cast<RunId>(index.data(ChosenRunsModel::RunIdRole).toLongLong()));
    for (const RunId run : removed)
        remove(run);
}

void ComparePage::showListMenu(const QPoint& position)
{
    QMenu menu(this);
    QAction* action =
        menu.addAction(themedIcon(QLatin1String("close")), tr("Remove from the comparison"));
    action->setEnabled(!m_list->selectionModel()->selectedIndexes().isEmpty());
    connect(action, &QAction::triggered, this, &ComparePage::removeSelected);
    menu.exec(m_list->viewport()->mapToGlobal(position));
}

// ---- curves ----------------------------------------------------------------------------------

std::string ComparePage::metric() const
{
    return m_metric->currentData().toString().toStdString();
}

Axis ComparePage::axis() const
{
    return kAxes.at(static_cast<std::size_t>(std::max(0, m_axis->currentIndex())));
}

double ComparePage::smoothing() const
{
    // The slider's upper half is fine: that is where weights matter.
    const double share = static_cast<double>(m_smoothing->value()) / kSmoothingSteps;
    return share == 0 ? 0 : 1 - std::pow(1 - share, 1.5);
}

void ComparePage::showSmoothing()
{
    m_smoothingText->setText(QString::number(smoothing(), 'f', 2));
    ask();
}

void ComparePage::axesChanged()
{
    const std::string shown = metric();
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
    const bool seen = isVisible();
    const bool tableSeen = m_tabs && m_tabs->currentIndex() == 1;
    if (seen && !tableSeen) {
        for (const RunId run : m_chosen)
            curves.series.push_back({ run, metric() });
        curves.axis = axis();
        curves.buckets = kBuckets;
        curves.smoothing = smoothing();
    }
    if (seen && tableSeen)
        table.summariesOf = m_chosen;
    m_follower.setQuery(m_curvesQuery, curves);
    m_follower.setQuery(m_tableQuery, table);
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
    const Background background = backgroundOf(palette());
    std::vector<ChartCurve> curves;
    for (const SeriesBatch::Series& series : m_batch->series) {
        const auto record = std::find_if(m_records.begin(), m_records.end(),
            [&](const RunRecord& run) { return run.id == series.run; });
        if (record == m_records.end())
            continue;
        const RunStyle style = styleOf(series.run, background);
        const QString id = runNumber(series.run);
        const QString name = names.at(record - m_records.begin());
        const bool smooth = !series.smoothed.empty();
        if (smooth)
            curves.push_back({ id + QStringLiteral("/original"), {}, style.color, true,
                style.dashed, series.points });
        curves.push_back({ id, name, style.color, false, style.dashed,
            smooth ? series.smoothed : series.points });
    }
    m_chart->setCurves(std::move(curves));
}

// ---- export ----------------------------------------------------------------------------------

void ComparePage::askPath(const QString& title, const QString& name, const QString& filter,
    void (ComparePage::*save)(const QString& path))
{
    auto* dialog = new QFileDialog(this, title, {}, filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, save](const QString& path) { (this->*save)(path); });
    dialog->open();
}

void ComparePage::exportTable()
{
    askPath(tr("Export table"), QStringLiteral("comparison.csv"),
        tr("Comma-separated values (*.csv)"), &ComparePage::exportTableTo);
}

void ComparePage::exportSeries()
{
    askPath(tr("Export series"), QStringLiteral("series.csv"), tr("Comma-separated values (*.csv)"),
        &ComparePage::exportSeriesTo);
}

void ComparePage::savePicture()
{
    askPath(tr("Save chart"), QStringLiteral("%1.svg").arg(QString::fromStdString(metric())),
        tr("Vector picture (*.svg);;Picture (*.png)"), &ComparePage::savePictureOrTell);
}

void ComparePage::exportTableTo(const QString& path)
{
    m_csv->startTable(m_follower.file(), m_tableModel->shownText(), path.toStdString());
}

void ComparePage::exportSeriesTo(const QString& path)
{
    m_csv->start(m_follower.file(), m_chosen, path.toStdString(), CsvExport::Form::Series);
}

bool ComparePage::savePictureTo(const QString& path)
{
    const bool png = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive);
    return png ? m_chart->savePng(path) : m_chart->saveSvg(path);
}

void ComparePage::savePictureOrTell(const QString& path)
{
    if (savePictureTo(path))
        m_message->tell(tr("Wrote %1").arg(QDir::toNativeSeparators(path)));
    else
        m_message->tellProblem(
            tr("“%1” could not be written. Choose a folder that you may write to.").arg(path));
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
    ask();
}

void ComparePage::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
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
}

QByteArray ComparePage::saveState() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kStateVersion << m_metric->currentData().toString() << m_axis->currentIndex()
        << m_smoothing->value() << m_logX->isChecked() << m_logY->isChecked()
        << m_hideIdentical->isChecked() << m_tabs->currentIndex() << m_splitter->saveState();
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
    bool logX = false;
    bool logY = false;
    bool hide = true;
    QByteArray splitter;
    in >> version;
    if (version != kStateVersion)
        return false;
    in >> shown >> over >> smooth >> logX >> logY >> hide >> tab >> splitter;
    if (in.status() != QDataStream::Ok)
        return false;
    m_metric->setCurrentIndex(std::max(0, m_metric->findData(shown)));
    m_axis->setCurrentIndex(over);
    m_smoothing->setValue(smooth);
    m_logX->setChecked(logX);
    m_logY->setChecked(logY);
    m_hideIdentical->setChecked(hide);
    m_tabs->setCurrentIndex(tab);
    m_splitter->restoreState(splitter);
    return true;
}

} // namespace accrue
