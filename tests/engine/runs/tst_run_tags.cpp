// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_tags.h"

#include "run_log_fixture.h"

#include "engine/runlog/run_log_reader.h"
#include "engine/runs/run_json.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace accrue;
using Tags = std::vector<std::string>;

class TestRunTags : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTagIsOneWord_data()
    {
        QTest::addColumn<QByteArray>("tag");
        QTest::addColumn<bool>("fits");
        QTest::newRow("a word") << QByteArray("baseline") << true;
        QTest::newRow("with signs") << QByteArray("lr=0.1/b-32+x") << true;
        QTest::newRow("not ASCII") << QByteArray("größer") << true;
        QTest::newRow("as long as can be") << QByteArray(50, 'a') << true;
        QTest::newRow("longer") << QByteArray(51, 'a') << false;
        QTest::newRow("nothing") << QByteArray("") << false;
        QTest::newRow("two words") << QByteArray("two words") << false;
        QTest::newRow("a list") << QByteArray("a,b") << false;
        QTest::newRow("an end of line") << QByteArray("a\nb") << false;
        QTest::newRow("like an option") << QByteArray("-x") << false;
        QTest::newRow("not UTF-8") << QByteArray("a\xff") << false;
    }

    void aTagIsOneWord()
    {
        QFETCH(QByteArray, tag);
        QFETCH(bool, fits);
        QCOMPARE(problemOfTag(tag.toStdString()).empty(), fits);
    }

    void aRunHasATagOnceAndInOrder()
    {
        QCOMPARE(changedTags({ "b", "d" }, { "c", "a", "c", "b" }, { "d", "x" }),
            (Tags { "a", "b", "c" }));
        QCOMPARE(changedTags({ "a" }, { "a" }, { "a" }), Tags { "a" }); // adding wins
        QCOMPARE(tagsIn(textOfTags({ "a", "b" })), (Tags { "a", "b" }));
        QCOMPARE(tagsIn("").size(), std::size_t { 0 });
    }

    void theLogKeepsThemWithItsChecksums()
    {
        const QTemporaryDir folder;
        const std::filesystem::path log = folder.path().toStdString() + "/runs.db";
        RunLogWriter writer(log);
        const RunId run = writeRun(writer, "tagged", 3);
        QCOMPARE(
            writer.changeTags(run, { "seed2", "baseline" }, {}), (Tags { "baseline", "seed2" }));
        QCOMPARE(writer.changeTags(run, { "kept" }, { "seed2", "never" }),
            (Tags { "baseline", "kept" }));
        RunLogReader reader(log);
        QCOMPARE(reader.run(run).tags, (Tags { "baseline", "kept" }));
        QVERIFY(jsonOf(reader.run(run)).dump().find("\"kept\"") != std::string::npos);
        QCOMPARE(textIn(log, "SELECT tags FROM runs"), std::string("baseline kept"));
        QVERIFY(reader.damageInRuns().empty());
        const std::string refused = messageOf([&] { writer.changeTags(run, { "a b" }, {}); });
        QVERIFY2(refused.find("cannot be a tag") != std::string::npos, refused.c_str());
        QVERIFY(!messageOf([&] { writer.changeTags(RunId { 9 }, { "a" }, {}); }).empty());
        QCOMPARE(reader.run(run).tags.size(), std::size_t { 2 });
    }

    void aLogOfAnOlderFormatHasNone()
    {
        const QTemporaryDir folder;
        const std::filesystem::path log = folder.path().toStdString() + "/runs.db";
        makeLogOfFormat5(log);
        QVERIFY(RunLogReader(log).runs().front().tags.empty());
        RunLogWriter(log).changeTags(RunId { 1 }, { "old" }, {});
        QCOMPARE(RunLogReader(log).run(RunId { 1 }).tags, Tags { "old" });
        QVERIFY(RunLogReader(log).damageInRuns().empty());
    }
};

QTEST_GUILESS_MAIN(TestRunTags)
#include "tst_run_tags.moc"
