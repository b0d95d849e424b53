// SPDX-License-Identifier: Apache-2.0
// What a user says of a run: its name, a note, tags.
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/runs_json.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/experiment/shown_text.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runlog/run_tags.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

// The run that the first operand names.
RunRecord namedRun(const Arguments& arguments)
{
    ChosenRuns chosen = chooseRuns(arguments, { arguments.operands.front() });
    return chosen.log.run(chosen.ids.front());
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string withoutLastNewline(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

void printTags(const Arguments& arguments, Console& console, const RunRecord& run,
    const std::vector<std::string>& tags)
{
    if (arguments.json)
        console.print(textOf({ { "run", numberOf(run.id) }, { "tags", tags } }));
    else
        console.print(labelOf(run)
            + (tags.empty() ? " has no tags" : ": " + printable(textOfTags(tags))) + "\n");
}

} // namespace

int renameCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2 || isBlank(arguments.operands.back()))
        throw WrongInput("rename takes a run and its new name: accrue rename 12 baseline.");
    const RunRecord run = namedRun(arguments);
    const std::string& name = arguments.operands.back();
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    writer->rename(run.id, name);
    if (arguments.json)
        console.print(
            textOf({ { "run", numberOf(run.id) }, { "name", name }, { "before", run.name } }));
    else
        console.print("Renamed " + labelOf(run) + " to " + printable(name) + ".\n");
    return kExitDone;
}

int noteCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2)
        throw WrongInput(
            "note takes a run and its note as one text: accrue note 12 \"BatchNorm, second"
            " seed\"; \"\" removes it.");
    const RunRecord run = namedRun(arguments);
    const std::string note = arguments.operands.back() == "-"
        ? withoutLastNewline(console.readAll())
        : arguments.operands.back();
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    writer->setNote(run.id, note);
    if (arguments.json)
        console.print(textOf({ { "run", numberOf(run.id) }, { "note", note } }));
    else
        console.print(
            (note.empty() ? "Removed the note on " : "Wrote the note on ") + labelOf(run) + ".\n");
    return kExitDone;
}

int tagCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1)
        throw WrongInput("tag takes one run, and tags to add or to remove: accrue tag 12 +baseline"
                         " -draft.");
    const RunRecord run = namedRun(arguments);
    std::vector<std::string> added;
    std::vector<std::string> removed;
    for (const std::string& change : arguments.tagChanges)
        if (change.empty() || (change.front() != '+' && change.front() != '-'))
            throw WrongInput("A tag is added as +TAG and removed as -TAG, but " + shortened(change)
                + " is neither.");
    for (const std::string& change : arguments.tagChanges)
        (change.front() == '+' ? added : removed).push_back(change.substr(1));
    if (arguments.tagChanges.empty()) {
        printTags(arguments, console, run, run.tags);
        return kExitDone;
    }
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    printTags(arguments, console, run, writer->changeTags(run.id, added, removed));
    return kExitDone;
}

} // namespace accrue
