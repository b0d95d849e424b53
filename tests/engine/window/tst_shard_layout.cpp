// SPDX-License-Identifier: Apache-2.0
#include "engine/window/shard_layout.h"

#include <cstdint>
#include <vector>

#include <QTest>

using namespace accrue;

using Counts = std::vector<std::size_t>;

namespace {

// Two chunks, of 3 + 4 and 5 values, on three ranks: parts of 3 and 2.
ShardLayout layoutOf(int rank)
{
    return ShardLayout({ 3, 4, 5 }, { 2, 1 }, rank, /*ranks=*/3);
}

} // namespace

class TestShardLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chunksArePaddedToAMultipleOfTheRanks()
    {
        const ShardLayout layout = layoutOf(0);
        QCOMPARE(layout.chunks().size(), std::size_t { 2 });
        QCOMPARE(layout.chunks()[0].values, 9);
        QCOMPARE(layout.chunks()[1].values, 6);
        QCOMPARE(layout.chunks()[1].firstParameter, std::size_t { 2 });
        QCOMPARE(layout.chunks()[1].own.begin, 3);
        QCOMPARE(layout.ownValues(), 5);
        QCOMPARE(layout.placeOf(1).range.begin, 3);
        QCOMPARE(layout.placeOf(2).chunk, std::size_t { 1 });
    }

    // Rank 1 has values 3, 4, 5 of the first chunk, which are the first three of parameter 1, and
    // values 2 and 3 of the second.
    void aPieceIsWhereAPartAndAParameterMeet()
    {
        const ShardLayout layout = layoutOf(1);
        QCOMPARE(layout.partOf(0).begin, 3);
        QCOMPARE(layout.pieceOf(0).own.length(), 0);
        QCOMPARE(layout.pieceOf(1).own.begin, 0);
        QCOMPARE(layout.pieceOf(1).own.length(), 3);
        QCOMPARE(layout.pieceOf(1).begin, 0);
        QCOMPARE(layout.pieceOf(2).own.begin, 3);
        QCOMPARE(layout.pieceOf(2).own.length(), 2);
        QCOMPARE(layout.pieceOf(2).begin, 2);
        QCOMPARE(layout.paddingOf(0).own.length(), 0);
    }

    void piecesAndPaddingFillThePartsOfAllRanks()
    {
        for (int rank = 0; rank < 3; ++rank) {
            const ShardLayout layout = layoutOf(rank);
            std::int64_t values = 0;
            for (const std::size_t parameter : { 0, 1, 2 })
                values += layout.pieceOf(parameter).own.length();
            for (const std::size_t chunk : { 0, 1 })
                values += layout.paddingOf(chunk).own.length();
            QCOMPARE(values, layout.ownValues());
        }
        QCOMPARE(layoutOf(2).paddingOf(0).own.length(), 2);
        QCOMPARE(layoutOf(2).paddingOf(1).own.length(), 1);
    }

    void chunksTakeWholeLayers()
    {
        const std::vector<std::int64_t> bytes { 4, 6, 20, 3, 3, 3 };
        const Counts counts { 2, 2, 1, 2, 1, 1 };
        QCOMPARE(chunksOfLayers(bytes, counts, 1), counts);
        QCOMPARE(chunksOfLayers(bytes, counts, 10), (Counts { 4, 1, 4 }));
        QCOMPARE(chunksOfLayers(bytes, counts, 6), (Counts { 2, 2, 1, 3, 1 }));
        QCOMPARE(chunksOfLayers(bytes, counts, 1000), (Counts { 9 }));
    }
};

QTEST_APPLESS_MAIN(TestShardLayout)
#include "tst_shard_layout.moc"
