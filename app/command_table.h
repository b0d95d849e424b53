// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The commands of the command line, and the options and operands of each. Parsing, help, "did you
// mean" and the translations of help are all derived from this table.
namespace accrue {

class Console;

// One option or operand of a command. The member that receives its value decides its kind.
struct Option {
    using Flag = bool Arguments::*;
    using Once = std::optional<std::string> Arguments::*; // may be given once
    using Text = std::string Arguments::*; // once, and not empty
    using List = std::vector<std::string> Arguments::*; // may be given again and again

    std::string_view name {}; // "--db"; "--yes,-y"; of an operand "RUN"
    std::variant<Flag, Once, Text, List> to {};
    const char* type = ""; // of its value, in the help
    const char* help = "";
    char separator = 0; // between the values of a list in one word; 0: it has one value
    const char* key = nullptr; // that it sets; the help is then that of the key's row

    bool isOperand() const { return name.front() != '-'; }
    bool takesValue() const { return !isOperand() && !std::holds_alternative<Flag>(to); }
    bool isGivenOnce() const { return takesValue() && !std::holds_alternative<List>(to); }
};

// What a command reads from settings.toml; doctor reports faults of that file itself.
enum class Reads { Nothing, RunLog, Everything };

struct Command {
    static constexpr std::size_t kMostOptions = 14;

    std::string_view name;
    std::string_view operands; // for the usage; empty: it has none
    const char* summary;
    Option options[kMostOptions]; // the rest have no name; see givenOptions
    std::string_view examples; // the help's last lines
    // Returns the exit code. Throws as commands.h describes. Null: the parser handles it (help).
    int (*run)(const Arguments& arguments, Console& console) = nullptr;
    Reads reads = Reads::Nothing;

    // In the order of the help. Every command has --help and --json besides.
    std::span<const Option> givenOptions() const;
};

// In the order of the help.
std::span<const Command> commands();
const Command* commandNamed(std::string_view name); // null: there is none
std::vector<std::string> commandNames();

// The option of that name, of any command, that has a value; null: there is none.
const Option* valuedOptionNamed(std::string_view name);

// ---- texts for persons, in the language of the program ----

// "accrue tag RUN [+TAG|-TAG]… [OPTIONS]"
std::string usageOf(const Command& command);
std::string summaryOf(const Command& command);
std::string helpOf(const Command& command, const Option& option);

// An option as a help describes it.
struct DescribedOption {
    std::string name; // "--yes,-y"
    std::string type; // of its value; empty: it has none
    std::string help;
};
DescribedOption helpOption();
DescribedOption jsonOption();
DescribedOption versionOption(); // of the program, not of a command
// Of a command, or of the program where there is none: those three included, operands not.
std::vector<DescribedOption> optionsOf(const Command* command);

// The codes under which a summary and the help of an option are translated:
// "command.train.summary", "command.train.set". An option that has a key has no such text.
std::string codeOf(const Command& command);
std::string codeOf(const Command& command, const Option& option);

} // namespace accrue
