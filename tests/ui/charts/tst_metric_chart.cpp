// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/metric_chart.h"

#include "tests/support/waiting.h"

#include <QMouseEvent>
#include <QPaintEvent>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <limits>
#include <optional>

using namespace accrue;

class TestMetricChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void showsWhereItsCurvesAre();
    void paintsItsLinesEachTimeTheyChange();
    void paintsOnlyWhatGrew();
    void axesStandStillWhileARunGrows();
    void dragZoomsAndDoubleClickReturns();
    void escapeLeavesTheZoom();
    void aFlatDragZoomsOnlyX();
    void hoverDrawsTheValues();
    void arrowKeysReachEveryPointOfASparseCurve();
    void saysTheValuesOfAllCurvesAtX();
    void logarithmicAxisLeavesOutWhatItCannotShow();
    void valuesThatAreNotFiniteAreAHoleWithCrosses();
    void drawsEmptyTextWithoutCurves();
    void followsThePalette();
    void chartsOfOneRunShowAStepAtOnePlace();
    void aHintThatTheAxisHoldsIsFree();
    void saysWhenTheYAxisBecomesLogarithmic();
    void theYAxisHoldsALevel();
    void aLevelIsNamedOnTheChart();
    void aLevelsNameHidesNoPoint_data();
    void aLevelsNameHidesNoPoint();
    void aRibbonIsBehindTheCurvesAndMovesNoAxis();
    void aMarkersLabelIsAlwaysInSight();
    void dotsAloneHaveNoLineBetweenThem();
    void dotsAloneHaveTheShapesOfTheirLines();
    void dotsAloneAreNamedOnlyWhereTheyStand();
    void countsHaveNoTicksBetweenThem();
    void bytesHaveTicksInTheirUnit();
    void savesSvgWithinItsPlot();
    void savesALineInOnePiece();
    void savesPngAtTwiceTheSize();
    void cannotSaveWhereItMayNot();

private:
    void drag(const QPoint& from, const QPoint& to);
    bool isSaved(const QString& path) const;
    QByteArray savedSvg() const;
    QImage picture() const { return m_chart->grab().toImage(); }

    std::unique_ptr<MetricChart> m_chart;
};

namespace {

class PaintCounter : public QObject {
public:
    PaintCounter(QObject* widget, int& paints)
        : m_paints(paints)
    {
        widget->installEventFilter(this);
    }

    bool eventFilter(QObject*, QEvent* event) override
    {
        m_paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }

private:
    int& m_paints;
};

} // namespace

static ChartCurve curve(const char* title, double slope, int points = 100)
{
    ChartCurve made;
    made.title = QString::fromUtf8(title);
    made.color = Qt::red;
    for (int i = 1; i <= points; ++i)
        made.points.push_back({ double(i), slope * i });
    return made;
}

static int pixelsOf(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y).rgb() == color.rgb() ? 1 : 0;
    return count;
}

// Equal except for the rounding of a line whose painting was cut.
static bool lookAlike(const QImage& a, const QImage& b)
{
    const auto near = [](int x, int y) { return std::abs(x - y) <= 4; };
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            if (!near(qRed(p), qRed(q)) || !near(qGreen(p), qGreen(q)) || !near(qBlue(p), qBlue(q)))
                return false;
        }
    return a.size() == b.size();
}

static bool hasColor(const QImage& image, const QColor& color)
{
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == color)
                return true;
    return false;
}

void TestMetricChart::init()
{
    m_chart = std::make_unique<MetricChart>();
    m_chart->resize(600, 400);
    m_chart->setTitle(QStringLiteral("Loss"));
    m_chart->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
}

void TestMetricChart::drag(const QPoint& from, const QPoint& to)
{
    QTest::mousePress(m_chart.get(), Qt::LeftButton, {}, from);
    QTest::mouseMove(m_chart.get(), (from + to) / 2);
    QTest::mouseMove(m_chart.get(), to);
    QTest::mouseRelease(m_chart.get(), Qt::LeftButton, {}, to);
}

void TestMetricChart::showsWhereItsCurvesAre()
{
    m_chart->setCurves({ curve("a", 1), curve("b", -0.5) });
    const QRectF range = m_chart->visibleRange();
    QVERIFY(range.left() <= 1 && range.left() > -2); // room for a dot at the first point
    QVERIFY(range.right() >= 100 && range.right() <= 120);
    QVERIFY(range.top() <= -50 && range.bottom() >= 100);
    QVERIFY(hasColor(picture(), Qt::red));
}

