// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/device_choice.h"
#include "app/exit_code.h"
#include "app/log_self_test.h"
#include "app/run_tally.h"
#include "app/runs_json.h"
#include "app/scratch_folder.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/door/data_download.h"
#include "engine/door/data_sets.h"
#include "engine/door/loader.h"
#include "engine/experiment/places.h"
#include "engine/runlog/program_version.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

const char* nameOf(DataSetStatus::State state)
{
    switch (state) {
    case DataSetStatus::State::BuiltIn:
        return "built_in";
    case DataSetStatus::State::Whole:
        return "whole";
    case DataSetStatus::State::Missing:
        return "missing";
    case DataSetStatus::State::Damaged:
        break;
    }
    return "damaged";
}

TextStyle styleOf(DataSetStatus::State state)
{
    if (state == DataSetStatus::State::Damaged)
        return TextStyle::Bad;
    return state == DataSetStatus::State::Missing ? TextStyle::Marked : TextStyle::Good;
}

Json jsonOfData(const DataSetStatus& status)
{
    return { { "name", status.name }, { "state", nameOf(status.state) },
        { "description", status.description }, { "folder", status.folder.string() },
        { "problem", status.problem }, { "train_samples", status.trainSamples },
        { "test_samples", status.testSamples } };
}

Json jsonOfPaths(const std::vector<fs::path>& paths)
{
    Json json = Json::array();
    for (const fs::path& path : paths)
        json.push_back(path.string());
    return json;
}

std::string withSpaces(std::string word)
{
    std::replace(word.begin(), word.end(), '_', ' ');
    return word;
}

const char* resultOf(const SelfTestRow& row)
{
    return row.skipped ? "skipped" : row.passed ? "passed" : "failed";
}

Json jsonOfCheck(const SelfTestRow& row)
{
    return { { "check", row.check }, { "measured", row.measured }, { "limit", row.limit },
        { "result", resultOf(row) } };
}

TextTable tableOfChecks(const std::vector<SelfTestRow>& rows)
{
    TextTable table({ "Check", "Measured", "Limit", "Result" });
    for (const SelfTestRow& row : rows) {
        const TextStyle style = row.skipped ? TextStyle::Marked
            : row.passed                    ? TextStyle::Good
                                            : TextStyle::Bad;
        table.addCells(
            { { row.check }, { row.measured }, { row.limit }, { resultOf(row), style } });
    }
    return table;
}

int listData(const Arguments& arguments, Console& console)
{
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    const std::vector<DataSetStatus> found = findDataSets(directories);
    if (arguments.json) {
        Json sets = Json::array();
        for (const DataSetStatus& status : found)
            sets.push_back(jsonOfData(status));
        console.print(textOf({ { "searched", jsonOfPaths(directories) }, { "data", sets },
            { "can_be_fetched", downloadableDataSets() } }));
        return kExitDone;
    }
    TextTable table({ "Data set", "State", "What is there" });
    for (const DataSetStatus& status : found) {
        std::string text = status.problem.empty() ? status.description : status.problem;
        if (status.problem.empty() && !status.folder.empty())
            text += ", in " + status.folder.string();
        table.addCells({ { status.name },
            { withSpaces(nameOf(status.state)), styleOf(status.state) }, { text } });
    }
    std::string text = table.render(console.terminal().colours) + "\nSearched, first hit wins:\n";
    for (const fs::path& directory : directories)
        text += "  " + printable(directory.string()) + "\n";
    text += "\naccrue data get fetches:";
    for (const std::string& name : downloadableDataSets())
        text += " " + name;
    console.print(text + "\n");
    return kExitDone;
}

} // namespace

int dataCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (!words.empty() && words.front() == "get")
        return dataGetCommand(arguments, console);
    if (words.size() > 1 || (!words.empty() && words.front() != "list"))
        throw WrongInput("data takes list, or get and the names of data sets, but " + words.back()
            + " is neither. See accrue data --help.");
    if (arguments.mirror)
        throw WrongInput("--mirror is read by data get only.");
    return listData(arguments, console);
}

int selfTestCommand(const Arguments& arguments, Console& console)
{
    const LoadedEngine loaded = loadEngine();
    if (loaded.engine == nullptr)
        throw std::runtime_error(loaded.problem);
    const std::string device =
        chooseDevice(*loaded.engine, arguments.device.value_or("auto"), "--device");
    console.say("Checking " + device + "; this takes some seconds.");
    const ScratchFolder scratch;
    std::vector<SelfTestRow> rows = loaded.engine->selfTest(device, scratch.sub("engine"));
    for (SelfTestRow& row : testRunLog(scratch.sub("log")))
        rows.push_back(std::move(row));
    const bool passed = std::all_of(
        rows.begin(), rows.end(), [](const SelfTestRow& row) { return row.passed || row.skipped; });
    if (arguments.json) {
        Json checks = Json::array();
        for (const SelfTestRow& row : rows)
            checks.push_back(jsonOfCheck(row));
        console.print(textOf({ { "device", device }, { "passed", passed }, { "checks", checks } }));
    } else {
        console.print(tableOfChecks(rows).render(console.terminal().colours)
            + (passed ? "\nThis machine computes right.\n"
                      : "\nA check failed: do not trust results of this machine.\n"));
    }
    return passed ? kExitDone : kExitFailed;
}

int versionCommand(const Arguments& arguments, Console& console)
{
    if (arguments.json)
        console.print(
            textOf({ { "accrue", programVersion() }, { "code_revision", codeRevision() } }));
    else
        console.print("accrue " + programVersion() + " (" + codeRevision() + ")\n");
    return kExitDone;
}

} // namespace accrue
