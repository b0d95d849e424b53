// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/fixes.h"

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/resolved.h"
#include "engine/experiment/validation.h"

#include <algorithm>
#include <optional>
#include <string>

#include <QStringList>
#include <QTest>

using namespace accrue;

namespace {

Experiment with(const QString& assignments)
{
    Experiment experiment;
    for (const QString& assignment : assignments.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (hasErrors(applySetting(experiment, assignment.toStdString())))
            qFatal("not a setting: %s", qPrintable(assignment));
    return experiment;
}

// Those of `validate`, and with the size of the training set those of checkEpoch, too.
Findings findingsOf(const Experiment& experiment, std::int64_t samples)
{
    Findings findings = validate(experiment);
    const std::optional<BatchPlan> plan = solveBatch(experiment).plan;
    if (!plan || samples == 0)
        return findings;
    for (Finding& finding : checkEpoch(experiment, *plan, samples)) {
        finding.fix = suggestFix(experiment, finding, samples);
        findings.push_back(finding);
    }
    return findings;
}

const Finding* about(const Findings& findings, const QString& key)
{
    const auto found = std::find_if(findings.begin(), findings.end(),
        [&](const Finding& finding) { return finding.key == key.toStdString(); });
    return found != findings.end() ? &*found : nullptr;
}

QString joined(const Fix& fix)
{
    QStringList all;
    for (const std::string& assignment : fix.assignments)
        all << QString::fromStdString(assignment);
    return all.join(QLatin1Char(' '));
}

} // namespace

class TestFixes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFixSettlesItsFindingAndMakesNoNewError_data()
    {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("samples"); // 0: not known
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("assignments");
        const auto row = [](const char* settings, int samples, const char* key,
                             const char* assignments) {
            QTest::newRow(settings) << QString::fromUtf8(settings) << samples
                                    << QString::fromUtf8(key) << QString::fromUtf8(assignments);
        };
        row("model.norm=group model.groups=4", 0, "model.groups", "model.groups=auto");
        row("model.name=mlp model.norm=group model.groups=512", 0, "model.groups",
            "model.groups=auto");
        row("model.norm=batch batch.micro=8", 0, "batch.micro", "model.norm=group");
        row("model.norm=batch model.groups=5 batch.micro=8", 0, "batch.micro",
            "model.norm=group model.groups=auto");
        row("model.name=mlp model.norm=batch batch.micro=1", 0, "batch.micro", "model.norm=group");
        row("model.name=mlp model.norm=batch batch.effective=129 batch.micro=2", 0, "batch.micro",
            "model.norm=group");
        row("batch.effective=128 batch.micro=32 batch.steps=3", 0, "batch.steps", "batch.steps=4");
        row("batch.effective=128 batch.micro=25 batch.steps=5", 0, "batch.steps", "batch.steps=6");
        row("batch.effective=10 batch.steps=6", 0, "batch.steps", "batch.steps=5");
        row("batch.effective=2 batch.devices=3", 0, "batch.devices", "batch.devices=1");
        row("batch.effective=8 batch.micro=32", 0, "batch.micro", "batch.micro=8");
        row("batch.micro=32 batch.steps=4", 100, "batch.effective",
            "batch.effective=100 batch.steps=auto");
        row("batch.effective=500 batch.micro=200 batch.steps=3", 100, "batch.effective",
            "batch.effective=100 batch.steps=auto batch.micro=100");
        row("batch.effective=128 batch.micro=auto batch.steps=4", 100, "batch.effective",
            "batch.effective=100");
        row("model.name=mlp model.norm=batch batch.micro=32", 129, "batch.effective",
            "model.norm=group");
        row("model.norm=batch batch.steps=8", 0, "model.batchnorm_momentum",
            "model.batchnorm_momentum=corrected");
        row("optimizer.lr=1e6", 0, "optimizer.lr", "optimizer.lr=0.1");
        row("optimizer.name=adam optimizer.lr=0.2", 0, "optimizer.lr", "optimizer.lr=0.001");
        row("optimizer.lr=5 batch.reduction=sum", 0, "optimizer.lr", "optimizer.lr=0.025"); // N = 4
        row("model.name=mlp model.norm=group model.widths=64", 0, "model.groups", "model.groups=8");
        row("model.name=mlp model.norm=group model.widths=96,64", 0, "model.groups",
            "model.groups=8");
        row("model.name=mlp model.norm=group model.widths=64,10", 0, "model.groups",
            "model.groups=1");
        row("model.name=mlp model.norm=group model.widths=64,2", 0, "model.widths",
            "model.norm=none");
        row("model.name=mlp model.norm=layer model.widths=2,64", 0, "model.widths",
            "model.norm=none");
        row("batch.tail=drop", 60000, "batch.tail", "batch.tail=flush");
        row("batch.tail=drop", 100, "batch.tail", "batch.tail=flush");
        row("optimizer.nesterov=true optimizer.momentum=0", 0, "optimizer.nesterov",
            "optimizer.nesterov=false");
        row("optimizer.nesterov=true optimizer.dampening=0.1", 0, "optimizer.nesterov",
            "optimizer.dampening=0");
        row("schedule.warmup_epochs=10", 0, "schedule.warmup_epochs", "schedule.warmup_epochs=9");
        row("run.limit_steps=50 schedule.warmup_steps=70", 0, "schedule.warmup_steps",
            "schedule.warmup_steps=49");
        row("run.epochs=2 schedule.warmup_steps=21", 1280, "schedule.warmup_steps",
            "schedule.warmup_steps=19");
        row("run.epochs=2 schedule.warmup_epochs=1 schedule.warmup_steps=10", 1280,
            "schedule.warmup_steps", "schedule.warmup_steps=9");
        row("run.limit_steps=15 schedule.warmup_epochs=3", 1280, "schedule.warmup_epochs",
            "schedule.warmup_epochs=1");
        row("run.limit_steps=5 schedule.warmup_epochs=3 schedule.warmup_steps=2", 1280,
            "schedule.warmup_steps", "schedule.warmup_epochs=0");
        row("data.path=somewhere", 0, "data.path", "data.path=");
        row("model.groups=2", 0, "model.groups", "model.groups=auto");
        row("model.widths=64,32", 0, "model.widths", "model.widths=512, 512");
        row("model.init_sigma=0.5", 0, "model.init_sigma", "model.init_sigma=0.02");
        row("optimizer.name=adam optimizer.momentum=0.5", 0, "optimizer.momentum",
            "optimizer.momentum=0.9");
        row("optimizer.beta1=0.8", 0, "optimizer.beta1", "optimizer.beta1=0.9");
        row("schedule.final_factor=0.5", 0, "schedule.final_factor", "schedule.final_factor=0");
    }

