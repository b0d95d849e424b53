// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/output_file.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace accrue {

// Where CSV goes: a file, or a stream. A stream receives text in pieces of 1 MiB and at the end;
// what it has received cannot be withdrawn.
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

// A CSV file being written, as an AtomicFile: without commit() nothing is left of it. Writes
// through a link. Refuses devices and pipes. All methods throw RunLogError naming the file as the
// caller gave it. A stream is written as it is.
class CsvFile {
public:
    explicit CsvFile(const CsvTarget& target);

    void writeLine(std::string_view line); // CRLF is added
    void commit();

    // A cell of text: quoted where RFC 4180 requires it, with a leading apostrophe if a spreadsheet
    // would interpret it as a formula (= + - @ tab carriage return).
    static std::string textCell(std::string_view text);
    // A cell as shown on a screen: text that reads as a number stays one, even a negative one.
    static std::string shownCell(std::string_view text);

private:
    void flush();

    const std::function<void(std::string_view)> m_print; // empty: to the file
    std::optional<AtomicFile> m_file; // empty: to the stream
    std::string m_buffer;
};

} // namespace accrue
