// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_log_error.h"

#include <exception>
#include <filesystem>

namespace accrue {

// Of SQLite's result codes: the content of the file cannot be right.
bool isDamage(int code);
// What to throw then. `what` quotes nothing of the file, which may be anybody's.
RunLogError damageOf(const std::filesystem::path& file);
RunLogError damageOf(const std::filesystem::path& file, const Message& what);

// Names the file, what a result code of SQLite's means, and what to do. It leaves out SQLite's own
// message, which quotes the file.
RunLogError errorOf(const std::filesystem::path& file, int code);

// Rethrows the exception that is being handled, as RunLogError where SQLite threw it.
[[noreturn]] void rethrowInSentence(const std::filesystem::path& file);

// Runs `work`; an error of SQLite's leaves it as a RunLogError about `file`.
template <typename Work> auto inSentences(const std::filesystem::path& file, Work work)
{
    try {
        return work();
    } catch (const std::exception&) {
        rethrowInSentence(file);
    }
}

} // namespace accrue
