// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace accrue {

// The program's three streams: results go to `out`, everything said on the way to `err`, where one
// live line may stand at the bottom. All methods may be called from any thread and block while the
// stream does.
class Console {
public:
    struct Terminal {
        bool in = false; // somebody can answer a question
        bool out = false;
        bool err = false; // the live line can be redrawn
        bool colours = false; // out is a terminal and NO_COLOR is unset
    };
    // Looks whether the streams are the process's own and are terminals.
    Console(std::istream& in, std::ostream& out, std::ostream& err);
    // For tests.
    Console(std::istream& in, std::ostream& out, std::ostream& err, Terminal terminal);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    const Terminal& terminal() const { return m_terminal; }
    int width() const; // columns of the terminal on err; 80 where it does not say

    void print(std::string_view text); // as it stands, to out
    void printLine(std::string_view text); // with a newline, flushed: a line that is out is out
    // A line on err, above the live line. As in all that follows, what could steer the terminal is
    // shown as ?, because a path or a word of the command line may be part of the sentence.
    void say(std::string_view sentence);
    void warn(std::string_view sentence);
    // say(), unless another thread stays at the streams, which may be for as long as nobody reads
    // them, or err would have to be waited for. Blocks for a fifth of a second at most.
    void sayIfFree(std::string_view sentence);
    // The process's last words: past every lock, to its own stderr, where that takes them at once.
    // Must not block.
    void sayLast(std::string_view sentence) const;
    void showLive(std::string_view line); // replaces the live line; terminal().err only
    void clearLive();

    // Asks on err and reads a line; true for y and yes. False at the end of input.
    bool ask(std::string_view question);

    // All that the standard input holds. Blocks until its end.
    std::string readAll();

    // Flushes; false when the output could not be written, with errno of the failed write kept in
    // `error`.
    bool finish(int& error);
    // The errno of the write to `out` that failed, EPIPE where nobody reads it any more; empty:
    // none has failed.
    std::optional<int> outputError() const;

private:
    void eraseLive();
    void checkOutput();
    void sayLocked(std::string_view sentence);

    std::istream& m_in;
    std::ostream& m_out;
    std::ostream& m_err;
    const Terminal m_terminal;
    mutable std::timed_mutex m_mutex; // guards the streams and what follows
    std::string m_live;
    bool m_lost = false;
    int m_error = 0;
};

} // namespace accrue
