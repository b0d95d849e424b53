// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/keys.h"

#include "engine/base/language.h"
#include "engine/experiment/models.h"
#include "engine/experiment/recipe.h"
#include "engine/experiment/registries.h"
#include "engine/experiment/validation.h"

#include <set>
#include <string>
#include <vector>

#include <QRegularExpression>
#include <QTest>

#include "tests/support/key_documents.h"

using namespace accrue;

namespace {

SettingValue valueOf(const Experiment& experiment, const std::string& key)
{
    for (const auto& [name, value] : settingsOf(experiment))
        if (name == key)
            return value;
    return std::string("no such key");
}

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

const KeyInfo& infoOf(const char* key)
{
    return *findKey(key);
}

void addMatches(QStringList& to, QString& from, const char* pattern)
{
    const QRegularExpression expression(QString::fromLatin1(pattern));
    for (const auto& match : expression.globalMatch(from))
        to << match.captured(match.lastCapturedIndex());
    from.remove(expression);
}

// Everything in the words of an error that a person can copy: tables, lists, text in quotes, words
// of a choice, sizes and the ends of a range.
QStringList shownAsAllowed(const KeyInfo& key)
{
    QString words = text(key.allowed.english());
    for (const char* placeholder : { "PADDING", "SIZE", "NUMBER" })
        words.replace(QLatin1String(placeholder), QStringLiteral("4"));
    QStringList shown;
    addMatches(shown, words, R"(\{[^}]*\})");
    addMatches(shown, words, R"(\[[^\]]*\])");
    addMatches(shown, words, "\"[^\"]*\"");
    addMatches(shown, words, R"(\d+(?:[KMGT]i?)?B\b)");
    addMatches(shown, words, R"(\b(?:crop:4|flip|cutout:4|cuda:4)\b)");
    addMatches(shown, words, R"(\b(?:auto|none|corrected|published|measured|first)\b)");
    const bool isChoice =
        key.value.editor == KeyEditor::Choice || key.value.editor == KeyEditor::Switch;
    const bool isNumber =
        key.value.editor != KeyEditor::Suggestions && words.contains(QLatin1String("number"));
    if (isChoice)
        addMatches(shown, words, R"([\w-]+(?=, | or |$))");
    words.remove(QRegularExpression(QStringLiteral(R"((?:above|below) [\d.e+-]+)"))); // left out
    if (isNumber)
        addMatches(shown, words, R"(\b\d[\d.]*(?:e-?\d+)?)");
    return shown;
}

} // namespace

class TestKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKeyIsDescribedOnce();
    void settingsFollowTheTable();
    void silentBatchNumbersAreShownAsTheirDefaults();
    void settingsAreOfTheirOwnType();
    void settingTextIsBareAndExact();
    void bytesAreReadInEveryUnit_data();
    void bytesAreReadInEveryUnit();
    void bytesThatCannotBeAreRefused();
    void aSettingChangesItsKeyOnly_data();
    void aSettingChangesItsKeyOnly();
    void aWrongSettingSaysWhatWasFoundAndWhatIsAllowed_data();
    void aWrongSettingSaysWhatWasFoundAndWhatIsAllowed();
    void whatAMessageShowsAsAllowedCanBeTyped_data();
    void whatAMessageShowsAsAllowedCanBeTyped();
    void everyExampleIsASettingAndARecipe();
    void aListOfTomlValuesNeedsNoBrackets();
    void theKeysOfARowOfARegistryAreKeys();
    void aKeyThatIsNotJudgedChangesMemoryAndStopsAResume();
    void everyTextCanBeTranslated();
    void whatNothingReadsSaysWhy();
    void aSettingIsTakenInTheFormThatItsMessageShows_data();
    void aSettingIsTakenInTheFormThatItsMessageShows();
    void whatStandsForAValueIsTranslated();
    void aBareSettingIsTakenAsItStands();
    void aMessageQuotesLittle();
};

