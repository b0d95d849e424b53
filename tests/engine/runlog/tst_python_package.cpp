// SPDX-License-Identifier: Apache-2.0
#include "engine/base/format.h"
#include "engine/events/event_json.h"
#include "engine/events/metrics.h"
#include "engine/experiment/run_name.h"
#include "engine/logfile/log_file.h"
#include "engine/logfile/query.h"
#include "engine/logfile/schema.h"
#include "engine/runlog/program_version.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_tags.h"

#include <string>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/Database.h>

using namespace accrue;

// app/python/accrue.py is one file that writes run logs without the program. What it has to know of
// the program's tables stands between two lines of it, and is written here from those tables.

namespace {

constexpr const char* kBegin = "ACCRUE_WRITE_DOCS=1 brings it up to date. ----\n";
constexpr const char* kEnd = "# ---- The end of what tst_python_package writes. ----\n";

QString packagePath()
{
    return qEnvironmentVariable("ACCRUE_SOURCE") + QStringLiteral("/app/python/accrue.py");
}

std::string inQuotes(std::string_view text)
{
    return '"' + std::string(text) + '"';
}

std::string constant(const std::string& name, const std::string& value)
{
    return name + " = " + value + "\n";
}

// One entry a line, between the brackets.
std::string listing(const std::string& name, const char* brackets, const std::string& lines)
{
    return constant(name, brackets[0] + std::string("\n") + lines + brackets[1]);
}

std::string line(const std::string& entry)
{
    return "    " + entry + ",\n";
}

std::string hexadecimal(std::uint32_t value)
{
    return "0x" + QByteArray::number(value, 16).rightJustified(8, '0').toStdString();
}

std::string limits()
{
    return constant("__version__", inQuotes(programVersion()))
        + constant("_FORMAT", std::to_string(currentVersion()))
        + constant("_APPLICATION_ID", hexadecimal(kApplicationId))
        + constant("_LONGEST_NAME", std::to_string(kLongestRunName))
        + constant("_LONGEST_TAG", std::to_string(kLongestTag))
        + constant("_LONGEST_NOTE", std::to_string(kLongestNote));
}

std::string outcomes()
{
    std::string lines;
    for (int outcome = 0; outcome <= static_cast<int>(RunOutcome::Failed); ++outcome)
        lines += line(inQuotes(nameOf(static_cast<RunOutcome>(outcome))));
    return listing("_OUTCOMES", "()", lines);
}

std::string metricFacts()
{
    std::string better, traced, judged, results;
    for (const MetricInfo& metric : metrics())
        if (hasBest(metric))
            better += line(inQuotes(metric.name) + ": "
                + inQuotes(metric.better == Better::Higher ? "higher" : "lower"));
    for (const MetricInfo& metric : tracedMetrics())
        traced += line(inQuotes(metric.name));
    for (const MetricId id : kJudgedBy)
        judged += line(inQuotes(nameOf(id)));
    for (const RunResult& result : runResults())
        results += line("(" + inQuotes(result.column) + ", " + inQuotes(nameOf(result.metric))
            + ", " + (result.isBest ? "True" : "False") + ")");
    return listing("_BETTER", "{}", better) + listing("_WITHOUT_SUMMARY", "{}", traced)
        + listing("_JUDGED_BY", "()", judged) + listing("_RESULTS", "()", results);
}

std::string networks()
{
    std::string lines;
    for (const NetworkFileSystem& system : networkFileSystems())
        lines += line(hexadecimal(system.magic) + ": " + inQuotes(system.name));
    return listing("_NETWORK_FILE_SYSTEMS", "{}", lines);
}

// Of a log that the program has made, in the order in which its tables depend on each other.
std::string tables()
{
    const QTemporaryDir folder;
    const std::filesystem::path log = (folder.path() + QStringLiteral("/runs.db")).toStdString();
    RunLogWriter(log).close();
    SQLite::Database database(log.string());
    std::string lines;
    for (const std::string& sql : allOf<std::string>(database,
             "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND type <> 'view' AND name NOT "
             "LIKE 'sqlite\\_%'"
             " ESCAPE '\\' ORDER BY rowid"))
        lines += line("\"\"\"" + sql + "\"\"\"");
    return listing("_SCHEMA", "()", lines);
}

QByteArray facts()
{
    return QByteArray::fromStdString(limits() + outcomes() + metricFacts() + networks() + tables());
}

// The file with the facts of this build in place of its own; empty: it has no such place.
QByteArray brought(const QByteArray& package)
{
    const qsizetype begin = package.indexOf(kBegin);
    const qsizetype end = package.indexOf(kEnd);
    if (begin < 0 || end < begin)
        return {};
    return package.left(begin + qstrlen(kBegin)) + facts() + package.mid(end);
}

} // namespace

class TestPythonPackage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePackageKnowsTheTablesOfTheProgram()
    {
        QFile file(packagePath());
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(packagePath()));
        const QByteArray package = file.readAll();
        file.close();
        const QByteArray wanted = brought(package);
        QVERIFY2(!wanted.isEmpty(), "the two lines around what is written are gone");
        if (qEnvironmentVariableIsSet("ACCRUE_WRITE_DOCS") && wanted != package) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(wanted), wanted.size());
            return;
        }
        QVERIFY2(wanted == package,
            "app/python/accrue.py is out of date: ACCRUE_WRITE_DOCS=1 scripts/test.sh -R "
            "tst_python_package");
    }
};

QTEST_GUILESS_MAIN(TestPythonPackage)
#include "tst_python_package.moc"