// One curve has no legend: everything red is the line.
void TestMetricChart::paintsItsLinesEachTimeTheyChange()
{
    const auto reds = [this] {
        const QImage image = picture();
        int found = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor color = image.pixelColor(x, y);
                found += color.red() > 200 && color.green() < 120 && color.blue() < 120;
            }
        return found;
    };
    for (const int points : { 50, 100, 2000 }) {
        m_chart->setCurves({ curve("a", 1, points) });
        QVERIFY2(reds() > 200, qPrintable(QStringLiteral("%1 points").arg(points)));
    }
    QTest::mouseMove(m_chart.get(), QPoint(300, 200)); // the picture that is stored meanwhile
    QTRY_VERIFY(reds() > 200);
    m_chart->setCurves({});
    QCOMPARE(reds(), 0);
}

// The part of the screen left of the new points is from earlier paints: it must be the same picture
// as that of a chart that receives all points at once.
void TestMetricChart::paintsOnlyWhatGrew()
{
    class Paints : public QObject {
    public:
        int leftmost = 10000;
        bool eventFilter(QObject*, QEvent* event) override
        {
            if (event->type() == QEvent::Paint)
                leftmost = std::min(
                    leftmost, static_cast<QPaintEvent*>(event)->region().boundingRect().left());
            return false;
        }
    };
    const auto onScreen = [this] {
        return m_chart->screen()->grabWindow(m_chart->winId()).toImage();
    };
    const auto show = [this](int points) {
        m_chart->setCurves({ curve("a", 1, points), curve("b", 0.5, points) });
        QCoreApplication::processEvents();
    };
    show(155);
    const QRectF axes = m_chart->visibleRange();
    Paints paints;
    m_chart->installEventFilter(&paints);
    for (int points = 160; points <= 190; points += 5)
        show(points);
    QCOMPARE(m_chart->visibleRange(), axes);
    QVERIFY2(paints.leftmost > m_chart->width() / 2 && paints.leftmost < m_chart->width(),
        qPrintable(QString::number(paints.leftmost)));
    const QImage grown = onScreen();
    const QImage whole = picture(); // also what is left of the new part: the legend
    m_chart->setCurves({});
    QCoreApplication::processEvents();
    QVERIFY(!lookAlike(onScreen(), grown));
    show(190);
    QCOMPARE(m_chart->visibleRange(), axes);
    QVERIFY(lookAlike(onScreen(), grown));
    QVERIFY(lookAlike(picture(), whole));
}

void TestMetricChart::axesStandStillWhileARunGrows()
{
    int changes = 0;
    QRectF last;
    for (int points = 10; points <= 1000; points += 10) {
        m_chart->setCurves({ curve("a", 0.01, points) });
        const QRectF now = m_chart->visibleRange();
        QVERIFY(now.bottom() >= 0.01 * points && now.right() >= points);
        if (last.bottom() >= 0.01 * points) // the new points have room
            QCOMPARE(now, last);
        changes += now == last ? 0 : 1;
        last = now;
    }
    QVERIFY2(changes <= 20, qPrintable(QString::number(changes))); // two decades of round steps
}

void TestMetricChart::dragZoomsAndDoubleClickReturns()
{
    m_chart->setCurves({ curve("a", 1) });
    const QRectF whole = m_chart->visibleRange();
    QSignalSpy zooms(m_chart.get(), &MetricChart::zoomChanged);
    drag({ 200, 100 }, { 400, 300 });
    QVERIFY(m_chart->isZoomed());
    const QRectF zoomed = m_chart->visibleRange();
    QVERIFY(zoomed.left() > whole.left() && zoomed.right() < whole.right());
    QVERIFY(zoomed.top() > whole.top() && zoomed.bottom() < whole.bottom());
    m_chart->setCurves({ curve("a", 1, 150) }); // new points do not move a zoomed chart
    QCOMPARE(m_chart->visibleRange(), zoomed);
    QTest::mouseDClick(m_chart.get(), Qt::LeftButton, {}, { 300, 200 });
    QVERIFY(!m_chart->isZoomed());
    QCOMPARE(zooms.size(), 2);
}

void TestMetricChart::escapeLeavesTheZoom()
{
    m_chart->setCurves({ curve("a", 1) });
    drag({ 200, 100 }, { 400, 300 });
    QVERIFY(m_chart->isZoomed());
    QTest::keyClick(m_chart.get(), Qt::Key_Escape);
    QVERIFY(!m_chart->isZoomed());
}

