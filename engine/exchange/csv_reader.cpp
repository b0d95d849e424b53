// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/csv_reader.h"

#include "engine/base/shown_text.h"
#include "engine/runs/run_log_error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

namespace accrue {

namespace {

constexpr std::size_t kBufferBytes = std::size_t { 1 } << 20;
// A quote that is never closed would otherwise make a cell of the rest of the file.
constexpr std::size_t kLongestCell = kLargestTextFile;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t bufferSize(const InputFile& input)
{
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(input.size(), 1, kBufferBytes));
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::optional<double> notFinite(std::string_view text)
{
    const std::string word = lowered(text);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (word == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (word == "inf" || word == "infinity")
        return kInfinity;
    if (word == "-inf" || word == "-infinity")
        return -kInfinity;
    return std::nullopt;
}

} // namespace

CsvReader::CsvReader(const std::filesystem::path& file, char delimiter)
    : m_file(file)
    , m_delimiter(delimiter)
    , m_input(file)
    , m_buffer(bufferSize(m_input))
{
    m_end = m_input.read(m_buffer.data(), m_buffer.size());
    const std::string_view begin(m_buffer.data(), std::min<std::size_t>(m_end, 3));
    if (begin == kByteOrderMark)
        m_at = kByteOrderMark.size();
    if (begin.starts_with("\xFF\xFE") || begin.starts_with("\xFE\xFF"))
        throw RunLogError(Message("exchange.csv_is_utf_16", { { "file", file.string() } }));
}

bool CsvReader::next(std::vector<std::string>& cells)
{
    cells.clear();
    while (takeLineBreak()) { } // empty lines
    if (peek() < 0)
        return false;
    m_line = m_lines;
    cells.emplace_back();
    while (peek() >= 0 && !takeLineBreak()) {
        const int byte = take();
        if (byte == 0)
            throw RunLogError(Message(
                "exchange.csv_has_nul", { { "file", m_file.string() }, { "line", m_line } }));
        if (byte == m_delimiter)
            cells.emplace_back();
        else if (byte == '"' && cells.back().empty())
            readQuoted(cells.back());
        else
            cells.back() += static_cast<char>(byte);
        if (cells.back().size() > kLongestCell)
            throw RunLogError(Message(
                "exchange.csv_has_long_cell", { { "file", m_file.string() }, { "line", m_line } }));
    }
    return true;
}

// Behind its first quote. What follows its last one up to the delimiter is part of the cell.
void CsvReader::readQuoted(std::string& cell)
{
    for (int byte = take(); byte >= 0; byte = take()) {
        if (byte == '"' && peek() != '"')
            return;
        if (byte == '"')
            take();
        m_lines += byte == '\n' ? 1 : 0;
        cell += static_cast<char>(byte);
        if (cell.size() > kLongestCell)
            break;
    }
    throw RunLogError(Message(
        "exchange.csv_has_open_quote", { { "file", m_file.string() }, { "line", m_line } }));
}

bool CsvReader::takeLineBreak()
{
    const int byte = peek();
    if (byte != '\n' && byte != '\r')
        return false;
    take();
    if (byte == '\r' && peek() == '\n')
        take();
    ++m_lines;
    return true;
}

int CsvReader::peek()
{
    if (m_at == m_end) {
        m_at = 0;
        m_end = m_input.read(m_buffer.data(), m_buffer.size());
    }
    return m_at < m_end ? static_cast<unsigned char>(m_buffer[m_at]) : -1;
}

int CsvReader::take()
{
    const int byte = peek();
    m_at += byte >= 0 ? 1 : 0;
    return byte;
}

char delimiterOf(const std::filesystem::path& file)
{
    constexpr std::string_view kCandidates = ",;\t|";
    std::array<std::size_t, kCandidates.size()> counts {};
    InputFile input(file);
    std::vector<char> bytes(std::min(bufferSize(input), std::size_t { 1 } << 16));
    bytes.resize(input.read(bytes.data(), bytes.size()));
    bool quoted = false;
    for (const char c : bytes) {
        quoted = c == '"' ? !quoted : quoted;
        if (!quoted && (c == '\n' || c == '\r'))
            break;
        if (const std::size_t at = kCandidates.find(c); !quoted && at != std::string_view::npos)
            ++counts.at(at);
    }
    const auto most = std::max_element(counts.begin(), counts.end()); // the first of several
    return kCandidates[static_cast<std::size_t>(most - counts.begin())];
}

std::string_view trimmed(std::string_view cell)
{
    const std::size_t begin = cell.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return cell.substr(begin, cell.find_last_not_of(" \t") + 1 - begin);
}

std::optional<double> numberInCell(std::string_view cell, bool decimalComma)
{
    std::string text(trimmed(cell));
    if (text.starts_with('+'))
        text.erase(0, 1);
    // Only a digit or a sign begins a number: from_chars would read "infinite" in part.
    if (text.empty()
        || std::string_view("0123456789-.,").find(text.front()) == std::string_view::npos)
        return notFinite(text);
    if (decimalComma && text.find('.') != std::string::npos)
        return std::nullopt;
    if (decimalComma)
        std::replace(text.begin(), text.end(), ',', '.');
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end == text.data() + text.size() && error == std::errc::result_out_of_range)
        return std::strtod(text.c_str(), nullptr); // too large or too small: infinite, or 0
    if (error != std::errc() || end != text.data() + text.size())
        return notFinite(text);
    return value;
}

bool isMissing(std::string_view cell)
{
    constexpr std::array<std::string_view, 7> kWords { "", "-", "NA", "N/A", "null", "NULL",
        "None" };
    return std::ranges::find(kWords, trimmed(cell)) != kWords.end();
}

} // namespace accrue
