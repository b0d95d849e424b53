// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/scratch_folder.h"
#include "app/text_table.h"
#include "engine/base/message.h"
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

const char* resultOf(const SelfTestRow& row)
{
    return row.skipped ? "skipped" : row.passed ? "passed" : "failed";
}

std::string textOfResult(const SelfTestRow& row)
{
    return row.skipped ? label("skipped") : row.passed ? label("passed") : label("failed");
}

Json jsonOfCheck(const SelfTestRow& row)
{
    return { { "check", row.check.english() }, { "measured", row.measured.english() },
        { "limit", row.limit.english() }, { "result", resultOf(row) } };
}

TextTable tableOfChecks(const std::vector<SelfTestRow>& rows)
{
    TextTable table({ label("Check"), label("Measured"), label("Limit"), label("Result") });
    for (const SelfTestRow& row : rows) {
        const TextStyle style = row.skipped ? TextStyle::Marked
            : row.passed                    ? TextStyle::Good
                                            : TextStyle::Bad;
        table.addCells({ { row.check.text() }, { row.measured.text() }, { row.limit.text() },
            { textOfResult(row), style } });
    }
    return table;
}

} // namespace

int selfTestCommand(const Arguments& arguments, Console& console)
{
    Engine& engine = requireEngine();
    const std::string device = chooseDevice(engine, arguments.device.value_or("auto"), "--device");
    console.say(Message("cli.checking_device", { { "device", device } }));
    const ScratchFolder scratch;
    std::vector<SelfTestRow> rows = engine.selfTest(device, scratch.sub("engine"));
    for (SelfTestRow& row : testRunLog(scratch.sub("log")))
        rows.push_back(std::move(row));
    const bool passed = std::all_of(
        rows.begin(), rows.end(), [](const SelfTestRow& row) { return row.passed || row.skipped; });
    if (arguments.json) {
        Json checks = Json::array();
        for (const SelfTestRow& row : rows)
            checks.push_back(jsonOfCheck(row));
        console.printJson({ { "device", device }, { "passed", passed }, { "checks", checks } });
    } else {
        const Message verdict =
            passed ? Message("cli.computes_correctly") : Message("cli.computes_wrongly");
        console.print(
            tableOfChecks(rows).render(console.terminal().colours) + "\n" + verdict.text() + "\n");
    }
    return passed ? kExitDone : kExitFailed;
}

int versionCommand(const Arguments& arguments, Console& console)
{
    if (arguments.json)
        console.printJson({ { "accrue", programVersion() }, { "code_revision", codeRevision() } });
    else
        console.print("accrue " + programVersion() + " (" + codeRevision() + ")\n");
    return kExitDone;
}

} // namespace accrue
