// SPDX-License-Identifier: Apache-2.0
#include "app/argument_parser.h"

#include "app/command_table.h"
#include "app/text_table.h"
#include "engine/base/language.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/base/spelling.h"
#include "engine/experiment/keys.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <memory>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// CLI11 reads the options and writes the help. Where it would read a word differently than a
// shell's user expects, the words are rearranged before it sees them: the place of the command,
// operands in square brackets, several values after --runs, and options that lack a value or are
// given twice.
namespace accrue {

namespace {

using Words = std::vector<std::string>;

bool isOption(std::string_view word)
{
    return word.size() > 1 && word.front() == '-';
}

bool asksForHelp(std::string_view word)
{
    return word == "--help" || word == "-h";
}

std::string_view nameOf(std::string_view word) // of "--name" and "--name=x"
{
    return word.substr(0, word.find('='));
}

// The first word that is neither an option nor an option's value; the end where there is none.
Words::iterator firstWord(Words& words)
{
    for (auto word = words.begin(); word != words.end(); ++word) {
        if (word->empty() || word->front() != '-')
            return word;
        if (valuedOptionNamed(*word) != nullptr && word + 1 != words.end())
            ++word;
    }
    return words.end();
}

// CLI11 reads a command's options after the command's name. Its own fallthrough() would need every
// option at the program, and then every command's help would list all of them. False: there is no
// such word.
bool putCommandFirst(Words& words)
{
    const auto word = firstWord(words);
    if (word == words.end())
        return false;
    std::rotate(words.begin(), word, word + 1);
    return true;
}

// `accrue help` is `accrue --help`, `accrue help train` is `accrue train --help`, `accrue help
// batch.micro` is `accrue keys batch.micro`, and `accrue help --help` is the help of help. A
// command that is not there is left in its place.
void readHelp(Words& words)
{
    if (words.empty() || words.front() != "help")
        return;
    Words asked(words.begin() + 1, words.end());
    const bool named = putCommandFirst(asked);
    if (!named && std::any_of(asked.begin(), asked.end(), asksForHelp))
        return;
    if (named && commandNamed(asked.front()) == nullptr && findKey(asked.front()) != nullptr) {
        words.front() = "keys";
        return;
    }
    asked.emplace_back("--help");
    words = std::move(asked);
}

bool isTagChange(std::string_view word)
{
    return word.starts_with('+') || (isOption(word) && word[1] != '-' && !asksForHelp(word));
}

// Removes the operands, because CLI11 reads a word in square brackets as a list of words. After --
// every word is an operand, whatever it begins with. Changes of `tag` are separate.
void takeOperands(Words& words, Arguments& into)
{
    const bool isTag = words.front() == "tag";
    Words others { words.front() };
    std::size_t i = 1;
    for (; i < words.size() && words[i] != "--"; ++i) {
        if (isTag && isTagChange(words[i]))
            into.tagChanges.push_back(words[i]);
        else
            (isOption(words[i]) ? others : into.operands).push_back(words[i]);
        // The value stays beside its option, whatever it looks like: `--name -x` is a name.
        if (valuedOptionNamed(words[i]) != nullptr && i + 1 < words.size())
            others.push_back(words[++i]);
    }
    Words& last = isTag ? into.tagChanges : into.operands;
    if (i < words.size())
        last.insert(last.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    words = std::move(others);
}

// --runs 12 13 as --runs 12 --runs 13: with several values, CLI11 would read [a] as a list.
void giveRunsOneByOne(Words& words)
{
    Words given;
    bool isRun = false; // the next word is one unless it is an option
    for (const std::string& word : words) {
        if (isRun && !isOption(word) && given.back() != "--runs")
            given.emplace_back("--runs");
        given.push_back(word);
        isRun = word.starts_with("--runs") || (isRun && !isOption(word));
    }
    words = std::move(given);
}

// Why this value of the option cannot be meant; empty: it can. Null: the option is the last word.
Message wrongValue(const Option& option, const std::string* value)
{
    const std::string name(option.name);
    const bool mayBeEmpty = !std::holds_alternative<Option::Text>(option.to);
    if (value == nullptr || (value->empty() && !mayBeEmpty))
        return Message("cli.value_needed", { { "option", name } });
    if (value->starts_with("--"))
        return Message("cli.option_follows", { { "option", name }, { "value", *value } });
    return {};
}

// What CLI11 would accept, or report in its own words: an option that reads the next option as its
// value, and one that is given twice. Empty: nothing is wrong.
Message wrongOption(const Words& words)
{
    std::vector<const Option*> given;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Option* const option = valuedOptionNamed(nameOf(words[i]));
        if (option == nullptr)
            continue;
        const auto isSame = [&](const Option* other) { return other->name == option->name; };
        if (option->isGivenOnce() && std::any_of(given.begin(), given.end(), isSame))
            return Message("cli.option_given_twice", { { "option", std::string(option->name) } });
        given.push_back(option);
        if (words[i].size() > option->name.size())
            continue; // its value is in the same word
        const std::string* const value = ++i < words.size() ? &words[i] : nullptr;
        if (Message wrong = wrongValue(*option, value); !wrong.empty())
            return wrong;
    }
    return {};
}

// The words that tooLong checks: all but the text of a note, which has a limit of its own.
Words boundedWords(const Words& words, const Arguments& arguments)
{
    Words bounded = arguments.operands;
    if (!words.empty() && words.front() == "note" && bounded.size() > 1)
        bounded.resize(1);
    bounded.insert(bounded.end(), arguments.tagChanges.begin(), arguments.tagChanges.end());
    bounded.insert(bounded.end(), words.begin(), words.end());
    return bounded;
}

// No path is longer; values of --set, --vary and names may be, and messages shorten them. Empty:
// none is.
Message tooLong(const Words& words)
{
    constexpr std::size_t kLongest = 4096;
    const auto isText = [](std::string_view option) {
        return option == "--set" || option == "--name" || option == "--vary";
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool mayBeLong = isText(nameOf(word)) || (i > 0 && isText(words[i - 1]));
        if (word.size() > kLongest && !mayBeLong)
            return Message("cli.argument_too_long",
                { { "word", shortened(word) }, { "bytes", std::to_string(word.size()) },
                    { "most", std::to_string(kLongest) } });
    }
    return {};
}

Message unknownCommand(const std::string& word)
{
    const std::string nearest = nearestOf(word, commandNames());
    if (nearest.empty())
        return Message("cli.unknown_command",
            { { "command", shortened(word) }, { "commands", commaList(commandNames()) } });
    return Message(
        "cli.mistyped_command", { { "command", shortened(word) }, { "nearest", nearest } });
}

std::string asSentence(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '.'))
        text.pop_back();
    return text + ".";
}

