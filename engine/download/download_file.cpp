// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_file.h"

#include "engine/base/written_value.h"
#include "engine/download/download_folder.h"

#include <array>
#include <exception>
#include <memory>
#include <system_error>

// CURLOPT_PROTOCOLS is deprecated, but the one that machines with a libcurl before 7.85 know, too.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>

namespace accrue {
namespace {

// The program does not link libcurl, so that it starts and trains on machines that lack it. All of
// these are in every libcurl.so.4.
struct Curl {
    void* library;

    template <typename Function> Function find(const char* name)
    {
        return reinterpret_cast<Function>(::dlsym(library, name));
    }

    decltype(&::curl_global_init) globalInit = find<decltype(globalInit)>("curl_global_init");
    decltype(&::curl_easy_init) init = find<decltype(init)>("curl_easy_init");
    decltype(&::curl_easy_setopt) setOption = find<decltype(setOption)>("curl_easy_setopt");
    decltype(&::curl_easy_perform) perform = find<decltype(perform)>("curl_easy_perform");
    decltype(&::curl_easy_getinfo) getInfo = find<decltype(getInfo)>("curl_easy_getinfo");
    decltype(&::curl_easy_cleanup) cleanUp = find<decltype(cleanUp)>("curl_easy_cleanup");
    decltype(&::curl_easy_strerror) errorText = find<decltype(errorText)>("curl_easy_strerror");
};

// Never closed again: TLS libraries do not survive that.
Curl openCurl()
{
    // Every libcurl of the last fifteen years, whichever TLS library it was built with.
    for (const char* name : { "libcurl.so.4", "libcurl-gnutls.so.4" })
        if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
            if (const Curl curl { library }; curl.globalInit(CURL_GLOBAL_DEFAULT) == CURLE_OK)
                return curl;
    throw Error(Message("download.no_libcurl"));
}

// Once per process: initialising libcurl again while another thread uses it is not allowed.
const Curl& curl()
{
    static const Curl opened = openCurl();
    return opened;
}

// One request. libcurl calls it from C, which no exception may pass: the disk's is stored and
// thrown again once libcurl has returned.
class Request {
public:
    explicit Request(const FileDownload& file)
        : m_file(file)
        , m_handle(curl().init(), curl().cleanUp)
        , m_part(growingFile(file.part))
    {
        if (m_part.size() > file.bytes)
            m_part.clear();
    }
    ~Request()
    {
        std::error_code ignored;
        if (m_part.size() == 0)
            std::filesystem::remove(m_file.part, ignored);
    }

    Message perform()
    {
        if (m_part.size() == m_file.bytes)
            return {};
        setUp();
        Message fault = outcome(curl().perform(m_handle.get()));
        m_part.close();
        return fault;
    }

private:
    template <typename Value> void set(CURLoption option, Value value)
    {
        // What the header promises does not hold with a libcurl that lacks one of the options.
        if (const CURLcode code = curl().setOption(m_handle.get(), option, value); code != CURLE_OK)
            throw Error(Message("download.old_libcurl", { { "reason", curl().errorText(code) } }));
    }

    void setUp()
    {
        set(CURLOPT_URL, m_file.url.c_str());
        set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
        set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
        set(CURLOPT_FOLLOWLOCATION, 1L);
        set(CURLOPT_MAXREDIRS, 5L);
        set(CURLOPT_NOSIGNAL, 1L); // we may be one thread of many
        set(CURLOPT_USERAGENT, "accrue");
        set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(m_file.patience.connecting.count()));
        // One limit for a slow and for a silent server: bytes a second over a time.
        set(CURLOPT_LOW_SPEED_LIMIT, 64L);
        set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(m_file.patience.stalled.count()));
        set(CURLOPT_ERRORBUFFER, m_words.data());
        setCallbacks();
        // Not CURLOPT_RESUME_FROM_LARGE, which fails where the server begins anew.
        if (m_part.size() > 0)
            set(CURLOPT_RANGE, (std::to_string(m_part.size()) + "-").c_str());
    }

    void setCallbacks()
    {
        const curl_write_callback onBytes = [](char* bytes, std::size_t, std::size_t count,
                                                void* self) {
            // Any other number than `count` ends the request.
            return static_cast<Request*>(self)->accept(bytes, count) ? count : count + 1;
        };
        const curl_xferinfo_callback onProgress = [](void* self, auto...) {
            const Request& request = *static_cast<Request*>(self);
            request.m_file.arrived(request.m_part.size());
            return request.m_file.stop.stop_requested() ? 1 : 0;
        };
        set(CURLOPT_WRITEFUNCTION, onBytes);
        set(CURLOPT_WRITEDATA, this);
        set(CURLOPT_XFERINFOFUNCTION, onProgress);
        set(CURLOPT_XFERINFODATA, this);
        set(CURLOPT_NOPROGRESS, 0L);
    }

    long status() const
    {
        long status = 0;
        curl().getInfo(m_handle.get(), CURLINFO_RESPONSE_CODE, &status);
        return status;
    }

    // Why the answer that begins here cannot be used; empty: it can. That it is as long as what is
    // missing stands for its Content-Range; the digest of the whole file decides.
    Message fault() const
    {
        if (status() != 200 && status() != 206)
            return Message("download.http_status", { { "status", status() } });
        const std::int64_t had = status() == 206 ? m_part.size() : 0;
        curl_off_t offered = -1;
        curl().getInfo(m_handle.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &offered);
        if (offered >= 0 && had + offered != m_file.bytes)
            return Message(
                "download.other_size", { { "offered", had + offered }, { "bytes", m_file.bytes } });
        return {};
    }

    bool begin()
    {
        m_begun = true;
        m_fault = fault();
        if (!m_fault.empty())
            return false;
        if (status() == 200 && m_part.size() > 0) // it cannot continue
            m_part.clear();
        return true;
    }

    bool accept(const char* bytes, std::size_t size)
    try {
        if (!m_begun && !begin())
            return false;
        if (size > static_cast<std::size_t>(m_file.bytes - m_part.size())) {
            m_part.clear(); // nothing of such a file can be trusted
            m_fault = Message("download.sends_more", { { "bytes", m_file.bytes } });
            return false;
        }
        m_part.write(bytes, size);
        return true;
    } catch (...) {
        m_failure = std::current_exception();
        return false;
    }

    Message outcome(CURLcode code)
    {
        if (m_failure)
            std::rethrow_exception(m_failure);
        if (code == CURLE_OK && !m_begun)
            m_fault = fault();
        constexpr long kRangeNotSatisfiable = 416;
        if (status() == kRangeNotSatisfiable) // what is there is not of the server's file
            m_part.clear();
        if (!m_fault.empty() || m_part.size() == m_file.bytes)
            return m_fault;
        if (code == CURLE_OK)
            return Message("download.ended_early",
                { { "arrived", m_part.size() }, { "bytes", m_file.bytes } });
        const char* const words = m_words.front() != '\0' ? m_words.data() : curl().errorText(code);
        return Message::plain(std::string(trimmed(words, " \r\n")));
    }

    const FileDownload& m_file;
    const std::unique_ptr<CURL, void (*)(CURL*)> m_handle;
    OutputFile m_part;
    std::array<char, CURL_ERROR_SIZE> m_words {}; // libcurl's own of what went wrong
    bool m_begun = false; // the first byte of the answer is there
    Message m_fault; // why the answer is not what was requested
    std::exception_ptr m_failure; // the disk's
};

} // namespace

Message downloadFile(const FileDownload& file)
{
    return Request(file).perform();
}

} // namespace accrue
