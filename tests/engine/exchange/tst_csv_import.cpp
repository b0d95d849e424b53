// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_import.h"

#include "run_log_fixture.h"

#include "engine/exchange/csv.h"
#include "engine/runlog/run_import.h"

#include <cmath>
#include <fstream>
#include <map>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;
namespace fs = std::filesystem;

namespace {

std::string rolesOf(const CsvLayout& layout)
{
    std::string text;
    for (const CsvColumn& column : layout.columns) {
        text += (text.empty() ? "" : ", ") + column.name + "=" + std::string(nameOf(column.role));
        if (column.role == CsvRole::Metric && column.metric != column.name)
            text += ":" + column.metric;
        if (!column.run.empty())
            text += "@" + column.run;
    }
    return text;
}

// "1:0.5 2:0.25"
std::string pointsOf(const ForeignRun& run, const std::string& metric)
{
    std::string text;
    for (const ForeignSeries& series : run.series)
        if (series.metric == metric)
            for (const ForeignPoint& point : series.points)
                text += (text.empty() ? "" : " ") + std::to_string(point.step) + ":"
                    + settingText(SettingValue(point.value));
    return text;
}

} // namespace

class TestCsvImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void findsWhatTheColumnsAre_data();
    void findsWhatTheColumnsAre();
    void readsALightningLog();
    void readsDecimalCommas();
    void readsSeveralRunsAndTheirSettings();
    void readsChartsOfWeightsAndBiases();
    void readsOurOwnExport();
    void timesOfDayBecomeSeconds();
    void countsRowsWithoutAStep();
    void theMappingCanBeChanged();
    void wrongMapsAreNamed();
    void namesWhatItLeavesOut();
    void theSameFileIsTheSameRun();
    void saysWhatIsMissing_data();
    void saysWhatIsMissing();

private:
    fs::path path(const char* name) const
    {
        return fs::path(m_folder->path().toStdString()) / name;
    }
    fs::path write(const QByteArray& bytes, const char* name = "x.csv") const
    {
        std::ofstream(path(name), std::ios::binary) << bytes.toStdString();
        return path(name);
    }
    static ReadCsv read(const fs::path& file) { return readCsv(file, csvLayoutOf(file)); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestCsvImport::findsWhatTheColumnsAre_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("roles");
    QTest::newRow("Lightning") << QByteArray(
        "epoch,step,train_loss,val_loss\n0,1,0.5,\n0,2,,0.25\n")
                               << "epoch=metric, step=step, train_loss=metric, val_loss=metric";
    QTest::newRow("Keras") << QByteArray("epoch,accuracy,loss\n0,0.5,0.25\n")
                           << "epoch=step, accuracy=metric, loss=metric";
    QTest::newRow("history of Weights & Biases")
        << QByteArray(",_step,_runtime,_timestamp,loss\n0,0,1.5,1764270000.5,0.5\n")
        << "column 1=ignore, _step=step, _runtime=seconds, _timestamp=time, loss=metric";
    QTest::newRow("chart of Weights & Biases")
        << QByteArray("\"Step\",\"fine - sun-5 - loss\",\"fine - sun-5 - loss__MIN\",\"fine - "
                      "sun-5 - loss__MAX\"\n\"0\",\"1\",\"1\",\"1\"\n")
        << "Step=step, fine - sun-5 - loss=metric:sun-5 - loss@fine, fine - sun-5 - "
           "loss__MIN=ignore, fine - sun-5 - loss__MAX=ignore";
    QTest::newRow("TensorBoard") << QByteArray("Wall time,Step,Value\n1764270000.5,1,0.5\n")
                                 << "Wall time=time, Step=step, Value=metric";
    QTest::newRow("Accrue")
        << QByteArray("run,name,step,samples,micro_batches,epoch,seconds,metric,value,rank\n"
                      "1,a,1,128,4,1,0.5,loss,2,0\n1,a,2,256,8,1,0.5,loss,2,0\n")
        << "run=run, name=name, step=step, samples=ignore, micro_batches=ignore, epoch=ignore, "
           "seconds=seconds, metric=metric_name, value=value, rank=rank";
    QTest::newRow("settings") << QByteArray("trial,lr,norm,step,loss\na,0.1,group,1,5\n"
                                            "a,0.1,group,2,4\nb,0.2,batch,1,5\n")
                              << "trial=run, lr=metric, norm=setting, step=step, loss=metric";
    QTest::newRow("remarks") << QByteArray("step,loss,remark\n1,5,good\n2,4,bad\n")
                             << "step=step, loss=metric, remark=ignore";
}

