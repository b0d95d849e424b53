// SPDX-License-Identifier: Apache-2.0
#include "app/console.h"

#include "app/text_table.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

#include <nlohmann/json.hpp>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace accrue {

namespace {

constexpr std::chrono::milliseconds kPatience { 200 }; // for another thread that is writing

bool isSet(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

// A pipe with room accepts at least some lines.
bool standardErrorHasRoom()
{
    pollfd standardError { STDERR_FILENO, POLLOUT, 0 };
    return poll(&standardError, 1, /*timeout=*/0) == 1;
}

bool terminalCanRedraw()
{
    // Without escape sequences, a redrawn line would fill the screen with copies.
    const char* term = std::getenv("TERM");
    return term != nullptr && std::string_view(term) != "dumb";
}

Console::Terminal look(const std::istream& in, const std::ostream& out, const std::ostream& err)
{
    Console::Terminal terminal;
    // Only the process's own streams: tests pass others while a terminal is attached.
    terminal.in = &in == &std::cin && isatty(STDIN_FILENO) == 1;
    terminal.out = &out == &std::cout && isatty(STDOUT_FILENO) == 1;
    terminal.err = &err == &std::cerr && isatty(STDERR_FILENO) == 1 && terminalCanRedraw();
    terminal.colours = terminal.out && terminalCanRedraw() && !isSet("NO_COLOR");
    return terminal;
}
} // namespace

Console::Console(std::istream& in, std::ostream& out, std::ostream& err)
    : Console(in, out, err, look(in, out, err))
{
}

Console::Console(std::istream& in, std::ostream& out, std::ostream& err, Terminal terminal)
    : m_in(in)
    , m_out(out)
    , m_err(err)
    , m_terminal(terminal)
{
}

int Console::width() const
{
    winsize size {};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

void Console::checkOutput()
{
    if (m_lost || m_out.good())
        return;
    m_lost = true;
    // Saved at once: the next system call may overwrite it.
    m_error = errno;
}

void Console::print(std::string_view text)
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    eraseLive();
    m_out << text;
    checkOutput();
}

void Console::printLine(std::string_view text)
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    eraseLive();
    // Flushed, so that a program that reads the pipe sees the line now and not with the next 4 KiB.
    m_out << text << '\n' << std::flush;
    checkOutput();
}

void Console::printJson(const nlohmann::ordered_json& json)
{
    // `replace`, because a path need not be UTF-8, and dump() would throw.
    print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void Console::printResult(bool asJson, const nlohmann::ordered_json& json, std::string_view text)
{
    if (asJson)
        printJson(json);
    else
        print(text);
}

void Console::say(std::string_view line)
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    sayLocked(line);
}

void Console::sayIfFree(const Message& message)
{
    // A deadline of the system clock, because the thread sanitizer does not recognise waits by the
    // steady clock.
    const std::unique_lock<std::timed_mutex> lock(
        m_mutex, std::chrono::system_clock::now() + kPatience);
    if (lock.owns_lock() && (&m_err != &std::cerr || standardErrorHasRoom()))
        sayLocked(message.text());
}

void Console::sayLast(const Message& message) const
{
    // No lock and no stream: the thread that holds them may be blocked by a terminal that nobody
    // reads.
    const std::string line = (m_terminal.err ? "\r\x1b[K" : "") + printable(message.text()) + "\n";
    if (standardErrorHasRoom() && write(STDERR_FILENO, line.data(), line.size()) < 0) {
        // Nobody is there to read it.
    }
}

void Console::sayLocked(std::string_view line)
{
    // A copy, because eraseLive() clears the member.
    const std::string live = m_live;
    eraseLive();
    m_err << printable(line) << '\n';
    if (!live.empty())
        m_err << '\r' << live;
    m_live = live;
    m_err << std::flush;
}

void Console::warn(const Message& message)
{
    say(Message("cli.warning", { { "warning", message } }));
}

void Console::sayError(const Message& message)
{
    // The live line ends here: redrawing it after the last message would leave it on the screen.
    clearLive();
    say("accrue: " + message.text());
}

void Console::showLive(std::string_view line)
{
    if (!m_terminal.err)
        return;
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    // One column less than the terminal has: in the last one, some terminals wrap to the next line.
    m_live = clipped(line, width() - 1);
    m_err << "\r\x1b[K" << m_live << std::flush;
}

void Console::clearLive()
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    eraseLive();
}

void Console::eraseLive()
{
    if (m_live.empty())
        return;
    m_err << "\r\x1b[K" << std::flush;
    m_live.clear();
}

bool Console::ask(const Message& question)
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    m_err << printable(question.text()) << " [y/N] " << std::flush;
    std::string answer;
    if (!std::getline(m_in, answer))
        // No is the default, because the question precedes a deletion.
        return false;
    return answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes";
}

std::string Console::readAll()
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    return { std::istreambuf_iterator<char>(m_in), std::istreambuf_iterator<char>() };
}

bool Console::finish(int& error)
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    eraseLive();
    m_err << std::flush;
    m_out << std::flush;
    checkOutput();
    error = m_error;
    return !m_lost;
}

std::optional<int> Console::outputError() const
{
    const std::lock_guard<std::timed_mutex> lock(m_mutex);
    return m_lost ? std::optional(m_error) : std::nullopt;
}

} // namespace accrue
