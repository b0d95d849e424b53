// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace accrue {

// How the values of all parameters, one after the other, are divided among the ranks: they are cut
// into chunks of whole parameters, each chunk is padded to a multiple of the ranks, and each rank
// owns one of so many equal parts of it. A part begins and ends anywhere within a parameter. What
// a rank owns of all chunks has one order, that of the chunks.
class ShardLayout {
public:
    struct Range { // of values
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t length() const { return std::max<std::int64_t>(end - begin, 0); }
    };
    struct Chunk {
        std::size_t firstParameter = 0;
        std::size_t endParameter = 0;
        std::int64_t values = 0; // with the padding
        Range own; // of what this rank owns of all chunks
    };
    // A parameter in its chunk.
    struct Place {
        std::size_t chunk = 0;
        Range range; // of the chunk's values
    };
    // What this rank owns of a parameter, or of a chunk's padding; its length is 0 if it is
    // nothing.
    struct Piece {
        Range own; // of what this rank owns of all chunks
        std::int64_t begin = 0; // in the parameter
    };

    // `sizes`: values of each parameter; `counts`: how many of them each chunk has.
    ShardLayout(const std::vector<std::int64_t>& sizes, const std::vector<std::size_t>& counts,
        int rank, int ranks);

    const std::vector<Chunk>& chunks() const { return m_chunks; }
    const Place& placeOf(std::size_t parameter) const { return m_places.at(parameter); }
    // This rank's part of a chunk's values.
    Range partOf(std::size_t chunk) const;
    Piece pieceOf(std::size_t parameter) const;
    Piece paddingOf(std::size_t chunk) const;
    std::int64_t ownValues() const { return m_chunks.empty() ? 0 : m_chunks.back().own.end; }

private:
    Piece pieceOf(std::size_t chunk, const Range& range) const;

    int m_rank;
    int m_ranks;
    std::vector<Chunk> m_chunks;
    std::vector<Place> m_places;
};

// How many parameters each chunk has, if it takes whole layers, one after the other, up to
// `chunkBytes`; a larger layer has a chunk of its own. `layerBytes` and `counts`: of each layer.
std::vector<std::size_t> chunksOfLayers(const std::vector<std::int64_t>& layerBytes,
    const std::vector<std::size_t>& counts, std::int64_t chunkBytes);

} // namespace accrue
