// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/group_comparison.h"

#include "engine/base/language.h"
#include "tests/engine/compare/seeded_runs.h"

#include <cmath>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;

namespace {

struct Compared {
    RunGroups groups;
    std::vector<GroupNumbers> numbers;
    GroupComparison made;
};

// The last group against the first one.
Compared compared(const std::vector<RunRecord>& runs, const std::vector<std::string>& keys)
{
    const RunNumber number = runNumber("accuracy");
    std::vector<std::optional<double>> values;
    for (const RunRecord& run : runs)
        values.push_back(number.value(run, {}));
    Compared found { groupRuns(runs, keys), {}, {} };
    found.numbers = groupNumbers(runs, found.groups, values);
    found.made =
        compareGroups(found.groups, found.numbers, number, found.groups.groups.size() - 1, 0);
    return found;
}

std::vector<RunRecord> only(std::int64_t micro)
{
    std::vector<RunRecord> runs = seededRuns();
    std::erase_if(runs, [&](const RunRecord& run) { return run.plan.micro != micro; });
    return runs;
}

std::string sentenceOf(
    const std::vector<RunRecord>& runs, const std::vector<std::string>& keys = { "norm", "b" })
{
    return compared(runs, keys).made.sentence.english();
}

RunRecord& runOf(std::vector<RunRecord>& runs, Norm norm, std::uint64_t seed)
{
    return *std::find_if(runs.begin(), runs.end(), [&](const RunRecord& run) {
        return run.experiment.model.norm == norm && run.experiment.run.seed == seed;
    });
}

} // namespace

class TestGroupComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { setLanguage(languages().front()); }

    void oneSentenceSaysWhatThePairsSay()
    {
        QCOMPARE(sentenceOf(only(4)),
            std::string("GroupNorm against BatchNorm at b = 4: +1.9 points, 95 % interval +1.1 to "
                        "+2.7, 5 seeds."));
        setLanguage(*findLanguage("zh_CN"));
        QCOMPARE(compared(only(4), { "norm", "b" }).made.sentence.text(),
            std::string("b = 4 时 GroupNorm 与 BatchNorm 相比：+1.9 个百分点，"
                        "95 % 区间 +1.1 到 +2.7，5 个种子。"));
    }

    // SciPy's ttest_1samp of the differences.
    void theTestIsThatOfTheDifferences()
    {
        const auto test = compared(only(4), { "norm" }).made.test;
        QVERIFY(test);
        QVERIFY(std::abs(test->difference.mean - 0.019) < 1e-12);
        QVERIFY(std::abs(test->difference.low - 0.011396391931041823) < 1e-9);
        QVERIFY(std::abs(test->difference.high - 0.026603608068958176) < 1e-9);
        QVERIFY(std::abs(test->p - 0.002266628519162326) < 1e-9);
    }

    void itSaysHowManySeedsWouldTellThemApart()
    {
        QCOMPARE(sentenceOf(only(32)),
            std::string(
                "GroupNorm against BatchNorm at b = 32: +0.04 points, 95 % interval −0.32 to "
                "+0.40, 5 seeds. 5 seeds cannot tell these apart; about 202 would, at this "
                "spread."));
        QCOMPARE(compared(only(32), { "norm" }).made.needed, std::optional<std::int64_t>(202));
        QVERIFY(!compared(only(4), { "norm" }).made.needed);
    }

    void whatIsEqualIsNotToldApartByAnyNumber()
    {
        std::vector<RunRecord> runs;
        for (const std::uint64_t seed : { 1, 2, 3 })
            for (const Norm norm : { Norm::Batch, Norm::Group })
                runs.push_back(seededRun(norm, 4, seed, 0.9 + 0.01 * static_cast<double>(seed)));
        QVERIFY2(sentenceOf(runs).ends_with("The values of 3 seeds are equal."),
            sentenceOf(runs).c_str());
        runOf(runs, Norm::Group, 1).bestTestAccuracy = 0.5 + 0.25;
        runOf(runs, Norm::Batch, 1).bestTestAccuracy = 0.5;
        runOf(runs, Norm::Group, 2).bestTestAccuracy = 0.5;
        runOf(runs, Norm::Batch, 2).bestTestAccuracy = 0.5 + 0.25;
        QVERIFY2(sentenceOf(runs).find("by 0 on average") != std::string::npos,
            sentenceOf(runs).c_str());
        runOf(runs, Norm::Group, 2).bestTestAccuracy = 0.5001;
        QVERIFY2(sentenceOf(runs).find("more than 1\u202f000") != std::string::npos,
            sentenceOf(runs).c_str());
    }

    void withoutPairsItIsRefusedWithTheReason()
    {
        std::vector<RunRecord> runs = only(4);
        for (RunRecord& run : runs)
            if (run.experiment.model.norm == Norm::Group)
                run.experiment.run.seed += 100;
        QCOMPARE(sentenceOf(runs),
            std::string("GroupNorm against BatchNorm at b = 4 cannot be compared: no seed is in "
                        "both groups. Train both with the same seeds."));
        QVERIFY(!compared(runs, { "norm" }).made.test);
        runOf(runs, Norm::Group, 101).experiment.run.seed = 1;
        QVERIFY2(sentenceOf(runs).find("only 1 seed is in both groups") != std::string::npos,
            sentenceOf(runs).c_str());
        for (RunRecord& run : runs)
            if (run.experiment.model.norm == Norm::Group)
                run.bestTestAccuracy = NAN;
        QVERIFY2(sentenceOf(runs).find("of GroupNorm, b = 4, no run that ended has a value "
                                       "(Accuracy, best)")
                != std::string::npos,
            sentenceOf(runs).c_str());
    }

    void seedsOfOneGroupAloneAreLeftOutAndCounted()
    {
        std::vector<RunRecord> runs = only(4);
        runOf(runs, Norm::Group, 5).experiment.run.seed = 6;
        const Compared found = compared(runs, { "norm" });
        QCOMPARE(found.made.test->difference.count, 4);
        QCOMPARE(found.made.unpaired, 2);
        QVERIFY2(found.made.sentence.english().find("4 seeds. 2 values have no counterpart")
                != std::string::npos,
            found.made.sentence.english().c_str());
    }

    void runsThatEndedEarlyAreMarkedInMeansAndTests()
    {
        std::vector<RunRecord> runs = only(4);
        runOf(runs, Norm::Group, 1).early = EarlyEnd::Rule;
        RunRecord& halved = runOf(runs, Norm::Group, 2);
        halved.early = EarlyEnd::Halving;
        halved.outcome = RunOutcome::Stopped;
        const Compared found = compared(runs, { "norm" });
        QCOMPARE(found.numbers.back().endedEarly, 2);
        QCOMPARE(found.numbers.front().endedEarly, 0);
        QCOMPARE(found.numbers.back().mean.count, 5);
        QVERIFY2(found.made.sentence.english().ends_with("2 of these runs ended early."),
            found.made.sentence.english().c_str());
    }

    void runsThatFailedOrStillTrainAreLeftOut()
    {
        std::vector<RunRecord> runs = only(4);
        runOf(runs, Norm::Batch, 1).outcome = RunOutcome::Diverged;
        runOf(runs, Norm::Batch, 2).state = RunState::Running;
        runOf(runs, Norm::Batch, 3).bestTestAccuracy.reset();
        const Compared found = compared(runs, { "norm" });
        QCOMPARE(found.numbers.front().mean.count, 2);
        QCOMPARE(found.numbers.front().leftOut.size(), std::size_t { 3 });
        QCOMPARE(found.made.test->difference.count, 2);
    }

    void repeatsOfARunCountOnce()
    {
        std::vector<RunRecord> runs = only(4);
        const auto before = compared(runs, { "norm" });
        runs.push_back(runOf(runs, Norm::Group, 1));
        const auto after = compared(runs, { "norm" });
        QCOMPARE(after.numbers.back().mean.count, 5);
        QCOMPARE(after.numbers.back().mean.low, before.numbers.back().mean.low);
        QCOMPARE(after.made.test->p, before.made.test->p);
    }

    // SciPy's ttest_1samp of the five means over both b.
    void pairsOfOneSeedCountOnce()
    {
        const Compared found = compared(seededRuns(), { "norm" });
        const MeanInterval& difference = found.made.test->difference;
        QCOMPARE(difference.count, 5);
        QVERIFY(std::abs(difference.mean - 0.0097) < 1e-9);
        QVERIFY(std::abs(difference.low - 0.004241619078269338) < 1e-9);
        QVERIFY(std::abs(found.made.test->p - 0.007850498023119202) < 1e-9);
        QVERIFY2(found.made.sentence.english().ends_with("5 seeds (10 pairs of runs)."),
            found.made.sentence.english().c_str());
    }

    // Runs that differ in nothing but a number that does not matter tell no more than one of them.
    void copiesOfRunsMakeNoIntervalNarrower()
    {
        std::vector<RunRecord> runs = only(4);
        const MeanInterval before = compared(runs, { "norm" }).made.test->difference;
        for (RunRecord run : only(4)) {
            run.experiment.checkpoint.keep = 7;
            runs.push_back(run);
        }
        const MeanInterval after = compared(runs, { "norm" }).made.test->difference;
        QCOMPARE(after.count, before.count);
        QVERIFY(std::abs(after.half() - before.half()) < 1e-12);
    }

    void pairsOfOneSeedAloneAreCountedAsPairs()
    {
        std::vector<RunRecord> runs = seededRuns();
        std::erase_if(runs, [](const RunRecord& run) { return run.experiment.run.seed != 1; });
        const Compared found = compared(runs, { "norm" });
        QCOMPARE(found.made.test->difference.count, 2);
        QVERIFY2(found.made.sentence.english().find("2 pairs of runs") != std::string::npos,
            found.made.sentence.english().c_str());
    }

    void aSettingThatDiffersBesideTheKeysIsNamed()
    {
        std::vector<RunRecord> runs = only(4);
        for (RunRecord& run : runs)
            if (run.experiment.model.norm == Norm::Group)
                run.experiment.optimizer.lr = 0.5;
        QVERIFY2(sentenceOf(runs).ends_with("The two groups differ in lr, too."),
            sentenceOf(runs).c_str());
        QVERIFY2(sentenceOf(seededRuns(), { "b" }).find("too.") == std::string::npos,
            sentenceOf(seededRuns(), { "b" }).c_str()); // N follows from b
    }

    void theBestGroupHasTheBestMean()
    {
        const Compared found = compared(only(4), { "norm" });
        QCOMPARE(bestGroup(found.numbers, runNumber("accuracy")), std::optional<std::size_t>(1));
        QCOMPARE(bestGroup(found.numbers, runNumber("loss")), std::optional<std::size_t>(0));
        QVERIFY(!bestGroup(found.numbers, runNumber("lr")));
        QVERIFY(!bestGroup({ {}, {} }, runNumber("accuracy")));
    }
};

QTEST_GUILESS_MAIN(TestGroupComparison)
#include "tst_group_comparison.moc"
