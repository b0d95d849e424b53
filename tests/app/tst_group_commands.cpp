// SPDX-License-Identifier: Apache-2.0
#include "run_log_fixture.h"

#include "engine/base/language.h"
#include "engine/experiment/resolved.h"
#include "engine/runlog/run_log_writer.h"
#include "tests/app/command_line_fixture.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace accrue;

namespace {

using Words = std::vector<std::string>;

QByteArray bytes(const std::string& text)
{
    return QByteArray::fromStdString(text);
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(bytes(json)).object();
}

void writeRun(RunLogWriter& log, Norm norm, std::uint64_t seed, double accuracy,
    RunOutcome outcome = RunOutcome::Completed)
{
    Experiment experiment = experimentNamed("<script>norms");
    experiment.model.norm = norm;
    experiment.run.seed = seed;
    const RunId run = log.beginRun(requireResolved(experiment));
    EventSink& sink = log.sink(run);
    sink.emitEvent(startOf(experiment));
    for (std::int64_t step = 1; step <= 20; ++step)
        sink.emitEvent(stepAt(step));
    sink.emitEvent(evaluationAt(20, 1 - accuracy, accuracy));
    sink.emitEvent(endAt(20, outcome));
    log.flush();
}

} // namespace

// `accrue summary` and `accrue report`, in this process.
class TestGroupCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { setLanguage(languages().front()); }

    void aSummaryHasIntervalsAndASentence();
    void aSummaryIsOfTheRunsThatAreMeant();
    void aSummaryComparesWithTheBaselineAndByAnyNumber();
    void aSummaryIsJsonForPrograms();
    void whatASummaryCannotDoItSays_data();
    void whatASummaryCannotDoItSays();
    void aReportIsOneFile();
    void aReportGoesToTheStandardOutput();
    void aReportThatCannotBeWrittenLeavesTheOldOne();
    void aReportNeverReplacesTheLog();
    void whatAReportNeedsItSays_data();
    void whatAReportNeedsItSays();

private:
    std::filesystem::path log() const { return pathOf(*m_home, "data/accrue/runs.db"); }

    std::unique_ptr<QTemporaryDir> m_home;
};

// BatchNorm with four seeds, one of which diverged; GroupNorm with three.
void TestGroupCommands::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    useHome(pathOf(*m_home, ""));
    std::filesystem::create_directories(log().parent_path());
    RunLogWriter writer(log());
    const double batch[] = { 0.950, 0.952, 0.948 };
    const double group[] = { 0.971, 0.968, 0.965 };
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        writeRun(writer, Norm::Batch, seed, batch[seed - 1]);
        writeRun(writer, Norm::Group, seed, group[seed - 1]);
    }
    writeRun(writer, Norm::Batch, 4, 0.1, RunOutcome::Diverged);
    QVERIFY(writer.close());
}

void TestGroupCommands::aSummaryHasIntervalsAndASentence()
{
    const CommandResult result = runAccrue({ "summary" });
    QVERIFY2(result.code == 0, result.err.c_str());
    const std::vector<std::string> lines = linesOf(result.out);
    QVERIFY2(lines.size() > 3, result.out.c_str());
    QVERIFY2(lines[0].starts_with("norm"), lines[0].c_str());
    // SciPy: 0.95 ± 0.00496828, 0.968 ± 0.00745241; the difference 0.018 ± 0.0065724
    QVERIFY2(lines[1].find("95.00 % ± 0.50 %") != std::string::npos, lines[1].c_str());
    QVERIFY2(lines[1].find("left out: 1 diverged") != std::string::npos, lines[1].c_str());
    QVERIFY2(lines[2].find("96.80 % ± 0.75 %") != std::string::npos, lines[2].c_str());
    QVERIFY2(
        result.out.find("BatchNorm against GroupNorm: −1.8 points, 95 % interval −2.5 to −1.1, "
                        "3 seeds.")
            != std::string::npos,
        result.out.c_str());
    // As the window says it. The sums of squares: (4.86e-4 − 6.5e-6) / (5.12e-4 + 6.5e-6) = 0.925.
    QVERIFY2(result.out.find("\nnorm explains about 92 % of the variance (Accuracy, best, n 6).")
            != std::string::npos,
        result.out.c_str());
}