    void aFixSettlesItsFindingAndMakesNoNewError()
    {
        QFETCH(QString, settings);
        QFETCH(int, samples);
        QFETCH(QString, key);
        QFETCH(QString, assignments);
        Experiment experiment = with(settings);
        const Findings before = findingsOf(experiment, samples);
        const Finding* finding = about(before, key);
        QVERIFY(finding != nullptr && finding->fix);
        QCOMPARE(joined(*finding->fix), assignments);
        QVERIFY(!finding->fix->label.empty());
        QVERIFY(applyFix(experiment, *finding->fix).empty());
        const Findings after = findingsOf(experiment, samples);
        QVERIFY2(about(after, key) == nullptr,
            about(after, key) ? about(after, key)->message.english().c_str() : "");
        QVERIFY(!hasErrors(after));
    }

    void whatCanBeMendedInSeveralWaysHasNoFix_data()
    {
        QTest::addColumn<QString>("settings");
        for (const char* settings : { "optimizer.lr=-1", "run.epochs=0", "data.name=idx",
                 "batch.micro=0", "batch.micro=1000000000 batch.steps=1000000000" })
            QTest::newRow(settings) << QString::fromUtf8(settings);
    }

    void whatCanBeMendedInSeveralWaysHasNoFix()
    {
        QFETCH(QString, settings);
        const Findings findings = validate(with(settings));
        QVERIFY(hasErrors(findings));
        for (const Finding& finding : findings)
            QVERIFY2(!finding.fix, finding.message.english().c_str());
    }

    void aFindingOfSomethingElseHasNoFix()
    {
        const Experiment experiment = with("batch.effective=128 batch.micro=32 batch.steps=3");
        const Finding unread { .key = "batch.steps",
            .message = Message::plain("batch.steps is abc.") };
        QVERIFY(!suggestFix(experiment, unread));
    }
};

QTEST_GUILESS_MAIN(TestFixes)
#include "tst_fixes.moc"
