// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/exit_code.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/door/data_download.h"
#include "engine/door/data_sets.h"
#include "engine/events/json_list.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

// ---- list -------------------------------------------------------------------------------------

struct StateWords {
    const char* name; // as --json prints it
    Cell cell;
};

StateWords wordsOf(DataSetStatus::State state)
{
    switch (state) {
    case DataSetStatus::State::BuiltIn:
        return { "built_in", { label("built in"), TextStyle::Good } };
    case DataSetStatus::State::Whole:
        return { "whole", { label("complete"), TextStyle::Good } };
    case DataSetStatus::State::Missing:
        return { "missing", { label("missing"), TextStyle::Marked } };
    case DataSetStatus::State::Damaged:
        break;
    }
    return { "damaged", { label("damaged"), TextStyle::Bad } };
}

Json jsonOfData(const DataSetStatus& status)
{
    return { { "name", status.name }, { "state", wordsOf(status.state).name },
        { "description", status.description.english() }, { "folder", status.folder.string() },
        { "problem", status.problem.english() }, { "train_samples", status.trainSamples },
        { "test_samples", status.testSamples } };
}

int listData(const Arguments& arguments, Console& console)
{
    const std::vector<fs::path> directories = dataDirectories(arguments.data);
    const std::vector<DataSetStatus> found = findDataSets(directories);
    if (arguments.json) {
        console.printJson(
            { { "searched",
                  jsonList(directories, [](const fs::path& path) { return path.string(); }) },
                { "data", jsonList(found, jsonOfData) },
                { "can_be_fetched", downloadableDataSets() } });
        return kExitDone;
    }
    TextTable table({ label("Data set"), label("State"), label("Contents") });
    for (const DataSetStatus& status : found) {
        Message contents = status.problem.empty() ? status.description : status.problem;
        if (status.problem.empty() && !status.folder.empty())
            contents = Message("cli.data_in_folder",
                { { "data", contents }, { "folder", status.folder.string() } });
        table.addRow({ status.name, wordsOf(status.state).cell, contents });
    }
    std::string text = table.render(console.terminal().colours) + "\n"
        + Message("cli.searched_folders").text() + "\n";
    for (const fs::path& directory : directories)
        text += "  " + printable(directory.string()) + "\n";
    text += "\n"
        + Message("cli.downloadable", { { "names", commaList(downloadableDataSets()) } }).text();
    console.print(text + "\n");
    return kExitDone;
}

// ---- get --------------------------------------------------------------------------------------

using Outcome = DownloadResult::Outcome;
using Phase = DownloadProgress::Phase;

// All are checked before anything is downloaded.
std::vector<std::string> namesOf(const Arguments& arguments)
{
    const std::vector<std::string> names(arguments.operands.begin() + 1, arguments.operands.end());
    const Message known = commaList(downloadableDataSets());
    if (names.empty())
        throw InputError(Message("cli.data_set_needed", { { "names", known } }));
    for (const std::string& name : names)
        if (!downloadBytes(name))
            throw InputError(
                Message("cli.not_downloadable", { { "name", name }, { "names", known } }));
    if (arguments.data && arguments.data->empty())
        throw InputError(Message("cli.download_folder_needed"));
    if (arguments.mirror && names.size() > 1)
        throw InputError(Message("cli.mirror_of_several"));
    return names;
}

// "mnist  4.10 MiB of 11.1 MiB  37.08 %  2.05 MiB/s  0:03 left  train-images-idx3-ubyte.gz"
std::string progressLine(const std::string& name, const DownloadProgress& now)
{
    if (now.phase == Phase::Checking)
        return Message("cli.download_checks", { { "name", name }, { "file", now.file } }).text();
    std::string line = name + "  ";
    if (now.phase == Phase::Unpacking)
        line += label("unpacking") + "  ";
    const double share = static_cast<double>(now.bytes) / static_cast<double>(now.totalBytes);
    line += Message("cli.download_progress",
        { { "bytes", ByteCount { now.bytes } }, { "total", ByteCount { now.totalBytes } },
            { "share", Percent { share } } })
                .text();
    if (now.secondsLeft)
        line += Message("cli.download_left",
            { { "rate", ByteCount { static_cast<std::int64_t>(now.bytesPerSecond) } },
                { "time", Duration { *now.secondsLeft } } })
                    .text();
    return line + "  " + now.file;
}

// As --json prints it, and what the program ends with.
struct OutcomeWords {
    const char* name;
    int exitCode; // of Stopped, the signal decides
    bool isThere = false;
};

OutcomeWords wordsOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Downloaded:
        return { "fetched", kExitDone, true };
    case Outcome::AlreadyThere:
        return { "already_there", kExitDone, true };
    case Outcome::Stopped:
        return { "stopped", kExitFailed };
    case Outcome::Refused:
        return { "refused", kExitWrongInput };
    case Outcome::Failed:
        break;
    }
    return { "failed", kExitFailed };
}

DownloadResult download(const std::string& name, const Arguments& arguments, Console& console,
    const std::stop_token& stop)
{
    DownloadRequest request { name, downloadDirectory(arguments.data), {} };
    if (arguments.mirror)
        request.mirrors = { *arguments.mirror };
    bool begun = false;
    const DownloadWatcher watcher {
        [&](const DownloadProgress& now) {
            if (!std::exchange(begun, true))
                console.say(Message("cli.downloading",
                    { { "name", name }, { "bytes", ByteCount { now.totalBytes } },
                        { "folder", (request.folder / name).string() } }));
            console.showLive(progressLine(name, now));
        },
        [&](const Message& sentence) { console.say(sentence); },
    };
    DownloadResult result = downloadDataSet(request, watcher, stop);
    console.clearLive();
    return result;
}

int getData(const Arguments& arguments, Console& console)
{
    const std::vector<std::string> names = namesOf(arguments);
    std::stop_source stop;
    const StopSignals signals(
        [&](int) {
            stop.request_stop();
            console.sayIfFree(Message("cli.stopping_download"));
        },
        [&](int signal) {
            console.sayLast(Message("cli.quitting_download"));
            _exit(exitCodeOf(signal));
        });
    Json sets = Json::array();
    DownloadResult last;
    // One set after the other, until one of them is not there afterwards.
    for (const std::string& name : names) {
        last = download(name, arguments, console, stop.get_token());
        sets.push_back({ { "name", name }, { "outcome", wordsOf(last.outcome).name },
            { "folder", last.folder.string() }, { "message", last.message.english() } });
        if (!wordsOf(last.outcome).isThere)
            break;
        if (!arguments.json)
            console.printLine(printable(last.message.text()));
    }
    if (arguments.json)
        console.printJson(sets);
    const bool stopped = last.outcome == Outcome::Stopped;
    if (stopped)
        console.say(last.message);
    else if (!wordsOf(last.outcome).isThere)
        console.sayError(last.message);
    return stopped ? exitCodeOf(signals.received()) : wordsOf(last.outcome).exitCode;
}

} // namespace

int dataCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string>& words = arguments.operands;
    if (!words.empty() && words.front() == "get")
        return getData(arguments, console);
    if (words.size() > 1 || (!words.empty() && words.front() != "list"))
        throw InputError(Message("cli.wrong_data_action", { { "word", words.back() } }));
    if (arguments.mirror)
        throw InputError(Message("cli.mirror_without_get"));
    return listData(arguments, console);
}

} // namespace accrue