void TestMetricChart::aFlatDragZoomsOnlyX()
{
    m_chart->setCurves({ curve("a", 1) });
    const QRectF whole = m_chart->visibleRange();
    drag({ 200, 200 }, { 400, 205 });
    QCOMPARE(m_chart->visibleRange().top(), whole.top());
    QCOMPARE(m_chart->visibleRange().bottom(), whole.bottom());
    QVERIFY(m_chart->visibleRange().width() < whole.width());
}

void TestMetricChart::hoverDrawsTheValues()
{
    m_chart->setCurves({ curve("a", 1) });
    QTest::mouseMove(m_chart.get(), { 5, 5 });
    const QImage before = picture();
    QTest::mouseMove(m_chart.get(), { 300, 200 });
    const QImage during = picture();
    QVERIFY(during != before);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(m_chart.get(), &leave);
    QCOMPARE(picture(), before);
}

void TestMetricChart::arrowKeysReachEveryPointOfASparseCurve()
{
    m_chart->setCurves({ curve("accuracy", 0.1, 3) }); // points are far apart
    const auto press = [&](Qt::Key key) {
        QTest::keyClick(m_chart.get(), key);
        return m_chart->stop();
    };
    QCOMPARE(press(Qt::Key_Right), std::optional(2.0));
    QCOMPARE(press(Qt::Key_Right), std::optional(3.0));
    QCOMPARE(press(Qt::Key_Right), std::optional(3.0)); // there is no further point
    QCOMPARE(press(Qt::Key_Left), std::optional(2.0));
    QCOMPARE(press(Qt::Key_Left), std::optional(1.0));
}

void TestMetricChart::saysTheValuesOfAllCurvesAtX()
{
    ChartCurve original = curve("", 7);
    original.faint = true;
    m_chart->setValueFormatter([](double value) { return QString::number(value, 'f', 1); });
    m_chart->setCurves({ curve("a", 1), original, curve("b", 2, 20) });
    QCOMPARE(m_chart->valuesAt(10),
        (QStringList { QStringLiteral("b: 20.0"), QStringLiteral("a: 10.0") }));
    QCOMPARE(m_chart->valuesAt(50), QStringList { QStringLiteral("a: 50.0") });
}

void TestMetricChart::logarithmicAxisLeavesOutWhatItCannotShow()
{
    ChartCurve mixed = curve("a", 1);
    mixed.points[0].y = 0;
    mixed.points[1].y = -5;
    m_chart->setLogY(true);
    m_chart->setCurves({ mixed });
    QVERIFY(m_chart->visibleRange().top() > 0);
    QVERIFY(m_chart->visibleRange().bottom() >= 100);
}

void TestMetricChart::valuesThatAreNotFiniteAreAHoleWithCrosses()
{
    const auto isRed = [this](
                           const QRect& area) { return hasColor(picture().copy(area), Qt::red); };
    const QRect before(80, 40, 150, 300); // above the lower edge
    const QRect hole(300, 40, 40, 300);
    const QRect after(420, 40, 150, 300);
    const QRect lowerEdge(300, 345, 40, 40);
    ChartCurve broken = curve("a", 1);
    m_chart->setCurves({ broken });
    QVERIFY(isRed(before) && isRed(hole) && isRed(after) && !isRed(lowerEdge));
    for (int i = 35; i < 65; ++i)
        broken.points[i].y = i % 2 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                        : std::numeric_limits<double>::infinity();
    m_chart->setCurves({ broken });
    QVERIFY(m_chart->visibleRange().bottom() <= 120);
    QVERIFY(isRed(before) && !isRed(hole) && isRed(after) && isRed(lowerEdge));
    for (SeriesPoint& point : broken.points)
        point.y = std::numeric_limits<double>::quiet_NaN();
    m_chart->setCurves({ broken });
    QVERIFY(!isRed(before) && !isRed(hole) && !isRed(after) && isRed(lowerEdge));
    QVERIFY(ChartCurve(broken) == broken); // the same curve again is not painted again
}

void TestMetricChart::drawsEmptyTextWithoutCurves()
{
    const QImage nothing = picture();
    m_chart->setEmptyText(QStringLiteral("The loss of the run appears here."));
    QVERIFY(picture() != nothing);
}

void TestMetricChart::followsThePalette()
{
    m_chart->setCurves({ curve("a", 1) });
    QPalette dark = m_chart->palette();
    dark.setColor(QPalette::Base, QColor(0x1b, 0x1f, 0x26));
    dark.setColor(QPalette::Text, Qt::white);
    m_chart->setPalette(dark);
    QCOMPARE(picture().pixelColor(595, 395), QColor(0x1b, 0x1f, 0x26));
}

