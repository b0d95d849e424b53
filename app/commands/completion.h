// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace accrue {

// What a shell may offer for the last word of a command line.
struct Completion {
    enum class Paths { None, Files, Folders }; // of which the shell itself has the names
    struct Candidate {
        std::string word; // the whole one; if it ends in "=", a value follows in the same word
        std::string meaning; // in the language of the program; may be empty
    };
    Paths paths = Paths::None;
    std::vector<Candidate> candidates; // those that begin with the word, in a sensible order
};

// `words` are those after the program's name, and the last one is being typed; it may be empty.
// What can be completed follows from the tables of commands, keys and recipes, and from the names
// of runs in the log that the words name. Prints and throws nothing: a log that cannot be read has
// no names. The engine is not loaded.
Completion completionOf(const std::vector<std::string>& words);

} // namespace accrue
