// SPDX-License-Identifier: Apache-2.0
#include "ui/train/experiment_form.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

#include "engine/experiment/fixes.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"
#include "engine/report/law_store.h"
#include "tests/support/waiting.h"
#include "ui/models/key_words.h"
#include "ui/train/forecast_bar.h"
#include "ui/widgets/folded_part.h"

using namespace accrue;

namespace {

// As if the user had typed it.
void type(ExperimentForm& form, const char* key, const QString& text)
{
    SettingEditor* editor = form.editor(key);
    editor->setText(text);
    Q_EMIT editor->edited();
}

QLineEdit* numberField(ExperimentForm& form, const char* key)
{
    return static_cast<BatchNumberEditor*>(form.editor(key))->edit();
}

bool isSolved(ExperimentForm& form, const char* key)
{
    return static_cast<BatchNumberEditor*>(form.editor(key))->isSolved();
}

void pressEquals(ExperimentForm& form, const char* key)
{
    QTest::mouseClick(static_cast<BatchNumberEditor*>(form.editor(key))->button(), Qt::LeftButton);
}

QLineEdit* fieldOf(ExperimentForm& form, const char* key)
{
    return qobject_cast<QLineEdit*>(form.editor(key)->focusWidgetOfField());
}

// Letter by letter, replacing the earlier text.
void typeLetters(ExperimentForm& form, const char* key, const QString& text)
{
    QLineEdit* field = fieldOf(form, key);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
}

QString markOf(ExperimentForm& form, const char* key)
{
    return form.editor(key)->focusWidgetOfField()->property("finding").toString();
}

void choose(ExperimentForm& form, const char* key, int index)
{
    QComboBox* box = static_cast<ChoiceEditor*>(form.editor(key))->box();
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
}

bool isBatchNumber(ExperimentForm& form, const std::string& key)
{
    return qobject_cast<BatchNumberEditor*>(form.editor(key)) != nullptr;
}

std::vector<QString> textsOf(const ExperimentForm& form)
{
    std::vector<QString> texts;
    texts.reserve(experimentKeys().size());
    for (const KeyInfo& key : experimentKeys())
        texts.push_back(form.editor(key.key)->text());
    return texts;
}

void showInFront(ExperimentForm& form)
{
    form.resize(360, 1400);
    form.show();
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form));
}

DataSetStatus digits()
{
    DataSetStatus status;
    status.name = "digits";
    status.state = DataSetStatus::State::BuiltIn;
    status.trainSamples = 60000;
    return status;
}

Experiment named()
{
    Experiment experiment;
    experiment.name = "named";
    return experiment;
}

// No member has its default.
Experiment unusual()
{
    Experiment experiment;
    experiment.name = "true"; // text that looks like something else
    experiment.data = { DataName::Images, "/data/my set", PictureSize { 64, 96 },
        PictureFit::Letterbox, Unreadable::Skip, { 12, 0 }, { 0, 0.25 },
        { Normalization::Kind::Given, { 0.5 }, { 0.25 } }, { 4, true, 8 }, false };
    experiment.model.name = ModelName::Mlp;
    experiment.model.norm = Norm::Group;
    experiment.model.groups = 4;
    experiment.model.widths = { 256, 128 };
    experiment.model.init = Initialisation::Normal;
    experiment.model.initSigma = 0.05;
    experiment.model.stem = Stem::Cifar;
    experiment.model.initFrom = "/weights/a file.safetensors";
    experiment.model.batchnormMomentum = BatchNormMomentum::correctedOne();
    experiment.model.batchnormWindow = true;
    experiment.model.batchnormPrecise = true;
    experiment.batch.effective = BatchNumber::given(96);
    experiment.batch.micro = BatchNumber::given(24);
    experiment.batch.reduction = Reduction::Sum;
    experiment.batch.tail = Tail::Carry;
    experiment.optimizer.lrRule = LrRule::Linear;
    experiment.optimizer.name = OptimizerName::AdamW;
    experiment.optimizer.lr = 3e-4;
    experiment.optimizer.momentum = 0.8;
    experiment.optimizer.nesterov = true;
    experiment.optimizer.dampening = 0.1;
    experiment.optimizer.weightDecay = 0.01;
    experiment.optimizer.beta1 = 0.85;
    experiment.optimizer.beta2 = 0.99;
    experiment.optimizer.amsgrad = true;
    experiment.optimizer.alpha = 0.95;
    experiment.optimizer.centered = true;
    experiment.optimizer.eps = 1e-7;
    experiment.optimizer.decayNormAndBias = false;
    experiment.optimizer.clipNorm = 1;
    experiment.optimizer.clipValue = 0.5;
    experiment.optimizer.ema = 0.99;
    experiment.schedule.name = ScheduleName::Cosine;
    experiment.schedule.finalFactor = 0.1;
    experiment.schedule.every = { 40, Span::Unit::Steps };
    experiment.schedule.milestones = { { 2, Span::Unit::Epochs }, { 900, Span::Unit::Steps } };
    experiment.schedule.gamma = 0.2;
    experiment.schedule.peakShare = 0.4;
    experiment.schedule.warmupSteps = 20;
    experiment.schedule.warmupEpochs = 1;
    experiment.run.epochs = 3;
    experiment.run.limitSteps = 77;
    experiment.run.seed = 12345;
    experiment.run.device = "cuda:1";
    experiment.run.threads = 2;
    experiment.run.precision = Precision::BFloat16;
    experiment.run.deterministic = true;
    experiment.run.tf32 = true;
    experiment.run.memoryFormat = MemoryFormat::ChannelsLast;
    experiment.run.evaluateEvery = { 50, Span::Unit::Steps };
    experiment.run.evaluationBatch = 256;
    experiment.checkpoint.every = { 2, Span::Unit::Epochs };
    experiment.checkpoint.keep = 5;
    experiment.checkpoint.best = false;
    experiment.memory.metering = Metering::Full;
    experiment.memory.budget = Bytes { std::int64_t { 4 } << 30 };
    experiment.trace.parameters = "fc1.weight";
    experiment.trace.updateRatio = true;
    experiment.trace.histograms = Span { 2, Span::Unit::Epochs };
    experiment.run.notFinite = NotFinite::Skip;
    return experiment;
}