void TestCsvImport::findsWhatTheColumnsAre()
{
    QFETCH(QByteArray, bytes);
    QTEST(QString::fromStdString(rolesOf(csvLayoutOf(write(bytes)))), "roles");
}

void TestCsvImport::readsALightningLog()
{
    const ReadCsv csv = read(write("epoch,step,train_loss,val_loss\n0,9,0.5,\n0,19,0.25,0.75\n"
                                   "1,19,NA,\n1,29,nan,0.5\n",
        "metrics.csv"));
    QCOMPARE(csv.runs.size(), std::size_t { 1 });
    QVERIFY(csv.problems.empty());
    const ForeignRun& run = csv.runs.front();
    QCOMPARE(run.name, std::string("metrics"));
    QVERIFY(run.source == RunSource::Csv);
    QCOMPARE(pointsOf(run, "train_loss"), std::string("9:0.5 19:0.25 29:nan"));
    QCOMPARE(pointsOf(run, "val_loss"), std::string("19:0.75 29:0.5"));
    QCOMPARE(pointsOf(run, "epoch"), std::string("9:0 19:1 29:1"));
}

void TestCsvImport::readsDecimalCommas()
{
    const fs::path file = write("step;loss;lr\n1;0,5;1e-3\n2;0,25;1e-3\n");
    const CsvLayout layout = csvLayoutOf(file);
    QVERIFY(layout.decimalComma && layout.delimiter == ';');
    const ReadCsv csv = readCsv(file, layout);
    QCOMPARE(pointsOf(csv.runs.front(), "loss"), std::string("1:0.5 2:0.25"));
    QVERIFY(!csvLayoutOf(write("step;loss\n1;0.5\n")).decimalComma);
}

void TestCsvImport::readsSeveralRunsAndTheirSettings()
{
    const ReadCsv csv = read(write("run,step,loss,norm\nb,1,1,none\na,1,2,group\nb,2,3,none\n"));
    QCOMPARE(csv.runs.size(), std::size_t { 2 });
    QCOMPARE(csv.runs[0].name, std::string("b"));
    QCOMPARE(pointsOf(csv.runs[0], "loss"), std::string("1:1 2:3"));
    QVERIFY(csv.runs[0].settings == (Settings { { "norm", std::string("none") } }));
    QVERIFY(csv.runs[1].settings == (Settings { { "norm", std::string("group") } }));
    QVERIFY(csv.runs[0].token != csv.runs[1].token);
}

void TestCsvImport::readsChartsOfWeightsAndBiases()
{
    const ReadCsv csv =
        read(write("Step,a - loss,a - loss__MIN,a - loss__MAX,b - loss,b - loss__MIN,b - "
                   "loss__MAX\n1,0.5,0.5,0.5,,,\n2,,,,0.25,0.25,0.25\n"));
    QCOMPARE(csv.runs.size(), std::size_t { 2 });
    QCOMPARE(csv.runs[0].name, std::string("a"));
    QCOMPARE(pointsOf(csv.runs[0], "loss"), std::string("1:0.5"));
    QCOMPARE(pointsOf(csv.runs[1], "loss"), std::string("2:0.25"));
}

void TestCsvImport::readsOurOwnExport()
{
    {
        RunLogWriter log(path("runs.db"));
        writeRun(log, "=formula, \"quoted\"", 20);
        writeRun(log, "second", 5);
        RunLogReader reader(path("runs.db"));
        exportSeriesCsv(reader, { RunId { 1 }, RunId { 2 } }, path("long.csv"));
    }
    const ReadCsv csv = read(path("long.csv"));
    QVERIFY(csv.problems.empty());
    QCOMPARE(csv.runs.size(), std::size_t { 2 });
    QCOMPARE(csv.runs[0].name, std::string("=formula, \"quoted\""));
    RunLogReader reader(path("runs.db"));
    for (const char* metric : { "loss", "learning_rate", "peak_bytes" }) {
        std::vector<ForeignPoint> expected;
        for (const SeriesRow& row : reader.rows(RunId { 1 }, metric))
            expected.push_back({ row.step, row.seconds, row.value });
        const auto series = std::ranges::find(csv.runs[0].series, metric, &ForeignSeries::metric);
        QVERIFY(series != csv.runs[0].series.end());
        QVERIFY(series->points == expected); // every bit
    }
    RunImport import(path("other.db"));
    for (const ForeignRun& run : csv.runs)
        QVERIFY(import.add(run).result == ImportResult::Added);
    QCOMPARE(integerIn(path("other.db"), "SELECT count(*) FROM metric_values"),
        std::int64_t { 25 * 10 });
}

