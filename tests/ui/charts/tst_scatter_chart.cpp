// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/scatter_chart.h"

#include <QAccessible>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/waiting.h"

#include <limits>
#include <memory>
#include <optional>
#include <set>

using namespace accrue;

namespace {

const QColor kRed(200, 0, 0); // no colour of the palette: the focus has Qt::blue
const QColor kBlue(0, 0, 200);

// Two runs of one kind, one of another; from left to right: b 16, b 32, b 64.
std::vector<ScatterSeries> example()
{
    return { { QStringLiteral("sgd"), kRed, PointShape::Disc,
                 { { 64, 0.25, QStringLiteral("b 64") }, { 16, 0.5, QStringLiteral("b 16") } } },
        { QStringLiteral("adam"), kBlue, PointShape::Square,
            { { 32, 1, QStringLiteral("b 32") } } } };
}

// The middle of all pixels of that colour; they must be those of one point.
QPoint placeOf(ScatterChart& chart, const QColor& color)
{
    const QImage image = chart.grab().toImage();
    QRect found;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == color)
                found |= QRect(x, y, 1, 1);
    return found.center();
}

int pixelsOf(ScatterChart& chart, const QColor& color)
{
    const QImage image = chart.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

// A series without a title is not in the legend, whose signs have the same colours.
std::vector<ScatterSeries> withoutLegend(std::vector<ScatterSeries> series)
{
    for (ScatterSeries& each : series)
        each.title.clear();
    return series;
}

} // namespace

class TestScatterChart : public QObject {
    Q_OBJECT
private:
    QByteArray savedSvg()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.svg"));
        QFile file(path);
        return save(path) && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    bool save(const QString& path)
    {
        std::optional<bool> saved;
        m_chart->savePicture(path, [&saved](bool written) { saved = written; });
        return QTest::qWaitFor([&saved] { return saved.has_value(); }, kHangsAfterMs) && *saved;
    }

    QString press(Qt::Key key)
    {
        QTest::keyClick(m_chart.get(), key);
        return m_chart->pointedAt();
    }

    std::unique_ptr<ScatterChart> m_chart;

private Q_SLOTS:
    void init()
    {
        m_chart = std::make_unique<ScatterChart>();
        m_chart->resize(600, 400);
        m_chart->setTitle(QStringLiteral("Loss by micro-batch"));
        m_chart->setAxisTitles(QStringLiteral("b"), QStringLiteral("loss"));
        m_chart->setEmptyText(QStringLiteral("Nothing yet."));
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
    }

    void itsAxesHoldAllPoints()
    {
        m_chart->setSeries(example());
        const QRectF range = m_chart->visibleRange();
        QVERIFY(range.left() <= 16 && range.right() >= 64);
        QVERIFY(range.top() <= 0.25 && range.bottom() >= 1);
        QVERIFY(pixelsOf(*m_chart, kRed) > 0 && pixelsOf(*m_chart, kBlue) > 0);
    }

    void eachShapeIsAnother()
    {
        std::set<int> sizes;
        for (const PointShape shape :
            { PointShape::Disc, PointShape::Square, PointShape::Diamond, PointShape::Triangle }) {
            m_chart->setSeries({ { QStringLiteral("a"), kRed, shape, { { 1, 1, {} } } } });
            sizes.insert(pixelsOf(*m_chart, kRed));
        }
        QVERIFY(*sizes.begin() > 20);
        QVERIFY(sizes.size() >= 3);
    }

    void theLegendNamesItsSeries()
    {
        m_chart->setSeries(example());
        QVERIFY(savedSvg().contains(">sgd<") && savedSvg().contains(">adam<"));
        m_chart->setSeries(withoutLegend(example()));
        QVERIFY(!savedSvg().contains(">sgd<"));
    }

    void hoverFindsThePointUnderTheMouse()
    {
        m_chart->setSeries(withoutLegend(example()));
        const QImage before = m_chart->grab().toImage();
        const QPoint blue = placeOf(*m_chart, kBlue);
        QTest::mouseMove(m_chart.get(), blue + QPoint(3, 3));
        QCOMPARE(m_chart->pointedAt(), QStringLiteral("b 32"));
        QVERIFY(m_chart->grab().toImage() != before);
        QTest::mouseMove(m_chart.get(), blue + QPoint(60, 60));
        QCOMPARE(m_chart->pointedAt(), QString());
        QCOMPARE(m_chart->grab().toImage(), before);
    }

