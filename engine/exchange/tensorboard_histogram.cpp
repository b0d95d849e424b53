// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/tensorboard_histogram.h"

#include "engine/exchange/wire_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace accrue {

namespace {

// The numbers of fields.
namespace proto {
constexpr std::uint32_t kMin = 1, kMax = 2, kNumber = 3, kSum = 4, kSquares = 5, kLimits = 6,
                        kCounts = 7;
}
namespace tensor {
constexpr std::uint32_t kType = 1, kContent = 4, kDoubles = 6;
constexpr std::uint64_t kDouble = 2;
} // namespace tensor

constexpr std::string_view kOfValues = "parameters/";
constexpr std::string_view kOfGradients = "gradients/";

constexpr double kMostNumbers = 1e15; // whole numbers that doubles add exactly
constexpr std::size_t kMostBins = 1024; // that are taken over
constexpr double kEqual = 1e-6; // widths, relative to each other

struct Bucket {
    double left = 0;
    double right = 0;
    double count = 0;
    double middle() const { return left + (right - left) / 2; }
};
using Buckets = std::vector<Bucket>;

// Doubles that are packed into bytes, or one that stands alone.
bool addDoubles(std::vector<double>& to, const WireReader& field)
{
    if (!field.isBytes()) {
        to.push_back(field.asDouble());
        return true;
    }
    const std::string_view bytes = field.bytes();
    for (std::size_t at = 0; at + sizeof(double) <= bytes.size(); at += sizeof(double)) {
        double value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        to.push_back(value);
    }
    return bytes.size() % sizeof(double) == 0;
}

bool areBuckets(const Buckets& buckets)
{
    double all = 0;
    const auto isBucket = [&](const Bucket& bucket) {
        all += bucket.count;
        return std::isfinite(bucket.left) && bucket.left <= bucket.right
            && std::isfinite(bucket.right) && bucket.count >= 0 && all <= kMostNumbers;
    };
    const auto overlap = [](const Bucket& a, const Bucket& b) { return b.left < a.right; };
    return (buckets.empty() || std::isfinite(buckets.back().right - buckets.front().left))
        && std::all_of(buckets.begin(), buckets.end(), isBucket)
        && std::adjacent_find(buckets.begin(), buckets.end(), overlap) == buckets.end();
}

bool areEqual(const Buckets& buckets, double least, double largest)
{
    const double width = (largest - least) / static_cast<double>(buckets.size());
    return buckets.size() <= kMostBins
        && std::all_of(buckets.begin(), buckets.end(), [&](const Bucket& bucket) {
               return std::abs(bucket.right - bucket.left - width) <= kEqual * width;
           });
}

// How many numbers are below each of the edges of as many equal bins. Rounded there, so that the
// counts between two edges add up to all.
std::vector<std::int64_t> dividedEqually(
    const Buckets& buckets, double least, double largest, std::size_t bins)
{
    std::vector<std::int64_t> counts;
    auto bucket = buckets.begin();
    double before = 0; // in all buckets before this one
    std::int64_t below = 0;
    for (std::size_t i = 1; i <= bins; ++i) {
        const double edge =
            least + (largest - least) * (static_cast<double>(i) / static_cast<double>(bins));
        for (; bucket != buckets.end() && (bucket->right <= edge || i == bins); ++bucket)
            before += bucket->count;
        const bool isCut = bucket != buckets.end() && bucket->left < edge;
        const double part =
            isCut ? bucket->count * ((edge - bucket->left) / (bucket->right - bucket->left)) : 0;
        const std::int64_t now = std::max<std::int64_t>(below, std::llround(before + part));
        counts.push_back(now - below);
        below = now;
    }
    return counts;
}

std::vector<std::int64_t> countsOf(const Buckets& buckets, double least, double largest)
{
    if (!(least < largest))
        return dividedEqually(buckets, least, largest, 1);
    return dividedEqually(buckets, least, largest,
        areEqual(buckets, least, largest) ? buckets.size() : kHistogramBins);
}

// From its middles.
void estimateMoments(ParameterHistogram& histogram, const Buckets& buckets)
{
    double all = 0, sum = 0, squares = 0;
    for (const Bucket& bucket : buckets) {
        all += bucket.count;
        sum += bucket.count * bucket.middle();
    }
    histogram.mean = sum / all;
    for (const Bucket& bucket : buckets)
        squares += bucket.count * std::pow(bucket.middle() - histogram.mean, 2);
    histogram.deviation = std::sqrt(squares / all);
}

// nullopt: no numbers are divided like that.
std::optional<ParameterHistogram> histogramOf(Buckets buckets)
{
    if (!areBuckets(buckets))
        return std::nullopt;
    const auto isEmpty = [](const Bucket& bucket) { return bucket.count == 0; };
    if (std::all_of(buckets.begin(), buckets.end(), isEmpty))
        return ParameterHistogram {};
    // Writers put one before the first number, or after the last, that has no width.
    std::erase_if(buckets,
        [&](const Bucket& bucket) { return isEmpty(bucket) && bucket.left == bucket.right; });
    ParameterHistogram histogram;
    histogram.least = buckets.front().left;
    histogram.largest = buckets.back().right;
    histogram.counts = countsOf(buckets, histogram.least, histogram.largest);
    estimateMoments(histogram, buckets);
    return histogram;
}

struct Proto {
    double least = 0;
    double largest = 0;
    double number = 0;
    double sum = 0;
    double squares = 0;
    std::vector<double> limits, counts;
};

bool isOfNumbers(const Proto& read)
{
    // Negated, so that a NaN is refused.
    const auto descends = [](double a, double b) { return !(a <= b); };
    return read.limits.size() == read.counts.size() && std::isfinite(read.least)
        && read.least <= read.largest && std::isfinite(read.largest - read.least) && read.number > 0
        && std::isfinite(read.sum) && std::isfinite(read.squares)
        && std::adjacent_find(read.limits.begin(), read.limits.end(), descends)
        == read.limits.end();
}

std::optional<Proto> protoIn(std::string_view bytes)
{
    Proto read;
    bool isRight = true;
    WireReader field(bytes);
    while (field.next()) {
        double* const alone = field.field() == proto::kMin ? &read.least
            : field.field() == proto::kMax                 ? &read.largest
            : field.field() == proto::kNumber              ? &read.number
            : field.field() == proto::kSum                 ? &read.sum
            : field.field() == proto::kSquares             ? &read.squares
                                                           : nullptr;
        if (alone != nullptr)
            *alone = field.asDouble();
        else if (field.field() == proto::kLimits)
            isRight = addDoubles(read.limits, field) && isRight;
        else if (field.field() == proto::kCounts)
            isRight = addDoubles(read.counts, field) && isRight;
    }
    isRight = isRight && field.isWhole() && (read.number == 0 || isOfNumbers(read));
    return isRight ? std::optional(std::move(read)) : std::nullopt;
}

// Each from the limit before it to its own, as far as there are numbers. The first and the last
// limit may be infinite, or the largest double.
Buckets bucketsOf(const Proto& read)
{
    Buckets buckets;
    double left = read.least;
    for (std::size_t i = 0; i < read.limits.size(); ++i) {
        const double right = std::clamp(read.limits[i], left, std::max(left, read.largest));
        buckets.push_back({ left, right, read.counts[i] });
        left = right;
    }
    if (!buckets.empty())
        buckets.back().right = read.largest;
    return buckets;
}

} // namespace