void TestKeys::everyKeyIsDescribedOnce()
{
    std::set<std::string> seen;
    for (const KeyInfo& info : experimentKeys()) {
        QVERIFY2(seen.insert(info.key).second, info.key.c_str());
        QVERIFY2(!info.allowed.empty() && !info.fallback.empty(), info.key.c_str());
        QVERIFY2(!info.help.empty() && info.help.back() == '.', info.key.c_str());
        QVERIFY2(info.help.find('`') == std::string::npos, info.key.c_str()); // a tooltip
        QVERIFY2(!info.label.empty(), info.key.c_str());
        QVERIFY2(info.key == "name" || info.section != KeySection::Name, info.key.c_str());
    }
    QCOMPARE(seen.size(), experimentKeys().size());
}

void TestKeys::settingsFollowTheTable()
{
    const Settings settings = settingsOf({});
    QCOMPARE(settings.size(), experimentKeys().size());
    for (std::size_t i = 0; i < settings.size(); ++i) {
        QCOMPARE(settings[i].first, experimentKeys()[i].key);
        QVERIFY(settingOf(Experiment {}, settings[i].first) == settings[i].second);
    }
    QVERIFY(!settingOf(Experiment {}, "no.such.key"));
}

void TestKeys::silentBatchNumbersAreShownAsTheirDefaults()
{
    QVERIFY(valueOf({}, "batch.effective") == SettingValue(std::string("auto")));
    QVERIFY(valueOf({}, "batch.micro") == SettingValue(std::int64_t { 32 }));
    QVERIFY(valueOf({}, "batch.steps") == SettingValue(std::int64_t { 4 }));
    QVERIFY(valueOf({}, "batch.devices") == SettingValue(std::int64_t { 1 }));
    Experiment asked;
    asked.batch.micro = BatchNumber::solved();
    QVERIFY(valueOf(asked, "batch.micro") == SettingValue(std::string("auto")));
}

void TestKeys::settingsAreOfTheirOwnType()
{
    QVERIFY(valueOf({}, "data.shuffle") == SettingValue(true));
    QVERIFY(valueOf({}, "run.epochs") == SettingValue(std::int64_t { 10 }));
    QVERIFY(valueOf({}, "run.seed") == SettingValue(std::int64_t { 1 }));
    QVERIFY(valueOf({}, "optimizer.lr") == SettingValue(0.01));
    QVERIFY(valueOf({}, "model.name") == SettingValue(std::string("lenet5")));
    QVERIFY(valueOf({}, "run.evaluate_every") == SettingValue(std::string("1 epoch")));
    QVERIFY(valueOf({}, "run.threads") == SettingValue(std::string("auto")));
}

void TestKeys::settingTextIsBareAndExact()
{
    QCOMPARE(text(shownSetting(std::string())), QStringLiteral("none"));
    QCOMPARE(text(shownSetting(0.5)), QStringLiteral("0.5"));
    QCOMPARE(text(settingText(false)), QStringLiteral("false"));
    QCOMPARE(text(settingText(std::int64_t { -7 })), QStringLiteral("-7"));
    QCOMPARE(text(settingText(0.1)), QStringLiteral("0.1"));
    QCOMPARE(text(settingText(std::string("1 epoch"))), QStringLiteral("1 epoch"));
}

