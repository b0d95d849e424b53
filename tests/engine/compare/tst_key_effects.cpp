// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/key_effects.h"

#include "engine/compare/group_summary.h"
#include "engine/runs/run_keys.h"
#include "tests/engine/compare/seeded_runs.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;

namespace {

KeyEffects effectsOf(const std::vector<RunRecord>& runs)
{
    std::vector<std::optional<double>> accuracy;
    accuracy.reserve(runs.size());
    for (const RunRecord& run : runs)
        accuracy.push_back(run.bestTestAccuracy);
    return keyEffects(runs, accuracy, runNumber(kAccuracyFilter));
}

std::string wordsOf(const std::vector<RunRecord>& runs)
{
    std::string words;
    for (const Message& each : sentencesOf(effectsOf(runs)))
        words += (words.empty() ? "" : " ") + each.english();
    return words;
}

const KeyImportance& keyNamed(const KeyEffects& effects, const std::string& name)
{
    for (const KeyImportance& each : effects.keys)
        if (each.key == name)
            return each;
    throw std::runtime_error(name);
}

// Runs that a rate alone makes better or worse, all with the same seed.
std::vector<RunRecord> rates(std::size_t count)
{
    std::vector<RunRecord> runs;
    for (std::size_t i = 0; i < count; ++i) {
        runs.push_back(seededRun(Norm::Batch, 32, 1, 0.9 + 0.001 * static_cast<double>(i)));
        runs.back().experiment.optimizer.lr = 0.01 + 0.001 * static_cast<double>(i);
    }
    return runs;
}

} // namespace

class TestKeyEffects : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyAreThoseOfTheSummary()
    {
        const KeyEffects effects = effectsOf(seededRuns());
        const GroupSummary summary = summarize(seededRuns(), {}, {});
        QCOMPARE(effects.keys.size(), summary.importance.size());
        for (std::size_t i = 0; i < effects.keys.size(); ++i) {
            QCOMPARE(effects.keys[i].key, summary.importance[i].key);
            QCOMPARE(effects.keys[i].effect.omega, summary.importance[i].effect.omega);
        }
    }

    void theGroupsOfAKeyAreThoseOfTheSummaryByIt()
    {
        const KeyEffects effects = effectsOf(seededRuns());
        const GroupSummary summary = summarize(seededRuns(), {}, { .keys = { "b" } });
        const std::vector<KeyGroup> groups = groupsOf(effects, keyNamed(effects, "b"));
        QCOMPARE(groups.size(), std::size_t { 2 });
        for (std::size_t i = 0; i < groups.size(); ++i) {
            QCOMPARE(groups[i].name, summary.groups.groups[i].values.front().text);
            QCOMPARE(groups[i].numbers.mean.count, std::int64_t { 10 });
            QCOMPARE(groups[i].numbers.mean.mean, summary.numbers[i].mean.mean);
            QCOMPARE(groups[i].numbers.mean.low, summary.numbers[i].mean.low);
        }
    }

    void whatExplainsMostIsSaid()
    {
        const std::string words = wordsOf(seededRuns());
        QVERIFY2(words.starts_with("b explains about "), words.c_str());
        QVERIFY2(words.find("% of the variance (Accuracy, best, n 20).") != std::string::npos,
            words.c_str());
        QVERIFY2(words.find("It moves together with N") != std::string::npos, words.c_str());
    }

    void aWeakEffectIsCalledChance()
    {
        std::vector<RunRecord> runs;
        const double accuracies[] = { 0.90, 0.94, 0.91, 0.93, 0.95, 0.92 };
        for (std::uint64_t i = 0; i < 6; ++i)
            runs.push_back(seededRun(i % 2 == 0 ? Norm::Batch : Norm::Group, 32, 1 + i / 2,
                accuracies[i] + (i % 2 == 0 ? 0 : 0.02)));
        const std::string words = wordsOf(runs);
        QVERIFY2(words.find("norm explains about") == 0, words.c_str());
        QVERIFY2(words.find("Chance alone") != std::string::npos, words.c_str());
    }

    void whatCannotBeExplainedIsRefusedWithTheReason()
    {
        const RunRecord one = seededRun(Norm::Batch, 32, 1, 0.9);
        RunRecord diverged = one;
        diverged.outcome = RunOutcome::Diverged;
        QVERIFY(wordsOf({ diverged, diverged }).starts_with("None of these runs that have ended"));
        QVERIFY(wordsOf({ one, diverged }).starts_with("Only one of these runs"));
        QVERIFY(wordsOf({ one, one, one }).starts_with("These 3 runs differ in no setting"));
        QVERIFY(wordsOf({ one, seededRun(Norm::Group, 32, 1, 0.95) }).starts_with("Too few runs:"));
        QVERIFY(wordsOf({ one, seededRun(Norm::Group, 32, 1, 0.9) })
                    .starts_with("All 2 values are equal"));
    }

    // Of a random search, no two runs have one rate, and all may have one seed.
    void runsOfARangeAreNoRepeatsOfEachOther()
    {
        const KeyEffects effects = effectsOf(rates(12));
        const KeyImportance& rate = keyNamed(effects, "lr");
        QVERIFY(rate.isRanges);
        const std::vector<KeyGroup> groups = groupsOf(effects, rate);
        QCOMPARE(groups.size(), std::size_t { 4 });
        QCOMPARE(groups.front().numbers.mean.count, std::int64_t { 3 });
        QVERIFY(std::abs(groups.front().numbers.mean.mean - 0.901) < 1e-12);
    }

    void aShareIsWrittenInPercent()
    {
        QCOMPARE(shareText(0.6149, 2), std::string("61 %"));
        QCOMPARE(shareText(1, 2), std::string("100 %"));
        QCOMPARE(shareText(0.9996, 2), std::string("100 %"));
        QCOMPARE(shareText(std::nan("")), std::string("–"));
    }

    void aFileHasKeysAndTheGroupsOfOne()
    {
        const KeyEffects effects = effectsOf(seededRuns());
        const auto table = effectTable(effects, &keyNamed(effects, "norm"));
        QCOMPARE(table.size(), 1 + effects.keys.size() + 2);
        QCOMPARE(table.front().front(), std::string("key"));
        for (const auto& line : table)
            QCOMPARE(line.size(), table.front().size());
        QCOMPARE(table[1 + effects.keys.size()][0], std::string("norm"));
        QCOMPARE(table[1 + effects.keys.size()][1], std::string("batch"));
        QVERIFY(effectTable(effectsOf({ seededRun(Norm::Batch, 4, 1, 0.9) }), nullptr).empty());
    }
};

QTEST_GUILESS_MAIN(TestKeyEffects)
#include "tst_key_effects.moc"
