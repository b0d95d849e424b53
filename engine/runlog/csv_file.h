// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace accrue {

// Where CSV goes: a file, or a stream. A stream is given text as it comes, in pieces of 1 MiB and
// at the end; what was given cannot be taken back.
struct CsvTarget {
    CsvTarget(std::filesystem::path place) // implicit: mostly it is a file
        : file(std::move(place))
    {
    }
    explicit CsvTarget(std::function<void(std::string_view)> stream)
        : print(std::move(stream))
    {
    }

    std::filesystem::path file;
    std::function<void(std::string_view)> print; // empty: to the file
};

// A CSV file being written under a temporary name in the same folder, FILE.writing-PID; commit()
// puts it on the disk and under its name, otherwise nothing is left of it. What processes that were
// killed left of the same file is removed. A link is written through. Devices and pipes are
// refused. All throw RunLogError naming the file as it was given. A stream is written as it is.
class CsvFile {
public:
    explicit CsvFile(const CsvTarget& target);
    ~CsvFile();
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    void writeLine(std::string_view line); // CRLF is added
    void commit();

    // A cell of text: quoted where RFC 4180 asks for it, with a leading apostrophe where a
    // spreadsheet would take it for a formula (= + - @ tab carriage return).
    static std::string textCell(std::string_view text);
    // A cell as shown on a screen: what reads as a number stays one, also when it is negative.
    static std::string shownCell(std::string_view text);

private:
    [[noreturn]] void fail(const char* what);
    void open();
    void flush();

    const std::function<void(std::string_view)> m_print; // empty: to the file
    const std::filesystem::path m_name; // as it was given
    const std::filesystem::path m_file;
    std::filesystem::path m_temporary;
    std::string m_buffer;
    int m_descriptor = -1;
    bool m_committed = false;
};

} // namespace accrue
