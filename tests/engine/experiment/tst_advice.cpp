// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/advice.h"

#include "engine/experiment/fixes.h"
#include "engine/experiment/keys.h"
#include "engine/experiment/validation.h"

#include <QStringList>
#include <QTest>

using namespace accrue;

namespace {

Experiment with(const QString& assignments, Experiment experiment = {})
{
    for (const QString& assignment : assignments.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (hasErrors(applySetting(experiment, assignment.toStdString())))
            qFatal("not a setting: %s", qPrintable(assignment));
    return experiment;
}

Experiment growing(const QString& assignments)
{
    Experiment experiment = with(assignments);
    experiment.batch.schedule = { { StepsFrom::Unit::Epoch, 0, 2 },
        { StepsFrom::Unit::Epoch, 4, 16 } };
    return experiment;
}

// What a fix makes of it; empty: no finding is about `key`.
QString fixOf(const Experiment& experiment, const char* key)
{
    for (const Finding& finding : validate(experiment))
        if (finding.key == key)
            return finding.fix ? QString::fromStdString(finding.fix->assignments.front())
                               : QStringLiteral("none");
    return {};
}

// As the form's check: nothing is reported about batch numbers that cannot be solved.
Findings rateAdvice(const Experiment& now, const Experiment& before)
{
    const auto resolved = resolve(now).resolved;
    return resolved ? adviseOnRate(*resolved, requireResolved(before)) : Findings {};
}

} // namespace

// The findings that one setting makes, and their fixes, are rows of tst_validation and tst_fixes.
class TestAdvice : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMomentumThatIsCorrectedOrNotUsedIsNotSpokenOf()
    {
        const char* key = "model.batchnorm_momentum";
        QVERIFY(!fixOf(with("model.norm=batch batch.steps=7"), key).isEmpty()); // 1 − 0.9^7 = 0.52
        for (const char* quiet : { "batch.steps=6", "batch.steps=7 model.batchnorm_window=true",
                 "batch.steps=7 model.batchnorm_precise=true",
                 "batch.steps=7 model.batchnorm_momentum=corrected",
                 "batch.steps=1 model.batchnorm_momentum=0.9" })
            QCOMPARE(fixOf(with(QStringLiteral("model.norm=batch ") + quiet), key), QString());
    }

    void theLargestWindowOfAScheduleCounts()
    {
        const Experiment experiment = growing("model.norm=batch optimizer.lr_rule=linear");
        QCOMPARE(fixOf(experiment, "model.batchnorm_momentum"),
            QStringLiteral("model.batchnorm_momentum=corrected"));
    }

    void theFixOfTheMomentumSaysWhatItDoes()
    {
        QCOMPARE(correctingMomentum().label.english(), "Correct BatchNorm momentum for N");
    }

    void aRateThatStaysWhileWindowsGrowIsOfferedItsRule()
    {
        const char* key = "optimizer.lr_rule";
        QCOMPARE(fixOf(growing({}), key), QStringLiteral("optimizer.lr_rule=linear"));
        QCOMPARE(
            fixOf(growing("optimizer.name=adam"), key), QStringLiteral("optimizer.lr_rule=sqrt"));
        QCOMPARE(fixOf(growing("optimizer.name=adam batch.reduction=sum"), key),
            QStringLiteral("optimizer.lr_rule=sqrt"));
        QCOMPARE(fixOf(growing("batch.reduction=sum"), key), QString()); // follows by itself
        QCOMPARE(fixOf(growing("optimizer.lr_rule=sqrt"), key), QString());
        Experiment same = growing({});
        same.batch.schedule.back().steps = 2;
        QCOMPARE(fixOf(same, key), QString());
    }

    void aRateThatStayedWhenTheBatchChangedIsOfferedAnother_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("fix"); // empty: nothing is reported
        const auto row = [](const char* before, const char* change, const char* fix) {
            QTest::addRow("%s, %s", before, change)
                << QString::fromUtf8(before) << QString::fromUtf8(change) << QString::fromUtf8(fix);
        };
        row("", "batch.steps=16", "optimizer.lr=0.04"); // in proportion to B
        row("", "batch.micro=8", "optimizer.lr=0.0025");
        row("", "batch.micro=8 batch.steps=16", ""); // the same B
        row("", "batch.steps=6", ""); // less than twofold
        row("", "batch.steps=8 optimizer.lr=0.02", "");
        row("", "batch.steps=8 optimizer.name=adam", "");
        row("optimizer.name=adam", "batch.steps=16", "optimizer.lr=0.02"); // the square root of 4
        row("optimizer.name=rmsprop", "batch.steps=16", "optimizer.lr=0.02");
        row("optimizer.name=adamw", "batch.steps=2", "optimizer.lr=0.00707");
        row("", "batch.reduction=sum", "optimizer.lr=0.0025"); // a sample weighs 4 times as much
        row("batch.reduction=sum", "batch.reduction=mean", "optimizer.lr=0.04");
        row("batch.reduction=sum", "batch.steps=16", ""); // each weighs what it did
        row("batch.reduction=sum", "batch.micro=128", "optimizer.lr=0.04");
        row("optimizer.name=adam", "batch.reduction=sum", ""); // adam does not see the weight
        row("optimizer.lr=9e8", "batch.steps=16", ""); // no such rate
        row("", "batch.steps=16 batch.devices=2", "optimizer.lr=0.08");
        row("", "batch.effective=4 batch.devices=8", ""); // no plan
    }

    void aRateThatStayedWhenTheBatchChangedIsOfferedAnother()
    {
        QFETCH(QString, before);
        QFETCH(QString, change);
        QFETCH(QString, fix);
        const Experiment old = with(before);
        Experiment now = with(change, old);
        const Findings findings = rateAdvice(now, old);
        QCOMPARE(findings.size(), fix.isEmpty() ? 0u : 1u);
        if (fix.isEmpty())
            return;
        const Finding& finding = findings.front();
        QVERIFY(finding.severity == Finding::Severity::Warning);
        QCOMPARE(QString::fromStdString(finding.fix->assignments.front()), fix);
        QVERIFY(applyFix(now, *finding.fix).empty());
        QVERIFY(rateAdvice(now, old).empty());
        QVERIFY(!hasErrors(validate(now)));
    }

    void theSentenceNamesBothBatches()
    {
        const Findings larger = rateAdvice(with("batch.steps=16"), {});
        QCOMPARE(QString::fromStdString(larger.front().message.english()),
            QStringLiteral("The effective batch is 512, 4 times the previous 128, but the learning "
                           "rate is the same; with sgd it usually scales in proportion, to "
                           "0.04."));
        const Findings smaller = rateAdvice(with("batch.steps=1"), {});
        QVERIFY(smaller.front().message.english().find("is 32, 1/4 of the previous 128")
            != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestAdvice)
#include "tst_advice.moc"
