// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/validation.h"

#include "engine/experiment/keys.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <QStringList>
#include <QTest>

using namespace accrue;

namespace {

// The default experiment with settings as the command line takes them, "batch.micro=8
// run.epochs=3".
Experiment with(const QString& assignments)
{
    Experiment experiment;
    for (const QString& assignment : assignments.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (hasErrors(applySetting(experiment, assignment.toStdString())))
            qFatal("not a setting: %s", qPrintable(assignment));
    return experiment;
}

QStringList found(const Findings& findings, Finding::Severity severity)
{
    QStringList messages;
    for (const Finding& finding : findings)
        if (finding.severity == severity)
            messages << QString::fromStdString(finding.key + "| " + finding.message.english());
    return messages;
}

} // namespace

class TestValidation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theDefaultExperimentHasNoFindings();
    void whatCannotRunIsAnError_data();
    void whatCannotRunIsAnError();
    void whatIsAllowedIsNoError_data();
    void whatIsAllowedIsNoError();
    void whatIsWorthKnowingIsAWarning_data();
    void whatIsWorthKnowingIsAWarning();
    void whatNothingReadsIsNamedWhateverItsValue();
    void allErrorsAreListedAtOnce();
    void groupsThatFitNoSlotAreOneError();
    void givenNormalisationHasAValueAChannel();
    void aSeedBeyondWhatTomlHoldsIsAnError();
    void aScheduleOfStepsHasSixtyFourEntriesAtMost();
};

void TestValidation::theDefaultExperimentHasNoFindings()
{
    QVERIFY(validate({}).empty());
}

