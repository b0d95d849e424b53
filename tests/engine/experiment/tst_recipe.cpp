// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

#include "engine/base/error.h"

#include "engine/base/places.h"
#include "engine/experiment/batch_plan.h"
#include "engine/experiment/registries.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace accrue;

namespace fs = std::filesystem;

namespace {

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

fs::path pathOf(const QTemporaryDir& directory, const char* file)
{
    return fs::path(directory.path().toStdString()) / file;
}

QString firstMessage(const Recipe& recipe)
{
    return recipe.findings.empty() ? QString() : text(recipe.findings.front().message.english());
}

// ---- random experiments ----

double drawNumber()
{
    const auto bits = *rc::gen::arbitrary<std::uint64_t>();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    // Small ones as people write them; anything finite, whole numbers beyond 64 bits among them.
    return *rc::gen::arbitrary<bool>() || !std::isfinite(value)
        ? static_cast<double>(bits % 1000) / 100
        : value;
}

std::int64_t drawWhole()
{
    return *rc::gen::oneOf(
        rc::gen::arbitrary<std::int64_t>(), rc::gen::inRange<std::int64_t>(0, 1000));
}

BatchNumber drawBatchNumber()
{
    const int kind = *rc::gen::inRange(0, 3);
    if (kind == 2)
        return BatchNumber::given(drawWhole());
    return kind == 1 ? BatchNumber::solved() : BatchNumber {};
}

std::optional<std::int64_t> drawWholeOrAuto()
{
    return *rc::gen::arbitrary<bool>() ? std::optional(drawWhole()) : std::nullopt;
}

// Any character that TOML can hold, quotes, tabs and other scripts among them.
std::string drawText()
{
    const auto characters = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("a", "Z", "7", " ", "\"", "\\", "'", "\n", "\t", "\x7f",
            "\x01", "#", "=", "[", "]", "é", "日", "$", "`", ".", "\r\n", "{", "\U0001f600"));
    std::string drawn;
    for (const std::string& character : characters)
        drawn += character;
    return drawn;
}

template <typename Choice> Choice drawChoice(int count)
{
    return static_cast<Choice>(*rc::gen::inRange(0, count));
}

bool drawBool()
{
    return *rc::gen::arbitrary<bool>();
}

Span drawSpan()
{
    return { drawNumber(), drawChoice<Span::Unit>(3) };
}

Normalization drawNormalization()
{
    Normalization drawn { drawChoice<Normalization::Kind>(4), {}, {} };
    if (drawn.kind == Normalization::Kind::Given) {
        drawn.mean = { drawNumber(), drawNumber() };
        drawn.stddev = { drawNumber() };
    }
    return drawn;
}

HeldOut drawHeldOut()
{
    return drawBool() ? HeldOut { drawWhole(), 0 } : HeldOut { 0, drawNumber() };
}

