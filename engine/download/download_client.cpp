// SPDX-License-Identifier: Apache-2.0
#include "engine/download/download_client.h"

#include "engine/base/written_value.h"
#include "engine/download/download_errors.h"
#include "engine/download/mirrors.h"

#include <array>
#include <exception>
#include <fstream>
#include <string_view>
#include <system_error>

// CURLOPT_PROTOCOLS is deprecated, but the one that machines with a libcurl before 7.85 know, too.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>
#include <strings.h>

namespace accrue {
namespace {

namespace fs = std::filesystem;
using Kind = ServerAnswer::Kind;

constexpr long kMostRedirections = 5;
// libcurl has one limit for a slow and for a silent server: bytes a second over a time.
constexpr long kSlowest = 64; // bytes a second

// The program does not link libcurl, so that it starts and trains on machines that lack it.
// libcurl, opened at run time, and what is used of it.
struct Curl {
    void* library;
    bool isWhole = true; // none of the functions is missing

    template <typename Function> Function find(const char* name)
    {
        void* const address = ::dlsym(library, name);
        isWhole = isWhole && address != nullptr;
        return reinterpret_cast<Function>(address);
    }

    decltype(&::curl_global_init) globalInit = find<decltype(globalInit)>("curl_global_init");
    decltype(&::curl_easy_init) init = find<decltype(init)>("curl_easy_init");
    decltype(&::curl_easy_reset) reset = find<decltype(reset)>("curl_easy_reset");
    decltype(&::curl_easy_setopt) setOption = find<decltype(setOption)>("curl_easy_setopt");
    decltype(&::curl_easy_perform) perform = find<decltype(perform)>("curl_easy_perform");
    decltype(&::curl_easy_getinfo) getInfo = find<decltype(getInfo)>("curl_easy_getinfo");
    decltype(&::curl_easy_cleanup) cleanUp = find<decltype(cleanUp)>("curl_easy_cleanup");
    decltype(&::curl_easy_strerror) errorText = find<decltype(errorText)>("curl_easy_strerror");
    decltype(&::curl_slist_append) append = find<decltype(append)>("curl_slist_append");
    decltype(&::curl_slist_free_all) freeList = find<decltype(freeList)>("curl_slist_free_all");
};

// Never closed again: TLS libraries do not survive that.
Curl openCurl()
{
    // Every libcurl of the last fifteen years, whichever TLS library it was built with.
    for (const char* name : { "libcurl.so.4", "libcurl-gnutls.so.4" })
        if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
            if (const Curl curl { library };
                curl.isWhole && curl.globalInit(CURL_GLOBAL_DEFAULT) == CURLE_OK)
                return curl;
    throw Error(Message("download.no_libcurl"));
}

const Curl& curl()
{
    // Once per process: initialising libcurl again while another thread uses it is not allowed.
    static const Curl opened = openCurl();
    return opened;
}

fs::path originOf(const fs::path& part)
{
    return part.string() + ".origin";
}

// The ETag that `url` gave the bytes in `part`; empty: it gave none, or they are not its own.
std::string etagOf(const FileRequest& request)
{
    std::ifstream file(originOf(request.part));
    std::string from;
    std::string etag;
    std::getline(file, from);
    std::getline(file, etag);
    return from == withoutUser(request.url) ? etag : std::string();
}

constexpr std::string_view kBlanks = " \t\r\n";

// Stores the value of a header line, where it is the header `name` ("etag:").
void readHeader(std::string_view line, std::string_view name, std::string& value)
{
    if (line.size() >= name.size() && ::strncasecmp(line.data(), name.data(), name.size()) == 0)
        value = trimmed(line.substr(name.size()), kBlanks);
}

// One file while it arrives. libcurl calls it from C, which no exception may pass: it is stored and
// thrown again once libcurl has returned.
class Arrival {
public:
    Arrival(CURL* handle, const FileRequest& request,
        const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop)
        : m_handle(handle)
        , m_request(request)
        , m_arrived(arrived)
        , m_stop(stop)
        , m_part(growingFile(request.part))
    {
        if (m_part.size() > request.bytes)
            m_part.clear();
    }
    ~Arrival()
    {
        m_curl.reset(m_handle); // which knows this object
        if (m_part.size() == 0)
            removePart(m_request.part);
    }
    Arrival(const Arrival&) = delete;
    Arrival& operator=(const Arrival&) = delete;