void TestKeys::bytesAreReadInEveryUnit_data()
{
    QTest::addColumn<QString>("written");
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("GiB") << "4GiB" << (qint64 { 4 } << 30) << "4GiB";
    QTest::newRow("space") << "4 GiB" << (qint64 { 4 } << 30) << "4GiB";
    QTest::newRow("half") << "1.5GiB" << (qint64 { 3 } << 29) << "1536MiB";
    QTest::newRow("thousands") << "2GB" << qint64 { 2'000'000'000 } << "1953125KiB";
    QTest::newRow("odd") << "1001 B" << qint64 { 1001 } << "1001B";
    QTest::newRow("TiB") << "1TiB" << (qint64 { 1 } << 40) << "1TiB";
    QTest::newRow("MB") << "500MB" << qint64 { 500'000'000 } << "500000000B";
}

void TestKeys::bytesAreReadInEveryUnit()
{
    QFETCH(QString, written);
    QFETCH(qint64, bytes);
    QFETCH(QString, shown);
    Experiment experiment;
    QVERIFY(applySetting(experiment, "memory.budget=" + written.toStdString()).empty());
    QCOMPARE(experiment.memory.budget.value().count, bytes);
    QCOMPARE(text(settingText(valueOf(experiment, "memory.budget"))), shown);
}

void TestKeys::bytesThatCannotBeAreRefused()
{
    for (const char* written : { "4", "4Gib", "GiB", "4 GiB and more", "-1GiB", "0B", "inf GiB",
             "1e300GiB", "2000TiB", "nan B", "0.2B" }) {
        Experiment experiment;
        const std::string setting = std::string("memory.budget=") + written;
        const Findings findings = applySetting(experiment, setting);
        const Findings later = findings.empty() ? validate(experiment) : findings;
        QVERIFY2(hasErrors(later), written);
        QVERIFY2(text(later.front().message.english()).contains("bytes with a unit"), written);
    }
}

void TestKeys::aSettingChangesItsKeyOnly_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* key, const char* value) {
        QTest::newRow(key) << QString::fromUtf8(key) << QString::fromUtf8(value);
    };
    row("name", "a = b"); // only the first '=' divides
    row("data.name", "mnist");
    row("data.path", "0001"); // text that looks like a number stays text
    row("data.image_size", "64");
    row("data.fit", "letterbox");
    row("data.test", "0.2");
    row("data.unreadable", "skip");
    row("data.validation", "0.1");
    row("data.normalize", "mean 0.5 std 0.25");
    row("data.augment", "crop:4, flip, cutout:8");
    row("data.shuffle", "false");
    row("model.name", "mlp");
    row("model.norm", "group");
    row("model.groups", "2");
    row("model.widths", "256, 128");
    row("model.stem", "cifar");
    row("model.init", "normal");
    row("model.init_sigma", "0.5");
    row("model.init_from", "weights/lenet5.safetensors");
    row("model.batchnorm_momentum", "corrected");
    row("model.batchnorm_window", "true");
    row("model.batchnorm_precise", "true");
    row("batch.effective", "128");
    row("batch.micro", "auto");
    row("batch.steps", "8");
    row("batch.devices", "auto");
    row("batch.devices", "all");
    row("batch.reduction", "sum");
    row("batch.tail", "carry");
    row("batch.schedule", "1 from epoch 0, 4 from epoch 4");
    row("optimizer.name", "adamw");
    row("optimizer.lr", "2"); // a whole number is a number
    row("optimizer.momentum", "0.5");
    row("optimizer.nesterov", "true");
    row("optimizer.dampening", "0.1");
    row("optimizer.weight_decay", "1e-05");
    row("optimizer.beta1", "0.8");
    row("optimizer.beta2", "0.9");
    row("optimizer.amsgrad", "true");
    row("optimizer.alpha", "0.9");
    row("optimizer.centered", "true");
    row("optimizer.eps", "1e-06");
    row("optimizer.decay_norm_and_bias", "false");
    row("optimizer.clip_norm", "1");
    row("optimizer.clip_value", "0.5");
    row("optimizer.ema", "0.999");
    row("optimizer.lr_rule", "sqrt");
    row("schedule.name", "cosine");
    row("schedule.final_factor", "0.1");
    row("schedule.every", "500 steps");
    row("schedule.milestones", "30 epochs, 60 epochs");
    row("schedule.gamma", "0.2");
    row("schedule.peak_share", "0.5");
    row("schedule.warmup_steps", "100");
    row("schedule.warmup_epochs", "1");
    row("run.epochs", "3");
    row("run.limit_steps", "20");
    row("run.seed", "7");
    row("run.device", "cuda:1");
    row("run.threads", "2");
    row("run.precision", "float64");
    row("run.deterministic", "true");
    row("run.tf32", "true");
    row("run.memory_format", "channels_last");
    row("run.evaluate_every", "500 steps");
    row("run.evaluation_batch", "64");
    row("run.not_finite", "skip");
    row("checkpoint.every", "2 epochs");
    row("checkpoint.keep", "5");
    row("checkpoint.best", "false");
    row("memory.metering", "full");
    row("memory.budget", "4GiB");
    row("trace.parameters", "conv1.weight");
    row("trace.update_ratio", "true");
    row("trace.histograms", "2 epochs");
}

