// SPDX-License-Identifier: Apache-2.0
#include "engine/events/memory_layers.h"

#include <QTest>

using namespace accrue;

namespace {

// 100 bytes of activations, of which 95 have an owner, and other categories beside them.
PhaseMemory backward()
{
    PhaseMemory phase;
    phase.atPeak.at(static_cast<std::size_t>(MemoryCategory::Activations)) = 100;
    phase.owners = { { MemoryCategory::DataSet, "", "", 900 },
        { MemoryCategory::Activations, "conv2", "aten::conv2d", 40 },
        { MemoryCategory::Activations, "conv1", "aten::conv2d", 30 },
        { MemoryCategory::Activations, "conv1", "aten::relu", 20 },
        { MemoryCategory::Activations, "", "aten::log_softmax", 5 },
        { MemoryCategory::Gradients, "conv1", "", 7 } };
    return phase;
}

QString text(const std::vector<LayerBytes>& layers)
{
    QStringList words;
    for (const LayerBytes& each : layers)
        words.append(
            QStringLiteral("%1 %2").arg(QString::fromStdString(each.layer)).arg(each.bytes));
    return words.join(QStringLiteral(", "));
}

} // namespace

class TestMemoryLayers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLayersBlocksAreAddedTheMostFirst()
    {
        QCOMPARE(text(bytesByLayer(backward(), MemoryCategory::Activations)),
            QStringLiteral("conv1 50, conv2 40,  10"));
    }
    void aCategoryWithoutBytesHasNoLayers()
    {
        QVERIFY(bytesByLayer(backward(), MemoryCategory::Workspace).empty());
    }
    void theHighestPeakIsTheFirstOfEqualOnes()
    {
        MemoryMeasured measured;
        QVERIFY(highestPeak(measured) == nullptr);
        measured.phases = { { .peakBytes = 5 }, { .peakBytes = 9 }, { .peakBytes = 9 } };
        QVERIFY(highestPeak(measured) == &measured.phases[1]);
    }
};

QTEST_GUILESS_MAIN(TestMemoryLayers)
#include "tst_memory_layers.moc"
