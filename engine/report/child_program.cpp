// SPDX-License-Identifier: Apache-2.0
#include "engine/report/child_program.h"

#include "engine/base/error.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace accrue {

namespace {

std::string_view nameIn(std::string_view variable)
{
    return variable.substr(0, variable.find('='));
}

// This process's environment, with `own` in place of what has the same names.
std::vector<std::string> environmentWith(std::vector<std::string> own)
{
    const std::vector<std::string> set = own;
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (std::none_of(set.begin(), set.end(),
                [&](const std::string& one) { return nameIn(one) == nameIn(*variable); }))
            own.emplace_back(*variable);
    return own;
}

// A list of C strings that borrows them.
std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

class SpawnSettings {
public:
    explicit SpawnSettings(bool printsResults)
    {
        ::posix_spawnattr_init(&m_attributes);
        sigset_t signals;
        ::sigfillset(&signals);
        ::posix_spawnattr_setsigdefault(&m_attributes, &signals);
        ::sigemptyset(&signals);
        ::posix_spawnattr_setsigmask(&m_attributes, &signals);
        ::posix_spawnattr_setflags(
            &m_attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
        ::posix_spawn_file_actions_init(&m_files);
        ::posix_spawn_file_actions_addopen(&m_files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (!printsResults)
            ::posix_spawn_file_actions_addopen(&m_files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~SpawnSettings()
    {
        ::posix_spawn_file_actions_destroy(&m_files);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    int spawn(
        pid_t& process, std::vector<std::string> words, std::vector<std::string> environment) const
    {
        return ::posix_spawn(&process, words.front().c_str(), &m_files, &m_attributes,
            pointersTo(words).data(), pointersTo(environment).data());
    }

private:
    posix_spawnattr_t m_attributes {};
    posix_spawn_file_actions_t m_files {};
};

} // namespace

pid_t startChild(ChildProgram child)
{
    const std::string program = child.words.front();
    pid_t process = 0;
    const int error =
        SpawnSettings(child.printsResults)
            .spawn(process, std::move(child.words), environmentWith(std::move(child.variables)));
    if (error != 0)
        throw InputError(Message("ranks.not_started",
            { { "program", program }, { "reason", std::string(std::strerror(error)) } }));
    return process;
}

void endWithStarter(const char* starter)
{
    const char* const process = std::getenv(starter);
    if (process == nullptr)
        return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (std::to_string(::getppid()) != process) // it ended before this was in force
        ::raise(SIGKILL);
}

std::string starterVariable(const char* starter)
{
    return std::string(starter) + "=" + std::to_string(::getpid());
}

} // namespace accrue