void TestValidation::whatCannotRunIsAnError_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("part"); // of the sentence
    const auto row = [](const char* settings, const char* key, const char* part) {
        QTest::newRow(settings) << QString::fromUtf8(settings) << QString::fromUtf8(key)
                                << QString::fromUtf8(part);
    };
    row("optimizer.lr=0", "optimizer.lr",
        "optimizer.lr is 0.0; allowed: number above 0, at most 1e9.");
    row("optimizer.lr=-0.1", "optimizer.lr", "-0.1");
    row("optimizer.lr=nan", "optimizer.lr", "optimizer.lr is nan;");
    row("optimizer.lr=inf", "optimizer.lr", "optimizer.lr is inf;");
    row("optimizer.lr=1.1e9", "optimizer.lr", "at most 1e9");
    row("optimizer.lr=1e308", "optimizer.lr", "at most 1e9");
    row("optimizer.weight_decay=1.1e6", "optimizer.weight_decay", "number from 0 to 1e6");
    row("optimizer.weight_decay=inf", "optimizer.weight_decay", "number from 0 to 1e6");
    row("optimizer.eps=1e-46", "optimizer.eps", "number, 1e-30 or more");
    row("model.init_sigma=1e39", "model.init_sigma", "at most 1e6");
    row("optimizer.momentum=1.5", "optimizer.momentum", "number from 0 to 1");
    row("optimizer.dampening=-1", "optimizer.dampening", "number from 0 to 1");
    row("optimizer.weight_decay=-1", "optimizer.weight_decay", "number from 0 to 1e6");
    row("optimizer.beta1=1", "optimizer.beta1", "number from 0 to below 1");
    row("optimizer.beta2=-0.1", "optimizer.beta2", "number from 0 to below 1");
    row("optimizer.alpha=1", "optimizer.alpha", "number from 0 to below 1");
    row("optimizer.eps=0", "optimizer.eps", "number, 1e-30 or more");
    row("optimizer.eps=nan", "optimizer.eps", "number, 1e-30 or more");
    row("optimizer.eps=inf", "optimizer.eps", "number, 1e-30 or more");
    row("optimizer.clip_norm=-1", "optimizer.clip_norm", "number from 1e-30 to 1e30, or 0");
    row("optimizer.clip_norm=inf", "optimizer.clip_norm", "optimizer.clip_norm is inf;");
    row("optimizer.clip_value=1e-46", "optimizer.clip_value", "number from 1e-30 to 1e30, or 0");
    row("optimizer.clip_value=nan", "optimizer.clip_value", "optimizer.clip_value is nan;");
    row("optimizer.ema=1", "optimizer.ema", "number from 0 to below 1");
    row("optimizer.ema=-0.5", "optimizer.ema", "number from 0 to below 1");
    row("optimizer.nesterov=true optimizer.momentum=0", "optimizer.nesterov", "a momentum above 0");
    row("optimizer.nesterov=true optimizer.dampening=0.1", "optimizer.nesterov", "dampening 0");
    row("batch.micro=0", "batch.micro", "batch.micro is 0;");
    row("batch.micro=-4", "batch.micro", "batch.micro is -4;");
    row("batch.effective=128 batch.micro=32 batch.steps=3", "batch.steps", "need 4 steps, not 3");
    row("batch.micro=1000000000 batch.steps=1000000000", "batch.steps", "at most 1000000000");
    row("batch.effective=1 batch.devices=2", "batch.devices", "none for some of them");
    row("batch.devices=all run.device=cpu", "batch.devices",
        "but run.device is \"cpu\"; write the number of processes instead, such as "
        "batch.devices = 2.");
    row("batch.devices=all run.device=cuda:1", "batch.devices",
        "but run.device names one device, cuda:1; write run.device = \"cuda\"");
    row("batch.micro=all", "batch.micro", "allowed: whole number from 1 to 1000000000, or auto.");
    row("data.name=idx", "data.path", "data.path is missing");
    row("data.name=images", "data.path",
        "needs the folder that holds a folder of images for each class");
    row("data.name=images data.path=x data.image_size=0", "data.image_size", "from 1 to 4096");
    row("data.name=images data.path=x data.image_size=5000", "data.image_size", "from 1 to 4096");
    row("data.name=images data.path=x data.image_size=64,0", "data.image_size", "is [64, 0];");
    row("data.test=0.2", "data.test", "data.test is 0.2, but \"digits\" has its own test set");
    row("data.name=mnist data.test=100", "data.test", "only folders of images");
    row("data.name=images data.path=x data.normalize=published", "data.normalize",
        "no constants are published for data.name = \"images\"");
    row("data.name=idx data.path=x data.normalize=published", "data.normalize",
        "no constants are published for data.name = \"idx\"");
    for (const char* validation : { "-1", "1.0", "1.5", "-0.5", "nan", "2000000000" })
        for (const char* key : { "data.validation", "data.test" })
            row((std::string("data.name=images data.path=x ") + key + "=" + validation).c_str(),
                key, "below 1");
    row("data.augment=crop:2000", "data.augment", "from 1 to 1024");
    row("model.init_sigma=0", "model.init_sigma", "number above 0");
    row("model.norm=group model.groups=0", "model.groups", "from 1 to");
    row("model.norm=group model.groups=4", "model.groups", "the 6 channels of norm1");
    row("model.norm=group model.groups=3", "model.groups", "the 16 channels of norm2");
    row("model.norm=group model.groups=4", "model.groups", "allowed: auto, 1 or 2.");
    row("model.name=mlp model.norm=group model.groups=512", "model.groups", "becomes zero");
    row("model.name=mlp model.norm=group model.groups=3", "model.groups", "512 channels");
    row("model.name=resnet34 model.norm=group model.groups=128", "model.groups",
        "allowed: auto, 1, 2, 4, 8, 16, 32 or 64.");
    row("model.name=resnet18 model.norm=group model.groups=128", "model.groups",
        "allowed: auto, 1, 2, 4, 8, 16, 32 or 64.");
    row("model.name=vgg model.norm=group model.groups=7", "model.groups",
        "the 64 channels of norms.0");
    row("model.name=mlp model.norm=instance", "model.norm",
        "allowed: none, batch, group or layer.");
    row("model.name=mlp model.norm=layer model.widths=8,1", "model.widths", "a layer of 1");
    row("model.name=mlp model.norm=group model.widths=1", "model.widths", "becomes zero");
    row("model.norm=batch model.batchnorm_momentum=0", "model.batchnorm_momentum", "above 0");
    row("model.norm=batch model.batchnorm_momentum=1.1", "model.batchnorm_momentum", "at most 1");
    row("model.norm=batch model.batchnorm_momentum=nan", "model.batchnorm_momentum", "is nan;");
    row("model.name=mlp model.norm=batch batch.micro=1", "batch.micro", "2 samples or more");
    row("schedule.final_factor=2", "schedule.final_factor", "number from 0 to 1");
    row("schedule.warmup_steps=-1", "schedule.warmup_steps", "whole number from 0 to 1000000000");
    row("schedule.warmup_epochs=10", "schedule.warmup_epochs", "the run has 10 epochs");
    row("run.limit_steps=50 schedule.warmup_steps=50", "schedule.warmup_steps", "after 50");
    row("schedule.name=step schedule.every=10minutes", "schedule.every",
        "schedule.every is \"10 minutes\"; allowed: text such as \"30 epochs\" or \"500 steps\", "
        "at most 1000000000 of them; no minutes.");
    row("schedule.every=0steps", "schedule.every", "0 steps");
    row("schedule.every=1.5epochs", "schedule.every", "1.5 epochs");
    row("schedule.name=multistep", "schedule.milestones",
        "schedule.milestones is [], but schedule.name is \"multistep\"; allowed: one or more, such "
        "as [\"30 epochs\", \"60 epochs\"].");
    row("schedule.name=multistep schedule.milestones=1epoch,10minutes", "schedule.milestones",
        "no minutes");
    row("schedule.name=multistep schedule.milestones=1epoch,0steps", "schedule.milestones",
        "[\"1 epoch\", \"0 steps\"]");
    row("schedule.name=multistep schedule.milestones=5epochs,3epochs", "schedule.milestones",
        "[\"5 epochs\", \"3 epochs\"]; allowed: each later than the one before it.");
    row("schedule.name=multistep schedule.milestones=9steps,1epoch,9steps", "schedule.milestones",
        "each later than");
    row("schedule.gamma=1.1", "schedule.gamma", "number from 0 to 1");
    row("schedule.gamma=nan", "schedule.gamma", "number from 0 to 1");
    row("schedule.peak_share=-0.1", "schedule.peak_share", "number from 0 to 1");
    row("run.epochs=0", "run.epochs", "whole number from 1 to 1000000000");
    row("run.epochs=2000000000", "run.epochs", "from 1 to 1000000000");
    row("run.evaluate_every=2000000000steps", "run.evaluate_every", "at most 1000000000 of them");
    row("run.limit_steps=-1", "run.limit_steps", "whole number from 0 to 1000000000");
    row("run.evaluation_batch=0", "run.evaluation_batch", "whole number from 1 to 1000000000");
    row("run.threads=0", "run.threads", "1 to 1000000000, or auto");
    row("run.evaluate_every=0steps", "run.evaluate_every", "0 steps");
    row("run.evaluate_every=1.5epochs", "run.evaluate_every", "1.5 epochs");
    row("run.evaluate_every=-1minutes", "run.evaluate_every", "-1 minutes");
    row("trace.histograms=0steps", "trace.histograms", "0 steps");
    row("trace.histograms=1.5epochs", "trace.histograms", "or off");
    for (const char* device : { "run.device=gpu", "run.device=cuda:", "run.device=cuda:x",
             "run.device=cuda:-1", "run.device=cuda:1000", "run.device=CPU", "run.device=" })
        row(device, "run.device", "allowed: auto, cpu, cuda or cuda:NUMBER.");
}

