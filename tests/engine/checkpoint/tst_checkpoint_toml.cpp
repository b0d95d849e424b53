// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_toml.h"

#include "engine/base/error.h"

#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace accrue;
namespace fs = std::filesystem;

class TestCheckpointToml : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path file() const { return fs::path(m_folder.path().toStdString()) / "checkpoint.toml"; }

    QString sentence() const
    {
        try {
            CheckpointToml { file() };
        } catch (const Error& error) {
            return QString::fromUtf8(error.what());
        }
        return {};
    }

    QString sentenceFor(const std::string& toml) const
    {
        std::ofstream(file()) << toml;
        return sentence();
    }

private Q_SLOTS:
    void cleanup() { fs::remove(file()); }

    void keysAreReadByTheirKind()
    {
        QCOMPARE(sentenceFor("format = 2\n[position]\nstep = 7\nseconds = 3\n[a.b]\nname = 'x'\n"),
            QString());
        const CheckpointToml toml(file());
        QCOMPARE(toml.value<std::int64_t>("position.step"), 7);
        QCOMPARE(toml.value<double>("position.seconds"), 3.0);
        QCOMPARE(toml.value<std::string>("a.b.name"), std::string("x"));
        QVERIFY(toml.has("format") && !toml.has("position"));
        QVERIFY_THROWS_EXCEPTION(Error, toml.value<std::int64_t>("a.b.name"));
        QVERIFY_THROWS_EXCEPTION(Error, toml.value<std::string>("nothing"));
    }

    // Destroying the tables of such a key took the whole stack.
    void aKeyOfTooManyPartsIsASentence()
    {
        const std::string key = QByteArray("a.").repeated(300'000).toStdString() + "a";
        QVERIFY(sentenceFor(key + " = 1\nformat = 2\n").contains("is nested too deeply: line 1"));
    }

    void whatIsNoTomlIsASentenceThatNamesTheFile()
    {
        QVERIFY(sentenceFor("format = 2\n]more").contains("checkpoint.toml\" is not TOML: line 2"));
        QVERIFY(sentenceFor("format = 2\né = 1")
                    .endsWith("is not TOML: line 2, é needs quotes around it."));
        QVERIFY(sentenceFor(std::string(8'000'000, '#')).contains("is larger than 1.00 MiB"));
    }

    void whatIsNoFileIsRefusedAtOnce()
    {
        QCOMPARE(::mkfifo(file().c_str(), 0600), 0);
        QVERIFY(sentence().endsWith("checkpoint.toml is a pipe, not a file."));
        fs::remove(file());
        fs::create_symlink("checkpoint.toml", file());
        QVERIFY(sentence().endsWith("Too many levels of symbolic links."));
    }
};

QTEST_GUILESS_MAIN(TestCheckpointToml)
#include "tst_checkpoint_toml.moc"
