// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/descriptor.h"
#include "engine/base/unfinished.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace accrue {

// What failed while a file was written.
enum class WriteStep {
    Make, // it could not be created
    Write, // its bytes did not reach the disk
    Replace, // it is complete, but could not replace the target
};
// Throws: every room has its own exception and message. `error` is an errno.
using WriteFailure = std::function<void(WriteStep step, int error)>;

// A file whose bytes are on the disk once `close` returns. Not thread-safe.
class OutputFile {
public:
    enum class Existing {
        Empty, // is emptied
        Refuse, // is a failure, and a link is never followed
        Extend, // is extended at its end; links and irregular files are failures
    };
    OutputFile(
        const std::filesystem::path& file, WriteFailure fail, Existing existing = Existing::Empty);

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    std::int64_t size() const { return m_size; }
    void clear(); // empties it; only for a file that is extended
    // Blocks until it is on the disk. Without it, written bytes may be lost.
    void close();

private:
    const WriteFailure m_fail;
    Descriptor m_descriptor;
    std::int64_t m_size = 0;
};

// A file that is written beside `target`, under its unfinished name, and replaces it by one rename:
// after a crash `target` is the old file or the new one. It gets the permissions of the old one.
// Without `commit` nothing is left of it. Removes what killed processes have left of the same
// target. Of several writers of one target, the last to commit wins.
class AtomicFile {
public:
    AtomicFile(const std::filesystem::path& target, const WriteFailure& fail);

    void write(std::string_view text) { m_out.write(text); }
    void commit(); // Blocks until it is on the disk, under its name.

private:
    const WriteFailure m_fail;
    Unfinished m_unfinished;
    OutputFile m_out;
};

} // namespace accrue
