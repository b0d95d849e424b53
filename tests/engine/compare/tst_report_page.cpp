// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/report_page.h"

#include "engine/base/language.h"
#include "tests/engine/compare/seeded_runs.h"

#include <cmath>
#include <string>
#include <vector>

#include <QCryptographicHash>
#include <QRegularExpression>
#include <QTest>

using namespace accrue;

namespace {

ReportContent contentOf(const std::vector<RunRecord>& runs)
{
    std::vector<RunSummaries> summaries;
    ReportCurves loss { infoOf(MetricId::Loss), {} };
    for (const RunRecord& run : runs) {
        summaries.push_back({ run.id,
            { { "loss", 0.05, 0.04, 90, 0.04, 2.3 },
                { "test_accuracy", 0.97, 0.98, 40, 0.1, 0.98 } },
            {} });
        loss.ofRuns.push_back({ { 1, 2.3 }, { 50, 0.2 }, { 100, 0.05 } });
    }
    return { compareRuns(runs, summaries), summarize(runs, summaries, {}), { loss },
        "/home/somebody/runs.db", 1'700'000'000'000 };
}

bool has(const std::string& page, const std::string& text)
{
    return page.find(text) != std::string::npos;
}

std::size_t countOf(const std::string& page, const char* pattern)
{
    auto found =
        QRegularExpression(QLatin1String(pattern)).globalMatch(QString::fromStdString(page));
    std::size_t count = 0;
    for (; found.hasNext(); found.next())
        ++count;
    return count;
}

} // namespace

class TestReportPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setLanguage(languages().front()); }

    void groupsHaveIntervalsAndSentences()
    {
        const std::string page = reportPage(contentOf(seededRuns()));
        QVERIFY(has(page, "20 runs compared"));
        QVERIFY(has(page, "<td class=\"number\" data-value=\"0.94\">94.00 %</td>"));
        QVERIFY(has(page, "± 0.56 %"));
        for (const GroupComparison& each : summarize(seededRuns(), {}, {}).comparisons)
            QVERIFY2(
                has(page, "<li>" + each.sentence.text() + "</li>"), each.sentence.text().c_str());
    }

    void everyRunHasItsCurveItsResultsAndItsRecipe()
    {
        const std::vector<RunRecord> runs = seededRuns();
        const std::string page = reportPage(contentOf(runs));
        QCOMPARE(countOf(page, "<details>\n<summary>#"), runs.size());
        QCOMPARE(
            countOf(page, "<path d=\"M[^\"]*\" class=\"line hue\\d\"[^>]*><title>#"), runs.size());
        QVERIFY(has(page, "norm = &quot;group&quot;"));
        QVERIFY(has(page, "data-value=\"0.97\">97.00 %"));
    }

    // A word for a setting: that of the form and of the window's table.
    void settingsAreNamedAsInTheForm()
    {
        const std::string page = reportPage(contentOf(seededRuns()));
        QVERIFY(has(page, ">Normalisation layers</"));
        QVERIFY(has(page, ">Micro-batch b</"));
        QVERIFY(!has(page, "model.norm</"));
    }

    void ofARunThatAScriptLoggedTheSettingsAreShown()
    {
        RunRecord run = seededRun(Norm::Batch, 8, 1, 0.9);
        run.source = RunSource::Script;
        run.settings = { { "lr", 0.5 }, { "my <key>", std::string("two\nlines") } };
        const std::string page = reportPage(contentOf({ run, seededRun(Norm::Group, 8, 1, 0.9) }));
        QCOMPARE(countOf(page, "<pre>"), std::size_t { 2 });
        QVERIFY(has(page, "<pre>lr = 0.5\nmy &lt;key&gt; = two?lines\n</pre>"));
        QVERIFY(has(page, "Another program logged this run"));
    }

    // Curves of one group look alike; the legend has its name once.
    void curvesAreInTheColoursOfTheirGroups()
    {
        const ReportContent content = contentOf(seededRuns());
        const ReportLooks looks = reportLooks(content);
        QVERIFY(looks.byGroup);
        QCOMPARE(looks.ofRuns[0], looks.ofRuns[4]); // another seed
        QVERIFY(!(looks.ofRuns[0] == looks.ofRuns[1]));
        std::vector<RunRecord> different;
        for (const std::int64_t micro : { 8, 16, 32 })
            different.push_back(seededRun(Norm::Group, micro, 1, 0.9));
        QVERIFY(!reportLooks(contentOf(different)).byGroup);
    }

    // Evaluations of all seeds are at the same steps.
    void evaluationsOfAGroupHaveTheirMeanAndItsBand()
    {
        ReportContent content = contentOf(seededRuns());
        const ReportLooks looks = reportLooks(content);
        ReportCurves curves { infoOf(MetricId::TestAccuracy), {} };
        for (const RunRecord& run : content.comparison.runs)
            curves.ofRuns.push_back({ { 20, 0.5 }, { 40, *run.bestTestAccuracy } });
        const ChartPanel panel = chartOf(curves, content, looks);
        QCOMPARE(panel.lines.size(), std::size_t { 20 + 4 });
        QVERIFY(panel.lines.front().isFaint);
        const ChartLine& mean = panel.lines[20]; // BatchNorm at b = 4
        QVERIFY(std::abs(mean.points[1].y - 0.94) < 1e-12);
        QVERIFY(std::abs(mean.band[1].low - 0.9343781271420525) < 1e-9); // SciPy
        QVERIFY(std::abs(mean.band[1].high - 0.9456218728579472) < 1e-9);
        QCOMPARE(chartOf(content.curves.front(), content, looks).lines.size(), std::size_t { 20 });
        curves.ofRuns[0].pop_back(); // one of its seeds has no value there
        QCOMPARE(chartOf(curves, content, looks).lines.size(), std::size_t { 20 + 3 });
    }

    void whateverIsInANameStaysText()
    {
        std::vector<RunRecord> runs { seededRun(Norm::Batch, 8, 1, 0.9),
            seededRun(Norm::Group, 8, 1, 0.91) };
        runs[0].name = runs[0].experiment.name =
            "<script>alert(1)</script>\"><img src=x onerror=y>";
        runs[0].note = "</pre><script src=\"https://example.org/x.js\"></script>";
        runs[0].deviceName = "<b>card</b>";
        runs[1].experiment.data.path = "/tmp/<iframe>";
        const std::string page = reportPage(contentOf(runs));
        QCOMPARE(countOf(page, "<script"), std::size_t { 1 }); // its own
        QVERIFY(!has(page, "<img") && !has(page, "<iframe") && !has(page, "<b>"));
        QVERIFY(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    }

    // The policy has the digest of the page's own script and allows nothing else.
    void nothingFromElsewhereIsAllowed()
    {
        const std::string page = reportPage(contentOf(seededRuns()));
        QVERIFY(has(page, "default-src 'none'"));
        const QString text = QString::fromStdString(page);
        const QString script =
            text.section(QLatin1String("<script>"), 1).section(QLatin1String("</script>"), 0, 0);
        const QByteArray digest =
            QCryptographicHash::hash(script.toUtf8(), QCryptographicHash::Sha256).toBase64();
        QVERIFY2(has(page, "script-src 'sha256-" + digest.toStdString() + "'"), digest.constData());
        QCOMPARE(countOf(page, "(src|href|url\\()\\s*="), std::size_t { 0 });
        QVERIFY(!has(page, "url("));
    }

    void theLanguageIsThatOfTheProgram()
    {
        setLanguage(*findLanguage("zh_CN"));
        const std::string page = reportPage(contentOf(seededRuns()));
        QVERIFY(has(page, "<html lang=\"zh-CN\">"));
        QVERIFY(has(page, "20 次运行的对比"));
        QVERIFY(!has(page, "More curves"));
    }

    void runsWithoutValuesMakeAPageToo()
    {
        RunRecord run = recordOf(1);
        run.state = RunState::Running;
        run.outcome.reset();
        run.bestTestAccuracy.reset();
        ReportContent content { compareRuns({ run }, {}), summarize({ run }, {}, {}), {}, "runs.db",
            0 };
        const std::string page = reportPage(content);
        QVERIFY(has(page, "1 run compared"));
        QVERIFY(!has(page, "<h2>Curves"));
        QVERIFY(!has(page, ">nan<"));
    }
};

QTEST_GUILESS_MAIN(TestReportPage)
#include "tst_report_page.moc"
