// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/parallel_chart.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QFontMetricsF>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/sanitized.h"
#include "tests/support/waiting.h"
#include "ui/models/run_palette.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

using namespace accrue;

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Keys = std::vector<long long>;
using Brush = std::optional<AxisBrush>;

ParallelAxis axisOf(const char* name, std::vector<double> values)
{
    ParallelAxis axis { name, QString::fromLatin1(name) };
    axis.values = std::move(values);
    return axis;
}

// Four runs: rate 0.001 … 1, a norm, accuracy 1 … 4, the third one without a memory.
std::vector<ParallelAxis> axes()
{
    ParallelAxis norm = axisOf("norm", { 0, 0, 1, 1 });
    norm.categories = { QStringLiteral("batch"), QStringLiteral("group") };
    return { axisOf("rate", { 0.001, 0.01, 0.1, 1 }), norm, axisOf("accuracy", { 1, 2, 3, 4 }),
        axisOf("memory", { 10, 20, kNone, 40 }) };
}

// Edges are soft, so that few pixels have the colour itself.
bool isLike(const QColor& one, const QColor& other)
{
    return std::abs(one.red() - other.red()) < 60 && std::abs(one.green() - other.green()) < 60
        && std::abs(one.blue() - other.blue()) < 60;
}

std::vector<ParallelLine> lines()
{
    return { { 1, QStringLiteral("one"), QColor(200, 0, 0) },
        { 2, QStringLiteral("two"), QColor(0, 150, 0) },
        { 3, QStringLiteral("three"), QColor(120, 120, 0) },
        { 4, QStringLiteral("four"), QColor(150, 0, 150) } };
}

} // namespace

class TestParallelChart : public QObject {
    Q_OBJECT
private:
    const ParallelPlot& plot() const { return m_chart->plot(); }
    const ParallelPlot::Placed& axis(std::size_t i) const { return plot().axes()[i]; }
    QPoint at(std::size_t which, double value) const
    {
        return QPointF(axis(which).x, axis(which).scale.pixelOf(value)).toPoint();
    }
    void drag(const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(m_chart.get(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(m_chart.get(), from + (to - from) * i / 4);
        QTest::mouseRelease(m_chart.get(), Qt::LeftButton, {}, to);
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_chart.get(), key, modifiers);
    }
    QStringList names() const
    {
        QStringList names;
        for (const ParallelPlot::Placed& each : plot().axes())
            names.append(each.axis.title);
        return names;
    }
    int pixelsOf(const QColor& color)
    {
        const QImage image = m_chart->grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += isLike(image.pixelColor(x, y), color) ? 1 : 0;
        return count;
    }

    std::unique_ptr<ParallelChart> m_chart;

private Q_SLOTS:
    void init()
    {
        m_chart = std::make_unique<ParallelChart>();
        m_chart->resize(800, 400);
        m_chart->setTitle(QStringLiteral("Parallel axes"));
        m_chart->setEmptyText(QStringLiteral("All are hidden."));
        m_chart->setData(lines(), axes());
        m_chart->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
    }

    void eachLineIsAtItsValues()
    {
        QCOMPARE(plot().pointOf(0, 2).y(), plot().area().bottom());
        QCOMPARE(plot().pointOf(3, 2).y(), plot().area().top());
        QCOMPARE(plot().pointOf(0, 0).x(), plot().area().left());
        QCOMPARE(plot().pointOf(0, 3).x(), plot().area().right());
        for (const ParallelLine& line : lines())
            QVERIFY2(pixelsOf(line.color) > 10, qPrintable(line.title));
    }

    void wordsAreEvenlySpacedAndNamed()
    {
        ParallelAxis norm = axisOf("norm", { 0, 1, 2, 1 });
        norm.categories = { QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c") };
        m_chart->setData(lines(), { norm, axisOf("accuracy", { 1, 2, 3, 4 }) });
        QCOMPARE(axis(0).ticks, (std::vector<double> { 0, 1, 2 }));
        QCOMPARE(plot().pointOf(1, 0).y(), plot().area().center().y());
        QCOMPARE(plot().textOf(2, 0), QStringLiteral("c"));
    }

    void aDragAlongAnAxisBrushesIt()
    {
        const QSignalSpy changed(m_chart.get(), &ParallelChart::brushesChanged);
        drag(at(2, 1.5), at(2, 3.4));
        QVERIFY(!changed.isEmpty());
        QCOMPARE(m_chart->brushed(), (Keys { 2, 3 }));
        QVERIFY(plot().isDivided());
        QVERIFY(!plot().isBright(0) && plot().isBright(1));
        QVERIFY2(pixelsOf(lines()[0].color) == 0, "others are pale");
    }

    void severalBrushesHoldTogether()
    {
        drag(at(2, 1.5), at(2, 4));
        drag(at(1, 0) + QPoint(0, 4), at(1, 0.4));
        QCOMPARE(m_chart->brushed(), Keys { 2 });
    }

    // A run without a value is within no brush of that axis.
    void aMissingValueIsInNoBrush()
    {
        drag(at(3, 10) + QPoint(0, 4), at(3, 40) - QPoint(0, 4));
        QCOMPARE(m_chart->brushed(), (Keys { 1, 2, 4 }));
    }

    void aBrushIsMovedAndResized()
    {
        drag(at(2, 1.5), at(2, 2.5));
        QCOMPARE(m_chart->brushed(), Keys { 2 });
        drag(at(2, 2), at(2, 3));
        QCOMPARE(m_chart->brushed(), Keys { 3 });
        QVERIFY(std::abs(axis(2).brush->high - axis(2).brush->low - 1) < 0.05);
        drag(at(2, axis(2).brush->high), at(2, 4));
        QCOMPARE(m_chart->brushed(), (Keys { 3, 4 }));
        drag(at(2, axis(2).brush->low), at(2, 1));
        QCOMPARE(m_chart->brushed(), (Keys { 1, 2, 3, 4 }));
    }

    void aClickOrADoubleClickRemovesABrush()
    {
        for (const bool isDouble : { false, true }) {
            drag(at(2, 1.5), at(2, 2.5));
            QVERIFY(plot().hasBrushes());
            if (isDouble)
                QTest::mouseDClick(m_chart.get(), Qt::LeftButton, {}, at(2, 2));
            else
                QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, at(2, 2));
            QVERIFY(!plot().hasBrushes());
            QVERIFY(m_chart->brushed().empty());
        }
    }

    void aClickOnTheArrowInverts()
    {
        const QSignalSpy edited(m_chart.get(), &ParallelChart::axesEdited);
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, axis(2).arrow.center().toPoint());
        QCOMPARE(edited.size(), 1);
        QVERIFY(axis(2).axis.isInverted);
        QCOMPARE(plot().pointOf(0, 2).y(), plot().area().top());
        drag(at(2, 3.9), at(2, 2.5)); // the brush, too
        QCOMPARE(m_chart->brushed(), Keys { 3 });
    }