void TestMetricChart::chartsOfOneRunShowAStepAtOnePlace()
{
    MetricChart other;
    other.resize(m_chart->size());
    other.show();
    m_chart->setValueFormatter([](double) { return QStringLiteral("a long label"); });
    for (MetricChart* chart : { m_chart.get(), &other })
        chart->setXRangeHint(0, 730);
    m_chart->setCurves({ curve("a", 1, 730) });
    other.setCurves({ curve("b", 1, 500) });
    QCOMPARE(other.visibleRange().left(), m_chart->visibleRange().left());
    QCOMPARE(other.visibleRange().right(), m_chart->visibleRange().right());
    QVERIFY(other.neededLeft() < m_chart->neededLeft());
    other.setLeastLeft(m_chart->neededLeft());
    const auto stepAt = [](MetricChart& chart, const QPoint& position) {
        QMouseEvent move(QEvent::MouseMove, position, position, Qt::NoButton, {}, {});
        QCoreApplication::sendEvent(&chart, &move);
        return chart.stop();
    };
    for (const int x : { 150, 250, 350 })
        QCOMPARE(stepAt(other, { x, 200 }), stepAt(*m_chart, { x, 200 }));
    m_chart->resetAxes();
    m_chart->setXRangeHint(0, 20);
    m_chart->setCurves({ curve("a", 1, 15) });
    QVERIFY(m_chart->visibleRange().right() < 30); // of another run
}

void TestMetricChart::aHintThatTheAxisHoldsIsFree()
{
    m_chart->setCurves({ curve("a", 1) });
    m_chart->setXRangeHint(0, 100);
    int paints = 0;
    PaintCounter counter(m_chart.get(), paints);
    m_chart->update();
    QTRY_VERIFY(paints > 0);
    paints = 0;
    m_chart->setXRangeHint(0, 100);
    m_chart->setXRangeHint(0, 90);
    QTest::qWait(50);
    QCOMPARE(paints, 0);
    m_chart->setXRangeHint(0, 900);
    QTRY_VERIFY(paints > 0);
    QVERIFY(m_chart->visibleRange().right() >= 900);
}

void TestMetricChart::saysWhenTheYAxisBecomesLogarithmic()
{
    QSignalSpy told(m_chart.get(), &MetricChart::logYChanged);
    m_chart->setLogY(true);
    m_chart->setLogY(true);
    QCOMPARE(told.size(), 1);
    QCOMPARE(told.first().first().toBool(), true);
}

bool TestMetricChart::isSaved(const QString& path) const
{
    std::optional<bool> saved;
    m_chart->savePicture(path, [&saved](bool written) { saved = written; });
    return QTest::qWaitFor([&saved] { return saved.has_value(); }, kHangsAfterMs) && *saved;
}

QByteArray TestMetricChart::savedSvg() const
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("chart.svg"));
    QFile file(path);
    return isSaved(path) && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// The points of each line of data; only data lines keep their width when the picture is scaled.
static std::vector<QList<QPointF>> linesOf(const QByteArray& svg)
{
    std::vector<QList<QPointF>> lines;
    for (const QByteArray& element : svg.split('<')) {
        if (!element.startsWith("polyline") || !element.contains("non-scaling-stroke"))
            continue;
        const QByteArray points = element.mid(element.indexOf("points=\"") + 8).split('"').first();
        QList<QPointF> line;
        for (const QByteArray& point : points.trimmed().split(' '))
            line.append({ point.split(',')[0].toDouble(), point.split(',')[1].toDouble() });
        lines.push_back(line);
    }
    return lines;
}

void TestMetricChart::theYAxisHoldsALevel()
{
    m_chart->setCurves({ curve("a", 1) });
    QVERIFY(m_chart->visibleRange().bottom() < 200);
    m_chart->setLevels({ { 400, QStringLiteral("limit"), Qt::blue } });
    QVERIFY(m_chart->visibleRange().bottom() >= 400);
    m_chart->setLogY(true);
    QVERIFY(m_chart->visibleRange().bottom() >= 400);
}

void TestMetricChart::aLevelIsNamedOnTheChart()
{
    m_chart->setCurves({ curve("a", 1) });
    m_chart->setLevels({ { 50, QStringLiteral("budget 4.00 GiB"), Qt::blue } });
    QVERIFY(savedSvg().contains("budget 4.00 GiB"));
    QVERIFY(pixelsOf(picture(), Qt::blue) > 100);
}

