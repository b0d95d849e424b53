// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_error.h"

#include <exception>
#include <filesystem>
#include <string>

namespace accrue {

// What SQLite said, as a sentence that names the file and what to do.
std::string sentenceOf(const std::filesystem::path& file, int code, const std::string& message);
RunLogError::Kind kindOfResult(int code); // of SQLite's

// Rethrows the exception that is being handled as RunLogError where it is SQLite's.
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
