// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_block.h"

#include "ui/train/forecast_bar.h"
#include "ui/train/plan_dialog.h"

#include <QTest>
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
        block.findChild<QToolButton*>()->click();
        auto* dialog = block.findChild<PlanDialog*>();
        QVERIFY(dialog != nullptr && !dialog->html().isEmpty());
        const QString before = dialog->html();
        block.showCheck(checkOf(9), /*devicesAreKnown=*/true);
        QVERIFY(dialog->html() != before);
    }
};

QTEST_MAIN(TestPlanBlock)
#include "tst_plan_block.moc"
