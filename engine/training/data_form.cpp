// SPDX-License-Identifier: Apache-2.0
#include "engine/training/data_form.h"

namespace accrue {

std::optional<PictureForm> formOf(const DataIdentity& data)
{
    if (!data.isKnown())
        return {};
    return PictureForm { data.channels, data.height, data.width, data.mean, data.stddev };
}

DataIdentity identityOf(const RawData& data)
{
    const DataIdentity identity { .classes = data.classNames,
        .channels = data.train.channels,
        .height = data.train.height,
        .width = data.train.width,
        .mean = data.mean,
        .stddev = data.stddev,
        .trainDigest = data.trainDigest,
        .testDigest = data.testDigest,
        .validationDigest = data.validationDigest };
    // As it is read back, so that names of folders that are no UTF-8 compare equal, too.
    return parseDataIdentity(dataIdentityJson(identity)).value();
}

} // namespace accrue