void TestCsvImport::timesOfDayBecomeSeconds()
{
    const ForeignRun run =
        read(write("timestamp,step,loss\n1764270000500,1,5\n1764270003000,2,4\n")).runs.at(0);
    QCOMPARE(run.createdMs, std::int64_t { 1764270000500 });
    QCOMPARE(run.endedMs, std::int64_t { 1764270003000 });
    QCOMPARE(run.series.at(0).points.at(0).seconds, 0.0);
    QCOMPARE(run.series.at(0).points.at(1).seconds, 2.5);
    QVERIFY(read(write("step,loss\n1,5\n")).runs.at(0).createdMs > 1764270000500);
}

void TestCsvImport::countsRowsWithoutAStep()
{
    const ReadCsv csv = read(write("run,loss\na,5\nb,4\na,3\n"));
    QCOMPARE(pointsOf(csv.runs.at(0), "loss"), std::string("1:5 2:3"));
    QCOMPARE(pointsOf(csv.runs.at(1), "loss"), std::string("1:4"));
}

void TestCsvImport::theMappingCanBeChanged()
{
    const fs::path file = write("epoch,step,val_acc,lr\n1,10,0.5,0.1\n2,20,0.75,0.1\n");
    CsvLayout layout = csvLayoutOf(file);
    for (const char* map : { "epoch=step", "val_acc=test_accuracy", "lr=setting" })
        QVERIFY2(mapColumn(layout, map).empty(), map);
    QCOMPARE(rolesOf(layout),
        std::string("epoch=step, step=ignore, val_acc=metric:test_accuracy, lr=setting"));
    const ForeignRun run = readCsv(file, layout).runs.at(0);
    QCOMPARE(pointsOf(run, "test_accuracy"), std::string("1:0.5 2:0.75"));
    QVERIFY(run.settings == (Settings { { "lr", 0.1 } }));
}

void TestCsvImport::wrongMapsAreNamed()
{
    CsvLayout layout = csvLayoutOf(write("step,loss\n1,5\n"));
    for (const char* map : { "loss", "=x", "loss=" })
        QVERIFY(mapColumn(layout, map).english().find("is not COLUMN=ROLE") != std::string::npos);
    QCOMPARE(mapColumn(layout, "los=step").english(),
        std::string("There is no column los. The columns are step, loss."));
}

void TestCsvImport::namesWhatItLeavesOut()
{
    const ReadCsv csv = read(write("step,loss\n1,5\nx,4\n1.5,3\n-1,2\n2,oops\n3,1\n4,0,9,9\n5\n"));
    QCOMPARE(pointsOf(csv.runs.at(0), "loss"), std::string("1:5 3:1 4:0"));
    QCOMPARE(csv.problems.size(), std::size_t { 2 });
    QVERIFY(csv.problems[0].english().find("3 rows have no whole number") != std::string::npos);
    QVERIFY(csv.problems[1].english().find("1 cell of metrics is no number") != std::string::npos);
}

void TestCsvImport::theSameFileIsTheSameRun()
{
    RunImport import(path("runs.db"));
    const auto results = [&] {
        std::string text;
        for (const ForeignRun& run : read(path("x.csv")).runs)
            text += std::to_string(static_cast<int>(import.add(run).result));
        return text;
    };
    write("run,step,loss\na,1,5\nb,1,4\n");
    QCOMPARE(results(), std::string("00"));
    const fs::file_time_type time = fs::last_write_time(path("x.csv"));
    QCOMPARE(results(), std::string("22"));
    write("run,step,loss\na,1,5\nb,1,4\nb,2,3\n");
    fs::last_write_time(path("x.csv"), time);
    QCOMPARE(results(), std::string("21"));
    QCOMPARE(integerIn(path("runs.db"), "SELECT count(*) FROM runs"), std::int64_t { 2 });
}

void TestCsvImport::saysWhatIsMissing_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("only numbers") << QByteArray("1,2\n3,4\n") << "has no line with the names";
    QTest::newRow("no metric") << QByteArray("a,b\nx,y\nz,w\n")
                               << "none of a, b has mostly numbers";
    QTest::newRow("no rows") << QByteArray("step,loss\n") << "has no rows";
}

void TestCsvImport::saysWhatIsMissing()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, words);
    const fs::path file = write(bytes);
    std::string message;
    try {
        CsvLayout layout = csvLayoutOf(file);
        if (words == "has no rows")
            QVERIFY(mapColumn(layout, "loss=loss").empty());
        message = problemOf(layout, file).english();
    } catch (const RunLogError& error) {
        message = error.what();
    }
    QVERIFY2(QString::fromStdString(message).contains(words), message.c_str());
}

QTEST_GUILESS_MAIN(TestCsvImport)
#include "tst_csv_import.moc"