void TestKeys::aSettingChangesItsKeyOnly()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    Experiment experiment;
    QVERIFY(applySetting(experiment, (key + '=' + value).toStdString()).empty());
    const Settings before = settingsOf({});
    const Settings after = settingsOf(experiment);
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (text(after[i].first) == key)
            QCOMPARE(text(settingText(after[i].second)), value);
        else
            QVERIFY2(after[i] == before[i], after[i].first.c_str());
    }
    QVERIFY(!(experiment == Experiment {}));
}

void TestKeys::aWrongSettingSaysWhatWasFoundAndWhatIsAllowed_data()
{
    QTest::addColumn<QString>("assignment");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* assignment, const char* message) {
        QTest::newRow(assignment) << QString::fromUtf8(assignment) << QString::fromUtf8(message);
    };
    row("batch.micro=2.5",
        "batch.micro is 2.5; allowed: whole number from 1 to 1000000000, or auto.");
    row("batch.micro=16.0",
        "batch.micro is 16.0; allowed: whole number from 1 to 1000000000, or auto.");
    row("batch.micro=many",
        "batch.micro is many; allowed: whole number from 1 to 1000000000, or auto.");
    row("batch.micro=",
        "batch.micro is empty; allowed: whole number from 1 to 1000000000, or auto.");
    row("run.epochs=99999999999999999999",
        "run.epochs is 99999999999999999999; allowed: whole number from 1 to 1000000000.");
    row("run.seed=-1", "run.seed is -1; allowed: whole number from 0 to 9223372036854775807.");
    row("optimizer.lr=0,1", "optimizer.lr is 0,1; allowed: number above 0, at most 1e9.");
    row("optimizer.lr=0.1x", "optimizer.lr is 0.1x; allowed: number above 0, at most 1e9.");
    row("optimizer.nesterov=yes", "optimizer.nesterov is yes; allowed: true or false.");
    row("model.widths=256,wide",
        "model.widths is 256,wide; allowed: list of 1 to 32 whole numbers from 1 to 65536.");
    for (const char* size : { "64x48", "64,48,3", "[64]", "64," })
        row((std::string("data.image_size=") + size).c_str(),
            ("data.image_size is " + std::string(size)
                + "; allowed: whole number from 1 to 4096, height and width such as [64, 96], or "
                  "auto.")
                .c_str());
    for (const char* span : { "often", "1 week", "none", "" })
        row((std::string("trace.histograms=") + span).c_str(),
            ("trace.histograms is " + std::string(*span ? span : "empty")
                + "; allowed: text such as \"1 epoch\", \"500 steps\" or \"10 minutes\", at most "
                  "1000000000 of them, or off.")
                .c_str());
    row("data.fit=fill", "data.fit is fill; allowed: stretch, crop or letterbox.");
    row("data.unreadable=ignore", "data.unreadable is ignore; allowed: refuse or skip.");
    row("data.validation=half",
        "data.validation is half; allowed: whole number of samples from 0 to 1000000000, or a "
        "share below 1 such as 0.1.");
    for (const char* normalize :
        { "often", "mean 0.5", "std 0.5 mean 0.5", "mean 0.5 std x", "0.5", "" })
        row((std::string("data.normalize=") + normalize).c_str(),
            ("data.normalize is " + std::string(*normalize ? normalize : "empty")
                + "; allowed: auto, published, measured or {mean = [0.5], std = [0.25]}, one to "
                  "three each, deviations from 1e-6 to 1e6.")
                .c_str());
    for (const char* augment : { "crop", "crop:0", "crop:-1", "crop:4.5", "flip:2", "flip, flip",
             "crop:4, crop:4", "mixup", "cutout:", "crop:4 flip" })
        row((std::string("data.augment=") + augment).c_str(),
            ("data.augment is " + std::string(augment)
                + "; allowed: list of crop:PADDING, flip and cutout:SIZE, each once, PADDING and "
                  "SIZE from 1 to 1024.")
                .c_str());
    row("batch.schedule=4 from day 1",
        "batch.schedule is 4 from day 1; allowed: list of at most 64 such as {from_epoch = 0, "
        "steps = 4} or {from_step = 0, steps = 4}, ascending from 0 to at most 10000000.");
    row("model.norm=btach", "model.norm is btach; allowed: none, batch, group, layer or instance.");
    row("model.batchnorm_momentum=correct",
        "model.batchnorm_momentum is correct; allowed: number above 0, at most 1, or corrected.");
    row("run.evaluate_every=1 week",
        "run.evaluate_every is 1 week; allowed: text such as \"1 epoch\", \"500 steps\" or \"10 "
        "minutes\", at most 1000000000 of them.");
    row("schedule.milestones=2 epochs, 5",
        "schedule.milestones is 2 epochs, 5; allowed: list of at most 64 texts such as \"30 "
        "epochs\" or \"500 steps\"; no minutes.");
    row("batch.mirco=3", "batch.mirco is an unknown key; did you mean batch.micro?");
    row("lr=3", "lr is an unknown key; did you mean optimizer.lr?");
    row("optimiser.lr=3", "optimiser.lr is an unknown key; did you mean optimizer.lr?");
    row("training.momentum=1",
        "training.momentum is an unknown key; did you mean optimizer.momentum?");
    row("wholly.different=3",
        "wholly.different is an unknown key; docs/recipes.md lists all keys.");
    row("model.depth=18", "model.depth is an unknown key; docs/recipes.md lists all keys.");
    row("batch.micro",
        "A setting has the form key=value, for example batch.micro=16; found batch.micro.");
    row("=3", "A setting has the form key=value, for example batch.micro=16; found =3.");
}

