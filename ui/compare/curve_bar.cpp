// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/curve_bar.h"

#include "ui/choices/searched_box.h"
#include "ui/curves/metric_choice.h"
#include "ui/curves/run_selection.h"
#include "ui/models/run_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QSlider>
#include <QToolButton>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kLeastSlider = 40;
constexpr int kWidestSlider = 110;
constexpr int kBoxLetters = 14; // of a box's text that always fit
constexpr int kBandLetters = 17;
constexpr int kOneRow = 1000; // pixels in which all of it fits

// An axis by its number, a metric by its name.
QVariant dataOf(const GridAxis& axis)
{
    return axis.metric.empty() ? QVariant(static_cast<int>(axis.axis))
                               : QVariant(QString::fromStdString(axis.metric));
}

GridAxis axisOf(const QVariant& data)
{
    if (data.typeId() == QMetaType::QString)
        return { Axis::Step, data.toString().toStdString() };
    return { static_cast<Axis>(data.toInt()) };
}

QToolButton* makeTextButton(const char* icon, const QString& text, QWidget* parent)
{
    auto* const button = makeFramedButton(nullptr, parent);
    button->setIcon(themedIcon(QLatin1String(icon)));
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    return button;
}

} // namespace

CurveBar::CurveBar(RunSelection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
{
    buildAxis();
    buildSmoothing();
    buildBand();
    buildMenus();
    layOut();
    for (QComboBox* box :
        { static_cast<QComboBox*>(m_axis), m_band }) { // long texts are elided, and in their lists
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(box == m_band ? kBandLetters : kBoxLetters);
        connect(box, &QComboBox::currentIndexChanged, this, &CurveBar::take);
    }
    connect(m_smoothing, &QSlider::valueChanged, this, &CurveBar::take);
    for (const QCheckBox* box : { m_logX, m_logY })
        connect(box, &QCheckBox::toggled, this, &CurveBar::take);
}

// ---- building --------------------------------------------------------------------------------

void CurveBar::buildAxis()
{
    m_axis = new SearchedBox(metricSearch(), this);
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setToolTip(tr("Quantity on the horizontal axis"));
    m_logX = new QCheckBox(tr("log x"), this);
    m_logY = new QCheckBox(tr("log y"), this);
}

void CurveBar::buildSmoothing()
{
    m_smoothing = new QSlider(Qt::Horizontal, this);
    m_smoothing->setRange(0, 99);
    m_smoothing->setMinimumWidth(kLeastSlider);
    m_smoothing->setMaximumWidth(kWidestSlider);
    m_smoothing->setAccessibleName(tr("Smoothing"));
    m_smoothing->setToolTip(tr("Exponential smoothing; the measured curve stays faint behind it"));
    m_smoothingText = makeLabel("muted", {}, this);
    // The same width for every value, so that the slider does not change its length during a drag.
    m_smoothingText->setFixedWidth(
        m_smoothingText->fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
}

void CurveBar::buildBand()
{
    m_band = new QComboBox(this);
    m_band->setAccessibleName(tr("Band of the groups"));
    m_band->setToolTip(
        tr("What the band around a mean shows; the interval is that of Student's t"));
    m_band->addItem(tr("mean ± 95 %"), static_cast<int>(MeanBand::Interval));
    m_band->addItem(tr("mean, lowest to highest"), static_cast<int>(MeanBand::Range));
}

void CurveBar::buildMenus()
{
    m_chart = makeTextButton("plus", tr("Chart"), this);
    m_chart->setToolTip(tr("Add charts of other metrics"));
    m_chart->setAccessibleName(tr("Add chart"));
    connect(m_chart, &QToolButton::clicked, this, &CurveBar::chartsAsked);
    m_view = makeTextButton("save", tr("Views"), this);
    m_view->setPopupMode(QToolButton::InstantPopup);
    m_view->setMenu(new QMenu(m_view));
    m_view->setToolTip(tr("Keep this grid of charts under a name"));
    m_view->setAccessibleName(tr("Views"));
    connect(m_view->menu(), &QMenu::aboutToShow, this, &CurveBar::fillViews);
}

void CurveBar::layOut()
{
    auto* const title = new QLabel(tr("Smooth&ing"), this);
    title->setBuddy(m_smoothing);
    auto* const first = makeRow(nullptr, { m_axis, m_logX, m_logY });
    first->addSpacing(4);
    first->addWidget(title);
    first->addWidget(m_smoothing, 1);
    first->addWidget(m_smoothingText);
    first->addStretch(1);
    auto* const second = makeRow(nullptr, { m_band });
    second->addStretch(1);
    second->addWidget(m_chart);
    second->addWidget(m_view);
    m_rows = makeColumn(this);
    m_rows->addLayout(first);
    m_rows->addLayout(second);
}

void CurveBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_rows->setDirection(
        event->size().width() < kOneRow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

// ---- choices ---------------------------------------------------------------------------------

void CurveBar::show(const GridSettings& settings)
{
    m_settings = settings;
    m_isFilling = true;
    fillAxes();
    m_logX->setChecked(settings.logX);
    m_logY->setChecked(std::ranges::all_of(settings.tiles, &TileSettings::logY));
    m_smoothing->setValue(settings.smoothing);
    m_smoothingText->setText(QString::number(smoothingWeight(settings.smoothing), 'f', 2));
    m_band->setCurrentIndex(m_band->findData(static_cast<int>(settings.band)));
    showBand();
    m_isFilling = false;
}

void CurveBar::offer(const std::set<std::string>& metrics)
{
    m_metrics = metrics;
    show(m_settings);
}

void CurveBar::setHasMeans(bool any)
{
    m_hasMeans = any;
    showBand();
}

// Over another metric each run of a group has its own curve.
void CurveBar::showBand()
{
    m_band->setVisible(m_hasMeans && m_settings.x.metric.empty());
}

void CurveBar::fillAxes()
{
    m_axis->clear();
    for (const Axis each :
        { Axis::Step, Axis::Samples, Axis::MicroBatches, Axis::Epoch, Axis::Seconds })
        m_axis->addItem(tr("over %1").arg(axisTitle(each)), dataOf({ each }));
    std::set<std::string> metrics = m_metrics;
    if (!m_settings.x.metric.empty())
        metrics.insert(m_settings.x.metric);
    if (!metrics.empty())
        m_axis->insertSeparator(m_axis->count());
    for (const MetricInfo& metric : metricsBeside(metrics))
        if (metrics.contains(metric.name) && !metric.ofEachRank) {
            m_axis->addItem(
                tr("over %1").arg(curveTitle(metric.name)), dataOf({ {}, metric.name }));
            if (findMetric(metric.name) != nullptr)
                m_axis->setDetail(m_axis->count() - 1, QString::fromStdString(metric.name));
        }
    m_axis->setCurrentIndex(std::max(0, m_axis->findData(dataOf(m_settings.x))));
}

void CurveBar::take()
{
    if (m_isFilling)
        return;
    m_settings.x = axisOf(m_axis->currentData());
    m_settings.logX = m_logX->isChecked();
    m_settings.smoothing = m_smoothing->value();
    m_smoothingText->setText(QString::number(smoothingWeight(m_settings.smoothing), 'f', 2));
    showBand();
    m_settings.band = static_cast<MeanBand>(m_band->currentData().toInt());
    const bool wasLogY = std::ranges::all_of(m_settings.tiles, &TileSettings::logY);
    if (m_logY->isChecked() != wasLogY)
        for (TileSettings& tile : m_settings.tiles)
            tile.logY = m_logY->isChecked();
    Q_EMIT changed();
}

// ---- views -----------------------------------------------------------------------------------

void CurveBar::applyView(const CurveView& view)
{
    if (view.runs)
        m_selection.setDistinction(*view.runs);
    show(view.grid);
    Q_EMIT changed();
}

void CurveBar::saveView(const QString& name)
{
    if (!name.trimmed().isEmpty())
        m_views.insert(name.trimmed(), { m_settings, m_selection.distinction() });
}

void CurveBar::removeView(const QString& name)
{
    m_views.remove(name);
}

void CurveBar::fillViews()
{
    QMenu& menu = *m_view->menu();
    menu.clear();
    menu.addAction(tr("Save this view…"), this, &CurveBar::askName);
    menu.addAction(tr("Usual charts"), this, [this] { applyView({ GridSettings::usual() }); });
    if (m_views.isEmpty())
        return;
    menu.addSeparator();
    auto* const removal = new QMenu(tr("Remove view"), &menu);
    for (auto view = m_views.cbegin(); view != m_views.cend(); ++view) {
        // An ampersand would become a shortcut.
        const QString title = QString(view.key()).replace(QLatin1Char('&'), QLatin1String("&&"));
        menu.addAction(title, this, [this, of = view.value()] { applyView(of); });
        removal->addAction(title, this, [this, name = view.key()] { removeView(name); });
    }
    menu.addSeparator();
    menu.addMenu(removal);
}

void CurveBar::askName()
{
    auto* const dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save view"));
    dialog->setLabelText(tr("Name of the view; an existing one of that name is replaced:"));
    dialog->setOkButtonText(tr("Save"));
    dialog->setCancelButtonText(tr("Cancel"));
    connect(dialog, &QInputDialog::textValueSelected, this, &CurveBar::saveView);
    dialog->open();
}

} // namespace accrue