void TestMetricChart::aLevelsNameHidesNoPoint_data()
{
    QTest::addColumn<QList<QPointF>>("dots"); // those that stand alone, about a level at 50
    QTest::newRow("above, left") << QList<QPointF> { { 4, 53 } };
    QTest::newRow("above") << QList<QPointF> { { 4, 53 }, { 97, 53 } };
    QTest::newRow("all but one") << QList<QPointF> { { 4, 53 }, { 97, 53 }, { 4, 47 } };
}

void TestMetricChart::aLevelsNameHidesNoPoint()
{
    QFETCH(const QList<QPointF>, dots);
    std::vector<ChartCurve> curves { curve("a", 1, 2) }; // spans the axes
    curves[0].points = { { 0, 0 }, { 100, 100 } };
    for (const QPointF& dot : dots) {
        ChartCurve& alone = curves.emplace_back();
        alone.color = Qt::green;
        alone.line = Qt::NoPen;
        alone.points = { { dot.x(), dot.y() } };
    }
    m_chart->setCurves(curves);
    const int whole = pixelsOf(picture(), Qt::green);
    QVERIFY(whole > 0);
    m_chart->setLevels({ { 50, QStringLiteral("a budget of 4.00 GiB"), Qt::blue } });
    QCOMPARE(pixelsOf(picture(), Qt::green), whole);
}

void TestMetricChart::aRibbonIsBehindTheCurvesAndMovesNoAxis()
{
    m_chart->setCurves({ curve("a", 1) });
    const QRectF before = m_chart->visibleRange();
    m_chart->setRibbons({ { Qt::yellow, { { 1, -20, 30 }, { 100, 60, 500 } } } });
    QCOMPARE(m_chart->visibleRange(), before);
    QVERIFY(pixelsOf(picture(), Qt::yellow) > 1000);
    QVERIFY(pixelsOf(picture(), Qt::red) > 50);
    m_chart->setRibbons({ { Qt::yellow, { { 50, 10, 30 } } } }); // of one place: a stroke with ends
    const int stroke = pixelsOf(picture(), Qt::yellow);
    QVERIFY2(stroke > 30 && stroke < 1000, qPrintable(QString::number(stroke)));
    m_chart->setRibbons({ { Qt::yellow, { { 50, 10, 300 } } } }); // and its ends are seen
    QVERIFY(m_chart->visibleRange().bottom() >= 300);
}

void TestMetricChart::aMarkersLabelIsAlwaysInSight()
{
    m_chart->setCurves({ curve("a", 1) });
    m_chart->setMarkers({ { 99, QStringLiteral("at the end"), Qt::blue, {} } });
    QVERIFY(!savedSvg().contains("at the end")); // only when the mouse is there
    m_chart->setMarkers(
        { { 99, QStringLiteral("at the end"), Qt::blue, QStringLiteral("b = 99 fits") } });
    QVERIFY(savedSvg().contains("b = 99 fits"));
}

void TestMetricChart::dotsAloneHaveNoLineBetweenThem()
{
    ChartCurve sparse = curve("a", 1, 3);
    m_chart->setCurves({ sparse });
    const auto lines = savedSvg().count("<polyline");
    sparse.line = Qt::NoPen;
    m_chart->setCurves({ sparse });
    const int alone = pixelsOf(picture(), Qt::red);
    // Three discs of 10 pixels, whose edges are smooth.
    QVERIFY2(alone > 3 * 50 && alone < 3 * 79, qPrintable(QStringLiteral("%1").arg(alone)));
    QCOMPARE(savedSvg().count("<polyline"), lines - 1);
}

void TestMetricChart::dotsAloneHaveTheShapesOfTheirLines()
{
    ChartCurve sparse = curve("a", 1, 3);
    sparse.line = Qt::NoPen;
    const auto drawn = [&](Qt::PenStyle line) {
        sparse.shape = line;
        m_chart->setCurves({ sparse });
        return picture();
    };
    const int disc = pixelsOf(drawn(Qt::NoPen), Qt::red);
    for (const Qt::PenStyle line : { Qt::DashLine, Qt::DotLine, Qt::DashDotLine }) {
        QVERIFY(drawn(line) != drawn(Qt::NoPen));
        const int ink = pixelsOf(drawn(line), Qt::red); // solid, and about as large
        QVERIFY2(ink > disc * 0.6 && ink < disc * 1.4, qPrintable(QString::number(ink)));
    }
}

