// SPDX-License-Identifier: Apache-2.0
// What the Compare page is made of: actions, the list of runs, chart and table.
#include "ui/pages/compare_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include "ui/charts/metric_chart.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/models/comparison_table_model.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"
#include "ui/pages/empty_page.h"
#include "ui/pages/icons.h"
#include "ui/pages/run_delegates.h"

namespace accrue {

namespace {

constexpr int kLeastSlider = 40;
constexpr int kWidestSlider = 110;
constexpr int kEquivalenceLines = 4;

} // namespace

QAction* ComparePage::addShortcut(QAction* action, const QString& tip, const QString& keys)
{
    action->setShortcut(QKeySequence(keys));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(
        tr("%1 (%2)").arg(tip, action->shortcut().toString(QKeySequence::NativeText)));
    addAction(action);
    return action;
}

void ComparePage::buildActions()
{
    const auto make = [this](const char* icon, const QString& text, const QString& tip,
                          const QString& keys, void (ComparePage::*act)()) {
        auto* action = new QAction(themedIcon(QLatin1String(icon)), text, this);
        connect(action, &QAction::triggered, this, act);
        return addShortcut(action, tip, keys);
    };
    m_exportSeries = make("export", tr("Export series as CSV…"),
        tr("Write every metric of every step of these runs to a CSV file"),
        QStringLiteral("Ctrl+E"), &ComparePage::exportSeries);
    m_exportTable = make("export", tr("Export table as CSV…"),
        tr("Write settings and results of these runs side by side to a CSV file"),
        QStringLiteral("Ctrl+Shift+E"), &ComparePage::exportTable);
    m_savePicture = make("save", tr("Save chart as picture…"), tr("Save the chart as SVG or PNG"),
        QStringLiteral("Ctrl+Shift+P"), &ComparePage::savePicture);
    m_remove = make("close", tr("Remove from the comparison"),
        tr("Leave the runs selected in the list out of the comparison"),
        QKeySequence(Qt::Key_Delete).toString(), &ComparePage::removeSelected);
    m_wholeChart = make("search", tr("Show the whole chart"), tr("Return from the zoom"),
        QStringLiteral("Ctrl+0"), &ComparePage::resetZoom);
}

QAction* ComparePage::makeSwitch(
    QCheckBox* box, const QString& text, const QString& tip, const QString& keys)
{
    auto* action = new QAction(text, this);
    action->setCheckable(true);
    action->setChecked(box->isChecked());
    addShortcut(action, tip, keys);
    tie(box, action);
    return action;
}

void ComparePage::tie(QCheckBox* box, QAction* action)
{
    box->setToolTip(action->toolTip());
    connect(action, &QAction::changed, box, [box, action] { box->setToolTip(action->toolTip()); });
    connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
    connect(box, &QCheckBox::toggled, action, &QAction::setChecked);
}

void ComparePage::buildSwitches()
{
    m_logXAction = makeSwitch(m_logX, tr("Logarithmic x axis"),
        tr("Draw what is above zero over a logarithmic x axis"), QStringLiteral("Ctrl+Alt+X"));
    m_logYAction = makeSwitch(m_logY, tr("Logarithmic y axis"),
        tr("Draw what is above zero with a logarithmic y axis"), QStringLiteral("Ctrl+Alt+Y"));
    tie(m_peaksLogY, m_logYAction);
    m_hideAction = makeSwitch(m_hideIdentical, tr("Hide settings that are the same"),
        tr("Show only the settings in which the runs differ"), QStringLiteral("Ctrl+H"));
}

QWidget* ComparePage::buildEmpty()
{
    auto* page = new EmptyPage(QLatin1String("compare"), tr("Nothing to compare yet"),
        tr("Check two or more runs and press Compare: their curves are laid over each other here, "
           "and a table names the settings in which they differ."),
        tr("Choose runs"), this);
    connect(page->button(), &QPushButton::clicked, this, &ComparePage::runsPageRequested);
    connect(&m_follower, &RunLogFollower::failed, page, &EmptyPage::showLogProblem);
    for (const auto readable : { &RunLogFollower::recovered, &RunLogFollower::fileChanged })
        connect(&m_follower, readable, page, [page] { page->showLogProblem({}); });
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
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
        &ComparePage::updateChartActions);
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
        m_metric->addItem(metricTitle(info.name), QString::fromStdString(info.name));
    const std::string traced = tracedMetrics().front().name;
    m_metric->addItem(metricTitle(traced), QString::fromStdString(traced));
    m_metric->setAccessibleName(tr("Metric"));
    m_metric->setToolTip(tr("What is drawn"));
    m_axis = new QComboBox(parent);
    for (const Axis each :
        { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds })
        m_axis->addItem(overAxisText(each), static_cast<int>(each));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setToolTip(tr("What it is drawn over"));
    m_smoothing = new QSlider(Qt::Horizontal, parent);
    m_smoothing->setRange(0, 99);
    m_smoothing->setMinimumWidth(kLeastSlider);
    m_smoothing->setMaximumWidth(kWidestSlider);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Exponential smoothing; the original stays faint behind it"));
    m_smoothingText = new QLabel(parent);
    m_smoothingText->setProperty("role", QLatin1String("muted"));
    m_smoothingText->setFixedWidth(
        m_smoothingText->fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
    for (QComboBox* box : { m_metric, m_axis }) { // the slider gives way where there is little room
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    }
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
    bar->addWidget(m_smoothing, 1);
    bar->addWidget(m_smoothingText);
    bar->addWidget(m_logX);
    bar->addWidget(m_logY);
    bar->addStretch(1);
    return bar;
}

// Beside the tabs, where they take no room from what is chosen: those of the tab that is shown.
QWidget* ComparePage::buildExports()
{
    auto* corner = new QStackedWidget(m_tabs);
    for (const auto& actions : std::initializer_list<QList<QAction*>> {
             { m_savePicture, m_exportSeries }, { m_exportTable }, { m_savePicture } }) {
        auto* page = new QWidget(corner);
        auto* bar = new QHBoxLayout(page);
        bar->setContentsMargins(0, 0, 0, 4);
        bar->setSpacing(8);
        bar->addStretch(1);
        for (QAction* action : actions) {
            auto* button = new QToolButton(page);
            button->setDefaultAction(action);
            button->setProperty("framed", true);
            bar->addWidget(button);
        }
        corner->addWidget(page);
    }
    connect(m_tabs, &QTabWidget::currentChanged, corner, &QStackedWidget::setCurrentIndex);
    return corner;
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
    connect(m_chart, &MetricChart::pictureRequested, this, &ComparePage::savePicture);
    connect(m_logX, &QCheckBox::toggled, m_chart, &MetricChart::setLogX);
    connect(m_logY, &QCheckBox::toggled, m_chart, &MetricChart::setLogY);
    connect(m_chart, &MetricChart::logYChanged, m_logY, &QCheckBox::setChecked);
    showSmoothing();
    return page;
}

QWidget* ComparePage::buildPeaks()
{
    auto* page = new QWidget(this);
    m_peakSetting = new QComboBox(page);
    for (const PeakSetting each : { PeakSetting::Micro, PeakSetting::Steps, PeakSetting::Norm })
        m_peakSetting->addItem(overSettingText(each), static_cast<int>(each));
    m_peakSetting->setAccessibleName(tr("Setting"));
    m_peakSetting->setToolTip(tr("What it is drawn over"));
    m_peaks = new MetricChart(page);
    m_peaks->setTitle(metricTitle("peak_bytes"));
    m_peaks->setYInBytes(true);
    m_peaks->setValueFormatter([](double value) { return metricText("peak_bytes", value); });
    m_peaks->setEmptyText(tr("None of these runs has reported its memory yet."));
    auto* words = new QLabel(tr("Each point is the peak memory of one run."), page);
    words->setProperty("role", QLatin1String("muted"));
    auto* bar = new QHBoxLayout;
    bar->setSpacing(16);
    m_peaksLogY = new QCheckBox(m_logY->text(), page);
    bar->addWidget(m_peakSetting);
    bar->addWidget(words);
    bar->addStretch(1);
    bar->addWidget(m_peaksLogY);
    auto* frame = new QFrame(page);
    frame->setProperty("card", true);
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(1, 1, 1, 1);
    inner->addWidget(m_peaks);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(frame, 1);
    connect(m_peakSetting, &QComboBox::currentIndexChanged, this, &ComparePage::peakAxesChanged);
    connect(m_peaks, &MetricChart::pictureRequested, this, &ComparePage::savePicture);
    connect(m_peaksLogY, &QCheckBox::toggled, m_peaks, &MetricChart::setLogY);
    connect(m_peaks, &MetricChart::logYChanged, m_peaksLogY, &QCheckBox::setChecked);
    return page;
}

QWidget* ComparePage::buildTable()
{
    auto* page = new QWidget(this);
    m_hideIdentical = new QCheckBox(tr("Hide settings that are the same"), page);
    m_hideIdentical->setChecked(true);
    connect(m_hideIdentical, &QCheckBox::toggled, m_tableModel,
        &ComparisonTableModel::setIdenticalHidden);
    auto* legend = new QLabel(tr("Bold, green: best of the line. Italic, grey: worst."), page);
    legend->setProperty("role", QLatin1String("muted"));
    buildComparison(page);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(16);
    bar->addWidget(m_hideIdentical);
    bar->addWidget(legend);
    bar->addStretch(1);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    return page;
}

QFrame* ComparePage::buildEquivalence()
{
    auto* card = m_equivalenceCard = new QFrame(this);
    card->setProperty("card", true);
    m_equivalenceText = new QLabel(card);
    m_equivalenceWhy = new QLabel(card);
    m_equivalenceText->setObjectName(QStringLiteral("equivalence"));
    m_equivalenceWhy->setProperty("role", QLatin1String("muted"));
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    for (QLabel* label : { m_equivalenceText, m_equivalenceWhy }) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(label);
    }
    layout->addStretch(1);
    // Of one height, so that the chart keeps its own when the answer comes.
    card->setFixedHeight(kEquivalenceLines * fontMetrics().lineSpacing() + 2 * 8 + 4);
    card->hide();
    return card;
}

void ComparePage::buildComparison(QWidget* parent)
{
    m_table = new QTableView(parent);
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
}

} // namespace accrue
