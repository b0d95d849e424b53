// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/compare/report_page.h"
#include "engine/runs/run_keys.h"

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {
namespace {

constexpr const char* kToOutput = "-";

void checkOutput(const Arguments& arguments)
{
    if (arguments.output.empty())
        throw InputError(Message("cli.report_file_needed"));
    if (arguments.output == kToOutput && arguments.json)
        throw InputError(Message("cli.json_beside_report"));
    if (arguments.operands.empty() && !arguments.filter)
        throw InputError(Message("cli.runs_of_report_needed"));
}

} // namespace

int reportCommand(const Arguments& arguments, Console& console)
{
    checkOutput(arguments);
    const std::filesystem::path file = arguments.output;
    requireOtherFile(file, runLogOf(arguments));
    ChosenRuns chosen = chooseRuns(arguments, {});
    const std::vector<RunRecord> runs = runsInQuestion(chosen.log, arguments);
    const std::string page = reportPage(readReport(chosen.log, runs,
        { arguments.by, arguments.metric.value_or(kAccuracyFilter),
            arguments.baseline.value_or("") }));
    if (arguments.output == kToOutput) {
        console.print(page);
        return kExitDone;
    }
    writeTextFile(file, page);
    const auto bytes = static_cast<std::int64_t>(page.size());
    const Message wrote("cli.wrote_runs",
        { { "runs", countOfRuns(runs.size()) }, { "bytes", ByteCount { bytes } },
            { "file", printable(file.string()) } });
    console.printResult(arguments.json,
        { { "file", file.string() }, { "runs", runs.size() }, { "bytes", bytes } },
        wrote.text() + "\n");
    return kExitDone;
}

} // namespace accrue