void TestKeys::aWrongSettingSaysWhatWasFoundAndWhatIsAllowed()
{
    QFETCH(QString, assignment);
    QFETCH(QString, message);
    Experiment experiment;
    const Findings findings = applySetting(experiment, assignment.toStdString());
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(text(findings.front().message.english()), message);
    QVERIFY(experiment == Experiment {});
}

void TestKeys::whatAMessageShowsAsAllowedCanBeTyped_data()
{
    QTest::addColumn<QString>("key");
    for (const KeyInfo& key : experimentKeys())
        QTest::newRow(key.key.c_str()) << text(key.key);
}

void TestKeys::whatAMessageShowsAsAllowedCanBeTyped()
{
    QFETCH(QString, key);
    const KeyInfo& info = infoOf(key.toUtf8().constData());
    const QStringList shown = shownAsAllowed(info);
    QVERIFY2(!shown.isEmpty() || info.value.isPlainText, info.allowed.english().c_str());
    for (const QString& typed : shown) {
        Experiment experiment;
        const Findings findings =
            applySetting(experiment, (key + QLatin1Char('=') + typed).toStdString());
        QVERIFY2(
            findings.empty(), findings.empty() ? "" : findings.front().message.english().c_str());
        QVERIFY2(!rangeFinding(experiment, info), qPrintable(typed));
    }
    for (const KeyChoice& choice : info.choices) {
        Experiment experiment;
        QVERIFY(applySetting(experiment, info.key + "=" + choice.value).empty());
    }
}

