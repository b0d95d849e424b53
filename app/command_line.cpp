// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/wrong_input.h"
#include "engine/runlog/run_log_error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>

namespace accrue {

namespace {

struct CommandEntry {
    std::string_view name;
    int (*run)(const Arguments& arguments, Console& console);
};

constexpr std::array kEntries {
    CommandEntry { "train", trainCommand },
    CommandEntry { "list", listCommand },
    CommandEntry { "show", showCommand },
    CommandEntry { "compare", compareCommand },
    CommandEntry { "export", exportCommand },
    CommandEntry { "recipes", recipesCommand },
    CommandEntry { "data", dataCommand },
    CommandEntry { "doctor", doctorCommand },
    CommandEntry { "selftest", selfTestCommand },
    CommandEntry { "archive", archiveCommand },
    CommandEntry { "unarchive", archiveCommand },
    CommandEntry { "prune", pruneCommand },
    CommandEntry { "version", versionCommand },
};

int runCommand(const Arguments& arguments, Console& console)
{
    for (const CommandEntry& entry : kEntries)
        if (entry.name == arguments.command)
            return entry.run(arguments, console);
    throw WrongInput("There is no command " + arguments.command + ".");
}

int fail(Console& console, const std::string& sentence, int code)
{
    console.clearLive();
    console.say("accrue: " + sentence);
    return code;
}

// The one place that turns an exception into a sentence and an exit code.
int runGuarded(const Arguments& arguments, Console& console)
{
    try {
        return runCommand(arguments, console);
    } catch (const WrongInput& error) {
        return fail(console, error.what(), kExitWrongInput);
    } catch (const RunLogError& error) {
        const bool machine = error.kind() == RunLogError::Kind::Machine;
        return fail(console, error.what(), machine ? kExitFailed : kExitWrongInput);
    } catch (const std::filesystem::filesystem_error& error) { // of a path that the user gave
        return fail(console, error.what(), kExitWrongInput);
    } catch (const std::bad_alloc&) {
        return fail(console, "There is not enough memory left for this.", kExitFailed);
    } catch (const std::exception& error) {
        return fail(console, error.what(), kExitFailed);
    }
}

// A reader that went away (`accrue list | head`) has all that it wanted; a full disk has not.
int finish(Console& console, int code)
{
    int error = 0;
    if (console.finish(error) || error == EPIPE || code != kExitDone)
        return code;
    return fail(console,
        std::string("The output could not be written: ") + std::strerror(error) + ".", kExitFailed);
}

} // namespace

int runCommandLine(
    int argc, const char* const* argv, std::istream& in, std::ostream& out, std::ostream& err)
{
    Console console(in, out, err);
    const ParsedArguments parsed = parseArguments(argc, argv);
    if (!parsed.error.empty()) {
        const std::string command = parsed.arguments.command;
        const std::string more = "accrue " + (command.empty() ? "" : command + " ") + "--help";
        return fail(console, parsed.error + " See " + more + ".", kExitWrongInput);
    }
    if (!parsed.help.empty()) {
        console.print(parsed.help);
        return finish(console, kExitDone);
    }
    return finish(console, runGuarded(parsed.arguments, console));
}

} // namespace accrue
