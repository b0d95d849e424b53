// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/svg_chart.h"

#include "engine/compare/chart_scale.h"
#include "engine/compare/markup.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace accrue;
using Values = std::vector<double>;

namespace {

struct Drawn {
    QStringList paths; // of lines
    QStringList texts;
    QString error;
};

Drawn drawn(const std::string& svg)
{
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    Drawn found;
    while (!reader.atEnd()) {
        reader.readNext();
        if (!reader.isStartElement())
            continue;
        const QString kind = reader.attributes().value(QLatin1String("class")).toString();
        if (reader.name() == QLatin1String("path") && kind.startsWith(QLatin1String("line ")))
            found.paths << reader.attributes().value(QLatin1String("d")).toString();
        if (reader.name() == QLatin1String("text"))
            found.texts << reader.readElementText();
    }
    found.error = reader.errorString();
    return found;
}

ChartPanel panelOf(const std::vector<SeriesPoint>& points)
{
    return { .title = "Loss", .lines = { { .name = "#1", .points = points } } };
}

} // namespace

class TestSvgChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineGoesThroughItsPoints()
    {
        const Drawn found = drawn(svgOfPanel(panelOf({ { 0, 1 }, { 10, 3 }, { 20, 2 } })));
        QVERIFY2(found.error.isEmpty(), qPrintable(found.error));
        QCOMPARE(found.paths.size(), 1);
        const QRegularExpression number(QStringLiteral("[\\d.]+"));
        Values all;
        for (auto each = number.globalMatch(found.paths[0]); each.hasNext();)
            all.push_back(each.next().captured().toDouble());
        QCOMPARE(all.size(), std::size_t { 8 }); // the first one twice
        QVERIFY(all[2] < all[4] && all[4] < all[6]);
        QVERIFY(std::abs(all[4] - (all[2] + all[6]) / 2) < 0.11);
        QVERIFY(all[5] < all[7] && all[7] < all[3]); // y points downwards
    }

    void whatIsNotFiniteBreaksTheLine()
    {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const Drawn found = drawn(
            svgOfPanel(panelOf({ { 0, 1 }, { 1, NAN }, { 2, 3 }, { 3, 2 }, { 4, kInfinite } })));
        QCOMPARE(found.paths.size(), 1);
        QCOMPARE(found.paths[0].count(QLatin1Char('M')), 2);
        QVERIFY(!found.paths[0].contains(QLatin1String("nan")));
        QVERIFY(drawn(svgOfPanel(panelOf({ { 0, NAN } }))).paths.isEmpty());
        QVERIFY(drawn(svgOfPanel(panelOf({}))).error.isEmpty());
        constexpr double kMost = std::numeric_limits<double>::max();
        const Drawn far = drawn(svgOfPanel(panelOf({ { 0, kMost }, { 1, -kMost }, { 2, 1 } })));
        QVERIFY(!far.paths.join(QString()).contains(QLatin1String("nan")));
    }

    void aBandIsCutOffAtTheEdges()
    {
        ChartPanel panel = panelOf({ { 0, 1 }, { 1, 2 } });
        panel.lines[0].band = { { 0, -100, 1.5 }, { 0.5, NAN, NAN }, { 1, 1, 100 } };
        const std::string svg = svgOfPanel(panel);
        QVERIFY(drawn(svg).error.isEmpty());
        const QRegularExpression band(
            QStringLiteral("<path d=\"([^\"]*) Z\" class=\"band hue0\"/>"));
        const auto found = band.match(QString::fromStdString(svg));
        QVERIFY(found.hasMatch());
        const QStringList places =
            found.captured(1).remove(QLatin1Char('M')).split(QLatin1String(" L"));
        QCOMPARE(places.size(), 4);
        QCOMPARE(places[0].section(QLatin1Char(','), 1), QStringLiteral("264")); // the lower edge
        QCOMPARE(places[2].section(QLatin1Char(','), 1), QStringLiteral("34")); // the upper one
    }

    void onALogarithmicAxisOnlyWhatIsAboveZeroIsShown()
    {
        ChartPanel panel = panelOf({ { 0, 100 }, { 1, 0 }, { 2, -1 }, { 3, 0.01 } });
        panel.y.isLogarithmic = true;
        const Drawn found = drawn(svgOfPanel(panel));
        QCOMPARE(found.paths[0].count(QLatin1Char('M')), 2);
        QVERIFY2(found.texts.contains(QLatin1String("0.1")), qPrintable(found.texts.join(u' ')));
        QVERIFY(found.texts.contains(QLatin1String("10")));
    }

    void ticksAreRoundNumbersWithinTheRange_data()
    {
        QTest::addColumn<std::vector<double>>("values");
        QTest::addColumn<double>("base");
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<std::vector<double>>("ticks");
        QTest::newRow("even") << Values { 0, 100 } << 10.0 << false << Values { 0, 50, 100 };
        QTest::newRow("narrow") << Values { 0.981, 0.986 } << 10.0 << false
                                << Values { 0.982, 0.984, 0.986 };
        QTest::newRow("bytes") << Values { 1 << 20, 4 << 20 } << 1024.0 << false
                               << Values { 1 << 20, 2 << 20, 3 << 20, 4 << 20 };
        QTest::newRow("decades") << Values { 0.001, 100 } << 10.0 << true
                                 << Values { 0.001, 0.01, 0.1, 1, 10, 100 };
        QTest::newRow("one decade") << Values { 1, 10 } << 10.0 << true << Values { 1, 2, 5, 10 };
        QTest::newRow("less than a decade")
            << Values { 2, 4 } << 10.0 << true << Values { 2, 2.5, 3, 3.5, 4 };
    }
    void ticksAreRoundNumbersWithinTheRange()
    {
        QFETCH(std::vector<double>, values);
        QFETCH(double, base);
        QFETCH(bool, logarithmic);
        QFETCH(std::vector<double>, ticks);
        ChartAxis axis;
        axis.base = base;
        axis.isLogarithmic = logarithmic;
        const ChartScale scale(axis, values);
        QCOMPARE(scale.ticks().size(), ticks.size());
        for (std::size_t i = 0; i < ticks.size(); ++i)
            QVERIFY2(std::abs(scale.ticks()[i] - ticks[i]) <= 1e-9 * ticks[i],
                qPrintable(QString::number(scale.ticks()[i])));
        for (const double value : values)
            QVERIFY(scale.shareOf(value) >= 0 && scale.shareOf(value) <= 1);
    }

    void equalValuesAndNoneHaveARangeToo()
    {
        for (const Values& values :
            { Values {}, Values { 0 }, Values { 5, 5 }, Values { -3 }, Values { NAN } })
            for (const bool logarithmic : { false, true }) {
                ChartAxis axis;
                axis.isLogarithmic = logarithmic;
                const ChartScale scale(axis, values);
                QVERIFY(!scale.ticks().empty() && scale.ticks().size() < 12);
                QVERIFY(std::isfinite(scale.shareOf(scale.ticks().front())));
            }
    }

    void namesStayText()
    {
        ChartPanel panel = panelOf({ { 0, 1 }, { 1, 2 } });
        panel.title = "</svg><script>alert(1)</script>";
        panel.lines[0].name = "\"><script>alert('&')\n\xff";
        const std::string svg = svgFile({ panel }, panel.lines, "--><script>");
        const Drawn found = drawn(svg);
        QVERIFY2(found.error.isEmpty(), qPrintable(found.error));
        QVERIFY(svg.find("<script") == std::string::npos);
        QVERIFY(found.texts.contains(QString::fromStdString(panel.title)));
    }

    void markupIsWrittenAsEntities()
    {
        QCOMPARE(asMarkup("a<b> & \"c\" 'd'\n\x01"),
            std::string("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;??"));
        QCOMPARE(linesAsMarkup("<a>\n\nb"), std::string("&lt;a&gt;\n\nb"));
        QCOMPARE(linesAsMarkup(""), std::string());
        QCOMPARE(cssColour(0x0058ac), std::string("#0058ac"));
    }

    void aFileHasItsLegendAndBothThemes()
    {
        const ChartPanel panel = panelOf({ { 0, 1 }, { 1, 2 } });
        const std::string svg = svgFile({ panel, panel, panel }, panel.lines, "Made by a test.");
        const Drawn found = drawn(svg);
        QCOMPARE(found.paths.size(), 3 + 1);
        QVERIFY(found.texts.contains(QLatin1String("#1")));
        QVERIFY(svg.find("prefers-color-scheme:dark") != std::string::npos);
    }

    void looksAreThoseOfTheWindow()
    {
        QCOMPARE(lookOf(RunId { 1 }), lookOfSeries(0));
        QCOMPARE(lookOf(RunId { 29 }), lookOf(RunId { 1 })); // seven hues in four kinds of lines
        const auto looks = looksOf({ RunId { 1 }, RunId { 29 }, RunId { 2 } });
        QCOMPARE(looks[0], lookOf(RunId { 1 }));
        QCOMPARE(looks[2], lookOf(RunId { 2 }));
        QVERIFY(!(looks[1] == looks[0]));
        QCOMPARE(looks[1].hue, looks[0].hue);
        QVERIFY(looks[1].line == LineKind::Dashed);
    }
};

QTEST_GUILESS_MAIN(TestSvgChart)
#include "tst_svg_chart.moc"
