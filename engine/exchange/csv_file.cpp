// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_file.h"

#include "engine/logfile/log_file.h"
#include "engine/runs/run_log_error.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

namespace accrue {

namespace {

// One write per mebibyte: the disk limits a long export, not the calls.
constexpr std::size_t kBufferBytes = std::size_t { 1 } << 20;

bool startsFormula(std::string_view text)
{
    // The characters after which common spreadsheets evaluate a cell (OWASP, "CSV injection").
    return !text.empty()
        && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool isNumber(std::string_view text)
{
    double value = 0;
    // from_chars ignores the locale, as the writer of the numbers does.
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

// An existing file is replaced by rename(), which would also replace a device or a pipe.
void requireReplaceable(const std::filesystem::path& file)
{
    std::error_code unknown; // if the status cannot be read, opening fails as well and reports why
    const std::filesystem::file_status status = std::filesystem::status(file, unknown);
    if (std::filesystem::is_directory(status))
        throw RunLogError(Message("runlog.csv_is_a_directory",
            { { "file", file.string() }, { "example", (file / "runs.csv").string() } }));
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw RunLogError(Message("runlog.csv_is_no_file", { { "file", file.string() } }));
}

Message failedStep(WriteStep step, const std::filesystem::path& file)
{
    const std::string name = file.string();
    if (step == WriteStep::Make)
        return Message("runlog.csv_not_created", { { "file", name } });
    if (step == WriteStep::Write)
        return Message("runlog.csv_not_written", { { "file", name } });
    return Message("runlog.csv_not_placed", { { "file", name } });
}

// `name`: the file as the caller gave it.
WriteFailure failureOf(const std::filesystem::path& name)
{
    return [name](WriteStep step, int error) {
        const bool full = error == ENOSPC || error == EFBIG || error == EDQUOT;
        throw RunLogError(Message("runlog.csv_failed",
                              { { "what", failedStep(step, name) },
                                  { "reason", std::string(std::strerror(error)) },
                                  { "advice",
                                      full ? Message("runlog.csv_needs_space")
                                           : Message("runlog.csv_elsewhere") } }),
            RunLogError::kindOf(error));
    };
}

} // namespace

CsvFile::CsvFile(const CsvTarget& target)
    : m_print(target.print)
{
    // Room for the line that crosses the limit, so that the buffer is allocated once.
    m_buffer.reserve(kBufferBytes + 4096);
    if (m_print)
        return;
    requireReplaceable(target.file);
    // The resolved file, so that a link stays a link; errors name what the user typed.
    m_file.emplace(placeOf(target.file), failureOf(target.file));
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
    if (m_file)
        m_file->write(m_buffer);
    else
        m_print(m_buffer);
    m_buffer.clear();
}

void CsvFile::commit()
{
    flush();
    if (m_file)
        m_file->commit();
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
