// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include "app/argument_parser.h"
#include "app/command_table.h"
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/runs/run_log_error.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

namespace accrue {

namespace {

bool downloads(const Arguments& arguments)
{
    return arguments.command == "data" && !arguments.operands.empty()
        && arguments.operands.front() == "get";
}

// A settings file or folder that cannot be read would otherwise silently lead to another log or
// other data.
void warnOfPlaces(Reads reads, const Arguments& arguments, Console& console)
{
    const bool logByDefault = reads == Reads::RunLog && !arguments.runLog;
    Message problem;
    if (logByDefault || reads == Reads::Everything)
        readUserSettings(&problem);
    if (!problem.empty())
        console.warn(Message("cli.default_used", { { "problem", problem } }));
    if (downloads(arguments)) // creates the folder
        return;
    std::error_code ignored;
    if (arguments.data && !std::filesystem::is_directory(*arguments.data, ignored))
        console.warn(Message("cli.data_is_no_folder", { { "folder", *arguments.data } }));
}

int runCommand(const Arguments& arguments, Console& console)
{
    // Ends the program with a message on Ctrl-C as long as no command handles it better.
    const EndSignals signals;
    if (arguments.command == "version")
        return versionCommand(arguments, console);
    const Command* const command = commandNamed(arguments.command);
    if (command == nullptr || command->run == nullptr)
        throw InputError(Message("cli.no_such_command", { { "command", arguments.command } }));
    warnOfPlaces(command->reads, arguments, console);
    return command->run(arguments, console);
}

int fail(Console& console, const Message& message, int code)
{
    console.sayError(message);
    return code;
}

// The only place that turns an exception into a message and an exit code. Derived types come first.
int runGuarded(const Arguments& arguments, Console& console)
{
    try {
        return runCommand(arguments, console);
    } catch (const CommandEnd& end) {
        return end.code;
    } catch (const InputError& error) {
        return fail(console, error.message(), kExitWrongInput);
    } catch (const RunLogError& error) {
        const bool input = error.kind() == RunLogError::Kind::Input;
        return fail(console, error.message(), input ? kExitWrongInput : kExitFailed);
    } catch (const Error& error) {
        return fail(console, error.message(), kExitFailed);
    } catch (const std::filesystem::filesystem_error& error) { // from a path that the user gave
        return fail(console, Message::plain(error.what()), kExitWrongInput);
    } catch (const std::bad_alloc&) {
        return fail(console, Message("cli.out_of_memory"), kExitFailed);
    } catch (const std::exception& error) {
        return fail(console, Message::plain(error.what()), kExitFailed);
    }
}

// A reader that went away (`accrue list | head`) has read what it needs; a full disk is a failure.
int finish(Console& console, int code)
{
    int error = 0;
    if (console.finish(error) || error == EPIPE || code != kExitDone)
        return code;
    return fail(console,
        Message("cli.output_failed", { { "reason", std::string(std::strerror(error)) } }),
        kExitFailed);
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
        return fail(console,
            Message("cli.wrong_usage", { { "problem", parsed.error }, { "help", more } }),
            kExitWrongInput);
    }
    if (!parsed.help.empty()) {
        console.print(parsed.help);
        return finish(console, kExitDone);
    }
    return finish(console, runGuarded(parsed.arguments, console));
}

} // namespace accrue
