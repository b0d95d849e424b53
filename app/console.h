// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"

#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// The program's three streams: results go to `out`, messages to `err`, where one live line may be
// at the bottom. All methods may be called from any thread and block while the stream does. A
// Message becomes text here, in the language of the program.
class Console {
public:
    struct Terminal {
        bool in = false; // somebody can answer a question
        bool out = false;
        bool err = false; // the live line can be redrawn
        bool colours = false; // out is a terminal and NO_COLOR is unset
    };
    // Determines whether the streams are the process's own and are terminals.
    Console(std::istream& in, std::ostream& out, std::ostream& err);
    // For tests.
    Console(std::istream& in, std::ostream& out, std::ostream& err, Terminal terminal);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    const Terminal& terminal() const { return m_terminal; }
    int width() const; // columns of the terminal on err; 80 if unknown

    void print(std::string_view text); // unchanged, to out
    void printLine(std::string_view text); // with a newline, flushed: a printed line cannot be lost
    void printLine(const Message& message) { printLine(message.text()); }
    // Indented by two spaces, with a newline at the end; text that is not UTF-8 is repaired.
    void printJson(const nlohmann::ordered_json& json);
    // A result as JSON or as text; for those of which both forms are made fast.
    void printResult(bool asJson, const nlohmann::ordered_json& json, std::string_view text);
    // A line on err, above the live line. As in all that follows, characters that could steer the
    // terminal are shown as ?, because a path or a word of the command line may be part of it.
    void say(std::string_view line);
    void say(const Message& message) { say(message.text()); }
    void warn(const Message& message);
    // "accrue: …": why the command ends without having done what was requested.
    void sayError(const Message& message);
    // say(), unless another thread holds the streams, which it may as long as nobody reads them, or
    // writing to err would block. Blocks for a fifth of a second at most.
    void sayIfFree(const Message& message);
    // The last message of the process: without any lock, to its own stderr, if that accepts it at
    // once. Must not block.
    void sayLast(const Message& message) const;
    void showLive(std::string_view line); // replaces the live line; terminal().err only
    void clearLive();

    // Prints the question on err and reads a line; true for y and yes. False at the end of input.
    bool ask(const Message& question);

    // The whole standard input. Blocks until its end.
    std::string readAll();

    // Flushes; false when the output could not be written, with errno of the failed write in
    // `error`.
    bool finish(int& error);
    // The errno of the write to `out` that failed, EPIPE if nobody reads it any more; empty: none
    // has failed.
    std::optional<int> outputError() const;

private:
    void eraseLive();
    void checkOutput();
    void sayLocked(std::string_view line);

    std::istream& m_in;
    std::ostream& m_out;
    std::ostream& m_err;
    const Terminal m_terminal;
    mutable std::timed_mutex m_mutex; // guards the streams and the members below
    std::string m_live;
    bool m_lost = false;
    int m_error = 0;
};

} // namespace accrue
