// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/run_groups.h"

#include "engine/base/error.h"
#include "tests/engine/compare/seeded_runs.h"

#include <string>
#include <vector>

#include <QTest>

using namespace accrue;
using Texts = std::vector<std::string>;

namespace {

Texts namesOf(const RunGroups& made)
{
    Texts names;
    for (const RunGroup& group : made.groups)
        names.push_back(group.name.english());
    return names;
}

} // namespace

class TestRunGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsAreGroupedByThemselves()
    {
        const RunGroups made = groupRuns(seededRuns(), {});
        QCOMPARE(made.keys, (Texts { "norm", "b" })); // neither the seed nor N, which follows
        QCOMPARE(namesOf(made),
            (Texts { "BatchNorm, b = 4", "BatchNorm, b = 32", "GroupNorm, b = 4",
                "GroupNorm, b = 32" }));
        for (const RunGroup& group : made.groups)
            QCOMPARE(group.runs.size(), std::size_t { 5 });
        QVERIFY(made.onlySeeds);
        QCOMPARE(made.places[0], std::string("1"));
    }

    void whatTheProgramChoseMakesNoGroup()
    {
        std::vector<RunRecord> runs = seededRuns();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].threads = i % 2 == 0 ? 1 : 2;
            runs[i].name = runs[i].experiment.name = "run " + std::to_string(i);
        }
        QCOMPARE(groupRuns(runs, {}).keys, (Texts { "norm", "b" }));
        for (RunRecord& run : runs)
            run.experiment.run.threads = run.threads;
        QCOMPARE(groupRuns(runs, {}).keys, (Texts { "norm", "b", "run.threads" }));
    }

    void anyKeysMakeGroups()
    {
        const RunGroups byNorm = groupRuns(seededRuns(), { "model.norm" });
        QCOMPARE(namesOf(byNorm), (Texts { "BatchNorm", "GroupNorm" }));
        QVERIFY(!byNorm.onlySeeds); // b differs within the groups, too
        QCOMPARE(byNorm.places[0], std::string("1, b = 4"));
        QVERIFY(byNorm.beside.empty());
        const RunGroups bySeed = groupRuns(seededRuns(), { "seed", "b" });
        QCOMPARE(namesOf(bySeed).front(), std::string("seed = 1, b = 4"));
        QCOMPARE(bySeed.groups.size(), std::size_t { 10 });
        QCOMPARE(groupRuns(seededRuns(), { "norm", "model.norm", "norm" }).keys, Texts { "norm" });
        const RunGroups byState = groupRuns(seededRuns(), { "state" });
        QCOMPARE(namesOf(byState), Texts { "state = completed" });
    }

    void whatIsHiddenLeavesItsGroup()
    {
        RunGroups made = groupRuns(seededRuns(), {});
        keepRuns(made, { 0, 4, 5 });
        QCOMPARE(namesOf(made), (Texts { "BatchNorm, b = 4", "GroupNorm, b = 4" }));
        QCOMPARE(made.groups[0].runs, (std::vector<std::size_t> { 0, 4 }));
        const std::vector<RunRecord> runs = seededRuns();
        QCOMPARE(shownPositions(runs, { runs[1].id }).size(), runs.size() - 1);
    }

    void numbersAreInTheirOrderAndWhatIsNotReadIsLast()
    {
        std::vector<RunRecord> runs;
        for (const double momentum : { 0.9, 0.5 })
            for (const OptimizerName name : { OptimizerName::Sgd, OptimizerName::Adam }) {
                runs.push_back(recordOf(static_cast<std::int64_t>(runs.size()) + 1));
                runs.back().experiment.optimizer.name = name;
                runs.back().experiment.optimizer.momentum = momentum;
            }
        const RunGroups made = groupRuns(runs, {});
        QCOMPARE(made.groups.size(), std::size_t { 3 }); // Adam reads no momentum
        for (const RunGroup& group : made.groups)
            QCOMPARE(group.runs.size(), std::size_t { group.values[0].text == "adam" ? 2U : 1U });
        QCOMPARE(namesOf(made)[0], std::string("Adam")); // without what it does not have
        QVERIFY2(
            namesOf(made)[1].find("momentum = 0.5") != std::string::npos, namesOf(made)[1].c_str());
    }

    void aSettingThatDiffersBetweenGroupsAloneIsNamed()
    {
        std::vector<RunRecord> runs = seededRuns();
        for (RunRecord& run : runs)
            if (run.experiment.model.norm == Norm::Group)
                run.experiment.optimizer.lr = 0.5;
        const RunGroups made = groupRuns(runs, { "norm", "b" });
        QCOMPARE(made.beside.size(), std::size_t { 1 });
        QCOMPARE(made.beside.front().name, std::string("lr"));
        QVERIFY(made.onlySeeds);
    }

    void noRunsAndOneRunHaveNoKeys()
    {
        QVERIFY(groupRuns({}, {}).groups.empty());
        QVERIFY(groupRuns({}, { "norm" }).groups.empty());
        const RunGroups one = groupRuns({ recordOf(1) }, {});
        QCOMPARE(namesOf(one), Texts { "" });
        QVERIFY(one.keys.empty());
    }

    void anUnknownKeyIsRefused()
    {
        QVERIFY_THROWS_EXCEPTION(InputError, groupRuns(seededRuns(), { "nrom" }));
    }

    // By any keys, and paired by the seed that they were logged with.
    void runsThatAScriptLoggedAreGroupedToo()
    {
        std::vector<RunRecord> runs;
        for (const std::int64_t seed : { 1, 2 })
            for (const char* head : { "linear", "attention" }) {
                runs.push_back(recordOf(static_cast<std::int64_t>(runs.size()) + 1));
                runs.back().source = RunSource::Script;
                runs.back().settings = { { "head", std::string(head) }, { "run.seed", seed } };
            }
        const RunGroups made = groupRuns(runs, {});
        QCOMPARE(made.keys, Texts { "head" });
        QCOMPARE(namesOf(made), (Texts { "head = attention", "head = linear" }));
        QCOMPARE(made.places, (Texts { "1", "1", "2", "2" }));
    }

    void importanceIsOfAllKeysAndTheSeed()
    {
        Texts names;
        for (const ImportanceKey& key : importanceKeys(seededRuns()))
            names.push_back(key.name);
        QCOMPARE(names, (Texts { "norm", "b", "N", "seed" }));
    }
};

QTEST_GUILESS_MAIN(TestRunGroups)
#include "tst_run_groups.moc"
