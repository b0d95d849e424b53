// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace accrue::test {

struct ChildEnd {
    int exitCode = -1; // -1: a signal ended it
    int signal = 0;
    std::string errors; // what it wrote to stderr
};

// What becomes of a process of its own that does `work` and returns from it, with exit code 0. It
// begins as a copy of this one, but has the calling thread only.
inline ChildEnd inChild(const std::function<void()>& work)
{
    std::array<int, 2> ends {};
    if (::pipe(ends.data()) != 0)
        return {};
    const ::pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL); // Qt Test's handler reports the test that was running
        work();
        ::_exit(0);
    }
    ::close(ends[1]);
    ChildEnd ended;
    std::array<char, 4096> buffer {};
    for (::ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        ended.errors.append(buffer.data(), static_cast<std::size_t>(count));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    ended.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return ended;
}

} // namespace accrue::test
