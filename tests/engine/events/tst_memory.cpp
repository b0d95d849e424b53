// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory.h"

#include <QTest>

using namespace accrue;

class TestMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theHighestPeakIsTheFirstOfEqualOnes()
    {
        MemoryMeasured measured;
        QVERIFY(highestPeak(measured) == nullptr);
        measured.phases = { { .peakBytes = 5 }, { .peakBytes = 9 }, { .peakBytes = 9 } };
        QVERIFY(highestPeak(measured) == &measured.phases[1]);
        measured.phases = { { .peakBytes = -1 } }; // of a damaged log
        QVERIFY(highestPeak(measured) == &measured.phases[0]);
    }
    void theForwardPassThatKeepsTheMostIsFound()
    {
        const auto forward = [](std::int64_t bytes) {
            PhaseMemory phase { .phase = MemoryPhase::Forward, .kept = { { "conv1", bytes } } };
            phase.atEnd.at(static_cast<std::size_t>(MemoryCategory::Activations)) = bytes;
            return phase;
        };
        MemoryMeasured measured { .phases = { { .peakBytes = 99 } } };
        QVERIFY(mostKept(measured) == nullptr);
        measured.phases.insert(
            measured.phases.end(), { forward(5), forward(8), forward(8), forward(3) });
        QVERIFY(mostKept(measured) == &measured.phases[2]);
    }
};

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
