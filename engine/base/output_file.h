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
    Make, // it could not be made
    Write, // its bytes did not get to the disk
    Replace, // it is whole, but could not take its place
};
// Throws: every room has an exception and a message of its own. `error` is an errno.
using WriteFailure = std::function<void(WriteStep step, int error)>;

// A file whose bytes are on the disk once `close` returns. Not thread-safe.
class OutputFile {
public:
    enum class Existing {
        Empty, // is emptied
        Refuse, // is a failure, and a link is never followed
        Extend, // is written from its end on; a link and what is no regular file are failures
    };
    OutputFile(
        const std::filesystem::path& file, WriteFailure fail, Existing existing = Existing::Empty);

    void write(const void* bytes, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    std::int64_t size() const { return m_size; }
    void clear(); // empties it; only of a file that is extended
    // Blocks until the disk has it. Without it, what was written so far may be lost.
    void close();

private:
    const WriteFailure m_fail;
    Descriptor m_descriptor;
    std::int64_t m_size = 0;
};

// A file that is written beside `target`, under its unfinished name, and takes its place by one
// rename: after a crash `target` is the old file or the new one. It gets the permissions of the old
// one. Without `commit` nothing is left of it. What processes that were killed left of the same
// target is removed. Of several writers of one target, the last to commit wins.
class AtomicFile {
public:
    AtomicFile(const std::filesystem::path& target, const WriteFailure& fail);

    void write(std::string_view text) { m_out.write(text); }
    void commit(); // Blocks until the disk has it, under its name.

private:
    const WriteFailure m_fail;
    Unfinished m_unfinished;
    OutputFile m_out;
};

} // namespace accrue