    void theArrowKeysStepFromPointToPoint()
    {
        m_chart->setSeries(example());
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 16"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 32"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 64"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 64")); // there is none further on
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("b 32"));
        QCOMPARE(press(Qt::Key_Escape), QString());
        QCOMPARE(press(Qt::Key_Left), QStringLiteral("b 64")); // from the other end
        m_chart->setSeries({});
        QCOMPARE(press(Qt::Key_Right), QString());
    }

    void aLogarithmicAxisLeavesOutWhatItCannotShow()
    {
        std::vector<ScatterSeries> series = example();
        series[0].points.push_back({ 0, 0.5, QStringLiteral("nowhere") });
        series[1].points.push_back({ 48, std::numeric_limits<double>::quiet_NaN(), {} });
        m_chart->setLogX(true);
        m_chart->setLogY(true);
        m_chart->setSeries(series);
        QVERIFY(m_chart->visibleRange().left() > 0);
        QVERIFY(m_chart->visibleRange().top() > 0);
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 16"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 32"));
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 64"));
        m_chart->setLogX(false); // there it has a place
        QVERIFY(m_chart->visibleRange().left() <= 0);
    }

    void aHighlightedPointStandsOut()
    {
        m_chart->setSeries(withoutLegend(example()));
        const QImage before = m_chart->grab().toImage();
        const int blue = pixelsOf(*m_chart, kBlue);
        m_chart->setHighlighted(QStringLiteral("b 32"));
        QVERIFY(m_chart->grab().toImage() != before); // it has a ring
        QCOMPARE(pixelsOf(*m_chart, kBlue), blue);
        m_chart->setHighlighted({});
        QCOMPARE(m_chart->grab().toImage(), before);
    }

    void aScreenReaderIsToldThePointAndTheSeries()
    {
        QAccessible::setActive(true);
        QTRY_COMPARE(m_chart->accessibleDescription(), QStringLiteral("Nothing yet."));
        QCOMPARE(m_chart->accessibleName(), QStringLiteral("Loss by micro-batch"));
        m_chart->setSeries(example());
        const QString all = QStringLiteral("sgd: points: 2; adam: points: 1");
        QTRY_COMPARE(m_chart->accessibleDescription(), all);
        m_chart->setHighlighted(QStringLiteral("b 16"));
        QTRY_COMPARE(m_chart->accessibleDescription(), QStringLiteral("b 16: 0.5 at b 16; ") + all);
        press(Qt::Key_Left);
        QTRY_COMPARE(m_chart->accessibleDescription(),
            QStringLiteral("b 64: 0.25 at b 64; b 16: 0.5 at b 16; ") + all);
        QAccessible::setActive(false);
    }

    void aDragZoomsAndEscapeReturns()
    {
        m_chart->setSeries(example());
        const QRectF whole = m_chart->visibleRange();
        QSignalSpy zooms(m_chart.get(), &ScatterChart::zoomChanged);
        QTest::mousePress(m_chart.get(), Qt::LeftButton, {}, { 300, 100 });
        QTest::mouseMove(m_chart.get(), { 400, 200 });
        QTest::mouseMove(m_chart.get(), { 560, 362 });
        QTest::mouseRelease(m_chart.get(), Qt::LeftButton, {}, { 560, 362 });
        QVERIFY(m_chart->isZoomed());
        QVERIFY(m_chart->visibleRange().left() > 32);
        QCOMPARE(press(Qt::Key_Right), QStringLiteral("b 64")); // the only point in sight
        press(Qt::Key_Escape);
        QVERIFY(!m_chart->isZoomed());
        QCOMPARE(m_chart->visibleRange(), whole);
        QCOMPARE(zooms.size(), 2);
    }

    void itIsSavedAsPicture()
    {
        m_chart->setSeries(example());
        const QByteArray svg = savedSvg();
        QVERIFY(svg.contains("Loss by micro-batch"));
        QVERIFY(svg.contains("#c80000") && svg.contains("#0000c8"));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.png"));
        QVERIFY(save(path));
        QCOMPARE(QImage(path).size(), QSize(1200, 800));
    }
};

QTEST_MAIN(TestScatterChart)
#include "tst_scatter_chart.moc"