    ServerAnswer run(const DownloadPatience& patience);

private:
    template <typename Value> void set(CURLoption option, Value value);
    template <typename Work> static bool guarded(void* self, Work work) noexcept;
    void setUp(const DownloadPatience& patience);
    void setCallbacks();
    void requestTheRest();
    void readHeaderLine(std::string_view line);
    bool accept(const char* bytes, std::size_t size);
    Message fault() const;
    long status() const;
    ServerAnswer judge(CURLcode code);
    ServerAnswer judgeStatus();

    const Curl& m_curl = curl();
    CURL* const m_handle;
    const FileRequest& m_request;
    const std::function<void(std::int64_t)>& m_arrived;
    const std::stop_token& m_stop;
    OutputFile m_part;
    std::unique_ptr<curl_slist, void (*)(curl_slist*)> m_headers { nullptr, nullptr };
    std::array<char, CURL_ERROR_SIZE> m_words {}; // libcurl's own of what went wrong
    std::string m_etag; // of the answer
    std::string m_range; // its Content-Range
    bool m_begun = false; // its first byte is there
    Message m_fault; // why the answer is not what was requested
    std::exception_ptr m_failure; // the disk's, or a callback's
};

template <typename Value> void Arrival::set(CURLoption option, Value value)
{
    // What the header promises does not hold with a libcurl that lacks one of the options.
    if (const CURLcode code = m_curl.setOption(m_handle, option, value); code != CURLE_OK)
        throw Error(Message("download.old_libcurl", { { "reason", m_curl.errorText(code) } }));
}

// A callback that fails tells libcurl to end the transfer, and judge() throws what was stored.
template <typename Work> bool Arrival::guarded(void* self, Work work) noexcept
{
    auto* const arrival = static_cast<Arrival*>(self);
    try {
        return work(*arrival);
    } catch (...) {
        arrival->m_failure = std::current_exception();
        return false;
    }
}

void Arrival::setUp(const DownloadPatience& patience)
{
    m_curl.reset(m_handle);
    set(CURLOPT_URL, m_request.url.c_str());
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_REDIR_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirections);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L); // we may be one thread of many
    set(CURLOPT_USERAGENT, "accrue");
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(patience.connecting.count()));
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(patience.stalled.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, kSlowest);
    set(CURLOPT_ERRORBUFFER, m_words.data());
    setCallbacks();
    if (m_part.size() > 0)
        requestTheRest();
}

void Arrival::setCallbacks()
{
    // Any other number than `count` ends the transfer.
    set(
        CURLOPT_WRITEFUNCTION, +[](char* bytes, std::size_t, std::size_t count, void* self) {
            const auto accept = [=](Arrival& it) { return it.accept(bytes, count); };
            return guarded(self, accept) ? count : count + 1;
        });
    set(CURLOPT_WRITEDATA, this);
    set(
        CURLOPT_HEADERFUNCTION, +[](char* line, std::size_t, std::size_t count, void* self) {
            const auto read = [=](Arrival& it) {
                it.readHeaderLine({ line, count });
                return true;
            };
            return guarded(self, read) ? count : count + 1;
        });
    set(CURLOPT_HEADERDATA, this);
    set(
        CURLOPT_XFERINFOFUNCTION, +[](void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
            const auto report = [](Arrival& it) {
                it.m_arrived(it.m_part.size());
                return !it.m_stop.stop_requested();
            };
            return guarded(self, report) ? 0 : 1;
        });
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
}

// With the ETag of what is there, so that a file that changed meanwhile comes from its beginning.
void Arrival::requestTheRest()
{
    set(CURLOPT_RANGE, (std::to_string(m_part.size()) + "-").c_str());
    const std::string etag = etagOf(m_request);
    if (etag.empty() || etag.starts_with("W/")) // a weak one may not stand in If-Range
        return;
    m_headers = { m_curl.append(nullptr, ("If-Range: " + etag).c_str()), m_curl.freeList };
    set(CURLOPT_HTTPHEADER, m_headers.get());
}

