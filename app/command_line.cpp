// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/commands.h"
#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "app/wrong_input.h"
#include "engine/door/engine_error.h"
#include "engine/experiment/places.h"
#include "engine/runlog/run_log_error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

namespace accrue {

namespace {

// What a command reads of settings.toml; doctor tells of its faults by itself.
enum class Reads { Nothing, RunLog, Everything };

struct CommandEntry {
    std::string_view name;
    int (*run)(const Arguments& arguments, Console& console);
    Reads reads;
};

constexpr std::array kEntries {
    CommandEntry { "train", trainCommand, Reads::Everything },
    CommandEntry { "resume", resumeCommand, Reads::Everything },
    CommandEntry { "explain", explainCommand, Reads::Everything },
    CommandEntry { "fit", fitCommand, Reads::Everything },
    CommandEntry { "equivalence", equivalenceCommand, Reads::Everything },
    CommandEntry { "evaluate", evaluateCommand, Reads::Everything },
    CommandEntry { "list", listCommand, Reads::RunLog },
    CommandEntry { "show", showCommand, Reads::RunLog },
    CommandEntry { "compare", compareCommand, Reads::RunLog },
    CommandEntry { "memory", memoryCommand, Reads::RunLog },
    CommandEntry { "export", exportCommand, Reads::RunLog },
    CommandEntry { "recipes", recipesCommand, Reads::Nothing },
    CommandEntry { "data", dataCommand, Reads::Everything },
    CommandEntry { "doctor", doctorCommand, Reads::Nothing },
    CommandEntry { "selftest", selfTestCommand, Reads::Nothing },
    CommandEntry { "archive", archiveCommand, Reads::RunLog },
    CommandEntry { "unarchive", archiveCommand, Reads::RunLog },
    CommandEntry { "rename", renameCommand, Reads::RunLog },
    CommandEntry { "note", noteCommand, Reads::RunLog },
    CommandEntry { "tag", tagCommand, Reads::RunLog },
    CommandEntry { "prune", pruneCommand, Reads::RunLog },
    CommandEntry { "version", versionCommand, Reads::Nothing },
};

bool fetches(const Arguments& arguments)
{
    return arguments.command == "data" && !arguments.operands.empty()
        && arguments.operands.front() == "get";
}

// Of what would otherwise lead to another log or other data without a word.
void warnOfPlaces(const CommandEntry& entry, const Arguments& arguments, Console& console)
{
    const bool logByDefault = entry.reads == Reads::RunLog && !arguments.runLog;
    std::string problem;
    if (logByDefault || entry.reads == Reads::Everything)
        readUserSettings(&problem);
    if (!problem.empty())
        console.warn(problem + " The default is used instead.");
    if (fetches(arguments)) // into a folder that it makes
        return;
    std::error_code ignored;
    if (arguments.data && !std::filesystem::is_directory(*arguments.data, ignored))
        console.warn("--data " + *arguments.data + " is not a folder; nothing is found there.");
}

int runCommand(const Arguments& arguments, Console& console)
{
    for (const CommandEntry& entry : kEntries) {
        if (entry.name != arguments.command)
            continue;
        const EndSignals signals;
        warnOfPlaces(entry, arguments, console);
        return entry.run(arguments, console);
    }
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
    } catch (const InputError& error) {
        return fail(console, error.what(), kExitWrongInput);
    } catch (const RunLogError& error) {
        const bool input = error.kind() == RunLogError::Kind::Input;
        return fail(console, error.what(), input ? kExitWrongInput : kExitFailed);
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