void TestValidation::whatCannotRunIsAnError()
{
    QFETCH(QString, settings);
    QFETCH(QString, key);
    QFETCH(QString, part);
    const QStringList errors = found(validate(with(settings)), Finding::Severity::Error);
    const auto says = [&](const QString& error) {
        return error.startsWith(key + QLatin1String("| ")) && error.contains(part);
    };
    QVERIFY2(std::any_of(errors.begin(), errors.end(), says), qPrintable(errors.join('\n')));
    for (const QString& error : errors)
        QVERIFY2(error.endsWith('.'), qPrintable(error));
}

void TestValidation::whatIsAllowedIsNoError_data()
{
    QTest::addColumn<QString>("settings");
    for (const char* settings : { "optimizer.lr=1e9", "optimizer.weight_decay=1e6",
             "optimizer.eps=1e-30", "model.init_sigma=1e6", "optimizer.momentum=0",
             "optimizer.momentum=1", "optimizer.beta1=0 optimizer.name=adam",
             "optimizer.nesterov=true", "model.norm=group model.groups=2", "model.norm=group",
             "model.name=mlp model.norm=group model.groups=256", "model.name=mlp model.norm=batch",
             "model.name=mlp model.norm=layer", "model.norm=instance",
             "model.name=resnet18 model.norm=group model.groups=64",
             "model.norm=batch model.batchnorm_momentum=1", "model.norm=batch batch.micro=1",
             "batch.effective=128 batch.micro=25 batch.steps=6", "batch.devices=1",
             "run.device=cuda", "run.device=cuda:1", "run.device=cuda:12", "run.device=cpu",
             "run.threads=2", "run.evaluate_every=0.5minutes", "run.evaluate_every=2epochs",
             "schedule.name=cosine schedule.warmup_epochs=9", "data.name=mnist data.path=somewhere",
             "data.name=images data.path=x data.image_size=64,96 data.fit=letterbox data.test=0.2",
             "data.name=idx data.path=somewhere", "run.seed=0", "run.seed=9223372036854775807" })
        QTest::newRow(settings) << QString::fromUtf8(settings);
    for (const char* settings : {
             "schedule.name=step schedule.every=2epochs schedule.gamma=0",
             "schedule.name=multistep schedule.milestones=1epoch,50steps,2epochs,90steps",
             "schedule.name=onecycle schedule.peak_share=0 schedule.final_factor=1",
             "schedule.name=onecycle schedule.peak_share=1 schedule.warmup_steps=9",
             "schedule.name=linear schedule.final_factor=0.5",
             "optimizer.clip_norm=1 optimizer.clip_value=0.1",
             "optimizer.ema=0.9999 optimizer.clip_norm=1e-30",
             "optimizer.decay_norm_and_bias=false optimizer.weight_decay=5e-4",
         })
        QTest::newRow(settings) << QString::fromUtf8(settings);
}

