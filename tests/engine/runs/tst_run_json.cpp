// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_json.h"

#include "run_log_fixture.h"

#include "engine/runlog/run_log_reader.h"

#include <limits>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;

class TestRunJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasTheFieldsThatAreDocumented();
    void saysWhatBestIsTheBestOf();
    void keepsNonFiniteNumbersAsText();
    void keepsTheOrderOfKeys();
    void tellsTheDataThatIsKnown();
    void writesTimesInUtc();

private:
    static QJsonObject parsed(const RunRecord& run)
    {
        return QJsonDocument::fromJson(QByteArray::fromStdString(jsonOf(run).dump())).object();
    }
};

void TestRunJson::hasTheFieldsThatAreDocumented()
{
    QTemporaryDir folder;
    const std::filesystem::path log = folder.filePath("runs.db").toStdString();
    RunLogWriter writer(log);
    const RunId run = writeRun(writer, "json", 10, /*ended=*/false);
    writer.sink(run).emitEvent(evaluationAt(10, 0.3, 0.97));
    writer.sink(run).emitEvent(endAt(10));
    writer.flush();
    const QJsonObject json = parsed(RunLogReader(log).run(run));
    for (const char* key : { "id", "name", "state", "outcome", "attempt", "created", "step",
             "samples", "epoch", "seconds", "settings", "plan", "device", "versions", "host",
             "best", "final", "peak_bytes", "evaluation_peak_bytes", "checkpoint", "tags", "note",
             "ended_early", "sweep", "queue" })
        QVERIFY2(json.contains(QLatin1String(key)), key);
    QCOMPARE(json["state"].toString(), QString("finished"));
    QCOMPARE(json["outcome"].toString(), QString("completed"));
    QCOMPARE(json["settings"].toObject()["batch.micro"].toInt(), 32);
    QCOMPARE(json["plan"].toObject()["effective"].toInt(), 128);
    QCOMPARE(json["best"].toObject()["metric"].toString(), QString("test_accuracy"));
    QCOMPARE(json["best"].toObject()["step"].toInt(), 10);
    QCOMPARE(json["final"].toObject()["test_loss"].toDouble(), 0.3);
    QVERIFY(json["final"].toObject()["train_loss"].isNull());
    QVERIFY(json["checkpoint"].isNull());
    QVERIFY(json["evaluation_peak_bytes"].isNull()); // nothing was metered
    QVERIFY(!json["final"].toObject().contains(QLatin1String("validation_loss")));
}

void TestRunJson::saysWhatBestIsTheBestOf()
{
    RunRecord run;
    run.bestTestAccuracy = 0.9;
    run.bestValidationAccuracy = 0.8;
    run.bestStep = 20;
    run.finalValidationLoss = 0.6;
    run.finalValidationAccuracy = std::numeric_limits<double>::quiet_NaN();
    const QJsonObject json = parsed(run);
    QCOMPARE(json["best"].toObject()["metric"].toString(), QString("validation_accuracy"));
    QCOMPARE(json["best"].toObject()["value"].toDouble(), 0.8);
    QCOMPARE(json["best"].toObject()["step"].toInt(), 20);
    QCOMPARE(json["final"].toObject()["validation_loss"].toDouble(), 0.6);
    QCOMPARE(json["final"].toObject()["validation_accuracy"].toString(), QString("nan"));
}

void TestRunJson::keepsNonFiniteNumbersAsText()
{
    RunRecord run;
    run.finalTrainLoss = std::numeric_limits<double>::quiet_NaN();
    run.finalTestLoss = std::numeric_limits<double>::infinity();
    run.lastLoss = -std::numeric_limits<double>::infinity();
    const QJsonObject json = parsed(run);
    QCOMPARE(json["final"].toObject()["train_loss"].toString(), QString("nan"));
    QCOMPARE(json["final"].toObject()["test_loss"].toString(), QString("inf"));
    QCOMPARE(json["last_loss"].toString(), QString("-inf"));
}

void TestRunJson::keepsTheOrderOfKeys()
{
    const std::string text = jsonOf(RunRecord {}).dump(2);
    QVERIFY(text.starts_with("{\n  \"id\": 0,\n  \"name\": \"\",\n  \"state\": \"unknown\""));
    QVERIFY(text.find("\"data.name\"") < text.find("\"run.seed\""));
}

void TestRunJson::tellsTheDataThatIsKnown()
{
    RunRecord run;
    QVERIFY(parsed(run)["data_identity"].isNull());
    run.data.classes = { "cat", "dog" };
    run.data.trainDigest = "ab12";
    const QJsonObject identity = parsed(run)["data_identity"].toObject();
    QCOMPARE(identity["classes"].toArray().size(), 2);
    QCOMPARE(identity["train_digest"].toString(), QString("ab12"));
}

void TestRunJson::writesTimesInUtc()
{
    QCOMPARE(isoTime(0), std::string("1970-01-01T00:00:00.000Z"));
    QCOMPARE(isoTime(1'772'357'400'250), std::string("2026-03-01T09:30:00.250Z"));
}

QTEST_GUILESS_MAIN(TestRunJson)
#include "tst_run_json.moc"