Experiment drawExperiment()
{
    Experiment e;
    e.name = drawText();
    e.data.name = drawChoice<DataName>(7);
    e.data.path = drawText();
    if (drawBool())
        e.data.imageSize = PictureSize { drawWhole(), drawWhole() };
    e.data.fit = drawChoice<PictureFit>(3);
    e.data.unreadable = drawChoice<Unreadable>(2);
    e.data.test = drawHeldOut();
    e.data.validation = drawHeldOut();
    e.data.normalize = drawNormalization();
    e.data.augment = { *rc::gen::inRange(0, 9), drawBool(), *rc::gen::inRange(0, 9) };
    e.data.shuffle = drawBool();
    e.model.name = drawChoice<ModelName>(5);
    e.model.norm = drawChoice<Norm>(5);
    e.model.groups = drawWholeOrAuto();
    e.model.widths = { drawWhole(), drawWhole(), drawWhole() };
    e.model.init = drawChoice<Initialisation>(2);
    e.model.initSigma = drawNumber();
    e.model.stem = drawChoice<Stem>(2);
    e.model.initFrom = drawText();
    e.model.batchnormMomentum =
        drawBool() ? BatchNormMomentum::correctedOne() : BatchNormMomentum { drawNumber() };
    e.model.batchnormWindow = drawBool();
    e.model.batchnormPrecise = drawBool();
    e.batch.effective = drawBatchNumber();
    e.batch.micro = drawBatchNumber();
    e.batch.steps = drawBatchNumber();
    e.batch.devices = drawBool() ? drawBatchNumber() : BatchNumber::all();
    e.batch.reduction = drawChoice<Reduction>(2);
    e.batch.tail = drawChoice<Tail>(3);
    for (int entry = *rc::gen::inRange(0, 3); entry > 0; --entry)
        e.batch.schedule.push_back({ drawChoice<StepsFrom::Unit>(2), drawWhole(), drawWhole() });
    e.optimizer.lrRule = drawChoice<LrRule>(3);
    e.optimizer.name = drawChoice<OptimizerName>(static_cast<int>(optimizerTable().size()));
    e.optimizer.lr = drawNumber();
    e.optimizer.momentum = drawNumber();
    e.optimizer.nesterov = drawBool();
    e.optimizer.dampening = drawNumber();
    e.optimizer.weightDecay = drawNumber();
    e.optimizer.beta1 = drawNumber();
    e.optimizer.beta2 = drawNumber();
    e.optimizer.amsgrad = drawBool();
    e.optimizer.alpha = drawNumber();
    e.optimizer.centered = drawBool();
    e.optimizer.eps = drawNumber();
    e.optimizer.decayNormAndBias = drawBool();
    e.optimizer.clipNorm = drawNumber();
    e.optimizer.clipValue = drawNumber();
    e.optimizer.ema = drawNumber();
    e.schedule.name = drawChoice<ScheduleName>(static_cast<int>(scheduleTable().size()));
    e.schedule.finalFactor = drawNumber();
    e.schedule.every = drawSpan();
    e.schedule.milestones = { drawSpan(), drawSpan() };
    e.schedule.gamma = drawNumber();
    e.schedule.peakShare = drawNumber();
    e.schedule.warmupSteps = drawWhole();
    e.schedule.warmupEpochs = drawWhole();
    e.run.epochs = drawWhole();
    e.run.limitSteps = drawWhole();
    e.run.seed = *rc::gen::arbitrary<std::uint64_t>() >> 1;
    e.run.device = drawText();
    e.run.threads = drawWholeOrAuto();
    e.run.precision = drawChoice<Precision>(4);
    e.run.deterministic = drawBool();
    e.run.tf32 = drawBool();
    e.run.memoryFormat = drawChoice<MemoryFormat>(3);
    e.run.evaluateEvery = drawSpan();
    e.run.evaluationBatch = drawWhole();
    e.checkpoint.every = { drawNumber(), drawChoice<Span::Unit>(3) };
    e.checkpoint.keep = drawWhole();
    e.checkpoint.best = drawBool();
    e.memory.metering = drawChoice<Metering>(3);
    if (drawBool())
        e.memory.budget = Bytes { drawWhole() };
    e.trace.parameters = drawText();
    e.trace.updateRatio = drawBool();
    e.trace.histograms = drawBool() ? std::optional(drawSpan()) : std::nullopt;
    e.run.notFinite = drawChoice<NotFinite>(2);
    return e;
}

} // namespace

class TestRecipe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRecipeIsReadWithLinesAndSummary();
    void theNameDefaultsToTheFilesStem();
    void aFileMayBeCalledWhatNoNameCanHold();
    void aKeyMayBeDottedOrInItsSection();
    void badTomlGivesOneFindingEach_data();
    void badTomlGivesOneFindingEach();
    void allFindingsComeAtOnceInTheOrderOfTheFile();
    void textThatIsNotTomlNamesLineAndColumn();
    void anyBytesAreReadWithoutHarm();
    void aKeyOfTooManyPartsIsRefusedBeforeItIsTaken_data();
    void aKeyOfTooManyPartsIsRefusedBeforeItIsTaken();
    void dotsInTextAndCommentsAreNoParts();
    void whatIsWrittenReadsBackTheSame();
    void theDefaultsAreWrittenAsLittle();
    void aFileThatCannotBeReadIsAFinding();
    void aPipeIsReadWhileSomebodyWritesToIt();
    void aFileBeyondOneMebibyteIsAFinding();
    void savingReplacesTheFileWhole();
    void savingWhereItCannotThrowsNamingTheFile();
    void shippedRecipesAreWithoutFindings();
    void theShippedRecipesAreTheFilesOfTheRepository();
    void aRecipeIsFoundShippedThenOwnThenByPath();
    void anUnknownRecipeNamesThePlacesSearched();
    void aMistypedRecipeNamesTheNearest();
    void ownRecipesAreTheFilesThatCanBeRead();
};

