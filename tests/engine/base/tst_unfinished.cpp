// SPDX-License-Identifier: Apache-2.0
#include "engine/base/unfinished.h"

#include <chrono>
#include <fstream>
#include <string>

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace accrue;
namespace fs = std::filesystem;

class TestUnfinished : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachHasANameOfItsOwn()
    {
        const Unfinished one(folder() / "b.csv");
        const Unfinished other(folder() / "b.csv");
        QVERIFY(one.path() != other.path());
        const QRegularExpression form(
            QStringLiteral("^b\\.csv\\.writing-%1-[0-9a-f]{8}$").arg(getpid()));
        for (const Unfinished* file : { &one, &other }) {
            const QString name = QString::fromStdString(file->path().filename().string());
            QVERIFY2(form.match(name).hasMatch(), qPrintable(name));
            QCOMPARE(file->path().parent_path(), folder());
        }
    }

    void whatAnotherOfTheSameIdWritesStays()
    {
        const Unfinished theirs(folder() / "a");
        std::ofstream(theirs.path()) << "half";
        const Unfinished ours(folder() / "a");
        QVERIFY(fs::exists(theirs.path()));
    }

    void removesOnlyOldFilesAndFoldersOfEndedProcesses()
    {
        const std::string dead = endedProcess();
        leave("run.writing-" + dead, 25, /*isFolder=*/true);
        leave("a.csv.writing-" + dead, 25);
        leave("b.csv.writing-" + dead, 23);
        leave("a.csv.writing-" + dead + "-0123cdef", 25);
        leave("a.csv.writing-" + std::to_string(getpid()) + "-0123cdef", 25); // of another day
        leave("b.csv.writing-" + dead + "-0123cdef", 23);
        leave("b.csv.writing-" + dead + "-draft", 25);
        leave("c.csv.writing-1", 25);
        leave("d.csv.writing-", 25);
        leave("e.csv", 25);
        removeUnfinished(folder());
        QCOMPARE(names(),
            QStringList({ "b.csv.writing-" + QString::fromStdString(dead),
                "b.csv.writing-" + QString::fromStdString(dead) + "-0123cdef",
                "b.csv.writing-" + QString::fromStdString(dead) + "-draft", "c.csv.writing-1",
                "d.csv.writing-", "e.csv" }));
    }

    void removesOnlyThoseOfATarget()
    {
        const std::string dead = endedProcess();
        leave("a.csv.writing-" + dead, 25);
        leave("b.csv.writing-" + dead, 25);
        removeUnfinished(folder(), "b.csv");
        QCOMPARE(names(), QStringList { "a.csv.writing-" + QString::fromStdString(dead) });
        removeUnfinished(folder() / "not there");
    }

    void whatWasMadeTakesItsPlaceOrIsRemoved()
    {
        {
            Unfinished given(folder() / "given up");
            std::ofstream(given.path()) << "half";
            Unfinished file(folder() / "a");
            std::ofstream(file.path()) << "whole";
            QVERIFY(file.place());
            Unfinished made(folder() / "b");
            fs::create_directory(made.path());
            std::ofstream(made.path() / "in it") << "whole";
            QVERIFY(made.place());
            Unfinished other(folder() / "c.part", folder() / "none" / "c");
            std::ofstream(other.path()) << "whole";
            QVERIFY(!other.place());
            other.keep();
        }
        QCOMPARE(names(), QStringList({ "a", "b", "c.part" }));
    }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

private:
    static std::string endedProcess()
    {
        QProcess process;
        process.start(QStringLiteral("true"), QStringList());
        process.waitForStarted();
        const std::string id = std::to_string(process.processId());
        process.waitForFinished();
        return id;
    }
    fs::path folder() const { return m_folder->path().toStdString(); }
    void leave(const std::string& name, int hours, bool isFolder = false) const
    {
        const fs::path path = folder() / name;
        if (isFolder)
            fs::create_directory(path);
        std::ofstream(isFolder ? path / "in it" : path) << "half";
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours));
    }
    QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot);
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestUnfinished)
#include "tst_unfinished.moc"