void TestGroupCommands::aSummaryIsOfTheRunsThatAreMeant()
{
    const QJsonArray all =
        objectOf(runAccrue({ "summary", "--json" }).out)[QLatin1String("groups")].toArray();
    QCOMPARE(all.size(), 2);
    const QJsonObject named = objectOf(runAccrue({ "summary", "1", "2", "3", "1", "--json" }).out);
    const QJsonArray groups = named[QLatin1String("groups")].toArray();
    QCOMPARE(groups[0].toObject()[QLatin1String("runs")].toArray(), (QJsonArray { 1, 3 }));
    const CommandResult filtered = runAccrue({ "summary", "--filter", "norm=group", "--json" });
    QCOMPARE(objectOf(filtered.out)[QLatin1String("groups")].toArray().size(), 1);
    QCOMPARE(runAccrue({ "archive", "2", "4", "6" }).code, 0);
    const QJsonObject left = objectOf(runAccrue({ "summary", "--json" }).out);
    QCOMPARE(left[QLatin1String("groups")].toArray().size(), 1);
}

void TestGroupCommands::aSummaryComparesWithTheBaselineAndByAnyNumber()
{
    const CommandResult result = runAccrue(
        { "summary", "--by", "norm", "--baseline", "norm=batch", "--metric", "test_loss" });
    QVERIFY2(result.out.find("GroupNorm against BatchNorm: −0.018, 95 % interval −0.025 to −0.011")
            != std::string::npos,
        result.out.c_str());
    const CommandResult gradient =
        runAccrue({ "summary", "--by", "norm,state", "--metric", "gradient_norm:max", "--json" });
    QVERIFY2(gradient.code == 0, gradient.err.c_str());
    const QJsonArray groups = objectOf(gradient.out)[QLatin1String("groups")].toArray();
    QCOMPARE(groups.size(), 3);
    QCOMPARE(groups[0].toObject()[QLatin1String("mean")].toDouble(), 20.0);
    QVERIFY(groups[1].toObject()[QLatin1String("mean")].isNull()); // diverged
}

void TestGroupCommands::aSummaryIsJsonForPrograms()
{
    setLanguage(*findLanguage("zh_CN"));
    const CommandResult chinese = runAccrue({ "summary", "--by", "norm", "--json" });
    setLanguage(languages().front());
    QCOMPARE(chinese.out, runAccrue({ "summary", "--by", "norm", "--json" }).out);
    const QJsonObject made =
        objectOf(chinese.out)[QLatin1String("comparisons")].toArray()[0].toObject();
    QCOMPARE(made[QLatin1String("n")].toInt(), 3);
    QVERIFY(std::abs(made[QLatin1String("mean")].toDouble() + 0.018) < 1e-12);
    QVERIFY(made[QLatin1String("needed")].isNull());
}

void TestGroupCommands::whatASummaryCannotDoItSays_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("says");
    const auto row = [](const QStringList& options, const char* says) {
        QTest::newRow(qPrintable(options.join(QLatin1Char(' '))))
            << options << QString::fromLatin1(says);
    };
    row({ "--by", "nrom" }, "There is no key nrom. Did you mean norm?");
    row({ "--metric", "timee" }, "There is no key timee. Did you mean time?");
    row({ "--metric", "norm" }, "norm has no numbers.");
    row({ "--metric", "loss:worst" }, "loss has no worst.");
    row({ "--by", "norm", "--baseline", "batch" }, "is no baseline. Write KEY=VALUE");
    row({ "--by", "norm", "--baseline", "norm=layer" }, "the runs have batch, group.");
    row({ "--by", "norm", "--baseline", "seed=1" }, "they are grouped by norm.");
    row({ "--filter", "norm=layer" }, "None of 7 runs matches norm=layer.");
    row({ "--filter", "nrom=layer" }, "--filter");
    row({ "99" }, "99");
}

void TestGroupCommands::whatASummaryCannotDoItSays()
{
    QFETCH(QStringList, options);
    QFETCH(QString, says);
    Words call { "summary" };
    for (const QString& option : options)
        call.push_back(option.toStdString());
    const CommandResult result = runAccrue(call);
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, std::string());
    QVERIFY2(bytes(result.err).contains(says.toUtf8()), result.err.c_str());
    QCOMPARE(linesOf(result.err).size(), std::size_t { 1 });
}