void TestRecipe::init()
{
    qputenv("XDG_DATA_HOME", "/nonexistent");
}

void TestRecipe::aRecipeIsReadWithLinesAndSummary()
{
    const Recipe recipe = parseRecipe("# SPDX-License-Identifier: Apache-2.0\n"
                                      "# What it shows,\r\n"
                                      "#   in two lines.\n"
                                      "\n"
                                      "# not this\n"
                                      "[batch]\n"
                                      "micro = 16\n"
                                      "effective = \"auto\"\n",
        "folder/my-run.toml");
    QVERIFY(recipe.findings.empty());
    QCOMPARE(text(recipe.summary), QStringLiteral("What it shows, in two lines."));
    QVERIFY(recipe.experiment.batch.micro == BatchNumber::given(16));
    QVERIFY(recipe.experiment.batch.effective == BatchNumber::solved());
    QVERIFY(recipe.experiment.batch.steps == BatchNumber {});
    QCOMPARE(recipe.lines.at("batch.micro"), 7);
    QCOMPARE(recipe.lines.at("batch.effective"), 8);
    QCOMPARE(recipe.lines.size(), 2u);
}

void TestRecipe::theNameDefaultsToTheFilesStem()
{
    QCOMPARE(parseRecipe("", "folder/my-run.toml").experiment.name, std::string("my-run"));
    QCOMPARE(parseRecipe("", "my-run").experiment.name, std::string("my-run"));
    QCOMPARE(parseRecipe("name = \"other\"", "my-run.toml").experiment.name, std::string("other"));
}

void TestRecipe::aFileMayBeCalledWhatNoNameCanHold()
{
    const Recipe recipe = parseRecipe("", "folder/b\xff\n\u00e9\xc3.toml");
    QCOMPARE(text(recipe.experiment.name), QStringLiteral("b??\u00e9?"));
    QVERIFY(recipe.findings.empty());
    const Recipe longer = parseRecipe("", "folder/" + std::string(240, 'b') + ".toml");
    QCOMPARE(longer.experiment.name, std::string(199, 'b') + "…");
    QVERIFY(longer.findings.empty());
}

void TestRecipe::aKeyMayBeDottedOrInItsSection()
{
    const Recipe dotted = parseRecipe("batch.micro = 8\nrun.epochs = 3\n", "x");
    const Recipe sections = parseRecipe("[run]\nepochs = 3\n[batch]\nmicro = 8\n", "x");
    const Recipe inlined = parseRecipe("run = { epochs = 3 }\nbatch = { micro = 8 }\n", "x");
    QVERIFY(dotted.findings.empty() && sections.findings.empty() && inlined.findings.empty());
    QVERIFY(dotted.experiment == sections.experiment);
    QVERIFY(dotted.experiment == inlined.experiment);
    QVERIFY(parseRecipe("[run]\n[batch]\n", "x").findings.empty());
}

