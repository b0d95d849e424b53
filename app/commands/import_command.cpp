// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/shown_text.h"
#include "engine/events/json_list.h"
#include "engine/exchange/tensorboard_export.h"
#include "engine/exchange/tensorboard_import.h"
#include "engine/runlog/run_import.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

// What an import has done so far, run by run.
class ImportReport {
public:
    ImportReport(const Arguments& arguments, Console& console)
        : m_arguments(arguments)
        , m_console(console)
    {
    }

    void add(const ImportedRun& run, const std::string& name)
    {
        static constexpr const char* kWords[] { "added", "updated", "unchanged" };
        const auto result = static_cast<std::size_t>(run.result);
        ++m_counts[result];
        m_runs.push_back(
            { { "run", numberOf(run.run) }, { "name", name }, { "result", kWords[result] } });
    }
    void addProblem(const Message& problem)
    {
        m_problems.push_back(problem.english());
        m_console.warn(problem);
    }
    bool isEmpty() const { return m_runs.empty(); }

    void print(const std::string& from) const
    {
        const Message text("cli.imported",
            { { "from", printable(from) }, { "added", countOfRuns(m_counts[0]) },
                { "updated", m_counts[1] }, { "unchanged", m_counts[2] },
                { "file", printable(runLogOf(m_arguments).string()) } });
        m_console.printResult(m_arguments.json,
            { { "from", from }, { "file", runLogOf(m_arguments).string() }, { "runs", m_runs },
                { "problems", m_problems } },
            text.text() + "\n");
    }

private:
    const Arguments& m_arguments;
    Console& m_console;
    std::size_t m_counts[3] {}; // by ImportResult
    Json m_runs = Json::array();
    Json m_problems = Json::array();
};

void importFolders(const std::vector<EventFolder>& folders, const std::filesystem::path& folder,
    RunImport& import, ImportReport& report)
{
    std::set<std::string> tokens;
    for (const EventFolder& events : folders) {
        const ReadEvents read = readEvents(events, folder);
        for (const Message& problem : read.problems)
            report.addProblem(problem);
        if (!read.run)
            continue;
        if (tokens.insert(read.run->token).second)
            report.add(import.add(*read.run), read.run->name);
        else
            report.addProblem(
                Message("exchange.same_events", { { "folder", printable(read.run->origin) } }));
    }
}

int importTensorBoard(const Arguments& arguments, Console& console)
{
    const std::filesystem::path folder = arguments.tensorBoard;
    const std::vector<EventFolder> folders = eventFoldersIn(folder);
    ImportReport report(arguments, console);
    if (!folders.empty()) {
        LogProgressLine line(console);
        RunImport import(runLogOf(arguments), line.progress());
        importFolders(folders, folder, import, report);
    }
    if (report.isEmpty())
        throw InputError(Message("exchange.no_events", { { "folder", folder.string() } }));
    report.print(folder.string());
    return kExitDone;
}

} // namespace

int importCommand(const Arguments& arguments, Console& console)
{
    if (arguments.tensorBoard.empty())
        throw InputError(Message("cli.import_needs_a_source"));
    return importTensorBoard(arguments, console);
}

int exportToTensorBoard(const Arguments& arguments, Console& console)
{
    if (!arguments.csv.empty() || arguments.wide)
        throw InputError(Message("cli.tensorboard_beside_csv"));
    ChosenRuns chosen = chooseRuns(arguments, arguments.runs);
    if (arguments.runs.empty())
        for (const RunRecord& run : chosen.log.runs())
            chosen.ids.push_back(run.id);
    std::vector<LogDamage> leftOut;
    const auto done = exportTensorBoard(
        chosen.log, chosen.ids, arguments.tensorBoard, {}, arguments.damaged ? &leftOut : nullptr);
    for (const LogDamage& damage : leftOut)
        console.warn(Message("cli.left_out_of_the_file", { { "damage", describe(damage) } }));
    Json folders = Json::array();
    for (const std::filesystem::path& folder : done->folders)
        folders.push_back(folder.string());
    console.printResult(arguments.json,
        { { "folder", arguments.tensorBoard }, { "runs", done->folders.size() },
            { "values", done->values }, { "bytes", done->bytes }, { "folders", folders },
            { "left_out", leftOut.size() } },
        Message("cli.wrote_runs",
            { { "runs", countOfRuns(done->folders.size()) }, { "bytes", ByteCount { done->bytes } },
                { "file", printable(arguments.tensorBoard) } })
                .text()
            + "\n");
    return kExitDone;
}

} // namespace accrue
