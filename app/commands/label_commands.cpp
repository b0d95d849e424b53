// SPDX-License-Identifier: Apache-2.0
// The user's own words about a run: its name, a note, tags.
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/runlog/run_log_writer.h"
#include "engine/runs/run_tags.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

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
    // A text from a pipe ends with a line break that belongs to the shell, not to the note.
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    return text;
}

void printTags(const Arguments& arguments, Console& console, const RunRecord& run,
    const std::vector<std::string>& tags)
{
    if (arguments.json)
        console.printJson({ { "run", numberOf(run.id) }, { "tags", tags } });
    else if (tags.empty())
        console.printLine(Message("cli.no_tags", { { "run", labelOf(run) } }));
    else
        console.print(heading(labelOf(run)) + printable(textOfTags(tags)) + "\n");
}

} // namespace

int renameCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2 || isBlank(arguments.operands.back()))
        throw InputError(Message("cli.new_name_needed"));
    const RunRecord run = namedRun(arguments);
    const std::string& name = arguments.operands.back();
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    writer->rename(run.id, name);
    if (arguments.json)
        console.printJson(
            { { "run", numberOf(run.id) }, { "name", name }, { "before", run.name } });
    else
        console.printLine(
            Message("cli.renamed", { { "run", labelOf(run) }, { "name", printable(name) } }));
    return kExitDone;
}

int noteCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 2)
        throw InputError(Message("cli.note_needed"));
    const RunRecord run = namedRun(arguments);
    const std::string note = arguments.operands.back() == "-"
        ? withoutLastNewline(console.readAll())
        : arguments.operands.back();
    const std::unique_ptr<RunLogWriter> writer = openToWrite(arguments, console);
    writer->setNote(run.id, note);
    if (arguments.json)
        console.printJson({ { "run", numberOf(run.id) }, { "note", note } });
    else
        console.printLine(Message(
            note.empty() ? "cli.note_removed" : "cli.note_written", { { "run", labelOf(run) } }));
    return kExitDone;
}

int tagCommand(const Arguments& arguments, Console& console)
{
    if (arguments.operands.size() != 1)
        throw InputError(Message("cli.run_to_tag_needed"));
    const RunRecord run = namedRun(arguments);
    std::vector<std::string> added;
    std::vector<std::string> removed;
    // All changes are checked before the first one takes effect.
    for (const std::string& change : arguments.tagChanges)
        if (change.empty() || (change.front() != '+' && change.front() != '-'))
            throw InputError(Message("cli.wrong_tag_change", { { "word", shortened(change) } }));
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