void TestRecipe::badTomlGivesOneFindingEach_data()
{
    QTest::addColumn<QString>("toml");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* toml, int line, const char* key, const char* message) {
        QTest::newRow(toml) << QString::fromUtf8(toml) << line << QString::fromUtf8(key)
                            << QString::fromUtf8(message);
    };
    const char* whole = "; allowed: whole number from 1 to 1000000000, or auto.";
    const auto micro = [whole](const char* found) {
        return std::string("batch.micro is ") + found + whole;
    };
    row("[batch]\nmicor = 3", 2, "batch.micor",
        "batch.micor is an unknown key; did you mean batch.micro?");
    row("[bacth]\nmicro = 3", 2, "bacth.micro",
        "bacth.micro is an unknown key; did you mean batch.micro?");
    row("[zzzzzzzz]", 1, "zzzzzzzz", "zzzzzzzz is an unknown key; docs/recipes.md lists all keys.");
    row("[data]\nmixing = []", 2, "data.mixing",
        "data.mixing is an unknown key; docs/recipes.md lists all keys.");
    row("\"batch.micro\" = 3", 1, "\"batch.micro\"",
        "\"batch.micro\" is an unknown key; did you mean batch.micro?");
    row("batch = 3", 1, "batch", "batch is 3; allowed: a section, [batch].");
    row("\n[[batch]]\nmicro = 3", 2, "batch", "batch is [a section]; allowed: a section, [batch].");
    row("batch.micro = 2.5", 1, "batch.micro", micro("2.5").c_str());
    row("batch.micro = 32.0", 1, "batch.micro", micro("32.0").c_str());
    row("batch.micro = \"32\"", 1, "batch.micro", micro("\"32\" (text)").c_str());
    row("batch.micro = [32]", 1, "batch.micro", micro("[32]").c_str());
    row("batch.micro = true", 1, "batch.micro", micro("true").c_str());
    row("batch.micro = 1979-05-27", 1, "batch.micro", micro("a date or time").c_str());
    row("[batch.micro]\n", 1, "batch.micro", micro("a section").c_str());
    row("batch.micro = 0", 1, "batch.micro", micro("0").c_str());
    row("batch.micro = -5", 1, "batch.micro", micro("-5").c_str());
    row("[batch]\neffective = 3\ndevices = 4", 3, "batch.devices",
        "batch.devices is 4, but an effective batch of 3 samples has none for some of them; "
        "allowed: at most 3, or a larger batch.effective.");
    row("optimizer.lr = \"0.1\"", 1, "optimizer.lr",
        "optimizer.lr is \"0.1\" (text); allowed: number above 0, at most 1e9.");
    row("optimizer.lr = inf", 1, "optimizer.lr",
        "optimizer.lr is inf; allowed: number above 0, at most 1e9.");
    row("data.name = \"cifar\"", 1, "data.name",
        "data.name is \"cifar\"; allowed: digits, mnist, fashion-mnist, cifar10, cifar100, idx or "
        "images.");
    row("data.normalize = {mean = [0.5]}", 1, "data.normalize",
        "data.normalize is {mean = [0.5]}; allowed: auto, published, measured or {mean = [0.5], "
        "std = [0.25]}, one to three each, deviations from 1e-6 to 1e6.");
    row("data.normalize = {mean = [0.5], std = [0]}", 1, "data.normalize",
        "data.normalize is {mean = [0.5], std = [0.0]}; allowed: auto, published, measured or "
        "{mean = [0.5], std = [0.25]}, one to three each, deviations from 1e-6 to 1e6.");
    row("data.augment = \"flip\"", 1, "data.augment",
        "data.augment is \"flip\" (text); allowed: list of crop:PADDING, flip and cutout:SIZE, "
        "each "
        "once, PADDING and SIZE from 1 to 1024.");
    row("data.shuffle = 1", 1, "data.shuffle", "data.shuffle is 1; allowed: true or false.");
    row("run.evaluate_every = 3", 1, "run.evaluate_every",
        "run.evaluate_every is 3; allowed: text such as \"1 epoch\", \"500 steps\" or \"10 "
        "minutes\", at most 1000000000 of them.");
    row("name = \"two\\nlines\"", 1, "name",
        "name is \"two\\u000Alines\"; allowed: one line of text, at most 200 characters.");
    row("batch.effective = 128\nbatch.micro = 32\nbatch.steps = 3", 3, "batch.steps",
        "128 samples in micro-batches of 32 need 4 steps, not 3. Allowed: batch.steps = 4, "
        "batch.micro = 43 or "
        "batch.effective = 96, or auto for any one of the three.");
}

void TestRecipe::badTomlGivesOneFindingEach()
{
    QFETCH(QString, toml);
    const Recipe recipe = parseRecipe(toml.toStdString(), "bad.toml");
    QCOMPARE(recipe.findings.size(), 1u);
    const Finding& finding = recipe.findings.front();
    QVERIFY(finding.severity == Finding::Severity::Error);
    QTEST(text(finding.message.english()), "message");
    QTEST(text(finding.key), "key");
    QTEST(finding.line, "line");
}

