// SPDX-License-Identifier: Apache-2.0
// Sweeps as JSON, and otherwise values of --vary and of run.stop_when, one a line.
#include "engine/base/error.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/stop_rule.h"
#include "engine/sweep/sweep_json.h"
#include "engine/sweep/sweep_runs.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>

#include <nlohmann/json.hpp>

using namespace accrue;

namespace {

void demandShort(const Message& message)
{
    fuzz::demand(message.english().size() < 1000, "a message is short");
}

void readLine(std::string_view line)
{
    demandShort(parseStopRule(line).problem);
    const ParsedAxis parsed = parseAxis(line);
    fuzz::demand(parsed.axis.has_value() == parsed.problems.empty(), "an axis or a problem");
    for (const Finding& finding : parsed.problems)
        demandShort(finding.message);
    if (!parsed.axis)
        return;
    const SweepAxis& axis = *parsed.axis;
    fuzz::demand(checkAxis(axis).empty(), "what was parsed can be expanded");
    const ParsedAxis again = parseAxis(key::assignment(axis.key, textOf(axis)));
    fuzz::demand(again.axis == axis, "what was parsed reads back the same");
    if (gridSize(axis) <= 100)
        fuzz::demand(std::ssize(gridValues(axis)) == gridSize(axis), "a grid has its size");
}

void readSweep(std::string_view text)
{
    try {
        const SweepDefinition sweep = sweepOf(text);
        fuzz::demand(sweepOf(jsonOf(sweep).dump()) == sweep, "a sweep reads back the same");
        if (countRuns(sweep) <= 100)
            fuzz::demand(std::ssize(expand(sweep).runs) <= countRuns(sweep), "no run is added");
    } catch (const Error& error) {
        demandShort(error.message());
    }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    std::string_view text = fuzz::textOf(bytes, size);
    readSweep(text);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        readLine(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return 0;
}
