// SPDX-License-Identifier: Apache-2.0
#include "engine/window/shard_layout.h"

namespace accrue {

ShardLayout::ShardLayout(const std::vector<std::int64_t>& sizes,
    const std::vector<std::size_t>& counts, int rank, int ranks)
    : m_rank(rank)
    , m_ranks(ranks)
{
    for (const std::size_t count : counts) {
        Chunk chunk { .firstParameter = m_places.size(), .own = { ownValues(), 0 } };
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t size = sizes.at(m_places.size());
            m_places.push_back({ m_chunks.size(), { chunk.values, chunk.values + size } });
            chunk.values += size;
        }
        chunk.endParameter = m_places.size();
        const std::int64_t part = (chunk.values + ranks - 1) / ranks;
        chunk.values = part * ranks;
        chunk.own.end = chunk.own.begin + part;
        m_chunks.push_back(chunk);
    }
}

ShardLayout::Range ShardLayout::partOf(std::size_t chunk) const
{
    const std::int64_t length = m_chunks.at(chunk).values / m_ranks;
    return { m_rank * length, (m_rank + 1) * length };
}

ShardLayout::Piece ShardLayout::pieceOf(std::size_t parameter) const
{
    const Place& place = m_places.at(parameter);
    return pieceOf(place.chunk, place.range);
}

ShardLayout::Piece ShardLayout::paddingOf(std::size_t chunk) const
{
    const Chunk& all = m_chunks.at(chunk);
    return pieceOf(chunk, { m_places.at(all.endParameter - 1).range.end, all.values });
}

ShardLayout::Piece ShardLayout::pieceOf(std::size_t chunk, const Range& range) const
{
    const Range part = partOf(chunk);
    const Range owned { std::max(part.begin, range.begin), std::min(part.end, range.end) };
    const std::int64_t begin = m_chunks.at(chunk).own.begin + owned.begin - part.begin;
    return { { begin, begin + owned.length() }, owned.begin - range.begin };
}

std::vector<std::size_t> chunksOfLayers(const std::vector<std::int64_t>& layerBytes,
    const std::vector<std::size_t>& counts, std::int64_t chunkBytes)
{
    std::vector<std::size_t> chunks;
    std::int64_t bytes = 0;
    for (std::size_t layer = 0; layer < counts.size(); ++layer) {
        if (chunks.empty() || bytes + layerBytes.at(layer) > chunkBytes) {
            chunks.push_back(0);
            bytes = 0;
        }
        chunks.back() += counts[layer];
        bytes += layerBytes[layer];
    }
    return chunks;
}

} // namespace accrue