void TestRecipe::allFindingsComeAtOnceInTheOrderOfTheFile()
{
    const Recipe recipe = parseRecipe("[model]\nnorm = \"btach\"\n[optimizer]\nlr = -1\nlrr = 1\n"
                                      "[run]\nepochs = 0\nseed = 1.5\n",
        "bad.toml");
    QStringList found;
    for (const Finding& finding : recipe.findings)
        found << QStringLiteral("%1:%2").arg(finding.line).arg(text(finding.key));
    QCOMPARE(found,
        QStringList(
            { "2:model.norm", "4:optimizer.lr", "5:optimizer.lrr", "7:run.epochs", "8:run.seed" }));
}

void TestRecipe::textThatIsNotTomlNamesLineAndColumn()
{
    const Recipe recipe =
        parseRecipe("name = \"x\"\nthis is a letter, not a recipe\n", "letter.txt");
    QCOMPARE(recipe.findings.size(), 1u);
    QCOMPARE(recipe.findings.front().line, 2);
    QVERIFY(!recipe.readable);
    QVERIFY(parseRecipe("seed = 4\nno.such.key = 1", "typo").readable);
    QVERIFY2(firstMessage(recipe).startsWith("letter.txt is not TOML: line 2, column 6: "),
        qPrintable(firstMessage(recipe)));
    QVERIFY(firstMessage(recipe).endsWith('.'));
    QVERIFY(hasErrors(parseRecipe("batch.micro = 1\nbatch.micro = 2\n", "twice").findings));
    QVERIFY(hasErrors(parseRecipe("run.epochs = 99999999999999999999", "large").findings));
    QCOMPARE(parseRecipe("memory.budget = \"99999999999999999999GiB\"", "large").findings.size(),
        std::size_t { 1 });
    QVERIFY(hasErrors(parseRecipe(std::string(5000, '['), "deep").findings));
}

void TestRecipe::anyBytesAreReadWithoutHarm()
{
    QVERIFY(rc::check("bytes", [](const std::string& bytes) {
        for (const Finding& finding : parseRecipe(bytes, "bytes").findings)
            RC_ASSERT(!finding.message.english().empty());
    }));
}

// Destroying the tables of such a key took the whole stack.
void TestRecipe::aKeyOfTooManyPartsIsRefusedBeforeItIsTaken_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<int>("line");
    QTest::newRow("section") << QByteArray("# one\n[") << 2;
    QTest::newRow("list of sections") << QByteArray("\n\n[[") << 3;
    QTest::newRow("key") << QByteArray() << 1;
    QTest::newRow("within a value") << QByteArray("x = [ { y = 'it.s', ") << 1;
    QTest::newRow("behind quotes in text") << QByteArray("x = [\"\"\"a\"\"\"\"\", { ") << 1;
}