void TestKeys::everyExampleIsASettingAndARecipe()
{
    for (const KeyInfo& info : experimentKeys()) {
        const std::vector<std::string> examples = documentOf(info.key).examples;
        QVERIFY2(!examples.empty(), info.key.c_str());
        for (const std::string& toml : examples) {
            const Recipe recipe = parseRecipe(info.key + " = " + toml, "example");
            QVERIFY2(recipe.lines.count(info.key) == 1, toml.c_str());
            Experiment set;
            QVERIFY2(applySetting(set, info.key + "=" + toml).empty(), toml.c_str());
            QCOMPARE(text(settingText(settingOf(set, info.key).value())),
                text(settingText(settingOf(recipe.experiment, info.key).value())));
        }
    }
}

void TestKeys::aListOfTomlValuesNeedsNoBrackets()
{
    Experiment experiment;
    for (const char* setting : { "schedule.milestones=\"30 epochs\", \"60 epochs\"",
             "batch.schedule={from_epoch = 0, steps = 1}, {from_epoch = 4, steps = 4}",
             "data.augment=\"crop:4, flip\"", "model.widths=1_000, 0x10",
             "data.image_size=0x40, 0x40" })
        QVERIFY2(applySetting(experiment, setting).empty(), setting);
    QCOMPARE(experiment.schedule.milestones.size(), 2u);
    QCOMPARE(experiment.batch.schedule.size(), 2u);
    QCOMPARE(experiment.data.augment, (AugmentSettings { 4, true, 0 }));
    QCOMPARE(experiment.model.widths, (std::vector<std::int64_t> { 1000, 16 }));
    QVERIFY(applySetting(experiment, "model.widths=1_000").empty());
    QCOMPARE(experiment.model.widths, std::vector<std::int64_t> { 1000 });
    QVERIFY(applySetting(experiment, "name=\"a\", \"b\"").empty());
    QCOMPARE(experiment.name, std::string("\"a\", \"b\"")); // of text it is part
}

void TestKeys::theKeysOfARowOfARegistryAreKeys()
{
    const auto areKeys = [](const auto& table, const std::string& section) {
        for (std::size_t row = 0; row < table.size(); ++row) {
            if (static_cast<std::size_t>(table[row].name) != row) // the order of the enumeration
                return false;
            for (const std::string_view key : table[row].keys)
                if (findKey(section + std::string(key)) == nullptr)
                    return false;
        }
        return true;
    };
    QVERIFY(areKeys(dataSetTable(), "data."));
    QVERIFY(areKeys(modelTable(), "model."));
    QVERIFY(areKeys(optimizerTable(), "optimizer."));
    QVERIFY(areKeys(scheduleTable(), "schedule."));
}

void TestKeys::aKeyThatIsNotJudgedChangesMemoryAndStopsAResume()
{
    const KeyInfo info {};
    QCOMPARE(info.memory, MemoryEffect::WhereSet);
    QCOMPARE(info.change, KeyChange::Never);
    QVERIFY(info.conditions.empty());
}

// In English the functions give the table's own texts; in other languages they find a code.
void TestKeys::everyTextCanBeTranslated()
{
    for (const KeyInfo& info : experimentKeys()) {
        QCOMPARE(labelOf(info), info.label);
        QCOMPARE(helpOf(info), info.help);
        QCOMPARE(hintOf(info), info.hint);
        for (const KeyChoice& choice : info.choices)
            QCOMPARE(titleOf(info, choice), choice.title);
        QVERIFY2(!info.allowed.code().empty(), info.key.c_str());
        for (const KeyCondition& condition : info.conditions)
            QVERIFY2(!condition.whyNot.code().empty(), info.key.c_str());
    }
}

void TestKeys::whatNothingReadsSaysWhy()
{
    const auto why = [](const char* key) {
        const KeyCondition* unmet = unmetCondition(infoOf(key), {});
        return unmet == nullptr ? QString() : text(unmet->whyNot.english());
    };
    QCOMPARE(why("optimizer.momentum"), QString());
    QCOMPARE(why("optimizer.beta1"),
        QStringLiteral("it is used only with optimizer.name = \"adam\" or \"adamw\""));
    QCOMPARE(why("schedule.final_factor"),
        QStringLiteral(
            "it is used only with schedule.name = \"cosine\", \"linear\" or \"onecycle\""));
    QCOMPARE(why("model.widths"), QStringLiteral("it is used only with model.name = \"mlp\""));
    QVERIFY(!why("data.path").isEmpty());
}

