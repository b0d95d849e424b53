// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/parallel_chart.h"

#include "ui/charts/live_description.h"
#include "ui/charts/plot_look.h"
#include "ui/relations/parallel_input.h"
#include "ui/relations/parallel_painting.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

// Painted in three layers, so that a brush of thousands of lines follows the mouse: the pale lines,
// which do not change while a brush moves; the bright ones with the axes; what is pointed at.

namespace accrue {

namespace {

std::vector<std::size_t> linesOf(
    const ParallelPlot& plot, const std::function<bool(std::size_t)>& isMeant)
{
    std::vector<std::size_t> lines;
    for (std::size_t i = 0; i < plot.lines().size(); ++i)
        if (plot.lines()[i].isShown && isMeant(i))
            lines.push_back(i);
    return lines;
}

bool hasLinesAndAxesOf(const ParallelPlot& plot, const std::vector<ParallelLine>& lines,
    const std::vector<ParallelAxis>& axes)
{
    return std::ranges::equal(plot.lines(), lines,
               [](const ParallelLine& one, const ParallelLine& other) {
                   return one.key == other.key && one.isShown == other.isShown;
               })
        && std::ranges::equal(
            plot.axes(), axes, [](const ParallelPlot::Placed& one, const ParallelAxis& other) {
                return one.axis.name == other.name;
            });
}

QPixmap pixmapFor(const QWidget& widget)
{
    QPixmap pixmap(widget.size() * widget.devicePixelRatioF());
    pixmap.setDevicePixelRatio(widget.devicePixelRatioF());
    return pixmap;
}

} // namespace

ParallelChart::ParallelChart(QWidget* parent)
    : PicturedChart(parent)
    , m_input(new ParallelInput(*this, m_plot))
    , m_description(new LiveDescription(this, [this] { return description(); }))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing below is painted for it
    connect(m_input, &ParallelInput::pointed, this, [this] {
        Q_EMIT linePointedAt(m_input->line() ? m_plot.lines()[*m_input->line()].key : 0);
        m_description->refresh();
        update();
    });
    connect(m_input, &ParallelInput::brushed, this, &ParallelChart::takeBrushes);
    connect(m_input, &ParallelInput::axesEdited, this, &ParallelChart::takeEdit);
    connect(
        m_input, &ParallelInput::clicked, this, [this](std::optional<std::size_t> line, bool adds) {
            Q_EMIT lineClicked(line ? m_plot.lines()[*line].key : 0, adds);
        });
}

void ParallelChart::setData(std::vector<ParallelLine> lines, std::vector<ParallelAxis> axes)
{
    const bool areSame = hasLinesAndAxesOf(m_plot, lines, axes);
    m_plot.set(std::move(lines), std::move(axes));
    m_plot.setSelected(m_selected);
    if (!areSame) // a live run changes numbers, and must not end a drag
        m_input->forget();
    contentChanged();
    updateGeometry();
}

void ParallelChart::setColourAxis(const std::string& name)
{
    if (std::exchange(m_colourAxis, name) != name)
        contentChanged();
}

void ParallelChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    contentChanged();
}

QSize ParallelChart::minimumSizeHint() const
{
    return { static_cast<int>(ParallelPlot::widthFor(m_plot.axes().size())), 200 };
}

// ---- brushes and selection -------------------------------------------------------------------

void ParallelChart::setSelected(const std::vector<long long>& keys)
{
    m_selected = keys;
    const bool wasDivided = m_plot.isDivided();
    m_plot.setSelected(keys);
    if (wasDivided || m_plot.isDivided())
        linesChanged();
}

void ParallelChart::pointAt(const std::vector<long long>& keys)
{
    if (std::exchange(m_pointedAt, keys) != keys)
        update();
}

std::vector<long long> ParallelChart::brushed() const
{
    std::vector<long long> keys;
    for (const std::size_t line : m_plot.brushed())
        keys.push_back(m_plot.lines()[line].key);
    return keys;
}

void ParallelChart::setBrush(const std::string& axis, const std::optional<AxisBrush>& brush)
{
    const auto at = m_plot.axisNamed(axis);
    if (!at)
        return;
    m_plot.setBrush(*at, brush);
    takeBrushes();
}

void ParallelChart::clearBrushes()
{
    if (!m_plot.hasBrushes())
        return;
    m_plot.clearBrushes();
    takeBrushes();
}

void ParallelChart::takeBrushes()
{
    linesChanged();
    Q_EMIT brushesChanged();
}