    void aLogarithmicAxisKeepsItsBrush()
    {
        m_chart->setBrush("rate", AxisBrush { 0.005, 0.5 });
        QCOMPARE(m_chart->brushed(), (Keys { 2, 3 }));
        key(Qt::Key_Right);
        key(Qt::Key_L);
        QVERIFY(axis(0).scale.logarithmic);
        QCOMPARE(m_chart->brushed(), (Keys { 2, 3 }));
        const double step = plot().pointOf(0, 0).y() - plot().pointOf(1, 0).y();
        QVERIFY(std::abs(plot().pointOf(2, 0).y() - plot().pointOf(3, 0).y() - step) < 0.01);
    }

    void onlyNumbersAboveZeroHaveALogarithm()
    {
        QVERIFY(!axes()[1].canBeLogarithmic());
        QVERIFY(!axisOf("loss", { 0, 1, 2, 3 }).canBeLogarithmic());
        QVERIFY(axisOf("loss", { kNone, 1, 2, 3 }).canBeLogarithmic());
        QVERIFY(!axisOf("loss", { kNone, kNone }).canBeLogarithmic());
    }

    void aTitleIsDraggedToAnotherPlace()
    {
        m_chart->setBrush("accuracy", AxisBrush { 1.5, 2.5 });
        drag(axis(2).title.center().toPoint(), axis(0).title.center().toPoint());
        QCOMPARE(names(),
            (QStringList { QStringLiteral("accuracy"), QStringLiteral("rate"),
                QStringLiteral("norm"), QStringLiteral("memory") }));
        QVERIFY(axis(0).brush.has_value());
        QCOMPARE(m_chart->brushed(), Keys { 2 });
    }