void TestKeys::aSettingIsTakenInTheFormThatItsMessageShows_data()
{
    QTest::addColumn<QString>("assignment");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* assignment, const char* shown) {
        QTest::newRow(assignment) << QString::fromUtf8(assignment) << QString::fromUtf8(shown);
    };
    row("data.normalize={mean = [0.37], std = [0.29]}", "mean 0.37 std 0.29");
    row("data.augment=[\"crop:4\",\"flip\"]", "crop:4, flip");
    row("data.augment=[]", "");
    row("model.widths=[256, 128]", "256, 128");
    row("batch.schedule=[{from_epoch = 0, steps = 1}]", "1 from epoch 0");
    row("schedule.milestones=[\"30 epochs\"]", "30 epochs");
    row("schedule.every=\"2 epochs\"", "2 epochs");
    row("run.evaluate_every=\"500 steps\"", "500 steps");
    row("optimizer.name=\"adam\"", "adam");
    row("batch.micro=\"auto\"", "auto");
    row("memory.budget=\"4GiB\"", "4GiB");
    row("batch.micro=0x10", "16");
    row("batch.micro= 1_000", "1000");
    row("name=\"b 32\"", "b 32");
    row("data.path=\"/a b\"", "/a b");
    row("model.init_from=\"x\"", "x");
    row("trace.parameters=\"first\"", "first");
}

void TestKeys::aSettingIsTakenInTheFormThatItsMessageShows()
{
    QFETCH(QString, assignment);
    Experiment experiment;
    const Findings findings = applySetting(experiment, assignment.toStdString());
    QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.english().c_str());
    const std::string key = assignment.section('=', 0, 0).toStdString();
    QTEST(text(settingText(settingOf(experiment, key).value())), "shown");
}

void TestKeys::whatStandsForAValueIsTranslated()
{
    Experiment experiment;
    const Message empty = applySetting(experiment, "batch.micro=").front().message;
    const Message date = parseRecipe("batch.micro = 1979-05-27", "x").findings.front().message;
    const Message section = parseRecipe("[batch.micro]\n", "x").findings.front().message;
    const Language* chinese = findLanguage("zh_CN");
    QVERIFY(chinese != nullptr);
    setLanguage(*chinese);
    const QStringList shown { text(empty.text()), text(date.text()), text(section.text()) };
    setLanguage(languages().front());
    QVERIFY2(shown[0].startsWith("batch.micro 为 空"), qPrintable(shown[0]));
    QVERIFY2(shown[1].startsWith("batch.micro 为 日期或时间"), qPrintable(shown[1]));
    QVERIFY2(shown[2].startsWith("batch.micro 为 一个节"), qPrintable(shown[2]));
}

void TestKeys::aBareSettingIsTakenAsItStands()
{
    Experiment experiment;
    QVERIFY(applyBareSetting(experiment, "name", "\"b 32\"").empty());
    QCOMPARE(experiment.name, std::string("\"b 32\""));
    QVERIFY(!applyBareSetting(experiment, "optimizer.name", "\"adam\"").empty());
}

void TestKeys::aMessageQuotesLittle()
{
    Experiment experiment;
    for (const std::string& setting :
        { std::string(100'000, 'k') + "=1", "batch.micro=" + std::string(100'000, 'x'),
            "data.augment=[\"" + std::string(100'000, 'x') + "\"]", std::string(100'000, 'x') })
        QVERIFY(applySetting(experiment, setting).front().message.english().size() < 400);
    std::string widths;
    for (int i = 0; i < 100'000; ++i)
        widths += "8, ";
    const Recipe recipe = parseRecipe("model.widths = [" + widths + "]", "x");
    QVERIFY(recipe.findings.front().message.english().size() < 400);
}

QTEST_GUILESS_MAIN(TestKeys)
#include "tst_keys.moc"
