// SPDX-License-Identifier: Apache-2.0
#include "engine/base/places.h"

#include "engine/base/error.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

namespace fs = std::filesystem;

class TestPlaces : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void directoriesFollowXdg();
    void relativeXdgDirectoriesAreIgnored();
    void withoutSettingsNothingIsAProblem();
    void settingsAreReadBack();
    void damagedSettingsAreDefaultsAndASentence_data();
    void damagedSettingsAreDefaultsAndASentence();
    void settingsThatCannotBeWrittenThrowNamingTheFile();
    void theRunLogIsTheSettingOrTheDefault();
    void dataDirectoriesAreSearchedFlagFirst();
    void dataSetsAreFetchedIntoAFolderOfTheUser();

private:
    void writeSettings(const std::string& toml);
    fs::path root() const { return m_directory->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestPlaces::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    qputenv("XDG_DATA_HOME", (m_directory->path() + "/data").toUtf8());
    qputenv("XDG_CONFIG_HOME", (m_directory->path() + "/config").toUtf8());
    qputenv("XDG_CACHE_HOME", (m_directory->path() + "/cache").toUtf8());
    qunsetenv("ACCRUE_DATA_DIR");
}

void TestPlaces::writeSettings(const std::string& toml)
{
    fs::create_directories(userConfigDirectory());
    std::ofstream(userConfigDirectory() / "settings.toml") << toml;
}

void TestPlaces::directoriesFollowXdg()
{
    QCOMPARE(userDataDirectory(), root() / "data/accrue");
    QCOMPARE(userConfigDirectory(), root() / "config/accrue");
    QCOMPARE(userCacheDirectory(), root() / "cache/accrue");
    QCOMPARE(userRecipeDirectory(), root() / "data/accrue/recipes");
    QVERIFY(!fs::exists(userDataDirectory()));
}

void TestPlaces::relativeXdgDirectoriesAreIgnored()
{
    const QByteArray home = qgetenv("HOME");
    qputenv("XDG_DATA_HOME", "somewhere");
    qputenv("HOME", m_directory->path().toUtf8());
    const fs::path found = userDataDirectory();
    qputenv("HOME", home);
    QCOMPARE(found, root() / ".local/share/accrue");
}

void TestPlaces::withoutSettingsNothingIsAProblem()
{
    Message problem = Message::plain("of an earlier call");
    const UserSettings settings = readUserSettings(&problem);
    QVERIFY(problem.empty());
    QVERIFY(settings.dataDirectory.empty());
    QVERIFY(settings.runLog.empty());
}

void TestPlaces::settingsAreReadBack()
{
    const UserSettings written { "/data/with \"quotes\"", "/log/runs.db" };
    writeUserSettings(written);
    Message problem;
    const UserSettings read = readUserSettings(&problem);
    QVERIFY2(problem.empty(), problem.english().c_str());
    QCOMPARE(read.dataDirectory, written.dataDirectory);
    QCOMPARE(read.runLog, written.runLog);
    writeUserSettings({ "sets", "" });
    QCOMPARE(readUserSettings().dataDirectory, fs::current_path() / "sets");
}

void TestPlaces::damagedSettingsAreDefaultsAndASentence_data()
{
    QTest::addColumn<QString>("toml");
    QTest::addColumn<QString>("part");
    QTest::newRow("no TOML") << "run_log = = 3"
                             << "settings.toml is not TOML: line 1";
    QTest::newRow("a number") << "\nrun_log = 3"
                              << "line 2: run_log is 3; allowed: an absolute path as text.";
    QTest::newRow("the word of --db") << "run_log = \"none\""
                                      << "line 1: run_log is \"none\"; allowed: an absolute path";
    QTest::newRow("a path of the shell")
        << "data_directory = \"~/sets\""
        << "line 1: data_directory is \"~/sets\"; allowed: an absolute path";
}

void TestPlaces::damagedSettingsAreDefaultsAndASentence()
{
    QFETCH(QString, toml);
    QFETCH(QString, part);
    writeSettings(toml.toStdString());
    Message problem;
    QVERIFY(readUserSettings(&problem).runLog.empty());
    QVERIFY(readUserSettings().dataDirectory.empty());
    QVERIFY2(QString::fromStdString(problem.english()).contains(part), problem.english().c_str());
}

void TestPlaces::settingsThatCannotBeWrittenThrowNamingTheFile()
{
    std::ofstream(root() / "config") << "a file where the folder should be";
    try {
        writeUserSettings({});
        QFAIL("nothing was thrown");
    } catch (const Error& error) {
        QVERIFY2(QString(error.what()).contains("config/accrue"), error.what());
    }
}

void TestPlaces::theRunLogIsTheSettingOrTheDefault()
{
    QCOMPARE(defaultRunLog(), root() / "data/accrue/runs.db");
    writeSettings("run_log = \"/elsewhere/log.db\"\n");
    QCOMPARE(defaultRunLog(), fs::path("/elsewhere/log.db"));
}

void TestPlaces::dataDirectoriesAreSearchedFlagFirst()
{
    using Paths = std::vector<fs::path>;
    QVERIFY(dataDirectories() == Paths { root() / "data/accrue/data" });
    writeSettings("data_directory = \"/from/settings\"\n");
    qputenv("ACCRUE_DATA_DIR", "/from/environment");
    const Paths expected { "/from/flag", "/from/environment", "/from/settings",
        root() / "data/accrue/data" };
    QVERIFY(dataDirectories("/from/flag") == expected);
}

void TestPlaces::dataSetsAreFetchedIntoAFolderOfTheUser()
{
    qputenv("ACCRUE_DATA_DIR", "/from/environment"); // is only searched
    QCOMPARE(downloadDirectory(), root() / "data/accrue/data");
    writeSettings("data_directory = \"/from/settings\"\n");
    QCOMPARE(downloadDirectory(), fs::path("/from/settings"));
    QCOMPARE(downloadDirectory("/from/flag"), fs::path("/from/flag"));
}

QTEST_GUILESS_MAIN(TestPlaces)
#include "tst_places.moc"
