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
        QCOMPARE(groups[0].title, QStringLiteral("GroupNorm"));
        QCOMPARE(groups[1].title, QStringLiteral("BatchNorm"));
    }

    void withoutGroupsEachRunIsByItself()
    {
        QCOMPARE(curveGroups(fourRuns(), grouping::kNone).size(), std::size_t { 4 });
    }

    void aKeyGroupsByItsValue()
    {
        const auto groups = curveGroups(fourRuns(), "seed");
        QCOMPARE(groups.size(), std::size_t { 2 });
        QCOMPARE(groups[0].runs, (std::vector<std::size_t> { 0, 1 }));
        QVERIFY2(groups[0].title.endsWith(QLatin1String("= 1")), qPrintable(groups[0].title));
    }

    void keysThatDifferAreOfferedButNotTheSeed()
    {
        const auto keys = groupingKeys(fourRuns());
        QCOMPARE(keys, std::vector<std::string> { "norm" });
        QCOMPARE(groupingLabel(keys[0]), QStringLiteral("Normalisation layers"));
        QCOMPARE(groupingLabel("model.norm"), groupingLabel("norm"));
    }

    // Values are in their order in a summary, but the list keeps that of its runs.
    void groupsAreInTheOrderOfTheirFirstRuns()
    {
        std::vector<RunRecord> runs = fourRuns();
        std::swap(runs[0], runs[1]);
        QCOMPARE(curveGroups(runs, "norm").front().title, QStringLiteral("BatchNorm"));
        QCOMPARE(curveGroups(fourRuns(), "norm").front().title, QStringLiteral("GroupNorm"));
    }

    void runsThatDifferInNothingAreOneGroupOfTheirName()
    {
        const auto groups =
            curveGroups({ record(1, Norm::Group, 1), record(2, Norm::Group, 2) }, grouping::kSeeds);
        QCOMPARE(groups.size(), std::size_t { 1 });
        QCOMPARE(groups[0].title, QStringLiteral("a"));
        QVERIFY(curveGroups({}, grouping::kSeeds).empty());
    }

    void aKeyInWhichTheRunsDoNotDifferGroupsNothing()
    {
        QCOMPARE(groupingOf(fourRuns(), "norm"), std::string("norm"));
        QCOMPARE(groupingOf(fourRuns(), "lr"), std::string(grouping::kNone));
        QCOMPARE(groupingOf({}, grouping::kSeeds), std::string(grouping::kSeeds));
    }

    void keysOfScriptsGroupTheirRuns()
    {
        std::vector<RunRecord> runs = fourRuns();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].source = RunSource::Script;
            runs[i].settings = { { "my_width", std::int64_t { i < 2 ? 8 : 16 } } };
        }
        const auto keys = groupingKeys(runs);
        QVERIFY(std::ranges::find(keys, "my_width") != keys.end());
        QCOMPARE(groupingLabel("my_width"), QStringLiteral("my_width"));
        QCOMPARE(curveGroups(runs, "my_width").size(), std::size_t { 2 });
    }
};

QTEST_GUILESS_MAIN(TestCurveGroups)
#include "tst_curve_groups.moc"
