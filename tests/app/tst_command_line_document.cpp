// SPDX-License-Identifier: Apache-2.0
#include "app/arguments.h"
#include "tests/app/command_line_fixture.h"

#include <filesystem>

#include <QRegularExpression>
#include <QtTest>

using namespace accrue;

// docs/command_line.md against the program it describes.
class TestCommandLineDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyCommandHasASectionWithAnExample();
    void everyOptionOfEveryHelpIsThere();
    void everyExitCodeAndEventIsThere();

private:
    QString m_text;
};

void TestCommandLineDocument::initTestCase()
{
    const std::filesystem::path source = qgetenv("ACCRUE_SOURCE").toStdString();
    m_text = QString::fromStdString(readFile(source / "docs/command_line.md"));
    QVERIFY(!m_text.isEmpty());
}

void TestCommandLineDocument::everyCommandHasASectionWithAnExample()
{
    for (const std::string& name : commandNames()) {
        const QString command = QString::fromStdString(name);
        const QRegularExpression heading(
            QStringLiteral("^## .*\\b%1\\b").arg(command), QRegularExpression::MultilineOption);
        QVERIFY2(heading.match(m_text).hasMatch(), name.c_str());
        QVERIFY2(m_text.contains(QStringLiteral("$ accrue %1").arg(command)), name.c_str());
    }
}

void TestCommandLineDocument::everyOptionOfEveryHelpIsThere()
{
    const QRegularExpression option(QStringLiteral("--[a-z]+"));
    for (const std::string& name : commandNames()) {
        const QString help = QString::fromStdString(runAccrue({ name, "--help" }).out);
        QVERIFY(help.contains(QLatin1String("--json")));
        auto match = option.globalMatch(help);
        while (match.hasNext()) {
            const QString word = match.next().captured();
            QVERIFY2(m_text.contains(word), qPrintable(word));
        }
    }
}

void TestCommandLineDocument::everyExitCodeAndEventIsThere()
{
    for (const char* word : { "| 0 |", "| 1 |", "| 2 |", "| 130 |", "| 143 |", "`run_started`",
             "`plan`", "`step`", "`epoch`", "`evaluation`", "`checkpoint`", "`learning_rate`",
             "`paused`", "`resumed`", "`message`", "`run_ended`" })
        QVERIFY2(m_text.contains(QLatin1String(word)), word);
}

QTEST_GUILESS_MAIN(TestCommandLineDocument)
#include "tst_command_line_document.moc"
