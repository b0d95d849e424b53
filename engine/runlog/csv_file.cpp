// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/csv_file.h"

#include "engine/experiment/unfinished.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/run_log_error.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace accrue {

namespace {

constexpr std::size_t kBufferBytes = std::size_t { 1 } << 20;

bool startsFormula(std::string_view text)
{
    return !text.empty()
        && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool isNumber(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

std::string quotedCell(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"')
            cell += '"';
        cell += c;
    }
    return cell + '"';
}

// A file that is there is replaced by rename(), which would do so with a device or a pipe, too.
void requireReplaceable(const std::filesystem::path& file)
{
    std::error_code unknown; // what keeps us from looking keeps us from opening, which tells it
    const std::filesystem::file_status status = std::filesystem::status(file, unknown);
    if (std::filesystem::is_directory(status))
        throw RunLogError("The CSV file " + file.string()
            + " is a directory. Name a file in it, for example " + (file / "runs.csv").string()
            + ".");
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw RunLogError("The CSV file " + file.string()
            + " is not a regular file but a device or a pipe. Name a file.");
}

} // namespace

CsvFile::CsvFile(const CsvTarget& target)
    : m_print(target.print)
    , m_name(target.file)
    , m_file(m_print ? std::filesystem::path() : placeOf(target.file))
{
    if (!m_print)
        open();
    m_buffer.reserve(kBufferBytes + 4096);
}

void CsvFile::open()
{
    requireReplaceable(m_name);
    const std::filesystem::path folder = m_file.parent_path();
    removeUnfinished(folder.empty() ? "." : folder, m_file.filename().string());
    const std::string temporary = unfinishedNameOf(m_file).string();
    unlink(temporary.c_str()); // left by a process that had our id
    m_descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (m_descriptor < 0)
        fail("cannot be created");
    m_temporary = temporary;
}

CsvFile::~CsvFile()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
    if (!m_committed && !m_temporary.empty())
        unlink(m_temporary.c_str());
}

void CsvFile::writeLine(std::string_view line)
{
    m_buffer += line;
    m_buffer += "\r\n";
    if (m_buffer.size() >= kBufferBytes)
        flush();
}

void CsvFile::flush()
{
    if (m_print)
        m_print(m_buffer);
    std::size_t written = m_print ? m_buffer.size() : 0;
    while (written < m_buffer.size()) {
        const ssize_t count =
            write(m_descriptor, m_buffer.data() + written, m_buffer.size() - written);
        if (count < 0 && errno != EINTR)
            fail("cannot be written");
        written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    m_buffer.clear();
}

void CsvFile::commit()
{
    flush();
    if (m_print)
        return;
    if (fsync(m_descriptor) != 0 && errno != EINVAL)
        fail("cannot be written");
    const int descriptor = m_descriptor;
    m_descriptor = -1;
    if (close(descriptor) != 0)
        fail("cannot be written");
    if (rename(m_temporary.c_str(), m_file.c_str()) != 0)
        fail("cannot be put in its place");
    m_committed = true;
}

void CsvFile::fail(const char* what)
{
    const int error = errno;
    const char* advice = error == ENOSPC || error == EFBIG || error == EDQUOT
        ? " Free some space, or choose another folder."
        : " Choose another folder.";
    throw RunLogError("The CSV file " + m_name.string() + " " + what + " (" + std::strerror(error)
            + "); nothing was left behind." + advice,
        RunLogError::kindOf(error));
}

std::string CsvFile::textCell(std::string_view text)
{
    return startsFormula(text) ? quotedCell("'" + std::string(text)) : quotedCell(text);
}

std::string CsvFile::shownCell(std::string_view text)
{
    return isNumber(text) ? std::string(text) : textCell(text);
}

} // namespace accrue