void ParallelChart::takeEdit()
{
    contentChanged();
    Q_EMIT axesEdited();
    if (m_plot.hasBrushes()) // a value without a logarithm may be outside now
        Q_EMIT brushesChanged();
}

QColor ParallelChart::colorOf(std::size_t line) const
{
    const auto axis = m_plot.axisNamed(m_colourAxis);
    if (!axis)
        return m_plot.lines()[line].color;
    const ParallelPlot::Placed& placed = m_plot.axes()[*axis];
    const double unit = placed.units[line];
    if (!std::isfinite(unit))
        return PlotLook(*this).muted(0.5);
    return shareColor((unit - placed.scale.low) / (placed.scale.high - placed.scale.low),
        backgroundOf(palette()));
}

// ---- changes ---------------------------------------------------------------------------------

void ParallelChart::contentChanged()
{
    m_plot.layOut(PlotLook(*this), size());
    m_pale = {};
    linesChanged();
}

void ParallelChart::linesChanged()
{
    m_painted = {};
    m_description->refresh();
    update();
}

void ParallelChart::resizeEvent(QResizeEvent* event)
{
    PicturedChart::resizeEvent(event);
    contentChanged();
}

bool ParallelChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return PicturedChart::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const ParallelPlot::Hit hit = m_plot.hitAt(help->pos());
    QString text;
    if (hit.on == ParallelPlot::Hit::On::Title)
        text = tr("%1. Drag it to another place; its menu has more.")
                   .arg(m_plot.axes()[hit.axis].axis.title);
    else if (hit.on == ParallelPlot::Hit::On::Arrow)
        text = tr("Invert this axis");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

// ---- painting --------------------------------------------------------------------------------

void ParallelChart::paintPicture(QPainter& painter, Plot::Medium medium)
{
    paintPale(painter, medium);
    paintOver(painter, medium);
}

void ParallelChart::paintPale(QPainter& painter, Plot::Medium medium)
{
    const PlotLook look(*this);
    painter.fillRect(rect(), look.color(QPalette::Base));
    if (!m_plot.isDivided())
        return;
    const QColor pale = look.muted(0.16);
    // While brushes move, a line becomes pale by not being painted over.
    paintParallelLines(
        painter, m_plot, linesOf(m_plot, [](std::size_t) { return true; }),
        [&pale](std::size_t) { return pale; }, medium);
}

