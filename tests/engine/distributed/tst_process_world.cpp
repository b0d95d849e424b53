// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/process_world.h"

#include "engine/accelerator/device_scope.h"
#include "engine/base/error.h"
#include "engine/distributed/device_exchange.h"
#include "tests/engine/distributed/ranks_in_processes.h"
#include "tests/support/accelerator_device.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include <QTest>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

using namespace accrue;
using namespace accrue::test;
using namespace std::chrono_literals;

namespace {

at::Tensor numbersOf(const Decision& decision)
{
    return at::tensor({ decision.stop ? 1.0 : 0.0, decision.pause ? 1.0 : 0.0,
        decision.smallerMicro ? 1.0 : 0.0, decision.learningRate.value_or(-1) });
}

} // namespace

class TestProcessWorld : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // As prepareProcessForEngine(): gloo may write to a rank that has just been killed.
        std::signal(SIGPIPE, SIG_IGN);
        at::set_num_threads(1);
        if (kWhyNoRanks != nullptr)
            QSKIP(kWhyNoRanks);
    }

    void sumsAreThoseOfAllRanksWithTheSameBits_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("inMemory");
        QTest::addColumn<int>("values");
        // More than a piece of the shared memory, and not a multiple of one; what sockets send to
        // rank 0; and the least that they do not.
        for (const int values : { 100'007, 5, 513 })
            for (const int ranks : { 2, 3, 8 })
                for (const bool inMemory : { true, false })
                    QTest::addRow("%d of %d, %s", ranks, values, inMemory ? "memory" : "sockets")
                        << ranks << inMemory << values;
    }

    void sumsAreThoseOfAllRanksWithTheSameBits()
    {
        QFETCH(int, ranks);
        QFETCH(bool, inMemory);
        QFETCH(int, values);
        const at::Tensor parts = at::rand({ ranks, values }, at::kDouble).sub_(0.5);
        const std::vector<RankResult> sums = onRanks(
            ranks,
            [&](World& world) {
                const at::Tensor mine = parts[world.rank()].clone();
                world.sum(mine);
                return mine;
            },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        for (const RankResult& sum : sums) {
            QCOMPARE(sum.problem, std::string());
            QVERIFY(sum.numbers.equal(sums.front().numbers));
            QVERIFY(sum.numbers.sub(parts.sum(0)).abs().max().item<double>() < 1e-14);
        }
    }

    void countsAndBytesAreSummedToo()
    {
        const std::vector<RankResult> results = onRanks(
            3,
            [](World& world) {
                const at::Tensor count = at::full({ 2 }, world.rank() + 1, at::kLong);
                const at::Tensor byte = at::full({ 1 }, world.rank(), at::kByte);
                const at::Tensor scalar = at::full({}, 0.5, at::kFloat);
                for (const at::Tensor& tensor : { count, byte, scalar })
                    world.sum(tensor);
                return at::cat({ count.to(at::kDouble), byte.to(at::kDouble),
                    scalar.to(at::kDouble).reshape({ 1 }) });
            },
            Exchange::Sockets);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(at::tensor({ 6.0, 6.0, 3.0, 1.5 })));
        }
    }

    void sumsGoOnWhileARankComputes_data()
    {
        QTest::addColumn<bool>("inMemory");
        QTest::addRow("memory") << true;
        QTest::addRow("sockets") << false;
    }

    // Through sockets a rank returns from the calls before the others have made theirs. In memory
    // whoever adds cannot compute, so nobody asks for it; the sums are the same.
    void sumsGoOnWhileARankComputes()
    {
        QFETCH(bool, inMemory);
        constexpr int kRanks = 3;
        const at::Tensor parts = at::rand({ kRanks, 2, 50'000 }, at::kDouble);
        const std::vector<RankResult> results = onRanks(
            kRanks,
            [&](World& world) {
                world.agree({}); // all are connected
                if (!inMemory && world.rank() == 2)
                    std::this_thread::sleep_for(300ms);
                const at::Tensor mine = parts[world.rank()].clone();
                const auto begin = std::chrono::steady_clock::now();
                world.beginSum(mine[0]);
                world.beginSum(mine[1]);
                const bool isFree = std::chrono::steady_clock::now() - begin < 200ms;
                world.finishSums();
                const Traffic traffic = world.traffic();
                return at::cat({ mine.sub(parts.sum(0)).abs().max().reshape({ 1 }),
                    at::tensor({ isFree ? 1.0 : 0.0, static_cast<double>(traffic.calls),
                        static_cast<double>(traffic.bytes),
                        world.bytesToOverlap(mine) > 0 ? 1.0 : 0.0 }) });
            },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            const auto numbers = rank.numbers.accessor<double, 1>();
            QVERIFY(numbers[0] < 1e-14);
            QCOMPARE(numbers[1], 1.0);
            QCOMPARE(numbers[2], 2.0);
            const double each = 50'000 * sizeof(double);
            QVERIFY(std::abs(numbers[3] - 2 * each * 4 / 3) < 4); // either way, in whole bytes
            QCOMPARE(numbers[4], inMemory ? 0.0 : 1.0);
        }
    }

    // As NCCL does it; here gloo, whose sums of two devices can be seen without one.
    void devicesSumWhileTheyCompute()
    {
        const at::Tensor parts = at::rand({ 2, 2, 1'000 }, at::kDouble);
        const std::int64_t port = freePort();
        const std::vector<RankResult> results = onRanks(2, [&](World& world) {
            c10d::TCPStoreOptions options;
            options.port = static_cast<std::uint16_t>(port);
            options.isServer = world.rank() == 0;
            const auto store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
            auto group = c10d::ProcessGroupGloo::Options::create(20s);
            group->devices = { c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1") };
            DeviceExchange exchange(c10::make_intrusive<c10d::ProcessGroupGloo>(
                                        store, world.rank(), world.size(), std::move(group)),
                20s, [] {});
            const at::Tensor mine = parts[world.rank()].clone();
            exchange.beginSum(mine[0]);
            exchange.beginSum(mine[1]);
            exchange.finishSums();
            exchange.sum(mine[1]);
            world.agree({}); // neither leaves before the other one is done
            return mine;
        });
        const at::Tensor sums = parts.sum(0);
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(at::cat({ sums[0], sums[1].mul(2) })));
        }
    }

    void partsAreSummedAndGathered_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("inMemory");
        for (const int ranks : { 2, 3, 8 })
            for (const bool inMemory : { true, false })
                QTest::addRow("%d, %s", ranks, inMemory ? "memory" : "sockets")
                    << ranks << inMemory;
    }

    // Several pieces of either exchange, the last of which is shorter.
    void partsAreSummedAndGathered()
    {
        QFETCH(int, ranks);
        QFETCH(bool, inMemory);
        const std::int64_t part = 1'400'003 / ranks;
        const at::Tensor all = at::rand({ ranks, ranks * part }, at::kFloat);
        const std::vector<RankResult> gathered = onRanks(
            ranks,
            [&](World& world) {
                const at::Tensor mine = all[world.rank()].clone();
                world.sumOwnPart(mine);
                world.gatherParts(mine);
                return mine.slice(/*dim=*/0, /*start=*/0, mine.numel(), /*step=*/2).clone();
            },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        const at::Tensor sum = all.sum(0).slice(/*dim=*/0, /*start=*/0, ranks * part, /*step=*/2);
        for (const RankResult& rank : gathered) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(gathered.front().numbers));
            QVERIFY(rank.numbers.sub(sum).abs().max().item<double>() < 1e-5);
        }
    }

    // Each rank has a device of its own. Only the ranks open it, because no process that has can be
    // copied.
    void tensorsOfDevicesAreExchangedAlike()
    {
        constexpr std::int64_t kPart = 1'001;
        const at::Tensor all = at::rand({ 2, 2 * kPart }, at::kFloat);
        const std::vector<RankResult> results = onRanks(2, [&](World& world) -> at::Tensor {
            if (!acceleratorDevice() || accelerator()->devices().size() < 2)
                return at::empty({ 0 });
            const c10::Device device(
                accelerator()->type(), static_cast<c10::DeviceIndex>(world.rank()));
            const DeviceScope scope(device);
            const at::Tensor summed = all[world.rank()].to(device);
            world.sum(summed);
            const at::Tensor gathered = all[world.rank()].to(device);
            world.sumOwnPart(gathered);
            world.gatherParts(gathered);
            const at::Tensor flag = at::full({ 1 }, world.rank() == 1, at::kBool).to(device);
            world.any(flag);
            return at::cat({ summed.cpu(), gathered.cpu(), flag.cpu().to(at::kFloat) });
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            if (rank.numbers.numel() == 0)
                QSKIP("fewer than two devices here");
            const at::Tensor sum = all.sum(0).to(at::kDouble);
            const at::Tensor wanted = at::cat({ sum, sum, at::ones({ 1 }, at::kDouble) });
            QVERIFY(rank.numbers.sub(wanted).abs().max().item<double>() < 1e-6);
        }
    }

    void aFlagOfOneRankIsSetOnAll()
    {
        const std::vector<RankResult> results = onRanks(3, [&](World& world) {
            const at::Tensor flags = at::zeros({ 4 }, at::kBool);
            flags[world.rank()].fill_(true);
            world.any(flags);
            return flags.to(at::kDouble);
        });
        for (const RankResult& flags : results) {
            QCOMPARE(flags.problem, std::string());
            QVERIFY(flags.numbers.equal(at::tensor({ 1.0, 1.0, 1.0, 0.0 })));
        }
    }

    void allDecideAlike()
    {
        const std::vector<RankResult> results = onRanks(3, [&](World& world) {
            Decision mine { .stop = world.rank() == 2, .smallerMicro = world.rank() == 1 };
            if (world.rank() > 0)
                mine.learningRate = 0.5 * world.rank();
            const at::Tensor none = numbersOf(world.agree({}));
            return at::cat({ none, numbersOf(world.agree(mine)), at::full({ 1 }, world.size()) });
        });
        for (const RankResult& decided : results) {
            QCOMPARE(decided.problem, std::string());
            // The rate is that of the lowest rank that requests one.
            QVERIFY(decided.numbers.equal(
                at::tensor({ 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 1.0, 0.5, 3.0 })));
        }
    }

    void ranksOfOneMachineKnowTheProgressOfAll_data()
    {
        QTest::addColumn<bool>("isOneMachine");
        QTest::addRow("one machine") << true;
        QTest::addRow("several") << false;
    }

    // Also when the world, and its memory, have gone.
    void ranksOfOneMachineKnowTheProgressOfAll()
    {
        QFETCH(bool, isOneMachine);
        constexpr int kRanks = 3;
        const std::int64_t port = freePort();
        const std::vector<RankResult> results = onRanks(kRanks, [&](World& world) {
            RankPlace place = placeOf(world.rank(), kRanks, port);
            place.isOneMachine = isOneMachine;
            RunControl control;
            {
                const auto watched = connectRanks(place, 20s, {}, &control);
                const auto number = static_cast<std::uint32_t>(world.rank() + 1);
                control.setProgress({ Phase::Backward, number, 4 });
                watched->agree({});
            }
            std::vector<double> numbers { 0 };
            for (const Progress& progress : control.progressOfRanks())
                numbers.push_back(progress.phase == Phase::Backward ? progress.microBatch : -1);
            world.agree({});
            return at::tensor(numbers, at::kDouble);
        });
        for (const RankResult& rank : results) {
            QCOMPARE(rank.problem, std::string());
            QVERIFY(rank.numbers.equal(isOneMachine ? at::tensor({ 0., 1., 2., 3. }, at::kDouble)
                                                    : at::zeros({ 1 }, at::kDouble)));
        }
    }

    void aRankThatGoesEndsTheCallsOfTheOthers()
    {
        const std::vector<RankResult> results = onRanks(2, [](World& world) {
            const at::Tensor values = at::ones({ 8 });
            if (world.rank() == 1)
                world.sum(values);
            return values;
        });
        QCOMPARE(results[0].problem, std::string());
        const std::string problem = results[1].problem;
        QVERIFY2(problem.find("Rank 0 of 2 does not answer") != std::string::npos, problem.c_str());
    }

    void aKilledRankIsNamedByAll_data()
    {
        QTest::addColumn<bool>("inMemory");
        QTest::addRow("memory") << true;
        QTest::addRow("sockets") << false;
    }

    // Through sockets rank 0 alone notices, and the others only that it ends.
    void aKilledRankIsNamedByAll()
    {
        QFETCH(bool, inMemory);
        const std::vector<RankResult> results = onRanks(
            4,
            [](World& world) {
                world.agree({}); // all are connected
                if (world.rank() == 2)
                    ::kill(::getpid(), SIGKILL);
                const at::Tensor values = at::ones({ 8 });
                world.sum(values);
                return values;
            },
            inMemory ? Exchange::Memory : Exchange::Sockets);
        for (const std::size_t rank : { 0, 1, 3 }) {
            const std::string problem = results[rank].problem;
            QVERIFY2(problem.find("Rank 2 of 4 does not answer any more") != std::string::npos,
                problem.c_str());
        }
    }

    void aRankThatIsKilledWhileSumsGoOnIsNamed()
    {
        const std::vector<RankResult> results = onRanks(
            3,
            [](World& world) {
                world.agree({}); // all are connected
                const at::Tensor values = at::ones({ 3, 1'000'000 });
                world.beginSum(values[0]);
                if (world.rank() == 2)
                    ::kill(::getpid(), SIGKILL);
                world.beginSum(values[1]);
                world.beginSum(values[2]);
                world.finishSums();
                return values;
            },
            Exchange::Sockets);
        for (const std::size_t rank : { 0, 1 }) {
            const std::string problem = results[rank].problem;
            QVERIFY2(problem.find("Rank 2 of 3 does not answer any more") != std::string::npos,
                problem.c_str());
        }
    }

    void aRankThatLeavesSaysWhy()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            const at::Tensor values = at::ones({ 8 });
            if (world.rank() == 1)
                world.leave(Message::plain("It has no memory left."));
            else
                world.sum(values);
            return values;
        });
        for (const std::size_t rank : { 0, 2 }) {
            const std::string problem = results[rank].problem;
            QVERIFY2(problem.find("Rank 1 cannot go on: It has no memory left.") != problem.npos,
                problem.c_str());
        }
    }

    // It computes while another one is killed, and answers all the same.
    void aBusyRankIsNotTakenForALostOne()
    {
        const std::vector<RankResult> results = onRanks(3, [](World& world) {
            world.agree({}); // all are connected
            if (world.rank() == 2)
                ::kill(::getpid(), SIGKILL);
            if (world.rank() == 1)
                std::this_thread::sleep_for(4s); // longer than the ranks are asked for
            const at::Tensor values = at::ones({ 8 });
            world.sum(values);
            return values;
        });
        const std::string problem = results[0].problem;
        QVERIFY2(problem.find("Rank 2 of 3 does not answer") != std::string::npos, problem.c_str());
    }

    void aWaitForOthersCanBeGivenUp()
    {
        try {
            connectRanks(placeOf(0, 2, freePort()), 60s, [] { return Message::plain("Enough."); });
            QFAIL("nobody else was there");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()), std::string("Enough."));
        }
    }

    void aRankThatWaitsTooLongSaysWhere()
    {
        try {
            connectRanks(placeOf(0, 2, freePort()), 500ms);
            QFAIL("nobody else was there");
        } catch (const Error& error) {
            const std::string text = error.what();
            QVERIFY2(text.find("127.0.0.1:") != std::string::npos, text.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestProcessWorld)
#include "tst_process_world.moc"