std::string tagOf(const ParameterHistogram& histogram)
{
    return std::string(histogram.of == HistogramOf::Value ? kOfValues : kOfGradients)
        + histogram.parameter;
}

HistogramTag histogramTagOf(std::string_view tag)
{
    if (tag.starts_with(kOfValues))
        return { std::string(tag.substr(kOfValues.size())), HistogramOf::Value };
    if (tag.starts_with(kOfGradients))
        return { std::string(tag.substr(kOfGradients.size())), HistogramOf::Gradient };
    for (const std::string_view end : { ".grad", "/grad" })
        if (tag.ends_with(end))
            return { std::string(tag.substr(0, tag.size() - end.size())), HistogramOf::Gradient };
    return { std::string(tag), HistogramOf::Value };
}

std::string histogramProto(const ParameterHistogram& histogram)
{
    std::string out;
    const auto finite = static_cast<double>(countOf(histogram) - histogram.notFinite);
    if (finite == 0)
        return out;
    const auto bins = static_cast<double>(histogram.counts.size());
    const double meanSquare =
        histogram.deviation * histogram.deviation + histogram.mean * histogram.mean;
    std::string limits, counts;
    WireWriter limit(limits), count(counts);
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double share = static_cast<double>(i + 1) / bins;
        limit.putDouble(histogram.least + (histogram.largest - histogram.least) * share);
        count.putDouble(static_cast<double>(histogram.counts[i]));
    }
    WireWriter writer(out);
    writer.putDouble(proto::kMin, histogram.least);
    writer.putDouble(proto::kMax, histogram.largest);
    writer.putDouble(proto::kNumber, finite);
    writer.putDouble(proto::kSum, histogram.mean * finite);
    writer.putDouble(proto::kSquares, meanSquare * finite);
    writer.putBytes(proto::kLimits, limits);
    writer.putBytes(proto::kCounts, counts);
    return out;
}

std::optional<ParameterHistogram> histogramInProto(std::string_view bytes)
{
    const std::optional<Proto> read = protoIn(bytes);
    if (!read)
        return std::nullopt;
    if (read->number == 0)
        return ParameterHistogram {};
    std::optional<ParameterHistogram> histogram = histogramOf(bucketsOf(*read));
    if (!histogram || histogram->counts.empty())
        return std::nullopt;
    histogram->mean = read->sum / read->number;
    histogram->deviation =
        std::sqrt(std::max(0.0, read->squares / read->number - histogram->mean * histogram->mean));
    return histogram;
}

// A tensor's shape is that of its numbers: rows of three.
std::optional<ParameterHistogram> histogramInTensor(std::string_view bytes)
{
    std::uint64_t type = 0;
    std::vector<double> numbers;
    bool isRight = true;
    WireReader field(bytes);
    while (field.next()) {
        if (field.field() == tensor::kType)
            type = field.varint();
        else if (field.field() == tensor::kContent || field.field() == tensor::kDoubles)
            isRight = addDoubles(numbers, field) && isRight;
    }
    if (!isRight || !field.isWhole() || type != tensor::kDouble || numbers.size() % 3 != 0)
        return std::nullopt;
    Buckets buckets;
    for (std::size_t i = 0; i < numbers.size(); i += 3)
        buckets.push_back({ numbers[i], numbers[i + 1], numbers[i + 2] });
    return histogramOf(std::move(buckets));
}

} // namespace accrue
