// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/registries.h"

#include <QTest>

using namespace accrue;

namespace {

// As infoOf(name) needs it, and no word twice.
template <typename Table> bool standsInOrder(const Table& table)
{
    for (std::size_t row = 0; row < table.size(); ++row) {
        if (static_cast<std::size_t>(table[row].name) != row)
            return false;
        for (std::size_t other = 0; other < row; ++other)
            if (std::string_view(table[row].word) == table[other].word)
                return false;
    }
    return true;
}

} // namespace

class TestRegistries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsStandInTheOrderOfTheirEnumerations()
    {
        QVERIFY(standsInOrder(dataSetTable()));
        QVERIFY(standsInOrder(optimizerTable()));
        QVERIFY(standsInOrder(scheduleTable()));
        QCOMPARE(dataSetInfo(DataName::Images).word, "images");
        QCOMPARE(optimizerInfo(OptimizerName::AdamW).title, "AdamW");
        QCOMPARE(scheduleInfo(ScheduleName::OneCycle).word, "onecycle");
    }

    void anOptimizerKeepsTensorsForEachParameter()
    {
        const auto states = [](OptimizerName name, double momentum) {
            OptimizerSettings settings;
            settings.momentum = momentum;
            return optimizerInfo(name).states(settings);
        };
        QCOMPARE(states(OptimizerName::Sgd, 0.9), 1);
        QCOMPARE(states(OptimizerName::Sgd, 0), 0);
        QCOMPARE(states(OptimizerName::Adam, 0), 2);
        QCOMPARE(states(OptimizerName::AdamW, 0.9), 2);
        QCOMPARE(states(OptimizerName::Rmsprop, 0), 1);
        QCOMPARE(states(OptimizerName::Rmsprop, 0.9), 2);
    }

    void ratesThatFollowFromTheLengthOfTheRun()
    {
        for (const ScheduleInfo& schedule : scheduleTable())
            QCOMPARE(schedule.followsLength,
                schedule.name == ScheduleName::Cosine || schedule.name == ScheduleName::Linear
                    || schedule.name == ScheduleName::OneCycle);
    }
};

QTEST_GUILESS_MAIN(TestRegistries)
#include "tst_registries.moc"
