// SPDX-License-Identifier: Apache-2.0
#include "app/command_table.h"
#include "app/exit_code.h"
#include "engine/events/event_json.h"
#include "engine/experiment/recipe.h"
#include "engine/runs/run_json.h"
#include "tests/app/command_line_fixture.h"

#include <filesystem>
#include <utility>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

template <std::size_t... Index> std::vector<Event> oneOfEach(std::index_sequence<Index...>)
{
    std::vector<Event> events { Event(std::in_place_index<Index>)... };
    events.push_back(Evaluated { .validationLoss = 1, .validationAccuracy = 1 });
    return events;
}

QString inCode(const QString& word)
{
    return QLatin1Char('`') + word + QLatin1Char('`');
}

} // namespace

// Compares docs/command_line.md with the program.
class TestCommandLineDocument : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyCommandHasASectionWithAnExample();
    void everyOptionIsInTheSectionOfItsCommand();
    void everyExitCodeIsThere();
    void everyEventAndFieldOfTrainIsThere();
    void everyFieldOfARunIsThere();
    void everyShippedRecipeIsThere();

private:
    // From a heading that has the word to the next one.
    QString section(const QString& word) const;

    QString m_text;
    QTemporaryDir m_home; // without recipes of the user's own
};

void TestCommandLineDocument::initTestCase()
{
    const std::filesystem::path source = qgetenv("ACCRUE_SOURCE").toStdString();
    m_text = QString::fromStdString(readFile(source / "docs/command_line.md"));
    QVERIFY(!m_text.isEmpty());
    useHome(pathOf(m_home, ""));
}

QString TestCommandLineDocument::section(const QString& word) const
{
    const QRegularExpression wanted(
        QStringLiteral("^## (?:[^\n]*\\s)?%1\\b.*?(?=^## |\\z)").arg(word),
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    return wanted.match(m_text).captured();
}

void TestCommandLineDocument::everyCommandHasASectionWithAnExample()
{
    for (const std::string& name : commandNames()) {
        const QString command = QString::fromStdString(name);
        QVERIFY2(
            section(command).contains(QStringLiteral("$ accrue %1").arg(command)), name.c_str());
    }
}

void TestCommandLineDocument::everyOptionIsInTheSectionOfItsCommand()
{
    const QRegularExpression option(QStringLiteral("(?<=[\\s,])--?[a-z]+"));
    for (const std::string& name : commandNames()) {
        const QString help = QString::fromStdString(runAccrue({ name, "--help" }).out);
        const QString text = section(QString::fromStdString(name));
        QVERIFY(help.contains(QLatin1String("--json")));
        auto match = option.globalMatch(help.left(help.indexOf(QLatin1String("Example"))));
        while (match.hasNext()) {
            const QString word = match.next().captured();
            const bool asksForHelp = word == QLatin1String("--help") || word == QLatin1String("-h");
            const QRegularExpression whole(word + QStringLiteral("\\b"));
            QVERIFY2(asksForHelp || text.contains(whole), qPrintable(word + " of " + name.c_str()));
        }
    }
}

void TestCommandLineDocument::everyExitCodeIsThere()
{
    const QString text = section(QStringLiteral("Exit codes"));
    for (const int code :
        { kExitDone, kExitFailed, kExitWrongInput, kExitInterrupted, kExitTerminated })
        QVERIFY2(
            text.contains(QStringLiteral("\n| %1 |").arg(code)), qPrintable(QString::number(code)));
}

void TestCommandLineDocument::everyEventAndFieldOfTrainIsThere()
{
    const QString text = section(QStringLiteral("train"));
    const auto all = std::make_index_sequence<std::variant_size_v<Event>>();
    for (const Event& event : oneOfEach(all))
        for (const std::string& line : linesOf(toJsonLines(event))) {
            const QJsonObject object =
                QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
            QString fields = object.value(QLatin1String("event")).toString();
            const auto row = text.indexOf(
                QRegularExpression(QStringLiteral("^\\| (?:`[a-z_]+`, )*`%1`").arg(fields),
                    QRegularExpression::MultilineOption));
            QVERIFY2(row >= 0, qPrintable(fields));
            const QString told = text.mid(row, text.indexOf(QLatin1Char('\n'), row) - row);
            for (const QString& key : object.keys())
                QVERIFY2(key == QLatin1String("event") || told.contains(inCode(key)),
                    qPrintable(key + " of " + fields));
        }
}

void TestCommandLineDocument::everyFieldOfARunIsThere()
{
    const QString text = section(QStringLiteral("list"));
    RunRecord record;
    record.finalValidationLoss = record.finalValidationAccuracy = 1;
    record.data.trainDigest = record.data.validationDigest = "known";
    const QJsonObject run =
        QJsonDocument::fromJson(QByteArray::fromStdString(jsonOf(record).dump())).object();
    QVERIFY(run.size() > 20);
    for (const QString& key : run.keys()) {
        QVERIFY2(text.contains(inCode(key)), qPrintable(key));
        if (key == QLatin1String("settings"))
            continue; // the keys of recipes, docs/recipes.md
        for (const QString& inner : run.value(key).toObject().keys())
            QVERIFY2(text.contains(inCode(inner)), qPrintable(key + "." + inner));
    }
}

void TestCommandLineDocument::everyShippedRecipeIsThere()
{
    const QString text = section(QStringLiteral("recipes"));
    const std::string listed = runAccrue({ "recipes", "--json" }).out;
    const QJsonArray all = QJsonDocument::fromJson(QByteArray::fromStdString(listed)).array();
    for (const auto& each : all) {
        const QString name = each.toObject().value(QLatin1String("name")).toString();
        const QString summary = each.toObject().value(QLatin1String("summary")).toString();
        const QRegularExpression row(
            QStringLiteral("\n *%1 .*%2").arg(name, QRegularExpression::escape(summary.left(30))));
        QVERIFY2(text.contains(row), qPrintable(name + ": " + summary.left(30)));
    }
}

QTEST_GUILESS_MAIN(TestCommandLineDocument)
#include "tst_command_line_document.moc"
