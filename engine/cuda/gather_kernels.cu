// SPDX-License-Identifier: Apache-2.0
#include "engine/cuda/gather_kernels.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

namespace accrue {
namespace {

constexpr int kThreads = kPixelValues; // a thread loads one entry of the table
constexpr std::int64_t kMaxBlocks = 1 << 20;

void checkLaunch(const char* file, int line)
{
    const cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        throw std::runtime_error(std::string("CUDA error: ") + cudaGetErrorString(status)
            + " (launch of a kernel at " + file + ":" + std::to_string(line) + ")");
}

// A block writes planes blockIdx.x, blockIdx.x + gridDim.x, … of the count · channels planes of the
// micro-batch. The channel's table is copied to shared memory, because the lanes of a warp look up
// different entries, which constant memory would serve one after the other.
template <typename T, bool kChanged>
__global__ void gatherKernel(GatherSource source, const PixelTable<T> table,
    const Augmentation augmentation, T* images, std::int64_t* labels)
{
    __shared__ T lookup[kMaxChannels * kPixelValues];
    const T* values = reinterpret_cast<const T*>(&table);
    for (int entry = threadIdx.x; entry < source.channels * kPixelValues; entry += blockDim.x)
        lookup[entry] = values[entry];
    __syncthreads();

    const std::int64_t planes = source.count * source.channels;
    for (std::int64_t to = blockIdx.x; to < planes; to += gridDim.x) {
        const std::int64_t position = to / source.channels;
        const std::int64_t channel = to % source.channels;
        const std::int64_t sample = source.indices[position];
        const std::uint8_t* plane =
            source.images + (sample * source.channels + channel) * source.plane();
        const T* channelLookup = lookup + channel * kPixelValues;
        T* toPlane = images + to * source.plane();
        // Every thread draws for itself: five numbers cost less than waiting for another's.
        DrawnAugmentation drawn {};
        if constexpr (kChanged)
            drawn = drawAugmentation(augmentation, sample, source.height, source.width);
        for (std::int64_t pixel = threadIdx.x; pixel < source.plane(); pixel += blockDim.x) {
            if constexpr (kChanged)
                toPlane[pixel] = augmentedPixel(plane, channelLookup, source.height, source.width,
                    augmentation.cutoutSize, drawn, pixel / source.width, pixel % source.width);
            else
                toPlane[pixel] = channelLookup[plane[pixel]];
        }
        if (channel == 0 && threadIdx.x == 0)
            labels[position] = source.labels[sample];
    }
}

} // namespace

template <typename T> void launchGather(const GatherJob<T>& job, CUstream_st* stream)
{
    const auto blocks =
        static_cast<unsigned>(std::min(job.source.count * job.source.channels, kMaxBlocks));
    const auto kernel =
        job.augmentation.changesNothing() ? gatherKernel<T, false> : gatherKernel<T, true>;
    kernel<<<blocks, kThreads, 0, stream>>>(
        job.source, job.table, job.augmentation, job.images, job.labels);
    checkLaunch(__FILE__, __LINE__);
}

template void launchGather(const GatherJob<float>&, CUstream_st*);
template void launchGather(const GatherJob<double>&, CUstream_st*);

} // namespace accrue
