// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
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
struct FileRequest {
    std::string url; // http or https
    std::int64_t bytes = 0; // of the whole file, as published
    // Where it grows; what it contains already is not downloaded again where the server can
    // continue. Beside it is PART.origin: the address it came from (without user and password), and
    // that server's ETag.
    std::filesystem::path part;
};

struct ServerAnswer {
    enum class Kind {
        Complete, // `part` has `bytes` bytes; what they are worth is for the caller to check
        Broken, // the connection ended too early; another try continues from what arrived
        Stalled, // likewise, because the server was too slow for DownloadPatience
        Refused, // this server does not have the file, or offers another one
        Stopped, // as requested
    };
    Kind kind = Kind::Complete;
    Message reason {}; // of all but Complete and Stopped: "HTTP 404", without a full stop
};

// HTTP and HTTPS by the machine's libcurl, which has its own trusted certificates and obeys
// http_proxy, https_proxy and no_proxy. At most 5 redirections, to http and https only. One thread.
class DownloadClient {
public:
    // Throws Error where the machine has no libcurl.
    explicit DownloadClient(const DownloadPatience& patience = {});

    // `arrived` is called with the bytes that `part` holds, on this thread, at least once a second.
    // Never writes more than request.bytes, and leaves no empty `part`. Blocks; a stop takes effect
    // within a second. Throws DiskError where `part` cannot be written.
    ServerAnswer download(const FileRequest& request,
        const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop);

private:
    const DownloadPatience m_patience;
    // Of libcurl; it keeps its connections from one file to the next.
    const std::unique_ptr<void, void (*)(void*)> m_handle;
};

// Removes what FileRequest::part names, and what is noted beside it.
void removePart(const std::filesystem::path& part);

} // namespace accrue