void ParallelChart::paintOver(QPainter& painter, Plot::Medium medium)
{
    const PlotLook look(*this);
    if (isEmpty()) {
        painter.setFont(look.font);
        painter.setPen(look.muted(0.65));
        painter.drawText(QRectF(rect()).adjusted(24, 24, -24, -24),
            Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    paintParallelLines(
        painter, m_plot,
        linesOf(m_plot, [this](std::size_t line) { return m_plot.isBright(line); }),
        [this](std::size_t line) { return colorOf(line); }, medium);
    paintParallelAxes(
        painter, m_plot, look, m_plot.axisNamed(m_colourAxis), backgroundOf(palette()));
}

const QPixmap& ParallelChart::painted()
{
    const QSize wanted = size() * devicePixelRatioF();
    if (m_pale.size() != wanted || m_paleHasLines != m_plot.isDivided()) {
        m_paleHasLines = m_plot.isDivided();
        m_pale = pixmapFor(*this);
        QPainter painter(&m_pale);
        paintPale(painter, Plot::Medium::Raster);
        painter.end();
        m_painted = {};
    }
    if (m_painted.size() != wanted) {
        m_painted = m_pale;
        QPainter painter(&m_painted);
        paintOver(painter, Plot::Medium::Raster);
    }
    return m_painted;
}

void ParallelChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.drawPixmap(0, 0, painted());
    const PlotLook look(*this);
    for (std::size_t line = 0; line < m_plot.lines().size(); ++line)
        if (m_plot.lines()[line].isShown
            && std::ranges::find(m_pointedAt, m_plot.lines()[line].key) != m_pointedAt.end())
            paintParallelLine(painter, m_plot, line, colorOf(line), look.color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    if (const auto line = m_input->line()) {
        paintParallelLine(painter, m_plot, *line, colorOf(*line), look.color(QPalette::Base));
        paintHoverBox(painter, look, size(), boxOf(*line), m_input->place().y());
    }
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
    if (m_input->axis())
        paintChosenAxis(painter, m_plot, look, *m_input->axis());
}

HoverBox ParallelChart::boxOf(std::size_t line) const
{
    HoverBox box { .x = m_input->place().x(), .head = m_plot.lines()[line].title, .rows = {} };
    for (std::size_t axis = 0; axis < m_plot.axes().size(); ++axis)
        box.rows.push_back({ {}, m_plot.axes()[axis].axis.title, m_plot.textOf(line, axis) });
    return box;
}

// ---- words -----------------------------------------------------------------------------------

QString ParallelChart::pointedWords() const
{
    QStringList words;
    if (const auto line = m_input->line()) {
        words.append(m_plot.lines()[*line].title);
        for (std::size_t axis = 0; axis < m_plot.axes().size(); ++axis)
            words.append(
                tr("%1: %2").arg(m_plot.axes()[axis].axis.title, m_plot.textOf(*line, axis)));
    } else if (const auto axis = m_input->axis()) {
        words.append(tr("Axis %1").arg(m_plot.axes()[*axis].axis.title));
    }
    return words.join(tr("; "));
}

QString ParallelChart::description() const
{
    if (isEmpty())
        return m_emptyText;
    QStringList words;
    if (const QString pointed = pointedWords(); !pointed.isEmpty())
        words.append(pointed); // the last request comes first
    QStringList titles;
    for (const ParallelPlot::Placed& axis : m_plot.axes()) {
        titles.append(axis.axis.title);
        if (axis.brush && axis.axis.categories.isEmpty())
            words.append(tr("%1 from %2 to %3")
                             .arg(axis.axis.title, axis.scale.textAt(axis.brush->low),
                                 axis.scale.textAt(axis.brush->high)));
        else if (axis.brush)
            words.append(tr("%1 brushed").arg(axis.axis.title));
    }
    if (m_plot.hasBrushes())
        words.append(tr("runs in the brushes: %1").arg(m_plot.brushed().size()));
    words.append(tr("runs: %1").arg(m_plot.shownLines()));
    words.append(tr("axes: %1").arg(titles.join(tr(", "))));
    return words.join(tr("; "));
}

// ---- menu ------------------------------------------------------------------------------------

void ParallelChart::contextMenuEvent(QContextMenuEvent* event)
{
    const ParallelPlot::Hit hit = m_plot.hitAt(event->pos());
    m_menuAxis = event->reason() == QContextMenuEvent::Mouse
        ? (hit.on != ParallelPlot::Hit::On::Nothing ? std::optional(hit.axis) : std::nullopt)
        : m_input->axis();
    PicturedChart::contextMenuEvent(event);
}

void ParallelChart::addMenuActions(QMenu& menu)
{
    if (m_menuAxis && *m_menuAxis < m_plot.axes().size())
        addAxisActions(menu, *m_menuAxis);
    menu.addAction(tr("Remove all brushes"), this, &ParallelChart::clearBrushes)
        ->setEnabled(m_plot.hasBrushes());
    menu.addSeparator();
}

void ParallelChart::addAxisActions(QMenu& menu, std::size_t axis)
{
    const ParallelPlot::Placed& placed = m_plot.axes()[axis];
    const std::string name = placed.axis.name;
    menu.addSection(placed.axis.title);
    const auto edit = [this](const auto& change) {
        return [this, change] {
            change();
            takeEdit();
        };
    };
    const auto addSwitch = [&](const QString& text, bool on, const auto& act) {
        QAction* const action = menu.addAction(text, this, act);
        action->setCheckable(true);
        action->setChecked(on);
        return action;
    };
    addSwitch(tr("Inverted"), placed.axis.isInverted, edit([this, axis] { m_plot.invert(axis); }));
    const bool isLog = placed.scale.logarithmic;
    addSwitch(tr("Logarithmic"), isLog, edit([this, axis, isLog] {
        m_plot.setLogarithmic(axis, !isLog);
    }))->setEnabled(placed.axis.canBeLogarithmic());
    addSwitch(tr("Colour lines by it"), m_colourAxis == name,
        [this, name] { Q_EMIT colourRequested(name); });
    menu.addAction(tr("Move left"), this, edit([this, axis] { m_plot.move(axis, axis - 1); }))
        ->setEnabled(axis > 0);
    menu.addAction(tr("Move right"), this, edit([this, axis] { m_plot.move(axis, axis + 1); }))
        ->setEnabled(axis + 1 < m_plot.axes().size());
    menu.addAction(tr("Remove its brush"), this, [this, name] { setBrush(name, std::nullopt); })
        ->setEnabled(placed.brush.has_value());
    menu.addAction(tr("Remove axis"), this, [this, name] { Q_EMIT removeRequested(name); })
        ->setEnabled(m_plot.axes().size() > 1);
}

} // namespace accrue
