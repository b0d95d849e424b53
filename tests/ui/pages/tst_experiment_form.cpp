// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/experiment_form.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "engine/experiment/keys.h"
#include "engine/experiment/recipe.h"

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

void pressEquals(ExperimentForm& form, const char* key)
{
    QTest::mouseClick(static_cast<BatchNumberEditor*>(form.editor(key))->button(), Qt::LeftButton);
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
    experiment.data = { DataName::Idx, "/data/my set", false };
    experiment.model.name = ModelName::Mlp;
    experiment.model.norm = Norm::Group;
    experiment.model.groups = 4;
    experiment.model.widths = { 256, 128 };
    experiment.model.init = Initialisation::Normal;
    experiment.model.initSigma = 0.05;
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
    experiment.run.precision = Precision::Float64;
    experiment.run.evaluateEvery = { 50, Span::Unit::Steps };
    experiment.run.evaluationBatch = 256;
    experiment.checkpoint.every = { 2, Span::Unit::Epochs };
    experiment.checkpoint.keep = 5;
    experiment.checkpoint.best = false;
    experiment.run.notFinite = NotFinite::Skip;
    return experiment;
}

} // namespace

class TestExperimentForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKeyHasAField()
    {
        ExperimentForm form;
        for (const KeyInfo& key : experimentKeys())
            QVERIFY2(form.row(key.key) != nullptr, key.key.c_str());
    }

    void whatIsSetIsWhatIsRead()
    {
        ExperimentForm form;
        QVERIFY(form.experiment() == Experiment {});
        form.setExperiment(unusual());
        QCOMPARE(writeRecipe(form.experiment()), writeRecipe(unusual()));
        QVERIFY(form.experiment() == unusual());
        for (const ShippedRecipe& shipped : shippedRecipes()) {
            const Experiment recipe = parseRecipe(shipped.toml, shipped.name).experiment;
            form.setExperiment(recipe);
            QVERIFY2(form.experiment() == recipe, shipped.name.c_str());
        }
    }

    void everyKeyCanBeTyped()
    {
        const Settings wanted = settingsOf(unusual());
        ExperimentForm form;
        for (const auto& [key, value] : wanted)
            type(form, key.c_str(), QString::fromStdString(settingText(value)));
        const Settings read = settingsOf(form.experiment());
        QCOMPARE(read.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(read[i] == wanted[i], wanted[i].first.c_str());
    }

    void aNumberThatCouldNotBeSolvedComesBackAsItLastWas()
    {
        ExperimentForm form;
        pressEquals(form, "batch.devices");
        type(form, "batch.effective", QStringLiteral("1024"));
        QCOMPARE(numberField(form, "batch.devices")->text(), QStringLiteral("–"));
        pressEquals(form, "batch.steps"); // away from it
        QCOMPARE(numberField(form, "batch.devices")->text(), QStringLiteral("1"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("32"));
    }

    void equalsMakesANumberTheSolvedOne()
    {
        ExperimentForm form;
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        QVERIFY(numberField(form, "batch.effective")->font().italic());
        pressEquals(form, "batch.steps");
        QVERIFY(numberField(form, "batch.steps")->isReadOnly());
        QVERIFY(numberField(form, "batch.steps")->font().italic());
        QVERIFY(!numberField(form, "batch.effective")->isReadOnly());
        type(form, "batch.effective", QStringLiteral("256"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("8"));
        pressEquals(form, "batch.micro");
        type(form, "batch.steps", QStringLiteral("4"));
        QCOMPARE(numberField(form, "batch.micro")->text(), QStringLiteral("64"));
        QCOMPARE(form.experiment().batch.micro, BatchNumber::solved());
    }

    void solvingTheStepsAndTypingOneMicroBatchForTheWindowGivesOneBlock()
    {
        ExperimentForm form; // B 128 is solved from 32 × 4
        form.setDataStatus(digits());
        pressEquals(form, "batch.steps");
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        type(form, "batch.micro", QStringLiteral("128"));
        QCOMPARE(numberField(form, "batch.effective")->text(), QStringLiteral("128"));
        QCOMPARE(numberField(form, "batch.steps")->text(), QStringLiteral("1"));
        QCOMPARE(form.check().batchSentence, QStringLiteral("128 = 128 × 1"));
        QCOMPARE(form.check().slices, std::vector<std::int64_t> { 128 }); // the bar's blocks
    }

    void aMicroBatchThatCannotBeReadMakesNoWindow()
    {
        ExperimentForm form;
        form.setDataStatus(digits());
        for (const char* typed : { "abc", "1.5", "" }) {
            type(form, "batch.micro", QStringLiteral("32"));
            QVERIFY(form.check().plan);
            type(form, "batch.micro", QString::fromLatin1(typed));
            QVERIFY2(!form.check().plan && form.check().slices.empty(), typed);
            QVERIFY2(findingFor(form.check().findings, "batch.micro") != nullptr, typed);
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
        ExperimentForm form;
        form.setExperiment(named());
        form.setDataStatus(digits());
        QVERIFY(form.check().firstError.isEmpty());
        pressEquals(form, "batch.effective"); // none is solved now
        type(form, "batch.effective", QStringLiteral("100"));
        type(form, "batch.steps", QStringLiteral("7"));
        QVERIFY(!form.check().plan);
        QVERIFY(!form.check().firstError.isEmpty());
        QString said;
        for (const char* key : { "batch.effective", "batch.micro", "batch.steps" })
            said += form.row(key)->message();
        QVERIFY2(said.contains(QLatin1String("100")), qPrintable(said));
    }

    void textThatIsNoNumberIsSaidInTheWordsOfTheCommandLine()
    {
        ExperimentForm form;
        type(form, "optimizer.lr", QStringLiteral("fast"));
        Experiment experiment;
        const Findings expected = applySetting(experiment, "optimizer.lr=fast");
        QCOMPARE(expected.size(), std::size_t { 1 });
        QCOMPARE(
            form.row("optimizer.lr")->message(), QString::fromStdString(expected.front().message));
        type(form, "optimizer.lr", QStringLiteral("0.1"));
        QVERIFY(form.row("optimizer.lr")->message().isEmpty());
    }

    void theEpochIsToldInWords()
    {
        ExperimentForm form;
        QVERIFY(form.check().epochSentence.isEmpty()); // the size is not known yet
        form.setDataStatus(digits());
        QCOMPARE(form.check().epochSentence, QStringLiteral("469 updates an epoch, last of 96"));
        QCOMPARE(form.check().batchSentence, QStringLiteral("128 = 32 × 4"));
        pressEquals(form, "batch.steps");
        type(form, "batch.micro", QStringLiteral("25"));
        QCOMPARE(form.check().batchSentence, QStringLiteral("128 = 5 × 25 + 3"));
    }

    void aMissingDataSetStopsTheStart()
    {
        ExperimentForm form;
        form.setExperiment(named());
        DataSetStatus missing;
        missing.name = "mnist";
        missing.problem = "MNIST was not found in /data.";
        form.setDataStatus(missing);
        QCOMPARE(form.check().firstError, QStringLiteral("MNIST was not found in /data."));
    }

    void onlyWhatTheChoicesUseIsShown()
    {
        ExperimentForm form;
        QVERIFY(form.row("optimizer.momentum")->isVisibleTo(&form));
        QVERIFY(!form.row("optimizer.beta1")->isVisibleTo(&form));
        QVERIFY(!form.row("model.groups")->isVisibleTo(&form));
        QVERIFY(!form.row("optimizer.decay_norm_and_bias")->isVisibleTo(&form));
        type(form, "optimizer.weight_decay", QStringLiteral("5e-4"));
        QVERIFY(form.row("optimizer.decay_norm_and_bias")->isVisibleTo(&form));
        type(form, "optimizer.name", QStringLiteral("adam"));
        type(form, "model.norm", QStringLiteral("group"));
        QVERIFY(!form.row("optimizer.momentum")->isVisibleTo(&form));
        QVERIFY(form.row("optimizer.beta1")->isVisibleTo(&form));
        QVERIFY(form.row("model.groups")->isVisibleTo(&form));
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
        ExperimentForm form;
        type(form, "schedule.name", QString::fromLatin1(QTest::currentDataTag()));
        for (const char* key : { "every", "milestones", "gamma", "peak_share", "final_factor" })
            QCOMPARE(form.row(std::string("schedule.") + key)->isVisibleTo(&form),
                shown.contains(QLatin1String(key)));
    }

    void aDeviceThatIsNotThereIsSaid()
    {
        ExperimentForm form;
        form.setDevices({ { .id = "cpu", .name = "CPU", .detail = "2 cores" } });
        QVERIFY(form.row("run.device")->message().isEmpty());
        type(form, "run.device", QStringLiteral("cuda"));
        QVERIFY(form.row("run.device")->message().contains(QLatin1String("cuda")));
        QVERIFY(form.row("run.device")->message().contains(QLatin1String("cpu")));
    }

    void controlsHaveAccessibleNames()
    {
        ExperimentForm form;
        for (const KeyInfo& key : experimentKeys())
            QVERIFY2(!form.editor(key.key)->focusWidgetOfField()->accessibleName().isEmpty(),
                key.key.c_str());
    }
};

QTEST_MAIN(TestExperimentForm)
#include "tst_experiment_form.moc"
