// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_log_error.h"

#include <exception>
#include <filesystem>

namespace accrue {

// Whether SQLite's result code means that the content of the file cannot be right.
bool isDamage(int code);
// The error to throw then. `what` quotes nothing from the file, which may come from anybody.
RunLogError damageOf(const std::filesystem::path& file);
RunLogError damageOf(const std::filesystem::path& file, const Message& what);

// Names the file, the meaning of SQLite's result code, and what to do. It leaves out SQLite's own
// message, which quotes the file.
RunLogError errorOf(const std::filesystem::path& file, int code);

// Rethrows the exception that is being handled, as RunLogError if SQLite threw it.
[[noreturn]] void rethrowInSentence(const std::filesystem::path& file);

// Runs `work`; SQLite's errors become a RunLogError about `file`.
template <typename Work> auto inSentences(const std::filesystem::path& file, Work work)
{
    try {
        return work();
    } catch (const std::exception&) {
        rethrowInSentence(file);
    }
}

} // namespace accrue