void TestValidation::whatIsAllowedIsNoError()
{
    QFETCH(QString, settings);
    const QStringList errors = found(validate(with(settings)), Finding::Severity::Error);
    QVERIFY2(errors.isEmpty(), qPrintable(errors.join('\n')));
}

void TestValidation::whatIsWorthKnowingIsAWarning_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* settings, const char* key) {
        QTest::newRow(settings) << QString::fromUtf8(settings) << QString::fromUtf8(key);
    };
    row("data.path=somewhere", "data.path");
    row("data.image_size=64", "data.image_size");
    row("data.fit=crop", "data.fit");
    row("data.unreadable=skip", "data.unreadable");
    row("model.groups=2", "model.groups");
    row("model.init_sigma=0.5", "model.init_sigma");
    row("model.stem=cifar", "model.stem");
    row("model.init=normal model.init_from=a.safetensors", "model.init");
    row("model.batchnorm_momentum=corrected", "model.batchnorm_momentum");
    row("model.norm=group model.batchnorm_window=true", "model.batchnorm_window");
    row("model.norm=layer model.batchnorm_precise=true", "model.batchnorm_precise");
    row("model.norm=batch model.batchnorm_window=true model.batchnorm_momentum=corrected",
        "model.batchnorm_momentum");
    row("model.norm=layer model.groups=1", "model.groups");
    row("model.norm=batch batch.micro=8", "batch.micro");
    row("model.norm=batch batch.steps=8", "model.batchnorm_momentum");
    row("model.norm=batch batch.steps=2 model.batchnorm_momentum=0.5", "model.batchnorm_momentum");
    row("model.name=mlp model.norm=group model.widths=64", "model.groups");
    row("model.name=mlp model.norm=group model.widths=512,32", "model.groups");
    row("model.name=mlp model.norm=group model.groups=256", "model.groups");
    row("model.name=mlp model.norm=group model.widths=64,2", "model.widths");
    row("model.name=mlp model.norm=layer model.widths=64,2", "model.widths");
    row("batch.effective=8 batch.micro=32", "batch.micro");
    row("run.precision=float16 run.device=cpu", "run.precision");
    row("run.precision=bfloat16 run.tf32=true", "run.tf32");
    row("run.device=cpu run.tf32=true", "run.tf32");
    row("model.name=mlp run.memory_format=channels_last", "run.memory_format");
    row("model.name=mlp run.memory_format=contiguous", "run.memory_format");
    row("optimizer.name=adam optimizer.momentum=0.5", "optimizer.momentum");
    row("optimizer.name=adamw optimizer.nesterov=true", "optimizer.nesterov");
    row("optimizer.beta1=0.8", "optimizer.beta1");
    for (const char* shard : { "optimizer", "parameters" })
        row(("batch.devices=2 trace.histograms=1epoch distributed.shard=" + std::string(shard))
                .c_str(),
            "trace.histograms");
    row("optimizer.alpha=0.9", "optimizer.alpha");
    row("optimizer.amsgrad=true", "optimizer.amsgrad");
    row("optimizer.name=rmsprop optimizer.amsgrad=true", "optimizer.amsgrad");
    row("optimizer.name=adam optimizer.centered=true", "optimizer.centered");
    row("optimizer.name=rmsprop optimizer.nesterov=true", "optimizer.nesterov");
    row("optimizer.eps=0.1", "optimizer.eps");
    row("optimizer.decay_norm_and_bias=false", "optimizer.decay_norm_and_bias");
    row("schedule.final_factor=0.5", "schedule.final_factor");
    row("schedule.every=2steps", "schedule.every");
    row("schedule.milestones=2epochs", "schedule.milestones");
    row("schedule.name=cosine schedule.gamma=0.5", "schedule.gamma");
    row("schedule.name=linear schedule.peak_share=0.5", "schedule.peak_share");
    row("schedule.name=step", "schedule.every"); // 30 epochs in a run of 10
    row("schedule.name=step schedule.every=70steps run.limit_steps=70", "schedule.every");
    row("schedule.name=multistep schedule.milestones=2epochs,10epochs", "schedule.milestones");
    row("schedule.name=multistep schedule.milestones=2steps,8steps run.limit_steps=8",
        "schedule.milestones");
}

