// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/base/message.h"

namespace accrue {

// How long a server may keep us waiting.
struct DownloadPatience {
    std::chrono::seconds connecting { 20 };
    std::chrono::seconds stalled { 30 }; // fewer than 64 bytes a second for as long
};

// One file at one server.
struct FileDownload {
    std::string url; // http or https
    std::int64_t bytes = 0; // of the whole file, as published
    // Where it grows; what it contains already is not downloaded again where the server can
    // continue.
    std::filesystem::path part;
    std::function<void(std::int64_t)> arrived; // the bytes of `part`; at least once a second
    std::stop_token stop; // takes effect within a second
    DownloadPatience patience;
};

// HTTP and HTTPS by the machine's libcurl, which has its own trusted certificates and obeys
// http_proxy, https_proxy and no_proxy. At most 5 redirections, to http and https only. Returns why
// `part` is not as long as the file ("HTTP 404"), without a full stop; empty: it is, and what it is
// worth is for the caller to check. Never writes more, and leaves no empty `part`. Blocks. Throws
// DiskError where `part` cannot be written, Error where the machine has no libcurl.
Message downloadFile(const FileDownload& file);

} // namespace accrue
