// SPDX-License-Identifier: Apache-2.0
#include "engine/base/language.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/registries.h"
#include "engine/report/comparison_rows.h"
#include "engine/runs/run_keys.h"
#include "tests/support/translation_codes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <QtTest>

using namespace accrue;

namespace {

// By code, what the program shows in the language that is set.
using Texts = std::map<std::string, std::string>;

void addIfThere(
    Texts& texts, const std::string& code, const std::string& english, std::string shown)
{
    if (!english.empty())
        texts.emplace(code, std::move(shown));
}

void addKey(Texts& texts, const KeyInfo& key)
{
    const std::string code = "key." + key.key + ".";
    addIfThere(texts, code + "label", key.label, labelOf(key));
    addIfThere(texts, code + "help", key.help, helpOf(key));
    addIfThere(texts, code + "hint", key.hint, hintOf(key));
    for (const KeyChoice& choice : key.choices)
        addIfThere(texts, code + choice.value, choice.title, titleOf(key, choice));
    if (key.allowed.code().starts_with("key."))
        texts.emplace(key.allowed.code(), key.allowed.text());
}

void addRegistries(Texts& texts)
{
    for (const DataSetInfo& set : dataSetTable())
        if (set.folder != nullptr) {
            const std::string code = "key.data.path." + std::string(set.word);
            texts[code] = translated(code, set.folder);
        }
}

void addMetrics(Texts& texts, const std::vector<MetricInfo>& metrics)
{
    for (const MetricInfo& metric : metrics)
        texts.emplace(titleOf(metric).code(), titleOf(metric).text());
}

void addMemory(Texts& texts)
{
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        texts.emplace(codeOfWord("category", memoryCategoryName(category)), categoryText(category));
    }
    // What owns memory and is neither a layer nor a parameter, as the log names it.
    for (const std::string owner :
        { "train pictures", "train labels", "test pictures", "test labels", "validation pictures",
            "validation labels", "order of samples", "gradients", "pictures", "labels" })
        texts.emplace(codeOfWord("owner", owner), ownerText(owner));
    for (const MemoryPhase phase : { MemoryPhase::Data, MemoryPhase::Forward, MemoryPhase::Backward,
             MemoryPhase::Optimizer, MemoryPhase::Evaluation })
        texts.emplace(codeOfWord("phase", nameOf(phase)), phaseText(phase));
}

void addStates(Texts& texts)
{
    RunRecord run;
    for (const RunState state : { RunState::Queued, RunState::Running, RunState::Paused,
             RunState::Finished, RunState::Interrupted, RunState::Unknown }) {
        run.state = state;
        texts.emplace(codeOfWord("state", conditionName(run)), conditionText(run));
    }
    run.state = RunState::Finished;
    for (const RunOutcome outcome : { RunOutcome::Completed, RunOutcome::Stopped,
             RunOutcome::Diverged, RunOutcome::OutOfMemory, RunOutcome::Failed }) {
        run.outcome = outcome;
        texts.emplace(codeOfWord("state", conditionName(run)), conditionText(run));
    }
}

const MessageArgument* wordsOf(const Message& help)
{
    return help.arguments().empty() ? nullptr : &help.arguments().front();
}

// The words that a table supplies are in no translation.
std::string withHole(const Message& help)
{
    QString text = QString::fromStdString(help.text());
    if (const MessageArgument* words = wordsOf(help)) {
        const auto* list = std::get_if<Message>(&words->value);
        const std::string shown =
            list != nullptr ? list->text() : std::get<std::string>(words->value);
        if (!shown.empty())
            text.replace(QString::fromStdString(shown), QStringLiteral("{words}"));
    }
    return text.toStdString();
}

std::string codeOfSummary(const ShippedRecipe& recipe)
{
    return "recipe." + recipe.name + ".summary";
}

void addRecipes(Texts& texts)
{
    for (const ShippedRecipe& recipe : shippedRecipes())
        texts.emplace(
            codeOfSummary(recipe), summaryText(recipe.name, parseRecipe(recipe.toml, recipe.name)));
}

Texts textsOfTables()
{
    Texts texts;
    for (const KeyInfo& key : experimentKeys())
        addKey(texts, key);
    addRegistries(texts);
    for (const RunKey& key : runKeys())
        texts.emplace(key.help.code(), withHole(key.help));
    addMetrics(texts, metrics());
    addMetrics(texts, tracedMetrics());
    addMemory(texts);
    addStates(texts);
    addRecipes(texts);
    return texts;
}

bool isOfTable(const std::string& code)
{
    const auto tables = { "key.", "filter.", "metric.", "category.", "owner.", "phase.", "state." };
    const bool isSummary = code.starts_with("recipe.") && code.ends_with(".summary");
    return isSummary || std::any_of(tables.begin(), tables.end(), [&](const char* table) {
        return code.starts_with(table);
    });
}

QString lines(const std::set<std::string>& codes)
{
    QString text;
    for (const std::string& code : codes)
        text += QString::fromStdString(code) + QLatin1Char('\n');
    return text;
}

} // namespace

// messages.py holds the messages of the sources against the translations; it cannot see the codes
// that are made from the rows of a table.
class TestTranslations : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setLanguage(languages().front()); }

    void everyTextOfATableIsTranslated_data() { addLanguages(); }
    void everyTextOfATableIsTranslated()
    {
        const Language& language = chosenLanguage();
        setLanguage(language);
        std::set<std::string> missing;
        for (const auto& [code, shown] : textsOfTables()) {
            const std::string* translation = findTranslation(language, code);
            if (translation == nullptr || *translation != shown)
                missing.insert(code);
        }
        QCOMPARE(lines(missing), QString());
    }

    // A new norm or data set then needs no edit of a translation.
    void filtersTakeTheirWordsFromTables_data() { addLanguages(); }
    void filtersTakeTheirWordsFromTables()
    {
        const Language& language = chosenLanguage();
        setLanguage(language);
        std::size_t found = 0;
        for (const RunKey& key : runKeys()) {
            const std::string* translation = findTranslation(language, key.help.code());
            const bool isListed = withHole(key.help).find("{words}") != std::string::npos;
            QCOMPARE(translation->find("{words}") != std::string::npos, isListed);
            found += isListed ? 1 : 0;
        }
        QCOMPARE(found, std::size_t { 6 }); // data, model, norm, optimizer, state, outcome
    }

    void noTranslationIsLeftOver_data() { addLanguages(); }
    void noTranslationIsLeftOver()
    {
        const Texts texts = textsOfTables();
        std::set<std::string> unused;
        for (const std::string& code : test::codesOf(chosenLanguage()))
            if (isOfTable(code) && texts.count(code) == 0)
                unused.insert(code);
        QCOMPARE(lines(unused), QString());
    }

    // Their English is in the tables; a second text in en.toml would be one to keep equal.
    void englishHasNoTextOfATable()
    {
        for (const std::string& code : test::codesOf(languages().front()))
            QVERIFY2(!isOfTable(code) && !code.starts_with("tr:"), code.c_str());
    }

private:
    static void addLanguages()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 1; i < languages().size(); ++i)
            QTest::newRow(std::string(languages()[i].id).c_str()) << static_cast<int>(i);
    }
    static const Language& chosenLanguage()
    {
        QFETCH(int, index);
        return languages()[static_cast<std::size_t>(index)];
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