// CLI11 reports its errors in English. Those that a user can still cause here have messages of
// their own; any other is printed as CLI11 wrote it.
Message messageOf(const CLI::ParseError& error, const CLI::App& app)
{
    // Not from the error's text, which has them in reverse order.
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        return Message("cli.unexpected_arguments",
            { { "arguments", CLI::detail::join(app.remaining(/*recurse=*/true), " ") } });
    return Message::plain(asSentence(error.what()));
}

void defineOption(CLI::App& app, const Option& option, const std::string& help, Arguments& into)
{
    const auto define = [&](auto member) {
        const std::string name(option.name);
        if constexpr (std::is_same_v<decltype(member), Option::Flag>) {
            app.add_flag(name, into.*member, help);
        } else {
            CLI::Option* const defined = app.add_option(name, into.*member, help);
            defined->type_name(option.type);
            if (option.takesValue())
                defined->allow_extra_args(false); // one value each; otherwise [a] is a list
            if (option.separator != 0)
                defined->delimiter(option.separator);
        }
    };
    std::visit(define, option.to);
}

// What CLI11 itself writes into a help.
std::shared_ptr<CLI::Formatter> translatedFormatter()
{
    auto formatter = std::make_shared<CLI::Formatter>();
    formatter->label("Usage", label("Usage"));
    formatter->label("Positionals", label("Positionals"));
    return formatter;
}

