// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_states.h"

#include "tests/engine/distributed/ranks_in_processes.h"

#include <QTest>

#include <ATen/Parallel.h>

using namespace accrue;
using namespace accrue::test;

namespace {

NamedTensors tensorsOf(int rank)
{
    return { { "window.gradient", at::arange(5, at::kDouble).add(10 * rank) },
        { "window.count", at::full({ 1 }, rank + 1, at::kLong) } };
}

at::Tensor flat(const NamedTensors& tensors)
{
    std::vector<at::Tensor> all;
    for (const auto& [name, tensor] : tensors)
        all.push_back(tensor.to(at::kDouble).flatten());
    return at::cat(all);
}

} // namespace

class TestRankStates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    void everyRankFindsItsOwnAgain()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            const NamedTensors all = statesOfAll(world, tensorsOf(world.rank()));
            if (world.rank() > 0)
                return at::zeros({ 1 });
            std::vector<at::Tensor> found { at::full({ 1 }, ranksIn(all), at::kDouble) };
            for (const int rank : { 0, 1, 2 })
                found.push_back(flat(stateOf(rank, all)));
            return at::cat(found);
        });
        for (const RankResult& rank : results)
            QCOMPARE(rank.problem, std::string());
        QVERIFY(results.front().numbers.equal(at::cat({ at::full({ 1 }, 3.0, at::kDouble),
            flat(tensorsOf(0)), flat(tensorsOf(1)), flat(tensorsOf(2)) })));
    }

    void everyRankTakesTheValuesOfTheFirst()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            const NamedTensors tensors = tensorsOf(world.rank() + 1);
            takeValuesOfFirst(world, tensors);
            return flat(tensors);
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(flat(tensorsOf(1))));
        }
    }

    void oneRankHasItsTensorsAlone()
    {
        const NamedTensors all = statesOfAll(World::alone(), tensorsOf(0));
        QCOMPARE(ranksIn(all), 1);
        QVERIFY(flat(stateOf(0, all)).equal(flat(tensorsOf(0))));
    }

    // A layer may have any name.
    void aNameThatOnlyLooksLikeARankIsKept()
    {
        const NamedTensors all { { "rank.weight", at::ones({ 1 }) },
            { "ranking1.weight", at::ones({ 1 }) }, { "rank2x.weight", at::ones({ 1 }) } };
        QCOMPARE(stateOf(0, all).size(), std::size_t { 3 });
        QCOMPARE(ranksIn(all), 1);
    }
};

QTEST_GUILESS_MAIN(TestRankStates)
#include "tst_rank_states.moc"
