// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_error.h"

#include <exception>
#include <filesystem>
#include <string>

namespace accrue {

// Of SQLite's result codes: the content of the file cannot be right.
bool isDamage(int code);
// What to throw then; `what`, where it is known, is no text of the file.
RunLogError damageOf(const std::filesystem::path& file, const std::string& what = {});

// A result code of SQLite's as a sentence that names the file and what to do. Without SQLite's own
// message, which quotes the file.
std::string sentenceOf(const std::filesystem::path& file, int code);
RunLogError::Kind kindOfResult(int code);

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