void TestValidation::whatIsWorthKnowingIsAWarning()
{
    QFETCH(QString, settings);
    QFETCH(QString, key);
    const Findings findings = validate(with(settings));
    QVERIFY(!hasErrors(findings));
    QCOMPARE(findings.size(), 1u);
    QCOMPARE(QString::fromStdString(findings.front().key), key);
    if (findings.front().message.english().find("no effect") != std::string::npos)
        QVERIFY(findings.front().fix); // one press resets it
}

void TestValidation::whatNothingReadsIsNamedWhateverItsValue()
{
    const auto isUnread = [](const char* settings, const char* key) {
        const std::vector<std::string> unread = unreadKeys(with(QLatin1String(settings)));
        return std::find(unread.begin(), unread.end(), key) != unread.end();
    };
    QVERIFY(isUnread("model.name=lenet5", "model.widths"));
    QVERIFY(isUnread("model.name=lenet5 model.widths=8", "model.widths"));
    QVERIFY(!isUnread("model.name=mlp", "model.widths"));
    QVERIFY(isUnread("data.name=digits", "data.path"));
    QVERIFY(!isUnread("data.name=mnist", "data.path"));
    QVERIFY(isUnread("model.name=mlp run.memory_format=contiguous", "run.memory_format"));
    QVERIFY(isUnread("model.name=mlp run.memory_format=channels_last", "run.memory_format"));
    QVERIFY(!isUnread("model.name=lenet5 run.memory_format=contiguous", "run.memory_format"));
    QVERIFY(isUnread("model.norm=none", "model.groups"));
    QVERIFY(!isUnread("model.norm=group", "model.groups"));
    QVERIFY(isUnread("optimizer.name=adam", "optimizer.momentum"));
    QVERIFY(!isUnread("optimizer.name=sgd", "optimizer.momentum"));
    QVERIFY(!isUnread("optimizer.name=rmsprop", "optimizer.momentum"));
    QVERIFY(!isUnread("optimizer.name=rmsprop", "optimizer.eps"));
    QVERIFY(!isUnread("optimizer.name=sgd", "optimizer.lr"));
}

