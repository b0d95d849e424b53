// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/scratch_folder.h"
#include "app/text_table.h"
#include "engine/events/json_list.h"
#include "engine/report/log_self_test.h"
#include "engine/runlog/program_version.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

using Json = nlohmann::ordered_json;

namespace {

struct ResultWords {
    const char* name; // as --json prints it
    Cell cell;
};

ResultWords resultOf(const SelfTestRow& row)
{
    if (row.skipped)
        return { "skipped", { label("skipped"), TextStyle::Marked } };
    return row.passed ? ResultWords { "passed", { label("passed"), TextStyle::Good } }
                      : ResultWords { "failed", { label("failed"), TextStyle::Bad } };
}

Json jsonOfCheck(const SelfTestRow& row)
{
    return { { "check", row.check.english() }, { "measured", row.measured.english() },
        { "limit", row.limit.english() }, { "result", resultOf(row).name } };
}

TextTable tableOfChecks(const std::vector<SelfTestRow>& rows)
{
    TextTable table({ label("Check"), label("Measured"), label("Limit"), label("Result") });
    for (const SelfTestRow& row : rows)
        table.addRow({ row.check, row.measured, row.limit, resultOf(row).cell });
    return table;
}

} // namespace

int selfTestCommand(const Arguments& arguments, Console& console)
{
    Engine& engine = requireEngine();
    const std::string device =
        chooseDeviceId(engine, arguments.device.value_or("auto"), "--device");
    // Before the checks, which take seconds.
    console.say(Message("cli.checking_device", { { "device", device } }));
    const ScratchFolder scratch;
    std::vector<SelfTestRow> rows = engine.selfTest(device, scratch.sub("engine"));
    for (SelfTestRow& row : testRunLog(scratch.sub("log")))
        rows.push_back(std::move(row));
    // The engine has no access to the run log, so its checks come from here.
    const bool passed = std::all_of(
        rows.begin(), rows.end(), [](const SelfTestRow& row) { return row.passed || row.skipped; });
    const Message verdict(passed ? "cli.computes_correctly" : "cli.computes_wrongly");
    console.printResult(arguments.json,
        { { "device", device }, { "passed", passed }, { "checks", jsonList(rows, jsonOfCheck) } },
        tableOfChecks(rows).render(console.terminal().colours) + "\n" + verdict.text() + "\n");
    return passed ? kExitDone : kExitFailed;
}

int versionCommand(const Arguments& arguments, Console& console)
{
    console.printResult(arguments.json,
        { { "accrue", programVersion() }, { "code_revision", codeRevision() } },
        "accrue " + programVersion() + " (" + codeRevision() + ")\n");
    return kExitDone;
}

} // namespace accrue
