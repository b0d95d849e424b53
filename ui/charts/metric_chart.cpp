// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/metric_chart.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/curve_look.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

constexpr double kFree = std::numeric_limits<double>::quiet_NaN();

// A little more x than there is data, so that dots at its ends are whole.
QRectF padded(const AxisRange& x, const AxisRange& y)
{
    const double pad = (x.high - x.low) * 0.012;
    return QRectF(QPointF(x.low - pad, y.low), QPointF(x.high + pad, y.high));
}

QString plainNumber(double value)
{
    return QString::number(value, 'g', 5);
}

} // namespace

QPen penOf(const QColor& color, Qt::PenStyle line, double width)
{
    return QPen(color, width, line, Qt::FlatCap);
}

namespace {

// What an axis holds at least, in data units.
struct RangeHint {
    double low = kFree;
    double high = kFree;

    void widen(double& from, double& to, bool logarithmic) const
    {
        const double least = logarithmic ? std::log10(low) : low;
        const double most = logarithmic ? std::log10(high) : high;
        if (std::isfinite(least))
            from = std::min(from, least);
        if (std::isfinite(most))
            to = std::max(to, most);
    }
};

void widen(double to, double& low, double& high)
{
    if (!std::isfinite(to))
        return;
    low = std::min(low, to);
    high = std::max(high, to);
}

} // namespace

class MetricChart::Impl {
public:
    explicit Impl(MetricChart* chart)
        : canvas(new ChartCanvas(content, chart))
    {
        content.xText = plainNumber;
        content.yText = plainNumber;
        content.window = QRectF(0, 0, 1, 1);
    }

    // The axes that hold everything, grown from those of before.
    void updateWindow()
    {
        std::optional<CurveExtent> extent;
        for (const ChartCurve& curve : content.curves)
            extent = united(extent, extentOf(curve.points, content.scale));
        if (extent) {
            for (const ChartLevel& level : content.levels)
                widen(content.scale.y(level.y), extent->lowY, extent->highY);
            xHint.widen(extent->lowX, extent->highX, content.scale.logX);
            yHint.widen(extent->lowY, extent->highY, content.scale.logY);
            xRange = niceRange(extent->lowX, extent->highX, xRange, Grow::HighOnly);
            yRange = niceRange(extent->lowY, extent->highY, yRange);
        }
        content.zoomed = zoom.has_value();
        if (zoom)
            content.window = *zoom;
        else if (xRange && yRange)
            content.window = padded(*xRange, *yRange);
    }

    // `from`: only the curves changed, and only from that x on.
    void show(std::optional<double> from = std::nullopt)
    {
        const QRectF before = content.window;
        updateWindow();
        if (from && content.window == before)
            canvas->curvesGrew(*from);
        else
            canvas->contentChanged();
    }

    void forgetAxes()
    {
        xRange.reset();
        yRange.reset();
        zoom.reset();
        canvas->forgetLayout();
    }

    QImage image() const
    {
        return imageOf(canvas->size(), [this](QPainter& painter) { canvas->drawAll(painter); });
    }

    ChartContent content;
    ChartCanvas* canvas;
    std::optional<AxisRange> xRange;
    std::optional<AxisRange> yRange;
    std::optional<QRectF> zoom; // in axis units
    RangeHint xHint;
    RangeHint yHint;
};

MetricChart::MetricChart(QWidget* parent)
    : QWidget(parent)
    , m_impl(std::make_unique<Impl>(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_impl->canvas);
    setFocusProxy(m_impl->canvas);
    connect(m_impl->canvas, &ChartCanvas::windowChosen, this, [this](const QRectF& window) {
        m_impl->zoom = window;
        m_impl->show();
        Q_EMIT zoomChanged(true);
    });
    connect(m_impl->canvas, &ChartCanvas::zoomLeft, this, &MetricChart::resetZoom);
    connect(m_impl->canvas, &ChartCanvas::neededLeftChanged, this, &MetricChart::neededLeftChanged);
    m_impl->show();
}

MetricChart::~MetricChart()
{
    delete m_impl->canvas; // it borrows the content
}

void MetricChart::setTitle(const QString& title)
{
    m_impl->content.title = title;
    setAccessibleName(title);
    m_impl->show();
}

QString MetricChart::title() const
{
    return m_impl->content.title;
}

void MetricChart::setAxisTitles(const QString& x, const QString& y)
{
    m_impl->content.xTitle = x;
    m_impl->content.yTitle = y;
    m_impl->show();
}

void MetricChart::setValueFormatter(Formatter formatter)
{
    m_impl->content.yText = formatter ? std::move(formatter) : Formatter(plainNumber);
    m_impl->canvas->forgetLayout();
    m_impl->show();
}

void MetricChart::setXFormatter(Formatter formatter)
{
    m_impl->content.xText = formatter ? std::move(formatter) : Formatter(plainNumber);
    m_impl->show();
}

void MetricChart::setCurves(std::vector<ChartCurve> curves)
{
    const std::optional<double> from = grownFrom(m_impl->content.curves, curves);
    if (from && std::isinf(*from))
        return; // the same curves
    m_impl->content.curves = std::move(curves);
    m_impl->show(from);
}

const std::vector<ChartCurve>& MetricChart::curves() const
{
    return m_impl->content.curves;
}

