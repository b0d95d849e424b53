// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv.h"
#include "engine/report/comparison_rows.h"
#include "engine/report/equivalence.h"
#include "engine/runlog/log_check.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/runs/run_json.h"
#include "engine/runs/run_order.h"
#include "engine/runs/run_query.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include "run_log_fixture.h"
#include "tests/support/foreign_run_example.h"

using namespace accrue;

// Runs that Accrue has not trained, read beside its own.

class TestForeignRuns : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_log;
    RunId m_own {};
    RunId m_foreign {};

    RunLogReader reader() const { return RunLogReader(m_log); }
    std::vector<RunRecord> both() const { return reader().runs(); }
    RunRecord foreign() const { return reader().run(m_foreign); }
    QStringList found(const char* filter) const
    {
        const std::vector<RunRecord> runs = both();
        const RunQuery query = RunQuery::parse(filter, keysOfOthers(runs));
        if (!query.problem().empty())
            return { QString::fromStdString(query.problem().english()) };
        QStringList names;
        for (const RunRecord& run : runs)
            if (query.matches(run))
                names.append(QString::fromStdString(run.name));
        names.sort();
        return names;
    }
    std::vector<QByteArray> wideCsv() const
    {
        const QString file = m_folder->filePath(QStringLiteral("wide.csv"));
        RunLogReader log = reader();
        exportRunsCsv(log, { m_own, m_foreign }, std::filesystem::path(file.toStdString()));
        QFile csv(file);
        if (!csv.open(QIODevice::ReadOnly))
            return {};
        const QList<QByteArray> lines = csv.readAll().split('\n');
        return { lines.begin(), lines.end() };
    }
    static QList<QByteArray> cellsOf(const QByteArray& line)
    {
        QList<QByteArray> cells(1);
        bool quoted = false;
        for (const char c : line.trimmed()) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted)
                cells.append(QByteArray());
            else
                cells.last().append(c);
        }
        return cells;
    }
    QByteArray cellOf(std::size_t line, const QByteArray& column) const
    {
        const std::vector<QByteArray> lines = wideCsv();
        const qsizetype at = cellsOf(lines.at(0)).indexOf(column);
        return at < 0 ? QByteArray("no such column") : cellsOf(lines.at(line)).value(at);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        {
            RunLogWriter log(m_log);
            m_own = writeRun(log, "own", 20);
        }
        m_foreign = addForeign(m_log, exampleOfScript());
    }

    void itHasItsOwnSettingsAndNoneOfARecipe()
    {
        const RunRecord run = foreign();
        QVERIFY(!hasRecipe(run));
        QCOMPARE(run.settings, exampleOfScript().settings);
        QCOMPARE(settledSettings(run), run.settings);
        QVERIFY(settledSetting(run, "batch.micro") == SettingValue(std::int64_t { 8 }));
        QVERIFY(settledSetting(run, "optimizer.lr") == SettingValue(0.5)); // logged as "lr"
        QVERIFY(settledSetting(run, "dropout") == SettingValue(0.25));
        for (const char* key : { "batch.steps", "optimizer.momentum", "run.seed", "run.threads" })
            QVERIFY2(!settledSetting(run, key), key);
        QCOMPARE(keysOfOthers(both()), (std::vector<std::string> { "dropout" }));
        QVERIFY(reader().run(m_own).settings.empty());
    }

    void changedSettingsAreReadAgain()
    {
        RunLogReader log = reader();
        QCOMPARE(log.run(m_foreign).settings.size(), std::size_t { 4 });
        ForeignRun changed = exampleOfScript();
        changed.settings = { { "dropout", 0.75 } };
        addForeign(m_log, changed);
        QCOMPARE(log.run(m_foreign).settings, changed.settings);
    }

    void everyMetricIsReadByItsName()
    {
        RunLogReader log = reader();
        const auto loss = log.series(m_foreign, "loss", Axis::Step);
        QCOMPARE(loss.size(), std::size_t { 100 });
        QVERIFY(loss.back() == (SeriesPoint { 100, 0.01 }));
        QCOMPARE(log.seriesAfter(m_foreign, "loss", Axis::Seconds, 90).front().x, 45.5);
        QCOMPARE(log.series(m_foreign, "grad/mean", Axis::Step).back().y, -100.0);
        QCOMPARE(log.rows(m_foreign, "test_accuracy").size(), std::size_t { 10 });
        // What it has not logged has no values, not ones that mean none.
        for (const char* metric : { "gradient_norm", "throughput", "peak_bytes", "test_loss" })
            QVERIFY2(log.series(m_foreign, metric, Axis::Step).empty(), metric);
        QCOMPARE(log.summaries(m_foreign).size(), std::size_t { 3 });
        // The same names of a run of Accrue's are read from their columns.
        QCOMPARE(log.series(m_own, "loss", Axis::Step).size(), std::size_t { 20 });
    }

    void itsResultsAreThoseOfItsRows()
    {
        const RunRecord run = foreign();
        QCOMPARE(run.step, std::int64_t { 100 });
        QCOMPARE(run.lastLoss, std::optional(0.01));
        QCOMPARE(bestAccuracyOf(run), std::optional(0.1));
        QVERIFY(checkLog(m_log).damage.empty());
        execute(m_log, "UPDATE runs SET best_test_accuracy = 0.9 WHERE name = 'loop'");
        QVERIFY(!checkLog(m_log).damage.empty());
    }

    void itIsNotResumed()
    {
        QCOMPARE(QString::fromStdString(whyNotResumable(foreign()).english()),
            QStringLiteral("Accrue did not train run #2, so it has no recipe and no checkpoint to "
                           "resume from."));
        RunLogWriter log(m_log);
        QCOMPARE(
            messageOf([&] { log.resumeRun(m_foreign, {}); }), whyNotResumable(foreign()).english());
    }

    void itIsFilteredAndSortedByAnySettings()
    {
        QCOMPARE(found("dropout=0.25"), QStringList { QStringLiteral("loop") });
        QCOMPARE(found("dropout<0.2"), QStringList {});
        QCOMPARE(found("b<=8"), QStringList { QStringLiteral("loop") });
        QCOMPARE(found("lr=0.5"), QStringList { QStringLiteral("loop") });
        QCOMPARE(found("model=mine"), QStringList { QStringLiteral("loop") });
        QCOMPARE(found("optimizer=sgd"), QStringList { QStringLiteral("own") });
        QVERIFY(found("dropuot=0.25").value(0).startsWith(QStringLiteral("There is no key")));
        std::vector<RunRecord> runs = both();
        runOrderOf("dropout:asc", keysOfOthers(runs)).sort(runs);
        QCOMPARE(runs.front().name, std::string("loop")); // the others have no value
    }

    void jsonSaysWhoLoggedIt()
    {
        const auto json = jsonOf(foreign());
        QCOMPARE(json["source"].get<std::string>(), std::string("script"));
        QVERIFY(json["plan"].is_null());
        QCOMPARE(json["settings"].size(), std::size_t { 4 });
        QCOMPARE(json["settings"]["lr"].get<double>(), 0.5);
        QCOMPARE(jsonOf(reader().run(m_own))["source"].get<std::string>(), std::string("accrue"));
    }

    void wideCsvHasAColumnForEachKeyOfAnyRun()
    {
        QCOMPARE(cellOf(2, "dropout"), QByteArray("0.25"));
        QCOMPARE(cellOf(1, "dropout"), QByteArray());
        QCOMPARE(cellOf(2, "optimizer.lr"), QByteArray("0.5"));
        QCOMPARE(cellOf(2, "optimizer.momentum"), QByteArray());
        QCOMPARE(cellOf(2, "plan.micro"), QByteArray());
        QCOMPARE(cellOf(1, "plan.micro"), QByteArray("32"));
        QCOMPARE(cellOf(2, "source"), QByteArray("script"));
        QCOMPARE(cellOf(2, "grad/mean.final"), QByteArray("-100"));
    }

    void longCsvHasEachOfItsValuesOnce()
    {
        const QString file = m_folder->filePath(QStringLiteral("long.csv"));
        RunLogReader log = reader();
        exportSeriesCsv(log, { m_foreign }, std::filesystem::path(file.toStdString()));
        QFile csv(file);
        QVERIFY(csv.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 1 + 100 + 100 + 10);
    }

    void aDamagedBatchOfItsValuesIsLeftOut()
    {
        execute(m_log, "UPDATE metric_values SET value = 7.0 WHERE metric = 'loss' AND step = 5");
        RunLogReader log = reader();
        const std::filesystem::path file =
            m_folder->filePath(QStringLiteral("rest.csv")).toStdString();
        QVERIFY(
            messageOf([&] { exportSeriesCsv(log, { m_foreign }, file); }) != "nothing was thrown");
        std::vector<LogDamage> leftOut;
        exportSeriesCsv(log, { m_foreign }, file, {}, &leftOut);
        QCOMPARE(leftOut.size(), std::size_t { 1 });
    }

    void besideARunOfAccruesEachHasWhatItHas()
    {
        RunLogReader log = reader();
        const RunComparison comparison = compareRuns(log, { m_own, m_foreign });
        const auto rowOf = [&](const std::string& title) {
            for (const ComparisonRow& row : settingRows(comparison))
                if (row.title.english() == title)
                    return row.values;
            return std::vector<std::string> {};
        };
        QCOMPARE(rowOf("dropout"), (std::vector<std::string> { "–", "0.25" }));
        QCOMPARE(rowOf("batch.micro"), (std::vector<std::string> { "32", "8" }));
        QCOMPARE(rowOf("optimizer.momentum").at(1), std::string("–"));
        QCOMPARE(rowOf("run.seed").at(1), std::string("–"));
        for (const RunComparison::Metric& metric : comparison.metrics)
            QCOMPARE(metric.values.at(1).has_value(),
                metric.info.name == "loss" || metric.info.name == "test_accuracy"
                    || metric.info.name == "grad/mean");
        QCOMPARE(nameOf(equivalenceOf(log, m_own, m_foreign).verdict), "not_comparable");
    }
};

QTEST_GUILESS_MAIN(TestForeignRuns)
#include "tst_foreign_runs.moc"