void TestValidation::allErrorsAreListedAtOnce()
{
    const Experiment experiment = with("optimizer.lr=-1 batch.micro=0 run.epochs=-3 data.name=idx "
                                       "model.norm=group model.groups=5 run.device=gpu");
    QStringList keys;
    for (const Finding& finding : validate(experiment))
        keys << QString::fromStdString(finding.key);
    keys.removeDuplicates();
    keys.sort();
    QCOMPARE(keys,
        QStringList({ "batch.micro", "data.path", "model.groups", "optimizer.lr", "run.device",
            "run.epochs" }));
}

void TestValidation::aSeedBeyondWhatTomlHoldsIsAnError()
{
    Experiment experiment;
    experiment.run.seed = 1ULL << 63;
    const QStringList errors = found(validate(experiment), Finding::Severity::Error);
    QCOMPARE(errors.size(), 1);
    QVERIFY2(errors.front().contains("9223372036854775808"), qPrintable(errors.front()));
}

void TestValidation::groupsThatFitNoSlotAreOneError()
{
    const auto errors =
        found(validate(with("model.norm=group model.groups=5")), Finding::Severity::Error);
    QCOMPARE(errors.size(), 1);
}

void TestValidation::givenNormalisationHasAValueAChannel()
{
    Experiment experiment;
    experiment.data.normalize = { Normalization::Kind::Given, { 0.5, 0.4, 0.3 }, { 1, 1, 1 } };
    const auto errors = [&] { return found(validate(experiment), Finding::Severity::Error); };
    QCOMPARE(errors(),
        QStringList("data.normalize| data.normalize has 3 values each, but the images of "
                    "data.name = \"digits\" have 1 channel; give one value per channel."));
    experiment.data.name = DataName::Cifar10;
    QVERIFY(errors().isEmpty());
    using Values = std::vector<double>;
    const std::pair<Values, Values> wrong[] = { { { 0.5, 0.4, 0.3 }, { 1, 1 } }, { {}, {} },
        { { 0.5, 0.5, 0.5 }, { 1, 1, 0 } }, { { 0.5, 0.5, 2e6 }, { 1, 1, 1 } },
        { { 0.5, 0.5, std::nan("") }, { 1, 1, 1 } } };
    for (const auto& [mean, stddev] : wrong) {
        experiment.data.normalize = { Normalization::Kind::Given, mean, stddev };
        QVERIFY(!errors().isEmpty());
        QVERIFY2(errors().front().contains("one to three each"), qPrintable(errors().front()));
    }
}

void TestValidation::aScheduleOfStepsHasSixtyFourEntriesAtMost()
{
    Experiment experiment;
    for (int entry = 0; entry < 64; ++entry)
        experiment.batch.schedule.push_back({ StepsFrom::Unit::Step, entry, 1 + entry % 2 });
    QVERIFY(!hasErrors(validate(experiment)));
    experiment.batch.schedule.push_back({ StepsFrom::Unit::Step, 64, 1 });
    const QStringList errors = found(validate(experiment), Finding::Severity::Error);
    QCOMPARE(errors.size(), 1);
    QVERIFY2(errors.front().contains("list of at most 64"), qPrintable(errors.front()));
}

QTEST_GUILESS_MAIN(TestValidation)
#include "tst_validation.moc"
