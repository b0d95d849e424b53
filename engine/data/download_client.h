// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "engine/data/raw_data.h"

namespace accrue {

struct CurlFunctions; // libcurl, opened at run time

// How long a server may keep us waiting.
struct DownloadPatience {
    std::chrono::seconds connecting { 20 };
    std::chrono::seconds stalled { 30 }; // fewer than 64 bytes a second for as long
};

// One file at one server.
struct TransferRequest {
    std::string url; // http or https
    std::int64_t bytes = 0; // of the whole file, as published
    // Where it grows; what it holds already is not fetched again where the server can continue.
    // Beside it lies PART.origin: the address it came from (without user and password), and that
    // server's ETag.
    std::filesystem::path part;
};

struct TransferEnd {
    enum class Kind {
        Complete, // `part` has `bytes` bytes; what they are worth is for the caller to check
        Broken, // it broke off; what arrived is kept, another try goes on from there
        Stalled, // likewise, after our patience was at its end
        Refused, // this server does not have the file, or offers another one
        Stopped, // as asked
    };
    Kind kind = Kind::Complete;
    std::string reason; // of all but Complete and Stopped: "HTTP 404", behind "URL: "
};

// HTTP and HTTPS by the machine's libcurl, which brings its own trusted certificates and heeds
// http_proxy, https_proxy and no_proxy. At most 5 redirections, to http and https only. One thread.
class DownloadClient {
public:
    // Throws DataError where the machine has no libcurl.
    explicit DownloadClient(const DownloadPatience& patience = {});
    ~DownloadClient();
    DownloadClient(const DownloadClient&) = delete;
    DownloadClient& operator=(const DownloadClient&) = delete;

    // `arrived` is told how many bytes `part` holds, on this thread, at least once a second. Never
    // writes more than request.bytes. Blocks; a stop takes effect within a second. Throws DataError
    // where `part` cannot be written.
    TransferEnd fetch(const TransferRequest& request,
        const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop);

private:
    const CurlFunctions& m_curl;
    const DownloadPatience m_patience;
    void* m_handle; // keeps its connections from one file to the next
};

} // namespace accrue