void TestRecipe::aKeyOfTooManyPartsIsRefusedBeforeItIsTaken()
{
    QFETCH(QByteArray, before);
    QFETCH(int, line);
    const QByteArray toml = before + QByteArray("a.").repeated(400'000) + "a";
    const Recipe recipe = parseRecipe(toml.toStdString(), "deep.toml");
    QVERIFY(!recipe.readable);
    QCOMPARE(recipe.findings.size(), 1u);
    QCOMPARE(recipe.findings.front().line, line);
    QCOMPARE(firstMessage(recipe),
        QStringLiteral("deep.toml is nested too deeply: line %1, a key of more than 16 parts.")
            .arg(line));
}

void TestRecipe::dotsInTextAndCommentsAreNoParts()
{
    const std::string dots(40, '.');
    const Recipe recipe = parseRecipe("# " + dots + "\nname = \"" + dots + "\\\"" + dots + "\" # "
            + dots + "\ndata.path = '''\n" + dots + "'" + dots + "'''\n",
        "x");
    QCOMPARE(recipe.findings.size(), 1u);
    QCOMPARE(text(recipe.findings.front().key), QStringLiteral("data.path")); // no effect on digits
}

void TestRecipe::whatIsWrittenReadsBackTheSame()
{
    QVERIFY(rc::check("parseRecipe(writeRecipe(e)) == e", [] {
        const Experiment experiment = drawExperiment();
        const Recipe back = parseRecipe(writeRecipe(experiment), "other-name");
        RC_ASSERT(back.experiment == experiment);
    }));
}

void TestRecipe::theDefaultsAreWrittenAsLittle()
{
    Experiment experiment;
    experiment.name = "plain";
    QCOMPARE(text(writeRecipe(experiment)), QStringLiteral("name = \"plain\"\n"));
    experiment.batch.micro = BatchNumber::given(32); // the default, but set explicitly
    experiment.optimizer.lr = 1;
    experiment.run.device = "cuda:1";
    QCOMPARE(text(writeRecipe(experiment)),
        QStringLiteral("name = \"plain\"\n\n[batch]\nmicro = 32\n\n[optimizer]\nlr = 1.0\n\n[run]\n"
                       "device = \"cuda:1\"\n"));
}

void TestRecipe::aFileThatCannotBeReadIsAFinding()
{
    const QTemporaryDir directory;
    const fs::path missing = pathOf(directory, "missing.toml");
    QCOMPARE(firstMessage(readRecipe(missing)), text(missing.string() + " does not exist."));
    QVERIFY(!readRecipe(missing).readable);
    QVERIFY(!findRecipe("no-such-recipe").readable);
    const fs::path folder = directory.path().toStdString();
    QCOMPARE(firstMessage(readRecipe(folder)), text(folder.string() + " is a folder, not a file."));
    const fs::path locked = pathOf(directory, "locked.toml");
    std::ofstream(locked) << "name = \"locked\"\n";
    fs::permissions(locked, fs::perms::none);
    const bool isRoot = ::geteuid() == 0; // root reads every file, so another user reads it
    constexpr uid_t kNobody = 65534;
    if (isRoot)
        QCOMPARE(::seteuid(kNobody), 0);
    const QString message = firstMessage(readRecipe(locked));
    if (isRoot)
        QCOMPARE(::seteuid(0), 0);
    QVERIFY2(
        message.endsWith("locked.toml cannot be read: Permission denied."), qPrintable(message));
}

void TestRecipe::aPipeIsReadWhileSomebodyWritesToIt()
{
    const QTemporaryDir directory;
    const fs::path pipe = pathOf(directory, "pipe.toml");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QCOMPARE(firstMessage(readRecipe(pipe)),
        text(pipe.string() + " is a pipe that no process writes to."));
    std::thread writer([&pipe] {
        std::ofstream stream(pipe); // waits for the reader
        stream << "run.epochs" << std::flush;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stream << " = 3\n";
    });
    const Recipe recipe = readRecipe(pipe);
    writer.join();
    QCOMPARE(recipe.experiment.run.epochs, 3);
}

void TestRecipe::aFileBeyondOneMebibyteIsAFinding()
{
    const QTemporaryDir directory;
    const fs::path file = pathOf(directory, "large.toml");
    std::ofstream(file) << std::string(1024 * 1024, '#');
    QVERIFY(readRecipe(file).findings.empty());
    std::ofstream(file, std::ios::app) << "#";
    QVERIFY2(firstMessage(readRecipe(file)).contains("large.toml is larger than 1.00 MiB"),
        qPrintable(firstMessage(readRecipe(file))));
    QVERIFY(hasErrors(readRecipe("/dev/zero").findings));
}

void TestRecipe::savingReplacesTheFileWhole()
{
    const QTemporaryDir directory;
    const fs::path file = pathOf(directory, "saved.toml");
    std::ofstream(file) << std::string(5000, '#');
    Experiment experiment;
    experiment.name = "saved";
    experiment.run.epochs = 3;
    saveRecipe(experiment, file);
    const Recipe back = readRecipe(file);
    QVERIFY(back.findings.empty());
    QVERIFY(back.experiment == experiment);
    const auto entries = fs::directory_iterator(file.parent_path());
    QCOMPARE(std::distance(fs::begin(entries), fs::end(entries)), 1); // no temporary file is left
}

void TestRecipe::savingWhereItCannotThrowsNamingTheFile()
{
    const QTemporaryDir directory;
    const fs::path file = pathOf(directory, "no-folder/saved.toml");
    try {
        saveRecipe({}, file);
        QFAIL("nothing was thrown");
    } catch (const Error& error) {
        QVERIFY2(text(error.what()).contains(text(file.string())), error.what());
        QVERIFY2(text(error.what()).contains(text("No such file or directory")), error.what());
    }
}

void TestRecipe::shippedRecipesAreWithoutFindings()
{
    QCOMPARE(shippedRecipes().size(), 18u);
    QCOMPARE(shippedRecipes().front().name, std::string(kFirstRunRecipe));
    for (const ShippedRecipe& shipped : shippedRecipes()) {
        const Recipe recipe = findRecipe(shipped.name);
        QVERIFY2(recipe.findings.empty(), shipped.name.c_str());
        QCOMPARE(recipe.experiment.name, shipped.name);
        QVERIFY2(recipe.summary.size() > 40, shipped.name.c_str());
        QVERIFY(solveBatch(recipe.experiment).plan.has_value());
    }
}

void TestRecipe::theShippedRecipesAreTheFilesOfTheRepository()
{
    const fs::path folder = fs::path(qgetenv("ACCRUE_SOURCE").toStdString()) / "experiments";
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        files += entry.path().extension() == ".toml" ? 1 : 0;
    QCOMPARE(files, shippedRecipes().size());
    for (const ShippedRecipe& shipped : shippedRecipes()) {
        std::ifstream file(folder / (shipped.name + ".toml"));
        const std::string toml(std::istreambuf_iterator<char>(file), {});
        QCOMPARE(text(shipped.toml), text(toml));
    }
}

void TestRecipe::aRecipeIsFoundShippedThenOwnThenByPath()
{
    const QTemporaryDir directory;
    qputenv("XDG_DATA_HOME", directory.path().toUtf8());
    fs::create_directories(userRecipeDirectory());
    std::ofstream(userRecipeDirectory() / "mine.toml") << "run.epochs = 3\n";
    std::ofstream(userRecipeDirectory() / "first-run.toml") << "run.epochs = 77\n";
    QCOMPARE(findRecipe("mine").experiment.run.epochs, 3);
    QCOMPARE(findRecipe("mine.toml").experiment.run.epochs, 3);
    QVERIFY(findRecipe("first-run").experiment.run.epochs != 77);
    const fs::path path = pathOf(directory, "by-path.toml");
    std::ofstream(path) << "run.epochs = 4\n";
    QCOMPARE(findRecipe(path.string()).experiment.run.epochs, 4);
}

void TestRecipe::anUnknownRecipeNamesThePlacesSearched()
{
    const QString message = firstMessage(findRecipe("nothing-like-it"));
    for (const char* part :
        { "nothing-like-it", "first-run", "lenet5-mnist", "/nonexistent/accrue" })
        QVERIFY2(message.contains(part), qPrintable(message));
    QCOMPARE(
        firstMessage(findRecipe("nothing.toml")), QStringLiteral("nothing.toml does not exist."));
    QVERIFY(hasErrors(findRecipe("").findings));
}

void TestRecipe::aMistypedRecipeNamesTheNearest()
{
    QVERIFY(firstMessage(findRecipe("first-runn")).endsWith("; did you mean first-run?"));
    QVERIFY(firstMessage(findRecipe("nothing-like-it")).endsWith(", and no file."));
}

void TestRecipe::ownRecipesAreTheFilesThatCanBeRead()
{
    const QTemporaryDir directory;
    qputenv("XDG_DATA_HOME", directory.path().toUtf8());
    QVERIFY(ownRecipeFiles().empty());
    const fs::path folder = userRecipeDirectory();
    fs::create_directories(folder / "folder.toml");
    std::ofstream(folder / "b.toml") << "\n";
    std::ofstream(folder / "a.toml") << "\n";
    std::ofstream(folder / "notes.txt") << "\n";
    fs::create_symlink(folder / "gone", folder / "dangling.toml");
    QCOMPARE(::mkfifo((folder / "pipe.toml").c_str(), 0600), 0);
    QVERIFY((ownRecipeFiles() == std::vector<fs::path> { folder / "a.toml", folder / "b.toml" }));
    QVERIFY(firstMessage(findRecipe("bb")).endsWith("; did you mean b?"));
}

QTEST_GUILESS_MAIN(TestRecipe)
#include "tst_recipe.moc"
