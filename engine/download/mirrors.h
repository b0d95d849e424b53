// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/data/published_sets.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accrue {

// mirrors.toml in the user's config directory: fashion-mnist = ["https://…", …]. Each list replaces
// the built-in one of its data set; a file is at URL/FILE.
std::filesystem::path userMirrorsFile();

// Where `set` is downloaded from: `given` where it is not empty, otherwise the user's list,
// otherwise the built-in one. Throws DownloadRefused for an address that is not http or https, and
// for a list of the user's that cannot be read or names another data set.
std::vector<std::string> mirrorsOf(const PublishedSet& set, const std::vector<std::string>& given);

// No published data set has that name.
Message unknownDownload(const std::string& name);

// The address as it may be shown: without the user and password that it may contain. Of
// text that is no address, all up to the last @ may belong to a password.
std::string withoutUser(std::string url, bool isAddress = true);

} // namespace accrue