void TestGroupCommands::aReportIsOneFile()
{
    const std::filesystem::path file = pathOf(*m_home, "report.html");
    const CommandResult result = runAccrue({ "report", "1", "2", "3", "4", "-o", file.string() });
    QVERIFY2(result.code == 0, result.err.c_str());
    QVERIFY2(result.out.starts_with("Wrote 4 runs, "), result.out.c_str());
    const std::string page = readFile(file);
    QVERIFY(page.starts_with("<!DOCTYPE html>"));
    QVERIFY(page.ends_with("</html>\n"));
    QVERIFY(page.find("BatchNorm against GroupNorm: ") != std::string::npos);
    QVERIFY(page.find("&lt;script&gt;norms") != std::string::npos);
    QVERIFY(page.find("<title>Loss") == std::string::npos);
    QVERIFY(page.find("aria-label=\"Loss\"") != std::string::npos);
    const QJsonObject json = objectOf(
        runAccrue({ "report", "--filter", "norm=group", "-o", file.string(), "--json" }).out);
    QCOMPARE(json[QLatin1String("runs")].toInt(), 3);
    QCOMPARE(
        json[QLatin1String("bytes")].toInt(), static_cast<int>(std::filesystem::file_size(file)));
}

void TestGroupCommands::aReportGoesToTheStandardOutput()
{
    const CommandResult result = runAccrue({ "report", "1", "2", "-o", "-" });
    QCOMPARE(result.code, 0);
    QVERIFY(result.out.starts_with("<!DOCTYPE html>"));
    QVERIFY(result.err.empty());
    QVERIFY(!std::filesystem::exists("-"));
}

void TestGroupCommands::aReportThatCannotBeWrittenLeavesTheOldOne()
{
    const std::filesystem::path file = pathOf(*m_home, "report.html");
    writeFile(file, "the old one");
    {
        const FileSizeLimit disk(40'000); // enough to read the log, and less than the page
        const CommandResult result =
            runAccrue({ "report", "--filter", "b>0", "-o", file.string() });
        QCOMPARE(result.code, 1);
        QCOMPARE(linesOf(result.err).size(), std::size_t { 1 });
        QVERIFY2(bytes(result.err).contains("report.html"), result.err.c_str());
    }
    QCOMPARE(readFile(file), std::string("the old one"));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 2); // data
    const CommandResult nowhere =
        runAccrue({ "report", "1", "-o", pathOf(*m_home, "none/report.html").string() });
    QVERIFY(nowhere.code != 0);
    QCOMPARE(linesOf(nowhere.err).size(), std::size_t { 1 });
}

// Also by another spelling of the file, and by a link to it.
void TestGroupCommands::aReportNeverReplacesTheLog()
{
    const std::string before = readFile(log());
    const std::filesystem::path link = pathOf(*m_home, "link.html");
    std::filesystem::create_symlink(log(), link);
    const std::filesystem::path other = log().parent_path() / "." / log().filename();
    for (const std::filesystem::path& file : { log(), other, link }) {
        const CommandResult result = runAccrue({ "report", "1", "-o", file.string() });
        QCOMPARE(result.code, 2);
        QVERIFY2(bytes(result.err).contains("belongs to the run log"), result.err.c_str());
        QCOMPARE(linesOf(result.err).size(), std::size_t { 1 });
    }
    QCOMPARE(readFile(log()), before);
}

void TestGroupCommands::whatAReportNeedsItSays_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("says");
    const auto row = [](const QStringList& options, const char* says) {
        QTest::newRow(qPrintable(options.join(QLatin1Char(' '))))
            << options << QString::fromLatin1(says);
    };
    row({ "1" }, "The report needs a file: -o report.html");
    row({ "-o", "x.html" }, "Name the runs of the report");
    row({ "1", "-o", "-", "--json" }, "--json has no place there");
    row({ "1", "-o" }, "-o");
    row({ "1", "99", "-o", "x.html" }, "99");
}

void TestGroupCommands::whatAReportNeedsItSays()
{
    QFETCH(QStringList, options);
    QFETCH(QString, says);
    Words call { "report" };
    for (const QString& option : options)
        call.push_back(option.toStdString());
    const CommandResult result = runAccrue(call);
    QCOMPARE(result.code, 2);
    QVERIFY2(bytes(result.err).contains(says.toUtf8()), result.err.c_str());
    QVERIFY(!std::filesystem::exists("x.html"));
}

QTEST_GUILESS_MAIN(TestGroupCommands)
#include "tst_group_commands.moc"
