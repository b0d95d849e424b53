// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/halving.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace accrue;

namespace {

using State = RungEntry::State;
using Rungs = std::vector<std::int64_t>;

RungEntry reached(double value)
{
    return { State::Reached, value, 100 };
}

// "+" goes on, "-" is stopped, "." has ended.
QString decisionsOf(const std::vector<RungEntry>& entries, std::int64_t eta)
{
    const auto decisions = decideRung(entries, eta);
    if (!decisions)
        return QStringLiteral("pending");
    QString text;
    for (const RungDecision& decision : *decisions)
        text += QLatin1Char("+-."[static_cast<int>(decision.kind)]);
    return text;
}

} // namespace

class TestHalving : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rungsAreThePowersOfEta()
    {
        QCOMPARE(halvingRungs(900, 9, 3), (Rungs { 100, 300 }));
        QCOMPARE(halvingRungs(900, 26, 3), (Rungs { 100, 300 }));
        QCOMPARE(halvingRungs(900, 27, 3), (Rungs { 34, 100, 300 }));
        QCOMPARE(halvingRungs(1000, 8, 2), (Rungs { 125, 250, 500 }));
        QCOMPARE(halvingRungs(1000, 24, 3), (Rungs { 112, 334 }));
    }

    void shortSweepsAndRunsHaveFewerRungs()
    {
        QCOMPARE(halvingRungs(900, 2, 3), Rungs {});
        QCOMPARE(halvingRungs(1, 100, 2), Rungs {});
        QCOMPARE(halvingRungs(0, 100, 2), Rungs {});
        QCOMPARE(halvingRungs(3, 100, 2), (Rungs { 1, 2 }));
        QCOMPARE(halvingRungs(100, 100, 1), Rungs {});
        QCOMPARE(halvingRungs(100, std::numeric_limits<std::int64_t>::max(), 2).front(), 1);
    }

    void theBestGoOn()
    {
        QCOMPARE(decisionsOf({ reached(0.1), reached(0.9), reached(0.5) }, 3), "-+-");
        QCOMPARE(
            decisionsOf({ reached(0.1), reached(0.9), reached(0.5), reached(0.6) }, 3), "-+-+");
    }

    void runsThatAreAsGoodAsTheLastGoOn()
    {
        QCOMPARE(decisionsOf({ reached(0.9), reached(0.9), reached(0.5) }, 3), "++-");
        QCOMPARE(
            decisionsOf({ reached(0.2), reached(0.2), reached(0.2), reached(0.2) }, 2), "++++");
    }

    void runsWithoutAFiniteValueAreStopped()
    {
        QCOMPARE(
            decisionsOf({ reached(std::nan("")), reached(0.1), { State::Reached, {} } }, 2), "-+-");
        QCOMPARE(decisionsOf({ reached(std::nan("")), reached(std::nan("")) }, 2), "--");
        QCOMPARE(
            decisionsOf({ reached(-std::numeric_limits<double>::infinity()), reached(0.1) }, 2),
            "-+");
    }

    // Of six entries three go on: the completed one, and the two best of the others.
    void runsThatEndedCountButAreLeftAlone()
    {
        const RungEntry completed { State::Completed, 0.99 };
        const RungEntry lost { State::Lost, 0.999 };
        QCOMPARE(
            decisionsOf({ completed, reached(0.1), reached(0.2), reached(0.3), lost, lost }, 2),
            ".-++..");
        QCOMPARE(decisionsOf({ lost, lost, reached(0.1) }, 3), "..+");
    }

    void nothingIsDecidedBeforeAllAreThere()
    {
        QCOMPARE(decisionsOf({ reached(0.1), { State::Pending, 0.5 } }, 2), "pending");
        QCOMPARE(decisionsOf({}, 2), "");
    }

    void theReasonNamesValueAndPlace()
    {
        const auto decisions =
            decideRung({ reached(0.1), reached(0.9), reached(0.5), reached(std::nan("")) }, 3);
        QCOMPARE(decisions->at(0).reason.english(),
            std::string("Stopped by successive halving at step 100: with its best accuracy, "
                        "10.00 %, it is in place 3 of 4, and the best 2 go on."));
        QCOMPARE(decisions->at(3).reason.english(),
            std::string("Stopped by successive halving at step 100: it has no finite accuracy."));
    }
};

QTEST_GUILESS_MAIN(TestHalving)
#include "tst_halving.moc"
