// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/curve_groups.h"

#include "engine/experiment/key_names.h"
#include "tests/support/example_log.h"

#include <QTest>

using namespace accrue;

namespace {

RunRecord record(std::int64_t id, Norm norm, std::uint64_t seed)
{
    RunRecord run;
    run.id = RunId { id };
    run.name = "a";
    run.experiment = exampleExperiments(1).front();
    run.experiment.model.norm = norm;
    run.experiment.run.seed = seed;
    return run;
}

std::vector<RunRecord> fourRuns()
{
    return { record(1, Norm::Group, 1), record(2, Norm::Batch, 1), record(3, Norm::Group, 2),
        record(4, Norm::Batch, 2) };
}

} // namespace

class TestCurveGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void seedsAreTogether()
    {
        const auto groups = curveGroups(fourRuns(), grouping::kSeeds);
        QCOMPARE(groups.size(), std::size_t { 2 });
        QCOMPARE(groups[0].runs, (std::vector<std::size_t> { 0, 2 }));
        QCOMPARE(groups[1].runs, (std::vector<std::size_t> { 1, 3 }));
        QVERIFY2(groups[0].title.contains(QLatin1String("group")), qPrintable(groups[0].title));
        QVERIFY(!groups[0].title.contains(QLatin1String("seed")));
    }

    void withoutGroupsEachRunIsByItself()
    {
        QCOMPARE(curveGroups(fourRuns(), grouping::kNone).size(), std::size_t { 4 });
    }

    void aKeyGroupsByItsValue()
    {
        const auto groups = curveGroups(fourRuns(), key::runSeed);
        QCOMPARE(groups.size(), std::size_t { 2 });
        QCOMPARE(groups[0].runs, (std::vector<std::size_t> { 0, 1 }));
        QVERIFY2(groups[0].title.endsWith(QLatin1String("= 1")), qPrintable(groups[0].title));
    }

    void keysThatDifferAreOfferedButNotTheSeed()
    {
        const auto keys = groupingKeys(fourRuns());
        QVERIFY(std::ranges::find(keys, key::modelNorm) != keys.end());
        QVERIFY(std::ranges::find(keys, key::runSeed) == keys.end());
    }
};

QTEST_GUILESS_MAIN(TestCurveGroups)
#include "tst_curve_groups.moc"