void TestMetricChart::dotsAloneAreNamedOnlyWhereTheyStand()
{
    std::vector<ChartCurve> runs { curve("a", 1, 1), curve("b", 1, 1), curve("c", 1, 1) };
    runs[0].points = { { 0, 20 } }; // the others are a few pixels apart
    runs[1].points = { { 594, 20 } };
    runs[2].points = { { 600, 20 } };
    runs[1].color = Qt::green;
    runs[2].color = Qt::blue;
    for (ChartCurve& run : runs)
        run.line = Qt::NoPen;
    m_chart->setCurves(runs);
    const int green = pixelsOf(picture(), Qt::green);
    const int blue = pixelsOf(picture(), Qt::blue);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(m_chart.get(), Qt::Key_Right);
    QCOMPARE(m_chart->stop(), std::optional(600.0));
    QVERIFY(pixelsOf(picture(), Qt::blue) > blue); // in the box, too
    QVERIFY(pixelsOf(picture(), Qt::green) <= green);
}

void TestMetricChart::countsHaveNoTicksBetweenThem()
{
    m_chart->setXFormatter([](double x) { return QStringLiteral("step %1").arg(std::lround(x)); });
    ChartCurve two = curve("a", 1, 3);
    for (std::size_t i = 0; i < two.points.size(); ++i)
        two.points[i].x = static_cast<double>(i);
    m_chart->setCurves({ two });
    for (const char* tick : { ">step 0<", ">step 1<", ">step 2<" })
        QCOMPARE(savedSvg().count(tick), 1);
}

void TestMetricChart::bytesHaveTicksInTheirUnit()
{
    m_chart->setValueFormatter(
        [](double value) { return QStringLiteral("%1 KiB").arg(value / 1024); },
        PlotAxis::Ticks::Bytes);
    m_chart->setCurves({ curve("a", 1000) });
    QVERIFY(savedSvg().contains(">20 KiB<"));
    m_chart->setLogY(true);
    QVERIFY(savedSvg().contains(">32 KiB<"));
}

void TestMetricChart::savesSvgWithinItsPlot()
{
    m_chart->setCurves({ curve("a", 1) });
    drag({ 200, 100 }, { 400, 300 });
    const QByteArray svg = savedSvg();
    QVERIFY(svg.contains("<svg"));
    QVERIFY(svg.contains("Loss"));
    QVERIFY(svg.contains("#ff0000"));
    QVERIFY(m_chart->isZoomed());
    const QRectF most(m_chart->neededLeft() - 1, 0, m_chart->width(), m_chart->height() - 20);
    const auto lines = linesOf(svg);
    QCOMPARE(lines.size(), std::size_t { 1 });
    for (const QPointF& point : lines.front())
        QVERIFY(most.contains(point));
}

void TestMetricChart::savesALineInOnePiece()
{
    ChartCurve broken = curve("a", 1);
    broken.points[49].y = std::numeric_limits<double>::quiet_NaN();
    ChartCurve faint = curve("", 0.5);
    faint.faint = true;
    m_chart->setCurves({ broken, faint, curve("c", 0.1, 3) });
    const QImage before = picture();
    const auto lines = linesOf(savedSvg());
    QCOMPARE(lines.size(), std::size_t { 4 });
    QCOMPARE(lines[0].size(), 100); // faint ones are behind
    QCOMPARE(lines[1].size(), 49);
    QCOMPARE(lines[2].size(), 50);
    QCOMPARE(lines[3].size(), 3);
    QCOMPARE(savedSvg().count("<circle") + savedSvg().count("<ellipse"), 3); // of the short one
    QCOMPARE(picture(), before); // the chart itself does not change
}

void TestMetricChart::savesPngAtTwiceTheSize()
{
    QTemporaryDir folder;
    m_chart->setCurves({ curve("a", 1) });
    const QString path = folder.filePath(QStringLiteral("chart.png"));
    QVERIFY(isSaved(path));
    const QImage image(path);
    QCOMPARE(image.size(), QSize(1200, 800));
    QVERIFY(hasColor(image, Qt::red));
}

void TestMetricChart::cannotSaveWhereItMayNot()
{
    QVERIFY(!isSaved(QStringLiteral("/proc/nowhere/chart.svg")));
    QVERIFY(!isSaved(QStringLiteral("/proc/nowhere/chart.png")));
}

QTEST_MAIN(TestMetricChart)
#include "tst_metric_chart.moc"
