// SPDX-License-Identifier: Apache-2.0
#include "engine/data/download_client.h"

#include "engine/data/download_file.h"
#include "engine/data/download_sets.h"
#include "engine/experiment/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

// CURLOPT_PROTOCOLS is deprecated, but the one that machines with a libcurl before 7.85 know, too.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>

namespace accrue {

struct CurlFunctions {
    decltype(&::curl_global_init) globalInit = nullptr;
    decltype(&::curl_easy_init) init = nullptr;
    decltype(&::curl_easy_reset) reset = nullptr;
    decltype(&::curl_easy_setopt) setOption = nullptr;
    decltype(&::curl_easy_perform) perform = nullptr;
    decltype(&::curl_easy_getinfo) getInfo = nullptr;
    decltype(&::curl_easy_cleanup) cleanUp = nullptr;
    decltype(&::curl_easy_strerror) errorText = nullptr;
    decltype(&::curl_slist_append) append = nullptr;
    decltype(&::curl_slist_free_all) freeList = nullptr;
};

namespace {

namespace fs = std::filesystem;

constexpr long kMostRedirections = 5;
constexpr long kSlowest = 64; // bytes a second

// Every libcurl of the last fifteen years, whichever TLS library it was built with.
constexpr std::array kLibraries { "libcurl.so.4", "libcurl-gnutls.so.4" };

template <typename Function> bool find(void* library, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

std::optional<CurlFunctions> functionsOf(void* library)
{
    CurlFunctions curl;
    const bool whole = find(library, "curl_global_init", curl.globalInit)
        && find(library, "curl_easy_init", curl.init)
        && find(library, "curl_easy_reset", curl.reset)
        && find(library, "curl_easy_setopt", curl.setOption)
        && find(library, "curl_easy_perform", curl.perform)
        && find(library, "curl_easy_getinfo", curl.getInfo)
        && find(library, "curl_easy_cleanup", curl.cleanUp)
        && find(library, "curl_easy_strerror", curl.errorText)
        && find(library, "curl_slist_append", curl.append)
        && find(library, "curl_slist_free_all", curl.freeList);
    if (!whole || curl.globalInit(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return std::nullopt;
    return curl;
}

// Never closed again: TLS libraries do not like it.
std::optional<CurlFunctions> openCurl()
{
    for (const char* name : kLibraries)
        if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
            if (auto functions = functionsOf(library))
                return functions;
    return std::nullopt;
}

const CurlFunctions& curlFunctions()
{
    static const std::optional<CurlFunctions> functions = openCurl();
    if (!functions)
        throw DataError("Nothing can be fetched: this machine has no libcurl (libcurl.so.4). "
                        "Install it (Debian and Ubuntu: libcurl4), or fetch the files by other "
                        "means and put them into the data set's folder.");
    return *functions;
}

fs::path originOf(const fs::path& part)
{
    fs::path origin = part;
    origin += ".origin";
    return origin;
}

// The ETag that `url` gave the bytes in `part`; empty: it gave none, or they are not its own.
std::string etagOf(const fs::path& part, const std::string& url)
{
    std::ifstream file(originOf(part));
    std::string from;
    std::string etag;
    std::getline(file, from);
    std::getline(file, etag);
    return from == withoutUser(url) ? etag : std::string();
}

// Best effort: without it a resumed file is judged by its digest alone.
void writeOrigin(const fs::path& part, const std::string& url, const std::string& etag)
{
    std::ofstream(originOf(part), std::ios::trunc) << withoutUser(url) << '\n' << etag << '\n';
}

std::string trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t\r\n");
    const auto end = text.find_last_not_of(" \t\r\n");
    return begin == text.npos ? std::string() : std::string(text.substr(begin, end - begin + 1));
}

// The value of a header line, where it is that header (in lower case).
std::optional<std::string> valueOf(std::string_view line, std::string_view header)
{
    if (line.size() <= header.size() || line[header.size()] != ':')
        return std::nullopt;
    const auto same = [](char a, char b) {
        return a == std::tolower(static_cast<unsigned char>(b));
    };
    if (!std::equal(header.begin(), header.end(), line.begin(), same))
        return std::nullopt;
    return trimmed(line.substr(header.size() + 1));
}

// "bytes 1000-1999/2000" → 1000
std::optional<std::int64_t> firstByteOf(std::string_view range)
{
    constexpr std::string_view kUnit = "bytes ";
    std::int64_t first = 0;
    if (!range.starts_with(kUnit))
        return std::nullopt;
    const char* begin = range.data() + kUnit.size();
    const auto [end, error] = std::from_chars(begin, range.data() + range.size(), first);
    if (error != std::errc() || end == range.data() + range.size() || *end != '-')
        return std::nullopt;
    return first;
}

// One answer while it arrives. libcurl calls it from C, so nothing may be thrown out of it.
class Transfer {
public:
    Transfer(const CurlFunctions& curl, CURL* handle, const TransferRequest& request,
        const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop)
        : m_curl(curl)
        , m_handle(handle)
        , m_request(request)
        , m_arrived(arrived)
        , m_stop(stop)
        , m_part(request.part)
    {
        if (m_part.size() > request.bytes)
            m_part.clear();
    }
    ~Transfer() { m_curl.reset(m_handle); } // which knows this object
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    TransferEnd run(const DownloadPatience& patience);

private:
    template <typename Value> void set(CURLoption option, Value value);
    void setUp(const DownloadPatience& patience);
    void askForTheRest();
    void takeHeader(std::string_view line);
    bool take(const char* bytes, std::size_t size);
    std::string fault() const;
    long status() const;
    TransferEnd judge(CURLcode code);
    TransferEnd judgeStatus();

    static std::size_t takeBytes(char* bytes, std::size_t, std::size_t count, void* self) noexcept;
    static std::size_t takeHeaderLine(
        char* line, std::size_t, std::size_t count, void* self) noexcept;
    static int report(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept;

    const CurlFunctions& m_curl;
    CURL* const m_handle;
    const TransferRequest& m_request;
    const std::function<void(std::int64_t)>& m_arrived;
    const std::stop_token& m_stop;
    DownloadFile m_part;
    std::unique_ptr<curl_slist, void (*)(curl_slist*)> m_headers { nullptr, nullptr };
    std::array<char, CURL_ERROR_SIZE> m_words {}; // libcurl's own of what went wrong
    std::string m_etag; // of the answer
    std::string m_range; // its Content-Range
    bool m_begun = false; // its first byte is there
    std::string m_fault; // why the answer is not what was asked for
    std::exception_ptr m_failure; // the disk's, or a callback's
};

template <typename Value> void Transfer::set(CURLoption option, Value value)
{
    // An option that this libcurl lacks would be a promise of the header not kept.
    if (const CURLcode code = m_curl.setOption(m_handle, option, value); code != CURLE_OK)
        throw DataError("This machine's libcurl is too old to fetch data sets ("
            + std::string(m_curl.errorText(code)) + "): install a newer one.");
}

void Transfer::setUp(const DownloadPatience& patience)
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
    set(CURLOPT_WRITEFUNCTION, &takeBytes);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &takeHeaderLine);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_XFERINFOFUNCTION, &report);
    set(CURLOPT_XFERINFODATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    askForTheRest();
}

// With the ETag of what is there, so that a file that changed meanwhile comes from its beginning.
void Transfer::askForTheRest()
{
    if (m_part.size() == 0)
        return;
    set(CURLOPT_RANGE, (std::to_string(m_part.size()) + "-").c_str());
    const std::string etag = etagOf(m_request.part, m_request.url);
    if (etag.empty() || etag.starts_with("W/")) // a weak one may not stand in If-Range
        return;
    m_headers = { m_curl.append(nullptr, ("If-Range: " + etag).c_str()), m_curl.freeList };
    set(CURLOPT_HTTPHEADER, m_headers.get());
}

// Each redirection has headers of its own; only those of the last answer count.
void Transfer::takeHeader(std::string_view line)
{
    if (line.starts_with("HTTP/")) {
        m_etag.clear();
        m_range.clear();
    } else if (const auto etag = valueOf(line, "etag")) {
        m_etag = *etag;
    } else if (const auto range = valueOf(line, "content-range")) {
        m_range = *range;
    }
}

long Transfer::status() const
{
    long status = 0;
    m_curl.getInfo(m_handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// Why the answer that begins here cannot be used; empty: it can.
std::string Transfer::fault() const
{
    if (status() != 200 && status() != 206)
        return "it answers with HTTP " + std::to_string(status());
    if (status() == 206 && firstByteOf(m_range) != m_part.size())
        return "asked for the bytes from " + std::to_string(m_part.size())
            + " on, it sends others (Content-Range: " + m_range + ")";
    curl_off_t offered = -1;
    m_curl.getInfo(m_handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &offered);
    const std::int64_t whole = (status() == 206 ? m_part.size() : 0) + offered;
    if (offered >= 0 && whole != m_request.bytes)
        return "it offers a file of " + formatCount(whole) + " bytes, the published one has "
            + formatCount(m_request.bytes);
    return {};
}

bool Transfer::take(const char* bytes, std::size_t size)
{
    if (!m_begun) {
        m_begun = true;
        m_fault = fault();
        if (!m_fault.empty())
            return false;
        if (status() == 200 && m_part.size() > 0) // it cannot continue
            m_part.clear();
        writeOrigin(m_request.part, m_request.url, m_etag);
    }
    if (size > static_cast<std::size_t>(m_request.bytes - m_part.size())) {
        m_part.clear(); // nothing of such a file is to be trusted
        m_fault = "it sends more than the " + formatCount(m_request.bytes)
            + " bytes of the published file";
        return false;
    }
    m_part.append(bytes, size);
    return true;
}

std::size_t Transfer::takeBytes(char* bytes, std::size_t, std::size_t count, void* self) noexcept
{
    auto* transfer = static_cast<Transfer*>(self);
    try {
        return transfer->take(bytes, count) ? count : count + 1; // another number ends it
    } catch (...) {
        transfer->m_failure = std::current_exception();
        return count + 1;
    }
}

std::size_t Transfer::takeHeaderLine(
    char* line, std::size_t, std::size_t count, void* self) noexcept
{
    auto* transfer = static_cast<Transfer*>(self);
    try {
        transfer->takeHeader({ line, count });
        return count;
    } catch (...) {
        transfer->m_failure = std::current_exception();
        return count + 1;
    }
}

int Transfer::report(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) noexcept
{
    auto* transfer = static_cast<Transfer*>(self);
    try {
        transfer->m_arrived(transfer->m_part.size());
    } catch (...) {
        transfer->m_failure = std::current_exception();
        return 1;
    }
    return transfer->m_stop.stop_requested() ? 1 : 0;
}

TransferEnd Transfer::judgeStatus()
{
    // What is kept is longer than the server's file, or not of it: from the beginning.
    constexpr long kRangeNotSatisfiable = 416;
    const std::string reason = "HTTP " + std::to_string(status());
    if (status() != kRangeNotSatisfiable || m_part.size() == 0)
        return { TransferEnd::Kind::Refused, reason };
    m_part.clear();
    return { TransferEnd::Kind::Broken, reason };
}

TransferEnd Transfer::judge(CURLcode code)
{
    if (m_failure)
        std::rethrow_exception(m_failure);
    if (m_stop.stop_requested())
        return { TransferEnd::Kind::Stopped, {} };
    if (!m_fault.empty())
        return { TransferEnd::Kind::Refused, m_fault };
    if (m_part.size() == m_request.bytes)
        return { TransferEnd::Kind::Complete, {} };
    const char* words = m_words.front() != '\0' ? m_words.data() : m_curl.errorText(code);
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
        return { TransferEnd::Kind::Refused, trimmed(words) };
    case CURLE_OK:
        return { TransferEnd::Kind::Broken,
            "it ended after " + formatCount(m_part.size()) + " of " + formatCount(m_request.bytes)
                + " bytes" };
    case CURLE_OPERATION_TIMEDOUT:
        return { TransferEnd::Kind::Stalled, trimmed(words) };
    default:
        return { TransferEnd::Kind::Broken, trimmed(words) };
    }
}

TransferEnd Transfer::run(const DownloadPatience& patience)
{
    if (m_part.size() == m_request.bytes)
        return {};
    setUp(patience);
    const TransferEnd end = judge(m_curl.perform(m_handle));
    m_part.synchronise();
    return end;
}

} // namespace

DownloadClient::DownloadClient(const DownloadPatience& patience)
    : m_curl(curlFunctions())
    , m_patience(patience)
    , m_handle(m_curl.init())
{
    if (m_handle == nullptr)
        throw DataError("libcurl cannot be started: there is not enough memory left.");
}

DownloadClient::~DownloadClient()
{
    m_curl.cleanUp(m_handle);
}

TransferEnd DownloadClient::fetch(const TransferRequest& request,
    const std::function<void(std::int64_t)>& arrived, const std::stop_token& stop)
{
    return Transfer(m_curl, m_handle, request, arrived, stop).run(m_patience);
}

} // namespace accrue
