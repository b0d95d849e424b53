// SPDX-License-Identifier: Apache-2.0
#include "engine/tensors/gather.h"

#include <cstdint>
#include <stdexcept>
#include <string>

#include <ATen/ATen.h>

#include "engine/accelerator/accelerators.h"
#include "engine/data/pixel_table.h"

namespace accrue {
namespace {

// An error here is one of the calling code and not of a person, so it is no Message.
void require(bool holds, const std::string& expected)
{
    if (!holds)
        throw std::invalid_argument("gatherNormalized: " + expected);
}

void checkSplit(
    const ResidentSplit& split, const std::vector<double>& mean, const std::vector<double>& stddev)
{
    require(split.images.dim() == 4 && split.images.scalar_type() == at::kByte
            && split.images.is_contiguous(),
        "the split's images must be contiguous uint8 [n, c, h, w]");
    require(split.labels.dim() == 1 && split.labels.scalar_type() == at::kLong
            && split.labels.is_contiguous() && split.labels.size(0) == split.images.size(0),
        "the split's labels must be contiguous int64 [n]");
    const auto channels = split.images.size(1);
    require(channels >= 1 && channels <= kMaxChannels,
        "1 to " + std::to_string(kMaxChannels) + " channels are supported, the split has "
            + std::to_string(channels));
    require(static_cast<std::int64_t>(mean.size()) == channels && mean.size() == stddev.size(),
        "mean and stddev must have one value a channel");
}

void checkMicroBatch(const ResidentSplit& split, const at::Tensor& indices,
    const at::Tensor& images, const at::Tensor& labels)
{
    require(indices.dim() == 1 && indices.scalar_type() == at::kLong && indices.is_contiguous(),
        "indices must be contiguous int64 [b]");
    require(images.dim() == 4 && images.is_contiguous() && images.size(0) == indices.size(0)
            && images.sizes().slice(1) == split.images.sizes().slice(1),
        "images must be contiguous [b, c, h, w] with the split's picture size");
    require(images.scalar_type() == at::kFloat || images.scalar_type() == at::kDouble,
        "images must be float or double");
    require(labels.dim() == 1 && labels.scalar_type() == at::kLong && labels.is_contiguous()
            && labels.size(0) == indices.size(0),
        "labels must be contiguous int64 [b]");
    const at::Device device = split.images.device();
    require(split.labels.device() == device && indices.device() == device
            && images.device() == device && labels.device() == device,
        "all tensors must lie on one device");
}

GatherSource sourceOf(const ResidentSplit& split, const at::Tensor& indices)
{
    return { split.images.const_data_ptr<std::uint8_t>(),
        split.labels.const_data_ptr<std::int64_t>(), indices.const_data_ptr<std::int64_t>(),
        indices.size(0), split.images.size(1), split.images.size(2), split.images.size(3) };
}

// Only on the CPU: on a device the host would have to wait for the indices to read them.
void checkIndices(const GatherSource& source, std::int64_t samples)
{
    for (std::int64_t position = 0; position < source.count; ++position)
        if (const auto index = source.indices[position]; index < 0 || index >= samples)
            throw std::out_of_range("gatherNormalized: index " + std::to_string(index)
                + " at position " + std::to_string(position) + " is outside the split of "
                + std::to_string(samples) + " samples");
}

// Without augmentation a pixel is one load from a table of 1 or 2 KiB a channel.
template <typename T>
void lookUp(const std::uint8_t* plane, std::int64_t size, const T* lookup, T* to)
{
    for (std::int64_t pixel = 0; pixel < size; ++pixel)
        to[pixel] = lookup[plane[pixel]];
}

template <typename T>
void lookUpChanged(const std::uint8_t* plane, const GatherSource& source, const T* lookup,
    std::int64_t cutoutSize, const DrawnAugmentation& drawn, T* to)
{
    for (std::int64_t y = 0; y < source.height; ++y)
        for (std::int64_t x = 0; x < source.width; ++x)
            *to++ =
                augmentedPixel(plane, lookup, source.height, source.width, cutoutSize, drawn, y, x);
}

// On one thread: a micro-batch of 32 pictures of 28 × 28 takes 8 µs, about as long as waking a
// second thread, and, at any size, less than a hundredth of the following forward pass.
template <typename T> void gatherOnCpu(const GatherJob<T>& job)
{
    const GatherSource& source = job.source;
    T* images = job.images;
    for (std::int64_t position = 0; position < source.count; ++position) {
        const std::int64_t sample = source.indices[position];
        const std::uint8_t* plane = source.images + sample * source.channels * source.plane();
        const DrawnAugmentation drawn =
            drawAugmentation(job.augmentation, sample, source.height, source.width);
        job.labels[position] = source.labels[sample];
        for (std::int64_t channel = 0; channel < source.channels; ++channel) {
            const T* lookup = job.table.values.data() + channel * kPixelValues;
            if (job.augmentation.changesNothing())
                lookUp(plane, source.plane(), lookup, images);
            else
                lookUpChanged(plane, source, lookup, job.augmentation.cutoutSize, drawn, images);
            images += source.plane();
            plane += source.plane();
        }
    }
}

template <typename T>
void gatherAs(const GatherSource& source, const std::vector<double>& mean,
    const std::vector<double>& stddev, const Augmentation& augmentation, const at::Tensor& images,
    const at::Tensor& labels)
{
    const GatherJob<T> job { source, pixelTable<T>(mean, stddev), augmentation,
        images.mutable_data_ptr<T>(), labels.mutable_data_ptr<std::int64_t>() };
    if (images.is_cpu())
        return gatherOnCpu(job);
    if (accelerator() == nullptr)
        throw std::invalid_argument("gatherNormalized: images are on " + images.device().str()
            + ", and no accelerator is loaded");
    accelerator()->gather(job, images.device());
}

} // namespace

MicroBatch::MicroBatch(const ResidentSplit& split, std::int64_t samples, at::ScalarType type)
{
    auto shape = split.images.sizes().vec();
    shape.front() = samples;
    // Not initialised, because gatherNormalized writes every value.
    images = at::empty(shape, split.images.options().dtype(type));
    labels = at::empty({ samples }, split.labels.options());
}

void gatherNormalized(const ResidentSplit& split, const std::vector<double>& mean,
    const std::vector<double>& stddev, const at::Tensor& indices, at::Tensor& images,
    at::Tensor& labels, const Augmentation& augmentation)
{
    checkSplit(split, mean, stddev);
    checkMicroBatch(split, indices, images, labels);
    const GatherSource source = sourceOf(split, indices);
    // Launching a CUDA kernel without blocks would be an error.
    if (source.count == 0)
        return;
    if (images.is_cpu())
        checkIndices(source, split.images.size(0));
    if (images.scalar_type() == at::kFloat)
        gatherAs<float>(source, mean, stddev, augmentation, images, labels);
    else
        gatherAs<double>(source, mean, stddev, augmentation, images, labels);
}

} // namespace accrue