void defineCommonOptions(CLI::App& app, Arguments& into)
{
    app.option_defaults()->group(label("Options"));
    app.set_help_flag(helpOption().name, helpOption().help);
    app.add_flag(jsonOption().name, into.json, jsonOption().help);
}

void defineCommand(CLI::App& app, const Command& command, Arguments& into)
{
    CLI::App* sub = app.add_subcommand(std::string(command.name), summaryOf(command));
    sub->formatter(app.get_formatter());
    sub->group(label("Subcommands"));
    defineCommonOptions(*sub, into);
    for (const Option& option : command.givenOptions())
        defineOption(*sub, option, helpOf(command, option), into);
    const bool several = std::count(command.examples.begin(), command.examples.end(), '\n') > 1;
    sub->footer(label(several ? "Examples" : "Example") + ":\n" + std::string(command.examples));
}

void defineProgram(CLI::App& app, Arguments& into, bool& version)
{
    app.formatter(translatedFormatter());
    defineCommonOptions(app, into);
    app.add_flag(versionOption().name, version, versionOption().help);
    app.require_subcommand(0, 1);
    for (const Command& command : commands())
        defineCommand(app, command, into);
    app.footer(Message("cli.help_footer").text() + "\n\n" + label("Example")
        + ":\n  accrue train first-run\n");
}

// The command as it is typed, in place of CLI11's line, which leaves the program's name out.
std::string withUsage(std::string help, const std::string& usage)
{
    const std::string title = label("Usage") + ":";
    const std::size_t start = help.find(title);
    if (start == std::string::npos)
        return help;
    return help.replace(start, help.find('\n', start) - start, title + " " + usage);
}

std::string helpOf(CLI::App& app)
{
    for (CLI::App* sub : app.get_subcommands())
        return withUsage(sub->help(), usageOf(*commandNamed(sub->get_name())));
    return withUsage(app.help(), "accrue COMMAND [OPTIONS]");
}

std::string commandIn(const CLI::App& app)
{
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? std::string() : given.front()->get_name();
}

// The first word is the command.
void readWords(Words words, ParsedArguments& parsed)
{
    CLI::App app(Message("cli.program_summary").text(), "accrue");
    bool version = false;
    defineProgram(app, parsed.arguments, version);
    giveRunsOneByOne(words);
    try {
        std::reverse(words.begin(), words.end()); // CLI11 reads the vector from its end
        app.parse(words);
    } catch (const CLI::CallForHelp&) {
        parsed.help = helpOf(app);
        return;
    } catch (const CLI::ParseError& error) {
        parsed.error = messageOf(error, app);
    }
    parsed.arguments.command = version ? "version" : commandIn(app);
    if (parsed.error.empty() && parsed.arguments.command.empty())
        parsed.error = Message("cli.command_needed", { { "commands", commaList(commandNames()) } });
    for (const std::string& run : parsed.arguments.runs)
        if (run.starts_with("--"))
            parsed.error = Message("cli.runs_option_follows", { { "option", run } });
}

} // namespace

std::optional<std::int64_t> positiveNumber(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool whole = parsed.ec == std::errc() && parsed.ptr == end && number >= 1;
    return whole ? std::optional(number) : std::nullopt;
}

ParsedArguments parseArguments(int argc, const char* const* argv)
{
    ParsedArguments parsed;
    // A process may be started without argv[0].
    Words words(argv + std::min(argc, 1), argv + argc);
    putCommandFirst(words);
    readHelp(words);
    const bool named = !words.empty() && !words[0].empty() && words[0][0] != '-';
    const Command* const command = named ? commandNamed(words[0]) : nullptr;
    if (named && command == nullptr) {
        parsed.error = unknownCommand(words[0]);
        return parsed;
    }
    // Commands without operands leave stray words to CLI11, which reports them.
    if (named && !command->operands.empty())
        takeOperands(words, parsed.arguments);
    parsed.error = tooLong(boundedWords(words, parsed.arguments));
    if (!parsed.error.empty())
        return parsed;
    parsed.error = wrongOption(words);
    if (parsed.error.empty())
        readWords(words, parsed);
    else if (named)
        parsed.arguments.command = words.front();
    return parsed;
}

} // namespace accrue
