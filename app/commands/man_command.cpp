// SPDX-License-Identifier: Apache-2.0
#include "app/command_table.h"
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "engine/base/error.h"
#include "engine/base/language.h"
#include "engine/base/sentences.h"
#include "engine/base/shown_text.h"
#include "engine/experiment/keys.h"
#include "engine/runlog/program_version.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

// Manual pages in the macros of man(7), made of the same tables as the help. They are English, like
// all documents of Accrue.
namespace accrue {

namespace {

// The texts of the tables are English as long as it exists.
class InEnglish {
public:
    InEnglish() { setLanguage(languages().front()); }
    ~InEnglish() { setLanguage(m_before); }
    InEnglish(const InEnglish&) = delete;
    InEnglish& operator=(const InEnglish&) = delete;

private:
    const Language& m_before = language();
};

struct Row {
    std::string_view term;
    std::string_view meaning;
};

// docs/command_line.md has the whole of it.
constexpr std::array kExitCodes {
    Row { "0", "Done; the run completed." },
    Row { "1",
        "The run diverged, ran out of memory or failed; the disk is full; the engine cannot be "
        "loaded; a check did not pass." },
    Row {
        "2", "Wrong input: usage, recipe, data, device, no such run, a log that cannot be read." },
    Row { "130", "Stopped by Ctrl-C; what was trained is saved." },
    Row { "143", "Stopped by SIGTERM, or by closing the terminal; what was trained is saved." },
};
constexpr std::array kVariables {
    Row { "ACCRUE_LANG",
        "The language of messages and help: en, zh_CN; otherwise LC_ALL, LC_MESSAGES and LANG." },
    Row { "ACCRUE_DATA_DIR", "Folder searched for data sets, after --data." },
    Row { "ACCRUE_PYTHON", "A Python whose torch is used if the linker finds no LibTorch." },
    Row { "XDG_DATA_HOME", "Parent of the data directory, instead of ~/.local/share." },
    Row { "NO_COLOR", "Set to anything: no colours." },
};
constexpr std::array kFiles {
    Row { "~/.local/share/accrue/runs.db", "The run log; another with --db." },
    Row { "~/.local/share/accrue/runs.checkpoints", "Saved models and states of its runs." },
    Row { "~/.local/share/accrue/recipes", "Your own recipes, NAME.toml." },
    Row { "~/.config/accrue/settings.toml", "Settings, shared with the window." },
};

// With what roff would take for its own made harmless; one line stays one line.
std::string escaped(std::string_view text)
{
    std::string line;
    for (const char c : text)
        line += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    const bool isRequest = line.starts_with('.') || line.starts_with('\'');
    return (isRequest ? "\\&" : "") + line;
}

std::string bold(std::string_view text)
{
    return "\\fB" + escaped(text) + "\\fR";
}

std::string section(std::string_view title, const std::string& content)
{
    return content.empty() ? std::string() : ".SH " + std::string(title) + "\n" + content;
}

std::string item(const std::string& term, std::string_view meaning)
{
    return ".TP\n" + term + "\n" + escaped(meaning) + "\n";
}

template <typename Rows> std::string items(const Rows& rows)
{
    std::string text;
    for (const Row& row : rows)
        text += item(bold(row.term), row.meaning);
    return text;
}

std::string heading(std::string name)
{
    std::transform(name.begin(), name.end(), name.begin(),
        [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return ".TH " + escaped(name) + " 1 \"\" \"accrue " + std::string(programVersion())
        + "\" \"Accrue\"\n";
}

// "--yes,-y" as "--yes, -y"
std::string termOf(const DescribedOption& option)
{
    const std::size_t comma = option.name.find(',');
    std::string term = bold(option.name.substr(0, comma));
    if (comma != std::string::npos)
        term += ", " + bold(option.name.substr(comma + 1));
    return term + (option.type.empty() ? "" : " \\fI" + escaped(option.type) + "\\fR");
}

std::string optionItems(const Command* command)
{
    std::string text;
    for (const DescribedOption& option : optionsOf(command))
        text += item(termOf(option), option.help);
    return text;
}

std::string operandItems(const Command& command)
{
    std::string text;
    for (const Option& option : command.givenOptions())
        if (option.isOperand())
            text += item("\\fI" + escaped(option.name) + "\\fR", helpOf(command, option));
    return text;
}

std::string literal(std::string_view lines)
{
    std::string text = ".nf\n";
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n');
        text += escaped(lines.substr(0, end)) + "\n";
        lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    }
    return text + ".fi\n";
}

// The recipe's file has no command of its own; its keys are where `accrue keys` is described.
std::string keyItems()
{
    std::string text;
    for (const KeyInfo& key : experimentKeys())
        text += item(bold(key.key),
            helpOf(key) + " Allowed: " + key.allowed.text() + ". Default: " + key.fallback + ".");
    return text;
}

std::string pageOf(const Command& command)
{
    const std::string name(command.name);
    const std::string summary = summaryOf(command);
    return heading("accrue-" + name)
        + section("NAME", "accrue\\-" + escaped(name) + " \\- " + escaped(summary) + "\n")
        + section("SYNOPSIS",
            bold("accrue " + name) + escaped(usageOf(command).substr(("accrue " + name).size()))
                + "\n")
        + section("DESCRIPTION", escaped(summary) + ".\n" + operandItems(command))
        + section("OPTIONS", optionItems(&command))
        + section("KEYS", name == "keys" ? keyItems() : std::string())
        + section("EXAMPLES", literal(command.examples))
        + section("SEE ALSO", "\\fBaccrue\\fR(1)\n");
}

std::string seeAlso()
{
    std::string text;
    for (const Command& command : commands())
        text += (text.empty() ? "" : ",\n") + bold("accrue-" + std::string(command.name)) + "(1)";
    return text + "\n";
}

std::string pageOfProgram()
{
    std::string list;
    for (const Command& command : commands())
        list += item(bold(command.name), summaryOf(command));
    const std::string summary = Message("cli.program_summary").text();
    return heading("accrue")
        + section("NAME", "accrue \\- " + escaped(summary.substr(summary.find(": ") + 2)) + "\n")
        + section("SYNOPSIS", bold("accrue") + " \\fICOMMAND\\fR [OPTIONS]\n")
        + section("DESCRIPTION", escaped(Message("cli.help_footer").text()) + "\n")
        + section("COMMANDS", list) + section("OPTIONS", optionItems(nullptr))
        + section("EXIT STATUS", items(kExitCodes)) + section("ENVIRONMENT", items(kVariables))
        + section("FILES", items(kFiles)) + section("SEE ALSO", seeAlso());
}

} // namespace

int manCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    const Command* const command = words.empty() ? nullptr : commandNamed(words.front());
    if (words.size() > 1 || (!words.empty() && command == nullptr))
        throw InputError(Message("cli.no_manual_page",
            { { "word", shortened(words.back()) }, { "commands", commaList(commandNames()) } }));
    std::string page;
    {
        const InEnglish english;
        page = command != nullptr ? pageOf(*command) : pageOfProgram();
    }
    console.printResult(arguments.json, { { "page", page } }, page);
    return kExitDone;
}

} // namespace accrue
