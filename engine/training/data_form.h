// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/raw_data.h"
#include "engine/events/data_identity.h"

#include <optional>

namespace accrue {

// What a model that is trained on `data` depends on of them.
DataIdentity identityOf(const RawData& data);
// How it was given its pictures; nullopt where that is not known.
std::optional<PictureForm> formOf(const DataIdentity& data);

} // namespace accrue
