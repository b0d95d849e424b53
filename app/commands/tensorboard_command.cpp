// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/progress_lines.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/exchange/tensorboard_export.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

namespace {

TensorBoardExport writeFolders(ChosenRuns& chosen, const Arguments& arguments, Console& console,
    std::vector<LogDamage>* leftOut)
{
    LogProgressLine line(console);
    const LogProgress progress = line.progress();
    const Message what("cli.exporting", { { "file", printable(arguments.tensorBoard) } });
    // Never cancelled, so there is always a result.
    return exportTensorBoard(
        chosen.log, chosen.ids, arguments.tensorBoard,
        [&](double share) {
            progress(share, what);
            return true;
        },
        leftOut)
        .value();
}

} // namespace

int exportToTensorBoard(const Arguments& arguments, Console& console)
{
    if (!arguments.csv.empty() || arguments.wide)
        throw InputError(Message("cli.tensorboard_beside_csv"));
    ChosenRuns chosen = chooseRuns(arguments, arguments.runs);
    if (arguments.runs.empty())
        for (const RunRecord& run : chosen.log.runs())
            chosen.ids.push_back(run.id);
    std::vector<LogDamage> leftOut;
    const TensorBoardExport done =
        writeFolders(chosen, arguments, console, arguments.damaged ? &leftOut : nullptr);
    for (const LogDamage& damage : leftOut)
        console.warn(Message("cli.left_out_of_the_file", { { "damage", describe(damage) } }));
    nlohmann::ordered_json folders = nlohmann::ordered_json::array();
    for (const std::filesystem::path& folder : done.folders)
        folders.push_back(folder.string());
    const Message wrote("cli.wrote_runs",
        { { "runs", countOfRuns(done.folders.size()) }, { "bytes", ByteCount { done.bytes } },
            { "file", printable(arguments.tensorBoard) } });
    console.printResult(arguments.json,
        { { "folder", arguments.tensorBoard }, { "runs", done.folders.size() },
            { "values", done.values }, { "bytes", done.bytes }, { "folders", folders },
            { "left_out", leftOut.size() } },
        wrote.text() + "\n");
    return kExitDone;
}

} // namespace accrue
