// SPDX-License-Identifier: Apache-2.0
#include "engine/tensors/tensor_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ATen.h>
#include <torch/utils.h>

// Bin i begins at least + i · (largest − least) / bins, computed in double. The host counts value
// by value. A device counts, for each bin, the values that are not below its lower edge: no
// operator that depends on the order of threads, none that waits for the host, and the same counts.

namespace accrue {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Of a device, at once: with 64 bins 8 MB of flags.
constexpr std::int64_t kPiece = std::int64_t { 1 } << 17;

// All values of a tensor in the order of its memory: a histogram does not depend on it, and a
// tensor that is channels_last needs no copy.
at::Tensor flat(const at::Tensor& tensor)
{
    const at::Tensor values = tensor.detach();
    return values.is_non_overlapping_and_dense()
        ? values.as_strided({ values.numel() }, { 1 }, values.storage_offset())
        : values.reshape({ -1 }).contiguous();
}

ParameterHistogram emptyOf(const HistogramSource& source)
{
    return { .parameter = source.parameter,
        .of = source.of,
        .least = kNone,
        .largest = kNone,
        .mean = kNone,
        .deviation = kNone };
}

// ---- on the host ----

std::size_t binOf(double value, const ParameterHistogram& within, double width, std::size_t bins)
{
    // Rounding may be off by one bin, and a range beyond doubles leaves no number at all.
    const double place = (value - within.least) / width;
    std::size_t bin = place > 0 ? static_cast<std::size_t>(std::min(place, bins - 1.0)) : 0;
    const auto edge = [&](std::size_t i) { return within.least + static_cast<double>(i) * width; };
    if (bin > 0 && value < edge(bin))
        --bin;
    else if (bin + 1 < bins && value >= edge(bin + 1))
        ++bin;
    return bin;
}

template <typename Value>
void findRange(const Value* values, std::int64_t count, ParameterHistogram& to)
{
    double least = kInfinity, largest = -kInfinity, sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = values[i];
        if (!std::isfinite(value)) {
            ++to.notFinite;
            continue;
        }
        least = std::min(least, value);
        largest = std::max(largest, value);
        sum += value;
    }
    if (to.notFinite == count)
        return;
    to.least = least;
    to.largest = largest;
    to.mean = sum / static_cast<double>(count - to.notFinite);
}

template <typename Value>
void countBins(const Value* values, std::int64_t count, std::size_t bins, ParameterHistogram& to)
{
    const double width = (to.largest - to.least) / static_cast<double>(bins);
    double squares = 0;
    to.counts.resize(bins);
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = values[i];
        if (!std::isfinite(value))
            continue;
        squares += (value - to.mean) * (value - to.mean);
        ++to.counts[binOf(value, to, width, bins)];
    }
    to.deviation = std::sqrt(squares / static_cast<double>(count - to.notFinite));
}

template <typename Value> ParameterHistogram onHost(const HistogramSource& source, std::size_t bins)
{
    const at::Tensor values = flat(source.tensor);
    const Value* const data = values.const_data_ptr<Value>();
    ParameterHistogram histogram = emptyOf(source);
    findRange(data, values.numel(), histogram);
    if (histogram.notFinite < values.numel())
        // All alike: their bin has no width.
        countBins(data, values.numel(), histogram.least < histogram.largest ? bins : 1, histogram);
    return histogram;
}

// ---- on a device ----

// The figures of one tensor, in doubles that hold counts exactly.
enum Figure : std::int64_t { Finite, Least, Largest, Mean, Squares, FromBin };

template <typename Work> void forPieces(const at::Tensor& values, const Work& work)
{
    for (std::int64_t begin = 0; begin < values.numel(); begin += kPiece) {
        const at::Tensor piece =
            values.narrow(/*dim=*/0, begin, std::min(kPiece, values.numel() - begin))
                .to(at::kDouble);
        work(piece, piece.isfinite());
    }
}

void findRangeOnDevice(const at::Tensor& values, const at::Tensor& row)
{
    row[Least].fill_(kInfinity);
    row[Largest].fill_(-kInfinity);
    forPieces(values, [&](const at::Tensor& piece, const at::Tensor& finite) {
        row[Finite].add_(finite.sum());
        row[Least].copy_(at::minimum(row[Least], piece.where(finite, kInfinity).min()));
        row[Largest].copy_(at::maximum(row[Largest], piece.where(finite, -kInfinity).max()));
        row[Mean].add_(piece.where(finite, 0.0).sum());
    });
    row[Mean].div_(row[Finite]);
}

void countOnDevice(const at::Tensor& values, const at::Tensor& row, std::int64_t bins)
{
    const at::Tensor width = (row[Largest] - row[Least]).div_(static_cast<double>(bins));
    const at::Tensor edges =
        at::arange(bins, row.options()).mul_(width).add_(row[Least]).unsqueeze_(1);
    const at::Tensor notBelow = row.narrow(/*dim=*/0, FromBin, bins);
    forPieces(values, [&](const at::Tensor& piece, const at::Tensor& finite) {
        row[Squares].add_((piece - row[Mean]).square_().where(finite, 0.0).sum());
        notBelow.add_(piece.where(finite, -kInfinity).ge(edges).sum(/*dim=*/1));
    });
}

// As findRange and countBins.
ParameterHistogram histogramIn(const at::Tensor& row, const HistogramSource& source)
{
    const auto figures = row.accessor<double, 1>();
    const auto count = [&](std::int64_t at) { return static_cast<std::int64_t>(figures[at]); };
    ParameterHistogram histogram = emptyOf(source);
    histogram.notFinite = source.tensor.numel() - count(Finite);
    if (count(Finite) == 0)
        return histogram;
    histogram.least = figures[Least];
    histogram.largest = figures[Largest];
    histogram.mean = figures[Mean];
    histogram.deviation = std::sqrt(figures[Squares] / figures[Finite]);
    if (histogram.least == histogram.largest) {
        histogram.counts = { count(Finite) };
        return histogram;
    }
    for (std::int64_t i = FromBin; i < row.numel(); ++i)
        histogram.counts.push_back(count(i) - (i + 1 < row.numel() ? count(i + 1) : 0));
    return histogram;
}

std::vector<ParameterHistogram> onDevice(
    const std::vector<HistogramSource>& sources, std::int64_t bins)
{
    const at::Tensor table =
        at::zeros({ static_cast<std::int64_t>(sources.size()), FromBin + bins },
            sources.front().tensor.options().dtype(at::kDouble).requires_grad(false));
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const at::Tensor values = flat(sources[i].tensor);
        const at::Tensor row = table[static_cast<std::int64_t>(i)];
        findRangeOnDevice(values, row);
        countOnDevice(values, row, bins);
    }
    const at::Tensor onHost = table.cpu();
    std::vector<ParameterHistogram> histograms;
    histograms.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i)
        histograms.push_back(histogramIn(onHost[static_cast<std::int64_t>(i)], sources[i]));
    return histograms;
}

} // namespace

std::vector<ParameterHistogram> histogramsOf(
    const std::vector<HistogramSource>& sources, std::size_t bins)
{
    const torch::NoGradGuard noGrad;
    if (!sources.empty() && !sources.front().tensor.is_cpu())
        return onDevice(sources, static_cast<std::int64_t>(bins));
    std::vector<ParameterHistogram> histograms;
    histograms.reserve(sources.size());
    for (const HistogramSource& source : sources)
        histograms.push_back(source.tensor.scalar_type() == at::kDouble
                ? onHost<double>(source, bins)
                : onHost<float>(source, bins));
    return histograms;
}

} // namespace accrue
