// SPDX-License-Identifier: Apache-2.0
#include "engine/base/format.h"
#include "engine/runlog/run_log_reader.h"
#include "engine/sweep/sweep_json.h"
#include "tests/app/command_line_fixture.h"
#include "tests/engine/runlog/run_log_fixture.h"

#include <memory>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace accrue;

namespace {

QString textOf(const std::string& text)
{
    return QString::fromStdString(text);
}

QJsonObject objectOf(const std::string& json)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
}

CommandResult sweep(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), { "sweep", "first-run" });
    return runAccrue(arguments);
}

} // namespace

// No engine is loaded: a sweep trains nothing.
class TestSweepCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        useHome(pathOf(*m_home, ""));
    }

    void aDryRunShowsTheRunsAndQueuesNone()
    {
        const CommandResult result = sweep({ "--vary", "batch.micro=8,32", "--vary",
            "model.norm=batch,group", "--keep-effective", "--dry-run" });
        QVERIFY2(result.code == 0, result.err.c_str());
        const QString out = textOf(result.out);
        for (const char* part : { "1  b=8, norm=batch   b 8 × N 16 = B 128", "4  b=32, norm=group",
                 "\n4 runs, time unknown\n", "run 1: warning: batch.micro: BatchNorm" })
            QVERIFY2(out.contains(QString::fromUtf8(part)), qPrintable(out));
        QVERIFY(!std::filesystem::exists(log()));
    }

    void theRunsAreQueuedInTheirOrder()
    {
        const CommandResult result =
            sweep({ "--vary", "optimizer.lr=0.1,0.2", "--seeds", "2", "--name", "rates" });
        QVERIFY2(result.code == 0, result.err.c_str());
        QVERIFY2(textOf(result.out)
                     .endsWith(QStringLiteral(
                         "Queued 4 runs as sweep 1, #1 to #4; train them with: accrue work\n")),
            result.out.c_str());
        RunLogReader reader(log());
        QStringList names;
        for (std::int64_t id = 1; id <= 4; ++id) {
            const RunRecord run = reader.run(RunId { id });
            names << textOf(run.name);
            QCOMPARE(run.state, RunState::Queued);
            QCOMPARE(run.sweep, 1);
        }
        QCOMPARE(names,
            QStringList({ "rates lr=0.1, seed=1", "rates lr=0.2, seed=1", "rates lr=0.1, seed=2",
                "rates lr=0.2, seed=2" }));
        const std::vector<SweepRecord> sweeps = reader.queueState().sweeps;
        QCOMPARE(sweeps.size(), 1U);
        QCOMPARE(sweeps.front().name, std::string("rates"));
        const SweepDefinition stored = sweepOf(sweeps.front().definition);
        QCOMPARE(stored.seeds, 2);
        QCOMPARE(stored.base.name, std::string("rates"));
    }

    void impossibleRunsAreNamedAndNotQueued()
    {
        const CommandResult result =
            sweep({ "--vary", "model.groups=2,4", "--set", "model.norm=group" });
        QCOMPARE(result.code, 0);
        const QString out = textOf(result.out);
        QVERIFY2(out.contains(QStringLiteral("2  groups=4  impossible")), qPrintable(out));
        QVERIFY2(out.contains(QStringLiteral("run 2: model.groups: 4, which does not divide the 6 "
                                             "channels of norm1; allowed: auto, 1 or 2.")),
            qPrintable(out));
        QVERIFY2(
            out.contains(QStringLiteral("\n1 run, 1 impossible, time unknown\n")), qPrintable(out));
        QCOMPARE(RunLogReader(log()).runs().size(), 1U);
    }

    void whereNoneIsPossibleNothingIsQueued()
    {
        const CommandResult result =
            sweep({ "--vary", "model.groups=4,5", "--set", "model.norm=group" });
        QCOMPARE(result.code, 2);
        QVERIFY2(textOf(result.err).contains(QStringLiteral("None of these runs can be trained")),
            result.err.c_str());
        QVERIFY(!std::filesystem::exists(log()));
    }

    void jsonHasAllOfIt()
    {
        const CommandResult result =
            sweep({ "--vary", "batch.micro=8,16", "--keep-effective", "--json" });
        const QJsonObject json = objectOf(result.out);
        const QJsonArray runs = json.value(QLatin1String("runs")).toArray();
        QCOMPARE(runs.size(), 2);
        const QJsonObject first = runs[0].toObject();
        QCOMPARE(first.value(QLatin1String("name")).toString(), QStringLiteral("first-run b=8"));
        QCOMPARE(
            first.value(QLatin1String("plan")).toObject().value(QLatin1String("steps")).toInt(),
            16);
        QCOMPARE(first.value(QLatin1String("updates")).toInt(), 470);
        QVERIFY(first.value(QLatin1String("time")).isNull());
        QVERIFY(first.value(QLatin1String("peak_bytes")).isNull());
        QCOMPARE(json.value(QLatin1String("possible")).toInt(), 2);
        QCOMPARE(json.value(QLatin1String("sweep")).toInt(), 1);
        QCOMPARE(json.value(QLatin1String("queued")).toArray(), QJsonArray({ 1, 2 }));
        const QJsonDocument definition(json.value(QLatin1String("definition")).toObject());
        QVERIFY(sweepOf(definition.toJson().toStdString()).keepsEffective);
    }

    void whatNobodyHasTrainedHasNoTime()
    {
        sweep({ "--vary", "batch.micro=8,16" });
        const CommandResult list = runAccrue({ "list" });
        QVERIFY2(textOf(list.out).contains(QLatin1String("queued")), list.out.c_str());
        QVERIFY2(!textOf(list.out).contains(textOf(formatDuration(0))), list.out.c_str());
    }

    void whatIsWrongIsOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const QStringList& arguments, const char* message) {
            QTest::newRow(qPrintable(arguments.join(' ')))
                << arguments << QString::fromUtf8(message);
        };
        row({ "--vary", "batch.mirco=8" },
            "--vary: batch.mirco: an unknown key; did you mean batch.micro?\n");
        row({ "--vary", "batch.micro=0" },
            "--vary: batch.micro: 0; allowed: whole number from 1 to 1000000000, or auto.\n");
        row({ "--vary", "batch.micro" },
            "--vary: batch.micro is not KEY=VALUES, such as batch.micro=8,16,32.\n");
        row({ "--vary", "batch.micro=8", "--vary", "batch.micro=16" },
            "sweep: batch.micro: batch.micro varies twice; list all its values once.\n");
        row({ "--vary", "batch.micro=8", "--set", "batch.micro=16" },
            "accrue: batch.micro is set twice, by --set and by --vary batch.micro=8; set it "
            "once.\n");
        row({},
            "sweep: Nothing varies in this sweep; let a key vary, such as batch.micro=8,16,32, or "
            "use several seeds.\n");
        row({ "--vary", "run.epochs=1..1000000", "--vary", "batch.micro=1..1000" },
            "sweep: The sweep would make 1\u202f000\u202f000\u202f000 runs; allowed: at most "
            "10\u202f000. Use fewer "
            "values, or draw random combinations.\n");
        row({ "--seeds", "0" },
            "accrue: --seeds is \"0\"; allowed: whole number from 1 to 10\u202f000.\n");
        row({ "--seeds", "2", "--order", "size" },
            "accrue: --order is size; allowed: given, memory or time.\n");
        row({ "--seeds", "9", "--halving", "1" },
            "sweep: The factor of successive halving is 1; allowed: whole number from 2 to 100.\n");
    }
    void whatIsWrongIsOneSentence()
    {
        QFETCH(QStringList, arguments);
        std::vector<std::string> words;
        for (const QString& argument : arguments)
            words.push_back(argument.toStdString());
        const CommandResult result = sweep(words);
        QCOMPARE(result.code, 2);
        QCOMPARE(result.out, std::string());
        QTEST(textOf(result.err), "message");
        QVERIFY(!std::filesystem::exists(log()));
    }

    void aRunThatEndedEarlyIsMarkedInTheList()
    {
        QVERIFY(std::filesystem::create_directories(log().parent_path()));
        {
            RunLogWriter writer(log());
            writeRun(writer, "whole", 3);
            const RunId run = writeRun(writer, "early", 3, /*ended=*/false);
            RunEnded ended = endAt(3);
            ended.early = EarlyEnd::Rule;
            writer.sink(run).emitEvent(ended);
        }
        const QStringList lines = textOf(runAccrue({ "list" }).out).split('\n');
        QVERIFY2(lines[1].contains(QStringLiteral("early  completed, ended early")),
            qPrintable(lines[1]));
        QVERIFY2(!lines[2].contains(QStringLiteral("early")), qPrintable(lines[2]));
    }

private:
    std::filesystem::path log() const { return pathOf(*m_home, "data/accrue/runs.db"); }

    std::unique_ptr<QTemporaryDir> m_home;
};

QTEST_GUILESS_MAIN(TestSweepCommand)
#include "tst_sweep_command.moc"