void MetricChart::setMarkers(std::vector<ChartMarker> markers)
{
    if (markers == m_impl->content.markers)
        return;
    const auto hasLabel = [](const ChartMarker& marker) { return !marker.label.isEmpty(); };
    const auto labels = [&](const std::vector<ChartMarker>& all) {
        return std::count_if(all.begin(), all.end(), hasLabel);
    };
    const bool moves = labels(markers) != labels(m_impl->content.markers);
    m_impl->content.markers = std::move(markers);
    if (moves) // they take room
        m_impl->canvas->contentChanged();
    else
        m_impl->canvas->invalidate();
}

const std::vector<ChartMarker>& MetricChart::markers() const
{
    return m_impl->content.markers;
}

void MetricChart::setLevels(std::vector<ChartLevel> levels)
{
    if (levels == m_impl->content.levels)
        return;
    m_impl->content.levels = std::move(levels);
    m_impl->show();
}

const std::vector<ChartLevel>& MetricChart::levels() const
{
    return m_impl->content.levels;
}

void MetricChart::setRibbons(std::vector<ChartRibbon> ribbons)
{
    if (ribbons == m_impl->content.ribbons)
        return;
    m_impl->content.ribbons = std::move(ribbons);
    m_impl->canvas->invalidate();
}

const std::vector<ChartRibbon>& MetricChart::ribbons() const
{
    return m_impl->content.ribbons;
}

void MetricChart::setYInBytes(bool on)
{
    m_impl->content.yInBytes = on;
    m_impl->canvas->forgetLayout();
    m_impl->show();
}

void MetricChart::setXInPowersOfTwo(bool on)
{
    m_impl->content.xInPowersOfTwo = on;
    setLogX(on);
}

void MetricChart::setLogX(bool on)
{
    if (m_impl->content.scale.logX == on)
        return;
    m_impl->content.scale.logX = on;
    resetAxes();
}

void MetricChart::setLogY(bool on)
{
    if (m_impl->content.scale.logY == on)
        return;
    m_impl->content.scale.logY = on;
    resetAxes();
    Q_EMIT logYChanged(on);
}

void MetricChart::setLegendVisible(bool visible)
{
    m_impl->content.legend = visible;
    m_impl->show();
}

void MetricChart::setEmptyText(const QString& text)
{
    m_impl->content.emptyText = text;
    m_impl->show();
}

void MetricChart::setXRangeHint(double low, double high)
{
    m_impl->xHint = { low, high };
    const std::optional<AxisRange>& shown = m_impl->xRange;
    double from = shown ? shown->low : 0;
    double to = shown ? shown->high : 0;
    m_impl->xHint.widen(from, to, m_impl->content.scale.logX);
    if (shown && (from < shown->low || to > shown->high))
        m_impl->show();
}

void MetricChart::setYRangeHint(double low, double high)
{
    m_impl->yHint = { low, high };
    m_impl->show();
}

int MetricChart::neededLeft() const
{
    return m_impl->canvas->neededLeft();
}

void MetricChart::setLeastLeft(int pixels)
{
    if (pixels == m_impl->content.leastLeft)
        return;
    m_impl->content.leastLeft = pixels;
    m_impl->show();
}

void MetricChart::resetAxes()
{
    const bool wasZoomed = isZoomed();
    m_impl->forgetAxes();
    m_impl->show();
    if (wasZoomed)
        Q_EMIT zoomChanged(false);
}

bool MetricChart::isZoomed() const
{
    return m_impl->zoom.has_value();
}

void MetricChart::resetZoom()
{
    if (!isZoomed())
        return;
    m_impl->zoom.reset();
    m_impl->show();
    Q_EMIT zoomChanged(false);
}

QRectF MetricChart::visibleRange() const
{
    const QRectF& window = m_impl->content.window;
    const ChartScale& scale = m_impl->content.scale;
    return QRectF(QPointF(scale.dataX(window.left()), scale.dataY(window.top())),
        QPointF(scale.dataX(window.right()), scale.dataY(window.bottom())));
}

QStringList MetricChart::valuesAt(double x) const
{
    return m_impl->canvas->linesAt(x);
}

bool MetricChart::saveSvg(const QString& path) const
{
    return writeSvg(svg(), path);
}

QByteArray MetricChart::svg() const
{
    return svgOf(m_impl->canvas->size(), m_impl->content.title,
        [this](QPainter& painter) { m_impl->canvas->drawVector(painter); });
}

bool MetricChart::savePng(const QString& path) const
{
    return writePng(m_impl->image(), path);
}

void MetricChart::savePicture(const QString& path, std::function<void(bool written)> done)
{
    savePictureOf(
        this, path, [this] { return m_impl->image(); }, [this] { return svg(); }, std::move(done));
}

QSize MetricChart::sizeHint() const
{
    return { 480, 280 };
}

QSize MetricChart::minimumSizeHint() const
{
    return { 220, 96 };
}

void MetricChart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const bool looks = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange;
    if (looks && m_impl)
        m_impl->canvas->contentChanged();
}

void MetricChart::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    QAction* whole = menu.addAction(tr("Show everything"), this, &MetricChart::resetZoom);
    whole->setEnabled(isZoomed());
    QAction* logarithmic = menu.addAction(tr("Logarithmic y axis"));
    logarithmic->setCheckable(true);
    logarithmic->setChecked(m_impl->content.scale.logY);
    connect(logarithmic, &QAction::toggled, this, &MetricChart::setLogY);
    menu.addSeparator();
    menu.addAction(tr("Copy picture"), this,
        [this] { QApplication::clipboard()->setPixmap(m_impl->canvas->grab()); });
    menu.addAction(tr("Save picture…"), this, &MetricChart::pictureRequested);
    menu.exec(event->globalPos());
}

} // namespace accrue
