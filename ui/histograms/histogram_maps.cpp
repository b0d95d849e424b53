// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_maps.h"

#include "ui/charts/live_description.h"
#include "ui/charts/plot_look.h"
#include "ui/histograms/map_painting.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

// The maps are painted once into a picture, which the chosen step and the frames are painted over:
// the mouse moves more often than the data changes.

namespace accrue {

namespace {

constexpr double kEdge = 10; // pixels around all
constexpr double kSecond = 2; // pixels of the device, of pictures as vectors

QFont titleFont(const PlotLook& look)
{
    QFont bold = look.font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

} // namespace

HistogramMaps::HistogramMaps(QWidget* parent)
    : PicturedChart(parent)
    , m_description(new LiveDescription(this, [this] { return description(); }))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing below is painted for it
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

// ---- what is shown ---------------------------------------------------------------------------

void HistogramMaps::setPanels(HistogramPanels panels)
{
    if (panels == m_panels)
        return; // with each step of a live run, which logs a histogram more rarely
    m_panels = std::move(panels);
    m_steps = stepsOf(m_panels);
    if (m_current && *m_current >= m_panels.size())
        m_current.reset();
    contentChanged();
    updateGeometry();
    Q_EMIT stepChanged();
}

void HistogramMaps::setScales(const MapScales& scales)
{
    if (std::exchange(m_scales, scales) != scales)
        contentChanged();
}

void HistogramMaps::setEmptyText(const QString& text)
{
    if (std::exchange(m_emptyText, text) != text)
        contentChanged();
}

void HistogramMaps::setSelected(const std::vector<long long>& keys)
{
    if (std::exchange(m_selected, keys) != keys)
        update();
}

void HistogramMaps::setPointedAt(const std::vector<long long>& keys)
{
    if (std::exchange(m_pointedAt, keys) != keys)
        update();
}

std::int64_t HistogramMaps::step() const
{
    return m_step.value_or(m_steps.back());
}

void HistogramMaps::chooseStep(std::optional<std::int64_t> step)
{
    if (std::exchange(m_step, step) == step || m_panels.empty())
        return;
    m_description->refresh();
    update();
    Q_EMIT stepChanged();
}

bool HistogramMaps::has(const std::vector<long long>& keys, std::size_t panel) const
{
    return std::ranges::find(keys, m_panels[panel].key) != keys.end();
}

// ---- layout ----------------------------------------------------------------------------------

double HistogramMaps::headHeight() const
{
    const PlotLook look(*this);
    PlotLegend legend;
    const double top = kPlotEdge + std::ceil(QFontMetricsF(titleFont(look)).height()) + 4;
    constexpr double kRoom = 2000; // the legend is never cut
    return top + legend.layOut(mapLegend(look), look, { double(width()), kRoom }, top);
}

QSize HistogramMaps::minimumSizeHint() const
{
    constexpr int kNarrowest = 260;
    if (m_panels.empty())
        return { kNarrowest, 120 };
    const PlotLook look(*this);
    const double height = headHeight() + look.smallHeight() + 2 * kEdge
        + leastMapHeight(m_panels.size(), width() - 2 * kEdge, look);
    return { kNarrowest, static_cast<int>(std::ceil(height)) };
}

void HistogramMaps::layOut()
{
    const PlotLook look(*this);
    const double head = headHeight();
    constexpr double kRoom = 2000;
    const double top = kPlotEdge + std::ceil(QFontMetricsF(titleFont(look)).height()) + 4;
    m_legend.layOut(mapLegend(look), look, { double(width()), kRoom }, top);
    const QRectF area(kEdge, head, std::max(1.0, width() - 2 * kEdge),
        std::max(1.0, height() - head - look.smallHeight() - kEdge));
    m_places = placeMaps(m_panels, m_scales, look, area);
}

void HistogramMaps::contentChanged()
{
    layOut();
    m_painted = {};
    m_description->refresh();
    update();
}

void HistogramMaps::resizeEvent(QResizeEvent* event)
{
    PicturedChart::resizeEvent(event);
    contentChanged();
    if (event->oldSize().width() != event->size().width())
        updateGeometry(); // another number of columns needs another height
}

// ---- painting --------------------------------------------------------------------------------

void HistogramMaps::paintPicture(QPainter& painter, Plot::Medium medium)
{
    const PlotLook look(*this);
    painter.fillRect(rect(), look.color(QPalette::Base));
    if (m_panels.empty()) {
        painter.setFont(look.font);
        painter.setPen(look.muted(0.65));
        painter.drawText(QRectF(rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    painter.setFont(titleFont(look));
    painter.setPen(look.color(QPalette::Text));
    painter.drawText(QRectF(rect()).adjusted(kPlotEdge, kPlotEdge, -kPlotEdge, 0),
        Qt::AlignLeft | Qt::AlignTop, title());
    m_legend.paint(painter, look, rect());
    const double ratio =
        medium == Plot::Medium::Vector ? kSecond : painter.device()->devicePixelRatioF();
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        paintMap(painter, look, m_panels[i], m_places[i], ratio);
    painter.setFont(look.small);
    painter.setPen(look.muted(0.72));
    painter.drawText(QRectF(rect()).adjusted(0, 0, 0, -kPlotEdge / 2),
        Qt::AlignHCenter | Qt::AlignBottom, axisTitle(Axis::Step));
}

const QPixmap& HistogramMaps::painted()
{
    const qreal ratio = devicePixelRatioF();
    if (m_painted.size() == size() * ratio)
        return m_painted;
    m_painted = QPixmap(size() * ratio);
    m_painted.setDevicePixelRatio(ratio);
    QPainter painter(&m_painted);
    paintPicture(painter, Plot::Medium::Raster);
    return m_painted;
}

void HistogramMaps::paintEvent(QPaintEvent* event)
{
    const QPixmap& picture = painted();
    QPainter painter(this);
    const QRectF exposed = event->rect();
    const qreal ratio = picture.devicePixelRatio();
    painter.drawPixmap(exposed, picture, QRectF(exposed.topLeft() * ratio, exposed.size() * ratio));
    const PlotLook look(*this);
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        paintMapStep(painter, look, m_places[i], columnAt(m_panels[i], step()).step);
        if (has(m_selected, i))
            paintMapMark(painter, look, m_places[i], MapMark::Selected);
        if (has(m_pointedAt, i) || (hasFocus() && m_current == i))
            paintMapMark(painter, look, m_places[i], MapMark::PointedAt);
    }
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

// ---- mouse and keyboard ----------------------------------------------------------------------

std::optional<std::size_t> HistogramMaps::panelAt(const QPointF& pixel) const
{
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].frame.contains(pixel))
            return i;
    return std::nullopt;
}

void HistogramMaps::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> panel = panelAt(event->position());
    if (std::exchange(m_current, panel) != panel)
        Q_EMIT panelPointedAt(panel ? m_panels[*panel].key : 0);
    if (!panel || !m_places[*panel].axes.area().contains(event->position()))
        return;
    const double step = m_places[*panel].axes.x.valueAt(event->position().x());
    chooseStep(columnAt(m_panels[*panel], std::llround(step)).step);
}

// The step stays: the mouse is on its way to what is below.
void HistogramMaps::leaveEvent(QEvent* event)
{
    PicturedChart::leaveEvent(event);
    if (std::exchange(m_current, std::nullopt))
        Q_EMIT panelPointedAt(0);
}

void HistogramMaps::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return PicturedChart::mousePressEvent(event);
    const std::optional<std::size_t> panel = panelAt(event->position());
    Q_EMIT panelClicked(
        panel ? m_panels[*panel].key : 0, event->modifiers().testFlag(Qt::ControlModifier));
}

void HistogramMaps::moveStep(int direction)
{
    const auto at = std::ranges::lower_bound(m_steps, step()) - m_steps.begin();
    const auto last = static_cast<std::ptrdiff_t>(m_steps.size()) - 1;
    const auto next = std::clamp<std::ptrdiff_t>(at + direction, 0, last);
    chooseStep(m_steps[static_cast<std::size_t>(next)]);
}

void HistogramMaps::choosePanel(int direction)
{
    const int count = static_cast<int>(m_panels.size());
    const int before = m_current ? static_cast<int>(*m_current) : direction > 0 ? -1 : count;
    m_current = static_cast<std::size_t>(std::clamp(before + direction, 0, count - 1));
    update();
    Q_EMIT panelPointedAt(m_panels[*m_current].key);
}

void HistogramMaps::keyPressEvent(QKeyEvent* event)
{
    if (m_panels.empty())
        return PicturedChart::keyPressEvent(event);
    const int all = static_cast<int>(m_steps.size());
    switch (event->key()) {
    case Qt::Key_Left:
        return moveStep(-1);
    case Qt::Key_Right:
        return moveStep(1);
    case Qt::Key_Home:
        return moveStep(-all);
    case Qt::Key_End:
        return moveStep(all);
    case Qt::Key_Up:
        return choosePanel(-1);
    case Qt::Key_Down:
        return choosePanel(1);
    case Qt::Key_Space:
        Q_EMIT panelClicked(m_current ? m_panels[*m_current].key : 0,
            event->modifiers().testFlag(Qt::ControlModifier));
        return;
    case Qt::Key_Escape:
        if (m_step)
            return chooseStep(std::nullopt);
        [[fallthrough]];
    default:
        PicturedChart::keyPressEvent(event);
    }
}

bool HistogramMaps::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return PicturedChart::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    QString text;
    for (const PlotLegend::Placed& placed : m_legend.entries())
        if (placed.rect.contains(help->pos()))
            text = placed.entry.meaning;
    for (std::size_t i = 0; i < m_places.size(); ++i)
        if (m_places[i].title.contains(help->pos()))
            text = m_panels[i].title;
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

// ---- words -----------------------------------------------------------------------------------

QString HistogramMaps::description() const
{
    if (m_panels.empty())
        return m_emptyText;
    QStringList words { tr("At step %1").arg(countText(step())) };
    if (m_current)
        words.prepend(m_panels[*m_current].title);
    for (std::size_t i = 0; i < m_panels.size(); ++i) {
        const HistogramColumn& column = columnAt(m_panels[i], step());
        words.append(tr("%1: median %2, 5 % to 95 %: %3 to %4")
                         .arg(m_panels[i].title, numberText(column.median, 3),
                             numberText(column.below5, 3), numberText(column.below95, 3)));
    }
    return words.join(tr("; "));
}

} // namespace accrue
