// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace accrue {

// Which part of a curve is drawn, and how finely.
struct CurveWindow {
    double low = 0; // x
    double high = 1;
    int columns = 600; // of pixels
    bool logarithmic = false; // the columns have equal spans of the logarithm of x
};

// All points of a curve, with the lowest and the highest of every 8, 64, 512 … of them: any part is
// thinned in microseconds, however many points it has. Only grows. A copy shares all but the last
// points, and so can be drawn while another thread extends the original. Not thread-safe.
class CurveLevels {
public:
    CurveLevels() = default;
    CurveLevels(const CurveLevels& other);
    CurveLevels(CurveLevels&&) = default;
    CurveLevels& operator=(CurveLevels other) noexcept;
    ~CurveLevels() = default;

    void add(const SeriesPoint& point); // in the order of x

    std::size_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    SeriesPoint at(std::size_t index) const;
    // As thin() of the points in the window, and the nearest one on either side of it. Boundaries
    // of columns move by at most a quarter of one.
    std::vector<SeriesPoint> in(const CurveWindow& window) const;
    // Nearest to x; empty if x is outside the curve by more than `slack`.
    std::optional<SeriesPoint> nearest(double x, double slack) const;
    std::size_t firstFrom(double x) const; // index of the first point that is not left of x

    // Of all finite values; low > high: there are none.
    struct Extent {
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        double lowestPositive = low;
        void add(double value);
    };
    const Extent& xExtent() const { return m_x; } // of points whose y is finite
    const Extent& yExtent() const { return m_y; }

private:
    static constexpr std::size_t kBranch = 8;
    static constexpr std::size_t kLevels = 5;
    static constexpr std::size_t kChunk = 32'768; // kBranch to the power of kLevels

    struct Node { // of finite values; low > high: there are none
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
        std::uint32_t lowAt = 0; // in its chunk
        std::uint32_t highAt = 0;
        void add(const Node& other);
    };
    // The points are stored without x as long as that rises by the same amount: steps do.
    struct Chunk {
        double firstX = 0;
        double stepX = 0;
        std::vector<double> xs; // empty: firstX + index · stepX
        std::vector<double> ys;
        std::vector<Node> nodes[kLevels]; // of 8, 64, 512 … points
        std::vector<std::uint32_t> notFinite;

        std::size_t size() const { return ys.size(); }
        double x(std::size_t index) const
        {
            return xs.empty() ? firstX + static_cast<double>(index) * stepX : xs[index];
        }
        void add(const SeriesPoint& point);
        std::size_t firstFrom(double x) const;

    private:
        void addX(double x);
        void addToNodes(std::uint32_t index, double y);
    };
    // A column: the extremes of a stretch of points, whose places are numbers of points of all.
    struct Column;

    Chunk& openChunk();
    double xAt(std::size_t index) const;
    void addStretch(Column& column, std::size_t from, std::size_t to) const;
    void appendColumn(std::vector<SeriesPoint>& points, std::size_t from, std::size_t to) const;
    std::size_t endOfColumn(std::size_t from, double x, std::size_t last) const;
    void appendAll(std::vector<SeriesPoint>& points, std::size_t from, std::size_t to) const;

    std::vector<std::shared_ptr<Chunk>> m_chunks; // all but the last are complete
    std::size_t m_size = 0;
    Extent m_x;
    Extent m_y;
};

} // namespace accrue