Experiment named(const char* name)
{
    Experiment experiment;
    experiment.name = name;
    return experiment;
}

// 2 MiB and 64 KiB per sample.
MemoryFit someFit()
{
    constexpr std::int64_t kMiB = std::int64_t { 1 } << 20;
    std::vector<MemoryPoint> points;
    for (const std::int64_t micro : { 16, 32, 64, 128 })
        points.push_back({ MemoryPhase::Backward, micro, 2 * kMiB + micro * kMiB / 16 });
    return { .law = fitMemoryLaw(std::move(points), 64),
        .trainSamples = 12'000,
        .totalBytes = 1024 * kMiB,
        .device = "cpu",
        .deviceName = "CPU",
        .torchVersion = "2.11.0" };
}

} // namespace

class TestExperimentForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKeyHasAField()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const KeyInfo& key : experimentKeys())
            QVERIFY2(form.row(key.key) != nullptr, key.key.c_str());
    }

    void whatIsSetIsWhatIsRead()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QVERIFY(draft.experiment() == Experiment {});
        draft.begin(unusual());
        QCOMPARE(writeRecipe(draft.experiment()), writeRecipe(unusual()));
        QVERIFY(draft.experiment() == unusual());
        for (const ShippedRecipe& shipped : shippedRecipes()) {
            const Experiment recipe = parseRecipe(shipped.toml, shipped.name).experiment;
            draft.begin(recipe);
            QVERIFY2(draft.experiment() == recipe, shipped.name.c_str());
        }
    }

    void everyKeyCanBeTyped()
    {
        const Settings wanted = settingsOf(unusual());
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const auto& [key, value] : wanted)
            type(form, key.c_str(), QString::fromStdString(settingText(value)));
        const Settings read = settingsOf(draft.experiment());
        QCOMPARE(read.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(read[i] == wanted[i], wanted[i].first.c_str());
    }

    void aNumberThatCouldNotBeSolvedComesBackAsItLastWas()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        pressEquals(form, "batch.devices");
        type(form, "batch.effective", QStringLiteral("10")); // less than 32 × 4 on any number
        QCOMPARE(numberField(form, "batch.devices")->text(), QStringLiteral("–"));
        pressEquals(form, "batch.steps"); // away from it
        QCOMPARE(numberField(form, "batch.devices")->text(), QStringLiteral("1"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("1"));
    }

    void equalsMakesANumberTheSolvedOne()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        QVERIFY(isSolved(form, "batch.effective"));
        pressEquals(form, "batch.steps");
        QVERIFY(numberField(form, "batch.steps")->isReadOnly());
        QVERIFY(isSolved(form, "batch.steps"));
        QVERIFY(!numberField(form, "batch.effective")->isReadOnly());
        type(form, "batch.effective", QStringLiteral("256"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("8"));
        pressEquals(form, "batch.micro");
        type(form, "batch.steps", QStringLiteral("4"));
        QCOMPARE(numberField(form, "batch.micro")->text(), QStringLiteral("64"));
        QCOMPARE(draft.experiment().batch.micro, BatchNumber::solved());
    }

    void allDevicesAreTakenByAButton()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        auto* devices = static_cast<BatchNumberEditor*>(form.editor("batch.devices"));
        QTest::mouseClick(devices->allButton(), Qt::LeftButton);
        QVERIFY(draft.experiment().batch.devices.isAll());
        QCOMPARE(devices->edit()->text(), QStringLiteral("–")); // the engine is not loaded yet
        QVERIFY(!draft.check().asked && draft.check().firstError.isEmpty());
        draft.setDevices({ { .id = "cpu", .name = "CPU", .detail = {} },
            { .id = "cuda:0", .name = "one", .detail = {} },
            { .id = "cuda:1", .name = "other", .detail = {} } });
        QCOMPARE(devices->edit()->text(), QStringLiteral("2"));
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("256"));
        QCOMPARE(draft.check().asked->plan.devices, std::int64_t { 2 });
        pressEquals(form, "batch.steps"); // solved from B, b and all devices
        type(form, "batch.effective", QStringLiteral("512"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("8"));
        QVERIFY(draft.experiment().batch.devices.isAll());
        pressEquals(form, "batch.devices"); // solved instead
        QCOMPARE(draft.experiment().batch.devices, BatchNumber::solved());
        QVERIFY(!devices->allButton()->isChecked());
        draft.history().undo();
        QVERIFY(draft.experiment().batch.devices.isAll());
        QVERIFY(devices->allButton()->isChecked());
    }

    void allDevicesOfAMachineWithoutAnyAreAnErrorAtTheirField()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setDevices({ { .id = "cpu", .name = "CPU", .detail = {} } });
        auto* devices = static_cast<BatchNumberEditor*>(form.editor("batch.devices"));
        QTest::mouseClick(devices->allButton(), Qt::LeftButton);
        const QString message = form.row("batch.devices")->message();
        QVERIFY2(message.contains(QLatin1String("write the number of processes instead")),
            qPrintable(message));
        QCOMPARE(markOf(form, "batch.devices"), QStringLiteral("wrong"));
        QTest::mouseClick(devices->allButton(), Qt::LeftButton);
        QVERIFY(form.row("batch.devices")->message().isEmpty());
        QCOMPARE(draft.experiment().batch.devices, BatchNumber::given(1));
    }

    void aBudgetThatIsNoneIsSaidAtItsFieldAndNothingStarts_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("said");
        QTest::newRow("zero") << QStringLiteral("0GiB") << QStringLiteral("\"0B\"");
        QTest::newRow("negative") << QStringLiteral("-4GiB") << QStringLiteral("\"-4GiB\"");
        QTest::newRow("misspelt unit") << QStringLiteral("4Gigs") << QStringLiteral("4Gigs");
        QTest::newRow("no unit") << QStringLiteral("4") << QStringLiteral("4");
        QTest::newRow("too much") << QStringLiteral("2000TiB") << QStringLiteral("\"2000TiB\"");
    }
    void aBudgetThatIsNoneIsSaidAtItsFieldAndNothingStarts()
    {
        QFETCH(QString, typed);
        QFETCH(QString, said);
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named("budget"));
        QVERIFY(draft.check().firstError.isEmpty());
        type(form, "memory.budget", typed);
        const QString sentence = QStringLiteral("memory.budget is %1; allowed: bytes with a unit "
                                                "such as 4GiB or 500MB, from 1B to 1024TiB, or "
                                                "none.")
                                     .arg(said);
        QCOMPARE(draft.check().firstError, sentence);
        QCOMPARE(form.row("memory.budget")->message(),
            QString(sentence).replace(
                QStringLiteral("memory.budget"), QStringLiteral("Memory budget")));
        type(form, "memory.budget", QStringLiteral("4 GiB"));
        QVERIFY(form.row("memory.budget")->message().isEmpty());
        QVERIFY(draft.check().firstError.isEmpty());
    }

    void whatIsUnsetIsAnEmptyFieldToTypeInto()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const char* key : { "memory.budget", "data.image_size" }) {
            QVERIFY2(fieldOf(form, key)->text().isEmpty(), key);
            QVERIFY2(!fieldOf(form, key)->placeholderText().isEmpty(), key);
        }
        showInFront(form);
        form.foldOf("memory.budget")->setOpen(true);
        QLineEdit* field = fieldOf(form, "memory.budget");
        QTest::mouseClick(field, Qt::LeftButton);
        QTest::keyClicks(field, QStringLiteral("1GiB"));
        QCOMPARE(draft.experiment().memory.budget, std::optional(Bytes { 1 << 30 }));
        QVERIFY(form.row("memory.budget")->message().isEmpty());
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QVERIFY(!draft.experiment().memory.budget);
        QVERIFY(form.row("memory.budget")->message().isEmpty());
        type(form, "memory.budget", QStringLiteral("4GiB"));
        draft.applyFix(setting("memory.budget", "none"));
        QVERIFY(field->text().isEmpty());
        draft.history().undo();
        QCOMPARE(field->text(), QStringLiteral("4GiB"));
    }

    void withABudgetMicroBatchAndStepsAreSolvedTogether()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        pressEquals(form, "batch.steps"); // B 128, b 32
        pressEquals(form, "batch.micro");
        QVERIFY(!isSolved(form, "batch.steps")); // no budget: one of them
        type(form, "memory.budget", QStringLiteral("4GiB"));
        pressEquals(form, "batch.steps");
        QVERIFY(isSolved(form, "batch.micro"));
        QVERIFY(isSolved(form, "batch.steps"));
        QVERIFY(microFollowsBudget(draft.experiment()));
        type(form, "batch.effective", QStringLiteral("512"));
        QVERIFY(microFollowsBudget(draft.experiment()));
        const FormRow* micro = form.row("batch.micro");
        QVERIFY(micro->message().contains(QLatin1String("measures it before the run"))); // a note
        QVERIFY(markOf(form, "batch.micro").isEmpty());
        pressEquals(form, "batch.micro"); // back to typing
        QVERIFY(!microFollowsBudget(draft.experiment()));
        QCOMPARE(draft.experiment().batch.micro, BatchNumber::given(32));
        pressEquals(form, "batch.effective"); // lets go of both
        QVERIFY(!isSolved(form, "batch.steps"));
    }

    void aRecipeThatFollowsItsBudgetStaysSoWhenItIsEdited()
    {
        Experiment experiment;
        experiment.batch.effective = BatchNumber::given(128);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { std::int64_t { 4 } << 30 };
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(experiment);
        QVERIFY(draft.experiment() == experiment);
        type(form, "batch.effective", QStringLiteral("512"));
        QVERIFY(microFollowsBudget(draft.experiment()));
    }

    void aKnownLawSaysWhatFits()
    {
        const QTemporaryDir home;
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setDevices(
            { { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } }, "2.11.0");
        draft.begin(named("fits"));
        type(form, "memory.budget", QStringLiteral("3584KiB"));
        QVERIFY(findingFor(draft.check().findings, "batch.micro") == nullptr);
        storeFit(lawDirectory(), draft.experiment(), someFit());
        type(form, "run.seed", QStringLiteral("7")); // the file is not read at every key press
        QVERIFY(findingFor(draft.check().findings, "batch.micro") == nullptr);
        draft.lookForLaw();
        const Finding* finding = findingFor(draft.check().findings, "batch.micro");
        QVERIFY(finding != nullptr);
        QCOMPARE(QString::fromStdString(finding->message.text()),
            QStringLiteral(
                "b = 32 does not fit: a window needs about 4.00 MiB by the memory model measured "
                "on cpu, and memory.budget is 3.50 MiB; at most 24 fit."));
        const Fix fix = finding->fix.value();
        draft.applyFix(fix);
        QCOMPARE(numberField(form, "batch.micro")->text(), QStringLiteral("22"));
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("6"));
        QVERIFY(findingFor(draft.check().findings, "batch.micro") == nullptr);

        choose(form, "model.norm", 2); // another model, about which nothing is known
        type(form, "batch.micro", QStringLiteral("32"));
        QVERIFY(findingFor(draft.check().findings, "batch.micro") == nullptr);
        draft.setDevices(
            { { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } }, "2.12.0");
        choose(form, "model.norm", 0); // and of another version
        QVERIFY(findingFor(draft.check().findings, "batch.micro") == nullptr);
    }

    void theForecastFollowsWhatIsTyped()
    {
        const QTemporaryDir home;
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named("foreseen"));
        QVERIFY(!form.forecast().isEnabled()); // the devices are not known yet
        draft.setDevices({ { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } });
        QVERIFY(form.forecast().isEnabled());
        QVERIFY(!form.forecast().forecast());
        QSignalSpy asked(&form.forecast(), &ForecastBar::measureRequested);
        form.forecast().measureButton()->click();
        QCOMPARE(asked.count(), 1);

        storeFit(lawDirectory(), draft.experiment(), someFit());
        draft.lookForLaw();
        const auto foreseen = [&] { return form.forecast().forecast().value(); };
        QCOMPARE(foreseen().bytes, std::int64_t { 4 } << 20);
        type(form, "batch.micro", QStringLiteral("64"));
        QCOMPARE(foreseen().bytes, std::int64_t { 6 } << 20);
        type(form, "batch.steps", QStringLiteral("8")); // has no effect on it
        QCOMPARE(foreseen().bytes, std::int64_t { 6 } << 20);
        QVERIFY(foreseen().fits);
        type(form, "memory.budget", QStringLiteral("5MiB"));
        QVERIFY(!foreseen().fits);
        type(form, "memory.budget", QStringLiteral("-1GiB"));
        QVERIFY(!form.forecast().isEnabled());
        type(form, "memory.budget", QStringLiteral("5MiB"));
        QVERIFY(form.forecast().isEnabled());
        type(form, "batch.micro", QStringLiteral("many"));
        QVERIFY(!form.forecast().isEnabled());
    }

    void aMicroBatchThatFollowsItsBudgetShowsWhatItWillBe()
    {
        const QTemporaryDir home;
        qputenv("XDG_DATA_HOME", home.path().toUtf8());
        Experiment experiment = named("fits");
        experiment.batch.effective = BatchNumber::given(128);
        experiment.batch.micro = BatchNumber::solved();
        experiment.memory.budget = Bytes { std::int64_t { 5 } << 20 };
        storeFit(lawDirectory(), experiment, someFit());
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setDevices({ { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } });
        draft.begin(experiment);
        QCOMPARE(numberField(form, "batch.micro")->text(), QStringLiteral("43"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("3"));
        QCOMPARE(form.forecast().forecast()->micro, std::int64_t { 43 });
        QCOMPARE(draft.check().slices, (std::vector<std::int64_t> { 43, 43, 42 }));
        QVERIFY(draft.experiment() == experiment); // it is measured once more when it trains
    }

    void solvingTheStepsAndTypingOneMicroBatchForTheWindowGivesOneBlock()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft); // B 128 is solved from 32 × 4
        draft.setDataStatus(digits());
        pressEquals(form, "batch.steps");
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        type(form, "batch.micro", QStringLiteral("128"));
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("1"));
        QCOMPARE(draft.check().batchSentence, QStringLiteral("128 = 128 × 1"));
        QCOMPARE(draft.check().slices, std::vector<std::int64_t> { 128 }); // the bar's blocks
    }

    void aMicroBatchThatCannotBeReadMakesNoWindow()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setDataStatus(digits());
        for (const char* typed : { "abc", "1.5", "" }) {
            type(form, "batch.micro", QStringLiteral("32"));
            QVERIFY(draft.check().resolved);
            type(form, "batch.micro", QString::fromLatin1(typed));
            QVERIFY2(!draft.check().resolved && draft.check().slices.empty(), typed);
            QVERIFY2(findingFor(draft.check().findings, "batch.micro") != nullptr, typed);
        }
    }

    void aChoiceThatIsTooLongEndsVisiblyShort()
    {
        FormComboBox box;
        const QString name = QStringLiteral("a-recipe-with-a-name-that-is-longer-than-its-field");
        box.addItem(name);
        box.resize(160, 28);
        QVERIFY(box.shownText().contains(QChar(0x2026)));
        QVERIFY(box.shownText().startsWith(QLatin1String("a-re")));
        QVERIFY(box.shownText().endsWith(QLatin1String("field")));
        box.resize(900, 28);
        QCOMPARE(box.shownText(), name);
        box.setPlaceholderText(QStringLiteral("edited"));
        box.setCurrentIndex(-1);
        QCOMPARE(box.shownText(), QStringLiteral("edited"));
    }

    void numbersThatDisagreeAreSaidAtTheFieldAndStopTheStart()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        draft.setDataStatus(digits());
        QVERIFY(draft.check().firstError.isEmpty());
        pressEquals(form, "batch.effective"); // none is solved now
        type(form, "batch.effective", QStringLiteral("100"));
        type(form, "batch.steps", QStringLiteral("7"));
        QVERIFY(!draft.check().resolved);
        QVERIFY(!draft.check().firstError.isEmpty());
        QString said;
        for (const char* key : { "batch.effective", "batch.micro", "batch.steps" })
            said += form.row(key)->message();
        QVERIFY2(said.contains(QLatin1String("100")), qPrintable(said));
    }

    void textThatIsNoNumberIsSaidInTheWordsOfTheCommandLine()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "optimizer.lr", QStringLiteral("fast"));
        Experiment experiment;
        const Findings expected = applySetting(experiment, "optimizer.lr=fast");
        QCOMPARE(expected.size(), std::size_t { 1 });
        QCOMPARE(form.row("optimizer.lr")->message(), withLabels(expected.front().message.text()));
        type(form, "optimizer.lr", QStringLiteral("0.1"));
        QVERIFY(form.row("optimizer.lr")->message().isEmpty());
    }

    void theEpochIsToldInWords()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QVERIFY(draft.check().epochSentence.isEmpty()); // the size is not known yet
        draft.setDataStatus(digits());
        QCOMPARE(draft.check().epochSentence,
            QStringLiteral("469 updates per epoch, the last one of 96"));
        QCOMPARE(draft.check().batchSentence, QStringLiteral("128 = 32 × 4"));
        pressEquals(form, "batch.steps");
        type(form, "batch.micro", QStringLiteral("25"));
        QCOMPARE(draft.check().batchSentence, QStringLiteral("128 = 5 × 25 + 3"));
    }

    void aMissingDataSetStopsTheStart()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        DataSetStatus missing;
        missing.name = "idx";
        missing.problem = Message::plain("No IDX files were found in /data.");
        draft.setDataStatus(missing);
        QCOMPARE(draft.check().firstError, QStringLiteral("No IDX files were found in /data."));
        missing.name = "mnist"; // which can be downloaded
        draft.setDataStatus(missing);
        QVERIFY(draft.check().firstError.contains(QStringLiteral("Download it")));
        type(form, "data.path", QStringLiteral("/mine"));
        draft.setDataStatus(missing);
        QVERIFY(!draft.check().firstError.contains(QStringLiteral("Download it")));
    }

    void picturesHaveFieldsForTheirSizeFitAndTestPart()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const char* key : { "data.image_size", "data.fit", "data.test" })
            QVERIFY2(!form.row(key)->isVisibleTo(&form), key);
        type(form, "data.name", QStringLiteral("images"));
        for (const char* key : { "data.image_size", "data.fit", "data.test" })
            QVERIFY2(form.row(key)->isVisibleTo(&form), key);
        type(form, "data.image_size", QStringLiteral("64, 96"));
        type(form, "data.fit", QStringLiteral("letterbox"));
        type(form, "data.test", QStringLiteral("0.2"));
        const DataSettings& data = draft.experiment().data;
        QCOMPARE(data.imageSize, std::optional(PictureSize { 64, 96 }));
        QVERIFY(data.fit == PictureFit::Letterbox);
        QCOMPARE(data.test, (HeldOut { 0, 0.2 }));
        DataSetStatus status;
        status.name = "images";
        status.state = DataSetStatus::State::Whole;
        status.description = Message::plain("360 images in one folder");
        status.trainSamples = 360;
        status.untested = { 120, 120, 120 };
        draft.setDataStatus(status);
        QCOMPARE(form.findChild<QLabel*>(QStringLiteral("dataWords"))->text(),
            QStringLiteral("360 images in one folder, 72 of 360 held out for testing"));
    }

    void onlyWhatTheChoicesUseIsShown()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QVERIFY(form.row("optimizer.momentum")->isVisibleTo(&form));
        form.rows().setOpenParts({ QStringLiteral("optimizer") });
        QVERIFY(!form.row("optimizer.beta1")->isVisibleTo(&form));
        QVERIFY(!form.row("model.groups")->isVisibleTo(&form));
        // A letter decides whether it is used: disabling or enabling it moves nothing.
        QVERIFY(form.row("optimizer.decay_norm_and_bias")->isVisibleTo(&form));
        QVERIFY(!form.row("optimizer.decay_norm_and_bias")->isEnabled());
        type(form, "optimizer.weight_decay", QStringLiteral("5e-4"));
        QVERIFY(form.row("optimizer.decay_norm_and_bias")->isEnabled());
        type(form, "optimizer.name", QStringLiteral("adam"));
        type(form, "model.norm", QStringLiteral("group"));
        QVERIFY(!form.row("optimizer.momentum")->isVisibleTo(&form));
        QVERIFY(form.row("optimizer.beta1")->isVisibleTo(&form));
        QVERIFY(form.row("model.groups")->isVisibleTo(&form));
        QVERIFY(!form.row("model.batchnorm_window")->isVisibleTo(&form));
        type(form, "model.norm", QStringLiteral("batch"));
        QVERIFY(form.row("model.batchnorm_window")->isVisibleTo(&form));
        QVERIFY(!form.row("model.stem")->isVisibleTo(&form));
        for (const auto& network : { QStringLiteral("resnet18"), QStringLiteral("resnet34") }) {
            type(form, "model.name", network);
            QVERIFY(form.row("model.stem")->isVisibleTo(&form));
            type(form, "model.name", QStringLiteral("vgg"));
            QVERIFY(!form.row("model.stem")->isVisibleTo(&form));
        }
    }

    void aScheduleShowsTheFieldsThatItReads_data()
    {
        QTest::addColumn<QStringList>("shown");
        QTest::newRow("constant") << QStringList {};
        QTest::newRow("cosine") << QStringList { "final_factor" };
        QTest::newRow("linear") << QStringList { "final_factor" };
        QTest::newRow("step") << QStringList { "every", "gamma" };
        QTest::newRow("multistep") << QStringList { "milestones", "gamma" };
        QTest::newRow("onecycle") << QStringList { "peak_share", "final_factor" };
    }

    void aScheduleShowsTheFieldsThatItReads()
    {
        QFETCH(QStringList, shown);
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "schedule.name", QString::fromLatin1(QTest::currentDataTag()));
        for (const char* key : { "every", "milestones", "gamma", "peak_share", "final_factor" })
            QCOMPARE(form.row(std::string("schedule.") + key)->isVisibleTo(&form),
                shown.contains(QLatin1String(key)));
    }

    void aDeviceThatIsNotThereIsSaid()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setDevices({ { .id = "cpu", .name = "CPU", .detail = Message::plain("2 cores") } });
        QVERIFY(form.row("run.device")->message().isEmpty());
        type(form, "run.device", QStringLiteral("cuda"));
        QVERIFY(form.row("run.device")->message().contains(QLatin1String("cuda")));
        QVERIFY(form.row("run.device")->message().contains(QLatin1String("cpu")));
    }

    void whatIsTypedInOneFieldIsOneStep()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        typeLetters(form, "optimizer.lr", QStringLiteral("0.25"));
        QCOMPARE(draft.experiment().optimizer.lr, 0.25);
        QCOMPARE(draft.history().undoText(), QStringLiteral("learning rate"));
        draft.history().undo();
        QCOMPARE(draft.experiment().optimizer.lr, 0.01);
        QCOMPARE(fieldOf(form, "optimizer.lr")->text(), QStringLiteral("0.01"));
        QVERIFY(!draft.history().canUndo());
        draft.history().redo();
        QCOMPARE(draft.experiment().optimizer.lr, 0.25);
        QVERIFY(!draft.history().canRedo());
    }

    void aFieldThatWasLeftBeginsAStepOfItsOwn()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        typeLetters(form, "run.epochs", QStringLiteral("20"));
        fieldOf(form, "run.seed")->setFocus();
        typeLetters(form, "run.epochs", QStringLiteral("30"));
        draft.history().undo();
        QCOMPARE(draft.experiment().run.epochs, std::int64_t { 20 });
        // Appended to the restored text
        QTest::keyClicks(fieldOf(form, "run.epochs"), QStringLiteral("0"));
        QCOMPARE(draft.experiment().run.epochs, std::int64_t { 200 });
        draft.history().undo();
        QCOMPARE(draft.experiment().run.epochs, std::int64_t { 20 });
        draft.history().undo();
        QCOMPARE(draft.experiment().run.epochs, std::int64_t { 10 });
        QVERIFY(!draft.history().canUndo());
    }

    void undoInAFieldIsTheFormsAndLeadsToWhatChanged()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        choose(form, "optimizer.name", 1);
        typeLetters(form, "optimizer.lr", QStringLiteral("1"));
        QLineEdit* rate = fieldOf(form, "optimizer.lr");
        QTest::keyClick(rate, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(rate->text(), QStringLiteral("0.01"));
        QTest::keyClick(rate, Qt::Key_Z, Qt::ControlModifier); // of the choice: not in this field
        QCOMPARE(draft.experiment().optimizer.name, OptimizerName::Sgd);
        QVERIFY(form.editor("optimizer.name")->focusWidgetOfField()->hasFocus());
        rate->setFocus();
        QTest::keyClick(rate, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(draft.experiment().optimizer.name, OptimizerName::Adam);
        QSignalSpy shown(&form, &ExperimentForm::fieldShown);
        draft.history().redo();
        QVERIFY(rate->hasFocus());
        QCOMPARE(rate->text(), QStringLiteral("1"));
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown.front().front().value<QWidget*>(), form.row("optimizer.lr"));
    }

    void theMenuOfAFieldHasTheFormsUndo()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QAction undo;
        form.addAction(&undo);
        showInFront(form);
        QLineEdit* rate = fieldOf(form, "optimizer.lr");
        const QPoint at = rate->rect().center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, rate->mapToGlobal(at));
        QCoreApplication::sendEvent(rate, &asked);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().constFirst(), &undo);
        QVERIFY(menu->actions().at(1)->isSeparator()); // the field's own undo and redo are removed
        menu->close();
    }

    void textThatCannotBeReadComesBackByUndo()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "optimizer.lr", QStringLiteral("fast"));
        type(form, "run.evaluate_every", QStringLiteral("a few steps"));
        type(form, "batch.micro", QStringLiteral("x y"));
        const std::vector<QString> unreadable = textsOf(form);
        const QString said = form.row("optimizer.lr")->message();
        draft.replace(named(), QStringLiteral("recipe x"));
        QVERIFY(form.row("optimizer.lr")->message().isEmpty());
        draft.history().undo();
        QCOMPARE(textsOf(form), unreadable);
        QCOMPARE(form.row("optimizer.lr")->message(), said);
        QVERIFY(!draft.check().resolved);
    }

    void aReplacedFormIsOneStepAndKnowsItsRecipe()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        draft.setOrigin({ QStringLiteral("first"), QStringLiteral("first") });
        draft.replace(unusual(), QStringLiteral("recipe second"),
            { QStringLiteral("second"), QStringLiteral("second") });
        QCOMPARE(draft.history().undoText(), QStringLiteral("recipe second"));
        QCOMPARE(draft.origin().recipe, QStringLiteral("second"));
        type(form, "run.seed", QStringLiteral("7"));
        QCOMPARE(draft.origin().recipe, QString());
        draft.history().undo();
        QCOMPARE(draft.origin().recipe, QStringLiteral("second"));
        draft.history().undo();
        QVERIFY(draft.experiment() == named());
        QCOMPARE(draft.origin().recipe, QStringLiteral("first"));
        draft.history().redo();
        QVERIFY(draft.experiment() == unusual());
        QCOMPARE(draft.origin().recipe, QStringLiteral("second"));
        draft.replace(unusual(), QStringLiteral("recipe second"),
            { QStringLiteral("second"), QStringLiteral("second") });
        QVERIFY(draft.history().canRedo()); // nothing changed: nothing was done
    }

    void whatIsSetToBeginWithHasNothingBeforeIt()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "run.seed", QStringLiteral("7"));
        draft.begin(named());
        QVERIFY(!draft.history().canUndo());
    }

    void anEditThatChangesNothingIsNoStep()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.setOrigin({ QStringLiteral("first"), QStringLiteral("first") });
        QSignalSpy edited(&draft, &ExperimentDraft::originChanged);
        choose(form, "optimizer.name", 0);
        QVERIFY(!draft.history().canUndo());
        QCOMPARE(edited.size(), 0);
        QCOMPARE(draft.origin().recipe, QStringLiteral("first"));
    }

    void theSolvedNumberComesBackByUndo()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        pressEquals(form, "batch.steps");
        type(form, "batch.effective", QStringLiteral("256"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("8"));
        draft.history().undo();
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("4"));
        draft.history().undo();
        QVERIFY(numberField(form, "batch.effective")->isReadOnly());
        QVERIFY(!numberField(form, "batch.steps")->isReadOnly());
        QVERIFY(draft.experiment() == Experiment {}); // exactly as it was set
    }

    // Every kind of step can be undone and redone.
    void anySeriesOfStepsGoesBackAndForth()
    {
        std::mt19937 random(1); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
        const auto pick = [&](std::size_t count) { return random() % count; };
        const QString texts[] = { QStringLiteral("1"), QStringLiteral("32"), QStringLiteral("0.5"),
            QStringLiteral("true"), QStringLiteral("x"), QStringLiteral("adam"), {} };
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QSignalSpy steps(&draft.history(), &QUndoStack::indexChanged);
        std::vector<std::vector<QString>> states { textsOf(form) };
        std::vector<Experiment> experiments { draft.experiment() };
        const auto& keys = experimentKeys();
        while (states.size() < 200) {
            const std::string key = keys[pick(keys.size())].key;
            const std::size_t what = pick(4);
            if (what == 0)
                draft.replace(pick(2) == 0 ? unusual() : named(), QStringLiteral("recipe"));
            else if (what == 1 && isBatchNumber(form, key))
                pressEquals(form, key.c_str());
            else
                type(form, key.c_str(), texts[pick(std::size(texts))]);
            if (steps.isEmpty())
                continue; // nothing changed
            steps.clear();
            states.push_back(textsOf(form));
            experiments.push_back(draft.experiment());
        }
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            draft.history().undo();
            QCOMPARE(textsOf(form), states[i]);
            QVERIFY(draft.experiment() == experiments[i]);
        }
        QVERIFY(!draft.history().canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            draft.history().redo();
            QCOMPARE(textsOf(form), states[i]);
            QVERIFY(draft.experiment() == experiments[i]);
        }
    }

    void aFixIsOneStep_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QStringList>("settings"); // typed before
        QTest::newRow("disagreeing numbers")
            << QStringLiteral("batch.steps")
            << QStringList { QStringLiteral("batch.effective=128"), QStringLiteral("batch.steps=3"),
                   QStringLiteral("batch.micro=32") };
        QTest::newRow("groups") << QStringLiteral("model.groups")
                                << QStringList { QStringLiteral("model.norm=group"),
                                       QStringLiteral("model.groups=5") };
        QTest::newRow("more than the data")
            << QStringLiteral("batch.effective")
            << QStringList { QStringLiteral("batch.micro=40000"), QStringLiteral("batch.steps=2") };
        QTest::newRow("no effect") << QStringLiteral("optimizer.momentum")
                                   << QStringList { QStringLiteral("optimizer.momentum=0.5"),
                                          QStringLiteral("optimizer.name=adam") };
    }

    void aFixIsOneStep()
    {
        QFETCH(QString, key);
        QFETCH(QStringList, settings);
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        draft.setDataStatus(digits());
        if (key == QLatin1String("batch.steps"))
            pressEquals(form, "batch.effective"); // none is solved
        for (const QString& setting : settings)
            type(form, setting.section('=', 0, 0).toUtf8(), setting.section('=', 1));
        const std::vector<QString> before = textsOf(form);
        const Finding* finding = findingFor(draft.check().findings, key.toStdString());
        QVERIFY(finding != nullptr && finding->fix);
        draft.applyFix(Fix(*finding->fix));
        QVERIFY(findingFor(draft.check().findings, key.toStdString()) == nullptr);
        QVERIFY2(draft.check().firstError.isEmpty(), qPrintable(draft.check().firstError));
        QVERIFY(draft.history().undoText().startsWith(QLatin1String("Fix: ")));
        draft.history().undo();
        QCOMPARE(textsOf(form), before);
        QVERIFY(findingFor(draft.check().findings, key.toStdString()) != nullptr);
    }

    void theRateIsHeldAgainstTheBatchThatWasBegunWith()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        draft.begin(named());
        const auto advice = [&] { return findingFor(draft.check().findings, "optimizer.lr"); };
        type(form, "batch.steps", QStringLiteral("16"));
        QVERIFY(advice() != nullptr && advice()->fix);
        draft.applyFix(Fix(*advice()->fix));
        QCOMPARE(draft.experiment().optimizer.lr, 0.04);
        QVERIFY(advice() == nullptr);
        draft.history().undo();
        QVERIFY(advice() != nullptr);
        Experiment larger = named();
        larger.batch.steps = BatchNumber::given(16);
        draft.replace(larger, QStringLiteral("recipe"));
        QVERIFY(advice() == nullptr);
        type(form, "batch.steps", QStringLiteral("4"));
        QVERIFY(advice() != nullptr);
        draft.history().undo();
        draft.history().undo();
        QVERIFY(advice() != nullptr); // against 4 again
    }

    void theKeyboardUndoesInAChoiceThatCanBeTyped()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "model.norm", QStringLiteral("batch"));
        showInFront(form);
        draft.applyFix(setting("model.batchnorm_momentum", "corrected"));
        QTRY_VERIFY(form.editor("model.batchnorm_momentum")->focusWidgetOfField()->hasFocus());
        QTest::keySequence(QApplication::focusWidget(), QKeySequence::Undo);
        QVERIFY(!draft.experiment().model.batchnormMomentum.corrected);
        QTest::keySequence(QApplication::focusWidget(), QKeySequence::Redo);
        QVERIFY(draft.experiment().model.batchnormMomentum.corrected);
        // The form is destroyed with the focus in the box, which then reports an edit.
    }

    void aFixOfASettingThatIsNotShownOpensNothing()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "optimizer.name", QStringLiteral("adam"));
        type(form, "optimizer.dampening", QStringLiteral("0.1"));
        QVERIFY(!form.foldOf("optimizer.dampening")->isOpen());
        QSignalSpy shown(&form, &ExperimentForm::fieldShown);
        draft.applyFix(resetting("optimizer.dampening"));
        QCOMPARE(draft.experiment().optimizer.dampening, 0.0);
        QVERIFY(!form.foldOf("optimizer.dampening")->isOpen());
        QCOMPARE(shown.size(), 0);
    }

    void aFixKeepsTextThatCannotBeRead()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        type(form, "optimizer.lr", QStringLiteral("fast"));
        draft.applyFix(setting("model.norm", "group"));
        QCOMPARE(form.editor("optimizer.lr")->text(), QStringLiteral("fast"));
        QCOMPARE(draft.experiment().model.norm, Norm::Group);
    }

    void lessUsedSettingsAreFoldedUntilTheyDiffer()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        FoldedPart* fold = form.foldOf("optimizer.dampening");
        QVERIFY(fold != nullptr && !fold->isOpen());
        QVERIFY(!form.row("optimizer.dampening")->isVisibleTo(&form));
        QCOMPARE(form.foldOf("optimizer.lr"), nullptr);
        QCOMPARE(fold->button()->text(), QStringLiteral("Advanced"));
        Experiment changed = named();
        changed.optimizer.dampening = 0.1;
        changed.optimizer.nesterov = true;
        draft.replace(changed, QStringLiteral("recipe"));
        QVERIFY(fold->isOpen());
        QCOMPARE(fold->button()->text(), QStringLiteral("Advanced, 2 changed, 1 to check"));
        QVERIFY(!form.foldOf("run.threads")->isOpen());
        draft.replace(named(), QStringLiteral("recipe"));
        QVERIFY(!fold->isOpen());
        draft.history().undo();
        QVERIFY(fold->isOpen());
    }

    void whatTheUserFoldedStaysSoUntilSomethingElseDiffers()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        type(form, "run.threads", QStringLiteral("2"));
        FoldedPart* fold = form.foldOf("run.threads");
        QVERIFY(fold->isOpen());
        QTest::mouseClick(fold->button(), Qt::LeftButton);
        QVERIFY(!fold->isOpen());
        type(form, "optimizer.lr", QStringLiteral("0.5"));
        QVERIFY(!fold->isOpen());
        QCOMPARE(fold->button()->text(), QStringLiteral("Advanced, 1 changed"));
        type(form, "run.evaluation_batch", QStringLiteral("none")); // a finding
        QVERIFY(fold->isOpen());
        QVERIFY(!form.row("run.evaluation_batch")->message().isEmpty());
    }

    void undoOpensThePartOfWhatItChanged()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        type(form, "run.threads", QStringLiteral("2"));
        FoldedPart* fold = form.foldOf("run.threads");
        QTest::mouseClick(fold->button(), Qt::LeftButton);
        draft.history().undo();
        QVERIFY(fold->isOpen());
        QTRY_VERIFY(form.editor("run.threads")->focusWidgetOfField()->hasFocus());
    }

    void whatTheUserOpenedIsRemembered()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        showInFront(form);
        QCOMPARE(form.rows().openParts(), QStringList());
        form.foldOf("run.threads")->button()->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        form.foldOf("data.shuffle")->button()->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(form.foldOf("run.threads")->isOpen() && form.foldOf("data.shuffle")->isOpen());
        const QStringList open = form.rows().openParts();
        QCOMPARE(open.size(), 2);
        ExperimentDraft other;
        ExperimentForm later(other);
        later.rows().setOpenParts(open);
        QVERIFY(later.foldOf("run.threads")->isOpen() && later.foldOf("data.shuffle")->isOpen());
        QVERIFY(!later.foldOf("optimizer.eps")->isOpen());
        other.replace(named(), QStringLiteral("recipe"));
        QVERIFY(later.foldOf("run.threads")->isOpen());
        QTest::keyClick(later.foldOf("run.threads")->button(), Qt::Key_Space);
        QCOMPARE(later.rows().openParts().size(), 1);
    }

    void labelsTellFieldsApart()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        QStringList titles;
        for (const KeyInfo& key : experimentKeys())
            titles << form.row(key.key)->title();
        QStringList unique = titles;
        QCOMPARE(unique.removeDuplicates(), 0);
        QVERIFY(!fieldOf(form, "data.augment")->placeholderText().isEmpty());
    }

    // The column is at least 320 wide, 10 of them for the scroll bar.
    void anArrowStepsACountByOne_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("up");
        const auto row = [](const char* key, const char* text, const char* up) {
            QTest::newRow(key) << QString::fromLatin1(text) << QString::fromLatin1(up);
        };
        row("model.groups", "10", "11"); // its default is a word
        row("data.image_size", "64", "65");
        row("data.validation", "50", "51");
        row("run.epochs", "20", "21");
        row("run.seed", "9223372036854775807", "9223372036854775807");
        row("checkpoint.keep", "10", "11");
        row("optimizer.lr", "10", "20"); // no count: by its first digit
    }

    void anArrowStepsACountByOne()
    {
        QFETCH(QString, text);
        QFETCH(QString, up);
        ExperimentDraft draft;
        ExperimentForm form(draft);
        const char* key = QTest::currentDataTag();
        type(form, key, text);
        QTest::keyClick(fieldOf(form, key), Qt::Key_Up);
        QCOMPARE(form.editor(key)->text(), up);
    }

    void noRowIsWiderThanTheNarrowestForm()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        const QMargins margins = form.layout()->contentsMargins();
        const int room = 320 - 10 - margins.left() - margins.right();
        QStringList tooWide;
        for (const KeyInfo& key : experimentKeys())
            if (form.row(key.key)->minimumSizeHint().width() > room)
                tooWide << QString::fromStdString(key.key);
        QCOMPARE(tooWide, QStringList());
    }

    void aPartWithoutAnythingToShowIsNotThere()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const KeyInfo& key : experimentKeys())
            if (FoldedPart* fold = form.foldOf(key.key)) {
                const QList<FormRow*> rows = fold->findChildren<FormRow*>();
                const bool any = std::any_of(rows.begin(), rows.end(),
                    [](const FormRow* row) { return row->isVisibleTo(row->parentWidget()); });
                QCOMPARE(fold->isVisibleTo(&form), any);
            }
    }

    void tabGoesDownTheForm()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        form.rows().setOpenParts({ QStringLiteral("data"), QStringLiteral("batch"),
            QStringLiteral("optimizer"), QStringLiteral("run") });
        showInFront(form);
        fieldOf(form, "name")->setFocus();
        int before = -1;
        int walked = 0;
        do {
            const QWidget* now = QApplication::focusWidget();
            const int top = now->mapTo(&form, QPoint(0, 0)).y();
            QVERIFY2(top >= before - 10, now->accessibleName().toUtf8().constData());
            before = top;
            ++walked;
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        } while (!fieldOf(form, "name")->hasFocus() && walked < 100);
        QVERIFY(walked > 30 && walked < 100);
    }

    void controlsHaveAccessibleNames()
    {
        ExperimentDraft draft;
        ExperimentForm form(draft);
        for (const KeyInfo& key : experimentKeys())
            QVERIFY2(!form.editor(key.key)->focusWidgetOfField()->accessibleName().isEmpty(),
                key.key.c_str());
    }
};

QTEST_MAIN(TestExperimentForm)
#include "tst_experiment_form.moc"