    void theMousePointsAtTheNearestShownLine()
    {
        QSignalSpy pointed(m_chart.get(), &ParallelChart::linePointedAt);
        QTest::mouseMove(m_chart.get(), at(2, 3) + QPoint(2, 1));
        QCOMPARE(pointed.last().first().toLongLong(), 3LL);
        QTest::mouseMove(m_chart.get(), QPoint(400, 2));
        QCOMPARE(pointed.last().first().toLongLong(), 0LL);
        const int shown = pixelsOf(lines()[2].color);
        std::vector<ParallelLine> some = lines();
        some[2].isShown = false;
        m_chart->setData(some, axes());
        QTest::mouseMove(m_chart.get(), at(2, 3) + QPoint(2, 1));
        QVERIFY(!plot().lineAt(at(2, 3)));
        QVERIFY(pixelsOf(lines()[2].color) < shown / 4); // some edges of others are like it
    }

    void aClickSaysWhichLineItMeans()
    {
        const QSignalSpy clicked(m_chart.get(), &ParallelChart::lineClicked);
        const QPointF middle = (plot().pointOf(3, 1) + plot().pointOf(3, 2)) / 2;
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, middle.toPoint());
        QTest::mouseClick(m_chart.get(), Qt::LeftButton, Qt::ControlModifier, middle.toPoint());
        QCOMPARE(clicked.size(), 2);
        QCOMPARE(clicked[0][0].toLongLong(), 4LL);
        QCOMPARE(clicked[0][1].toBool(), false);
        QCOMPARE(clicked[1][1].toBool(), true);
    }

    void selectedLinesAreEmphasisedUntilSomethingIsBrushed()
    {
        m_chart->setSelected({ 2 });
        QVERIFY(plot().isBright(1) && !plot().isBright(0));
        QCOMPARE(pixelsOf(lines()[0].color), 0);
        drag(at(2, 2.5), at(2, 4));
        QVERIFY(!plot().isBright(1) && plot().isBright(2));
    }

    // The third run has no memory: its line ends at the axis before, and the run stays.
    void aLineIsBrokenWhereItHasNoValue()
    {
        QVERIFY(std::isnan(plot().pointOf(2, 3).y()));
        QCOMPARE(plot().textOf(2, 3), QStringLiteral("–"));
        QCOMPARE(axis(3).without, std::size_t { 1 });
        QVERIFY(pixelsOf(lines()[2].color) > 10);
        const QPointF afterIt = plot().pointOf(2, 2) + QPointF(plot().spacing() / 2, 0);
        QVERIFY(plot().lineAt(afterIt) != std::optional<std::size_t>(2));
    }

    void theKeyboardChoosesAxesAndLines()
    {
        QSignalSpy pointed(m_chart.get(), &ParallelChart::linePointedAt);
        const QSignalSpy clicked(m_chart.get(), &ParallelChart::lineClicked);
        key(Qt::Key_Right);
        key(Qt::Key_Right);
        key(Qt::Key_Right);
        key(Qt::Key_Up);
        QCOMPARE(pointed.last().first().toLongLong(), 1LL); // the lowest accuracy
        key(Qt::Key_Up);
        QCOMPARE(pointed.last().first().toLongLong(), 2LL);
        key(Qt::Key_Space);
        QCOMPARE(clicked.last()[0].toLongLong(), 2LL);
        key(Qt::Key_Up, Qt::ShiftModifier);
        key(Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(m_chart->brushed(), (Keys { 2, 3 }));
        key(Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(m_chart->brushed(), Keys { 2 });
        key(Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(names().at(1), QStringLiteral("accuracy"));
        key(Qt::Key_I);
        QVERIFY(axis(1).axis.isInverted);
        key(Qt::Key_Escape);
        QVERIFY(!plot().hasBrushes());
    }

    void aScreenReaderHearsRunsAxesAndBrushes()
    {
        QVERIFY(m_chart->description().contains(QStringLiteral("runs: 4")));
        QVERIFY(
            m_chart->description().contains(QStringLiteral("axes: rate, norm, accuracy, memory")));
        m_chart->setBrush("accuracy", AxisBrush { 2, 3 });
        QVERIFY(m_chart->description().contains(QStringLiteral("accuracy from 2 to 3")));
        QVERIFY(m_chart->description().contains(QStringLiteral("runs in the brushes: 2")));
        key(Qt::Key_Down);
        QVERIFY2(m_chart->description().startsWith(QStringLiteral("four; rate: 1; norm: group")),
            qPrintable(m_chart->description()));
        std::vector<ParallelLine> hidden = lines();
        for (ParallelLine& line : hidden)
            line.isShown = false;
        m_chart->setData(hidden, axes());
        QCOMPARE(m_chart->description(), QStringLiteral("All are hidden."));
    }

    // Where there are more axes than fit, the chart is wider and scrolls.
    void titlesDoNotOverlap()
    {
        std::vector<ParallelAxis> many;
        for (int i = 0; i < 8; ++i) {
            many.push_back(axisOf("a very long title of an axis", { 1, 2, 3, 4 }));
            many.back().name += std::to_string(i);
        }
        m_chart->setData(lines(), many);
        m_chart->resize(m_chart->minimumSizeHint());
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(axis(i).title.left() >= 0 && axis(i).title.right() <= m_chart->width());
            QVERIFY(axis(i).title.width() > 40);
            QVERIFY(i == 0 || axis(i).title.left() > axis(i - 1).title.right());
        }
    }

    void linesAreColouredByAnAxis()
    {
        m_chart->setColourAxis("accuracy");
        QCOMPARE(m_chart->colorOf(0), shareColor(0, Background::Light));
        QCOMPARE(m_chart->colorOf(3), shareColor(1, Background::Light));
        m_chart->setColourAxis("memory");
        QVERIFY(m_chart->colorOf(2) != lines()[2].color); // grey: it has none
        m_chart->setColourAxis("");
        QCOMPARE(m_chart->colorOf(0), lines()[0].color);
    }

    void brushesStayWithTheirAxes()
    {
        m_chart->setBrush("accuracy", AxisBrush { 2, 3 });
        std::vector<ParallelAxis> fewer = axes();
        fewer.erase(fewer.begin());
        m_chart->setData(lines(), fewer);
        QCOMPARE(m_chart->brushed(), (Keys { 2, 3 }));
        m_chart->clearBrushes();
        QVERIFY(m_chart->brushed().empty());
    }

    void picturesAreWhatIsDrawn()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("chart.svg"));
        std::optional<bool> saved;
        m_chart->savePicture(path, [&saved](bool written) { saved = written; });
        QVERIFY(QTest::qWaitFor([&saved] { return saved.has_value(); }, kHangsAfterMs) && *saved);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("accuracy") && svg.contains("1 without"));
        QVERIFY(svg.contains(lines()[0].color.name().toUtf8()));
        m_chart->copyPicture();
        QCOMPARE(QApplication::clipboard()->image().size(), m_chart->size() * 2);
    }

    // 2,000 runs × 10 axes: a frame while a brush moves.
    void aBrushOfManyRunsFollowsTheMouse()
    {
        std::vector<ParallelLine> many;
        std::vector<ParallelAxis> wide;
        many.reserve(2000);
        for (int i = 0; i < 2000; ++i)
            many.push_back({ i + 1, QString::number(i), QColor::fromHsv(i % 360, 200, 180) });
        for (std::size_t axis = 0; axis < 10; ++axis) {
            wide.push_back(axisOf("axis", {}));
            wide.back().name += std::to_string(axis);
            for (std::size_t i = 0; i < many.size(); ++i)
                wide.back().values.push_back(
                    std::fmod(static_cast<double>((i + 1) * (axis + 3)) * 0.618, 1));
        }
        m_chart->resize(1300, 800);
        m_chart->setData(many, wide);
        m_chart->repaint();
        std::vector<double> times;
        QElapsedTimer clock;
        for (int i = 0; i < 15; ++i) {
            clock.start();
            // From nearly all lines to a few.
            m_chart->setBrush("axis4", AxisBrush { 0, 1 - i * 0.06 });
            m_chart->repaint();
            times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
        std::sort(times.begin() + 1, times.end()); // the first one draws the pale lines, too
        qInfo("frames while brushing 2,000 runs x 10 axes: median %.1f ms, longest %.1f ms",
            times[times.size() / 2], times.back());
        if (!test::kIsSanitized)
            QVERIFY2(times[times.size() / 2] < 33, qPrintable(QString::number(times[7])));
    }
};

QTEST_MAIN(TestParallelChart)
#include "tst_parallel_chart.moc"
