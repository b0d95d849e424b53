// SPDX-License-Identifier: Apache-2.0
#include "ui/run/log_host.h"

#include "run_log_fixture.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "engine/base/language.h"
#include "engine/runlog/run_log_reader.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"

#include <chrono>
#include <fstream>
#include <future>
#include <memory>

#include <unistd.h>

using namespace accrue;

class TestLogHost : public QObject {
    Q_OBJECT
private:
    std::filesystem::path file(const char* name = "runs.db") const
    {
        return m_folder->filePath(QString::fromLatin1(name)).toStdString();
    }

    // A log with one run.
    std::filesystem::path logOfOne(const char* name = "runs.db") const
    {
        RunLogWriter log(file(name));
        writeExampleRun(log, { .experiment = exampleExperiments(1).front(), .steps = 5 });
        return file(name);
    }

    static RunRecord only(const std::filesystem::path& log)
    {
        return RunLogReader(log).runs(RunLogReader::Archived::Show).at(0);
    }

    static std::shared_ptr<RunLogWriter> writerOf(LogHost& host)
    {
        return std::async(std::launch::async, [&host] { return host.writer(); }).get();
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aProblemIsToldInTheLanguageOfTheWindowAndWithoutOptions()
    {
        const std::filesystem::path log = file("foreign.db");
        std::ofstream(log) << "not a database, but longer than nothing";
        QVERIFY(LogHost::problemOf(log).endsWith(QStringLiteral("Name another file.")));
        setLanguage(*findLanguage("zh_CN"));
        const QString chinese = LogHost::problemOf(log);
        setLanguage(languages().front());
        QVERIFY2(chinese.endsWith(QStringLiteral("请指定其他文件。")), qPrintable(chinese));
    }

    void aLogThatMayOnlyBeReadSaysWhy()
    {
        QCOMPARE(LogHost::whyNotWritable(file("not-there.db")), QString());
        const std::filesystem::path log = logOfOne();
        QCOMPARE(LogHost::whyNotWritable(log), QString());
        std::filesystem::permissions(log, std::filesystem::perms(0444));
        std::filesystem::permissions(log.parent_path(), std::filesystem::perms(0555));
        const bool wasRoot = geteuid() == 0;
        QVERIFY(!wasRoot || setresuid(65534, 65534, 0) == 0); // root may write everywhere
        const QString why = LogHost::whyNotWritable(log);
        QVERIFY(!wasRoot || setresuid(0, 0, 0) == 0);
        std::filesystem::permissions(log.parent_path(), std::filesystem::perms(0755));
        QVERIFY2(why.contains(QStringLiteral("cannot be written")), qPrintable(why));
        QVERIFY2(why.contains(QStringLiteral("It can be viewed")), qPrintable(why));
        QVERIFY2(!why.contains(QStringLiteral("--db")), qPrintable(why));
    }

    void theLogIsMadeWhenItIsFirstWritten()
    {
        LogHost host(file());
        QVERIFY(!std::filesystem::exists(file()));
        writerOf(host);
        QVERIFY(std::filesystem::exists(file()));
    }

    void everybodyGetsTheSameWriter()
    {
        LogHost host(file());
        QCOMPARE(writerOf(host), writerOf(host));
    }

    void changesAreWrittenInTheOrderAsked()
    {
        const std::filesystem::path log = logOfOne();
        {
            LogHost host(log);
            host.rename(RunId { 1 }, QStringLiteral("first"));
            host.rename(RunId { 1 }, QStringLiteral("sécond"));
            host.setNote(RunId { 1 }, QStringLiteral("a note"));
            host.changeTags(RunId { 1 }, { "kept", "gone" }, {});
            host.changeTags(RunId { 1 }, {}, { "gone" });
            host.setArchived(RunId { 1 }, true);
        } // everything is committed when it has been destroyed
        QCOMPARE(only(log).name, std::string("sécond"));
        QCOMPARE(only(log).note, std::string("a note"));
        QCOMPARE(only(log).tags, std::vector<std::string> { "kept" });
        QVERIFY(only(log).archived);
    }

    void aChangeGoesToTheLogThatWasOpenWhenItWasAsked()
    {
        const std::filesystem::path one = logOfOne("one.db");
        const std::filesystem::path other = logOfOne("other.db");
        {
            LogHost host(one);
            host.rename(RunId { 1 }, QStringLiteral("in one"));
            host.switchTo(other);
            QCOMPARE(host.file(), other);
            host.rename(RunId { 1 }, QStringLiteral("in the other"));
        }
        QCOMPARE(only(one).name, std::string("in one"));
        QCOMPARE(only(other).name, std::string("in the other"));
    }

    void aChangeThatFailsIsToldByTheNameOfTheLog()
    {
        LogHost host(m_folder->path().toStdString()); // a directory
        QStringList problems;
        connect(&host, &LogHost::changeFailed, this,
            [&problems](const QString& problem) { problems << problem; });
        host.rename(RunId { 1 }, QStringLiteral("new"));
        QTRY_COMPARE(problems.size(), 1);
        QVERIFY2(problems.first().contains(m_folder->path()), qPrintable(problems.first()));
    }

    void anUpgradeThatTakesLongTellsHowFarItIs_data()
    {
        QTest::addColumn<int>("patience");
        QTest::addColumn<bool>("told");
        QTest::newRow("longer than the patience") << 0 << true;
        QTest::newRow("not so long") << 3'600'000 << false;
    }

    void anUpgradeThatTakesLongTellsHowFarItIs()
    {
        QFETCH(const int, patience);
        QFETCH(const bool, told);
        makeLogOfFormat5(file());
        QElapsedTimer clock;
        clock.start();
        LogHost host(file(), std::chrono::milliseconds(patience));
        QStringList messages;
        connect(&host, &LogHost::upgrading, this,
            [&messages](const QString& message) { messages << message; });
        writerOf(host);
        QTest::qWait(0); // what the other thread sent
        QCOMPARE(!messages.isEmpty(), told);
        QVERIFY(messages.size() <= 1 + clock.elapsed() / 5000); // the next one is due after 5 s
        if (told)
            QVERIFY2(QRegularExpression("^.+: \\d.* % done\\. This can take a while\\.$")
                         .match(messages.first())
                         .hasMatch(),
                qPrintable(messages.first()));
    }

    void whatASinkBorrowsLivesAsLongAsTheWriter()
    {
        std::promise<bool> writerWasGone;
        LogHost host(file());
        const std::weak_ptr<RunLogWriter> writer = writerOf(host);
        host.keepUntilClosed(
            std::shared_ptr<void>(this, [&](void*) { writerWasGone.set_value(writer.expired()); }));
        QVERIFY(!writer.expired());
        host.switchTo(file("other.db"));
        QVERIFY(writerWasGone.get_future().get());
    }
};

QTEST_GUILESS_MAIN(TestLogHost)
#include "tst_log_host.moc"