// Each redirection has headers of its own; only those of the last answer count.
void Arrival::readHeaderLine(std::string_view line)
{
    if (line.starts_with("HTTP/")) {
        m_etag.clear();
        m_range.clear();
    }
    readHeader(line, "etag:", m_etag);
    readHeader(line, "content-range:", m_range);
}

long Arrival::status() const
{
    long status = 0;
    m_curl.getInfo(m_handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// Why the answer that begins here cannot be used; empty: it can.
Message Arrival::fault() const
{
    if (status() != 200 && status() != 206)
        return Message("download.http_status", { { "status", status() } });
    const std::int64_t had = status() == 206 ? m_part.size() : 0;
    if (status() == 206 && !m_range.starts_with("bytes " + std::to_string(had) + "-"))
        return Message("download.other_range", { { "byte", had }, { "range", m_range } });
    curl_off_t offered = -1;
    m_curl.getInfo(m_handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &offered);
    if (offered >= 0 && had + offered != m_request.bytes)
        return Message(
            "download.other_size", { { "offered", had + offered }, { "bytes", m_request.bytes } });
    return {};
}

bool Arrival::accept(const char* bytes, std::size_t size)
{
    if (!m_begun) {
        m_begun = true;
        m_fault = fault();
        if (!m_fault.empty())
            return false;
        if (status() == 200 && m_part.size() > 0) // it cannot continue
            m_part.clear();
        // Best effort: without it a resumed file is judged by its digest alone.
        std::ofstream(originOf(m_request.part), std::ios::trunc) << withoutUser(
            m_request.url) << '\n' << m_etag << '\n';
    }
    if (size > static_cast<std::size_t>(m_request.bytes - m_part.size())) {
        m_part.clear(); // nothing of such a file can be trusted
        m_fault = Message("download.sends_more", { { "bytes", m_request.bytes } });
        return false;
    }
    m_part.write(bytes, size);
    return true;
}

ServerAnswer Arrival::judgeStatus()
{
    // What is kept is longer than the server's file, or not of it: from the beginning.
    constexpr long kRangeNotSatisfiable = 416;
    const bool isRangeWrong = status() == kRangeNotSatisfiable && m_part.size() > 0;
    if (isRangeWrong)
        m_part.clear();
    return { isRangeWrong ? Kind::Broken : Kind::Refused,
        Message("download.http_status", { { "status", status() } }) };
}

ServerAnswer Arrival::judge(CURLcode code)
{
    if (m_failure)
        std::rethrow_exception(m_failure);
    if (m_stop.stop_requested())
        return { Kind::Stopped };
    if (!m_fault.empty())
        return { Kind::Refused, m_fault };
    if (m_part.size() == m_request.bytes)
        return { Kind::Complete };
    const char* const said = m_words.front() != '\0' ? m_words.data() : m_curl.errorText(code);
    const Message words = Message::plain(std::string(trimmed(said, kBlanks)));
    switch (code) {
    case CURLE_HTTP_RETURNED_ERROR:
        return judgeStatus();
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
        return { Kind::Refused, words };
    case CURLE_OK:
        return { Kind::Broken,
            Message("download.ended_early",
                { { "arrived", m_part.size() }, { "bytes", m_request.bytes } }) };
    case CURLE_OPERATION_TIMEDOUT:
        return { Kind::Stalled, words };
    default:
        return { Kind::Broken, words };
    }
}

ServerAnswer Arrival::run(const DownloadPatience& patience)
{
    if (m_part.size() == m_request.bytes)
        return {};
    setUp(patience);
    const ServerAnswer answer = judge(m_curl.perform(m_handle));
    m_part.close();
    return answer;
}

} // namespace

DownloadClient::DownloadClient(const DownloadPatience& patience)
    : m_patience(patience)
    , m_handle(curl().init(), curl().cleanUp)
{
    if (!m_handle)
        throw Error(Message("download.libcurl_memory"));
}

ServerAnswer DownloadClient::download(const FileRequest& request,
    const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop)
{
    return Arrival(m_handle.get(), request, arrived, stop).run(m_patience);
}

void removePart(const fs::path& part)
{
    std::error_code ignored;
    fs::remove(originOf(part), ignored);
    fs::remove(part, ignored);
}

} // namespace accrue
