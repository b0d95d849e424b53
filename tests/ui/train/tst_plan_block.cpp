// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_block.h"

#include "ui/train/forecast_bar.h"

#include <QDialog>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>

using namespace accrue;

namespace {

ExperimentCheck checkOf(std::int64_t steps)
{
    Experiment experiment;
    experiment.name = "plan";
    experiment.batch.steps = BatchNumber::given(steps);
    return checkExperiment(experiment, experiment, {}, {});
}

ExperimentCheck checkWith(std::vector<ExplanationPart> parts)
{
    ExperimentCheck check = checkOf(4);
    check.parts = std::move(parts);
    return check;
}

using Topic = ExplanationPart::Topic;

Message said(const char* text)
{
    return Message::plain(text);
}

const std::vector<ExplanationPart> kParts {
    { Topic::Batch, said("Batch"), { said("An update is B.") } },
    { Topic::LearningRate, said("Learning rate"),
        { said("The rate is a mean's."), said("It acts < once.") } },
    { Topic::Defects, said("Published defects"), { said("Another program does it wrong.") } },
};

// The text of the dialog that the button opens.
QTextBrowser* explanationOf(PlanBlock& block)
{
    block.findChild<QToolButton*>()->click();
    return block.findChild<QDialog*>()->findChild<QTextBrowser*>();
}

} // namespace

class TestPlanBlock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAPlanNothingIsForeseen()
    {
        PlanBlock block;
        const ExperimentCheck solved = checkOf(4);
        block.showCheck(solved, /*devicesAreKnown=*/true);
        QVERIFY(block.forecast().isEnabled());
        block.showCheck(solved, /*devicesAreKnown=*/false);
        QVERIFY(!block.forecast().isEnabled());
        block.showCheck({}, /*devicesAreKnown=*/true);
        QVERIFY(!block.forecast().isEnabled());
    }

    void theDialogFollowsThePlan()
    {
        PlanBlock block;
        block.showCheck(checkOf(4), /*devicesAreKnown=*/true);
        QTextBrowser* text = explanationOf(block);
        const QString before = text->toPlainText();
        QVERIFY(!before.isEmpty());
        block.showCheck(checkOf(9), /*devicesAreKnown=*/true);
        QVERIFY(text->toPlainText() != before);
        QCOMPARE(explanationOf(block), text); // one dialog at the most
    }

    void theDialogSaysThePlanAndNothingOfOtherPrograms()
    {
        PlanBlock block;
        block.showCheck(checkWith(kParts), /*devicesAreKnown=*/true);
        const QString said = explanationOf(block)->toPlainText();
        for (const char* words : { "Batch", "An update is B.", "Learning rate",
                 "The rate is a mean's.", "It acts < once." })
            QVERIFY2(said.contains(QLatin1String(words)), words);
        QVERIFY(!said.contains(QLatin1String("Another program")));
    }

    void theDialogSaysWhyThereIsNoPlan()
    {
        PlanBlock block;
        QVERIFY(explanationOf(block)->placeholderText().contains(QLatin1String("no plan")));
    }

    void theLastPlanStaysGreyedWhileThereIsNone()
    {
        PlanBlock block;
        block.showCheck(checkWith(kParts), /*devicesAreKnown=*/true);
        const QTextBrowser* text = explanationOf(block);
        const QString said = text->toPlainText();
        block.showCheck(checkWith({}), /*devicesAreKnown=*/true);
        QCOMPARE(text->toPlainText(), said);
        QVERIFY(!text->isEnabled());
        block.showCheck(checkWith(kParts), /*devicesAreKnown=*/true);
        QVERIFY(text->isEnabled());
    }
};

QTEST_MAIN(TestPlanBlock)
#include "tst_plan_block.moc"
