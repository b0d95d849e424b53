// SPDX-License-Identifier: Apache-2.0
#include "engine/tensors/resident_data_set.h"

#include <utility>

#include <ATen/ATen.h>

namespace accrue {
namespace {

// The copies are pageable: they happen once and wait only for their own transfer, and pinning 47 MB
// would take longer than copying them.
ResidentSplit makeResidentSplit(RawSplit raw, at::Device device)
{
    const auto bytes = at::TensorOptions().dtype(at::kByte);
    const at::Tensor images = at::from_blob(
        raw.images.data(), { raw.samples, raw.channels, raw.height, raw.width }, bytes);
    const at::Tensor labels = at::from_blob(raw.labels.data(), { raw.samples }, bytes);
    // Both copy, whatever the device: from_blob only borrows the bytes, which end with this
    // function.
    return { images.to(device, at::kByte, /*non_blocking=*/false, /*copy=*/true),
        labels.to(at::kLong).to(device) };
}

} // namespace

ResidentDataSet makeResident(RawData&& data, at::Device device)
{
    ResidentDataSet resident;
    resident.train = makeResidentSplit(std::move(data.train), device);
    resident.test = makeResidentSplit(std::move(data.test), device);
    if (data.validation)
        resident.validation = makeResidentSplit(std::move(*data.validation), device);
    resident.classes = static_cast<std::int64_t>(data.classNames.size());
    resident.mean = std::move(data.mean);
    resident.stddev = std::move(data.stddev);
    resident.description = std::move(data.description);
    return resident;
}

} // namespace accrue
