// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"
#include "app/exit_code.h"
#include "app/runs_json.h"
#include "app/stop_signals.h"
#include "app/text_table.h"
#include "app/wrong_input.h"
#include "engine/door/data_download.h"
#include "engine/experiment/format.h"
#include "engine/experiment/places.h"

#include <algorithm>
#include <filesystem>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace accrue {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = DownloadResult::Outcome;
using Phase = DownloadProgress::Phase;

std::string knownNames()
{
    std::string names;
    for (const std::string& name : downloadableDataSets())
        names += (names.empty() ? "" : ", ") + name;
    return names;
}

// All are looked at before anything is fetched.
std::vector<std::string> namesOf(const Arguments& arguments)
{
    const std::vector<std::string> names(arguments.operands.begin() + 1, arguments.operands.end());
    const std::vector<std::string> known = downloadableDataSets();
    if (names.empty())
        throw WrongInput("data get needs the name of a data set: " + knownNames() + ".");
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            throw WrongInput(name + " cannot be fetched; there are " + knownNames() + ".");
    if (arguments.data && arguments.data->empty())
        throw WrongInput("--data is empty; name the folder to fetch into.");
    if (arguments.mirror && names.size() > 1)
        throw WrongInput("--mirror is for one data set, because files of several have the same "
                         "names; name one.");
    return names;
}

// "mnist  4.10 MiB of 11.1 MiB  37.08 %  2.05 MiB/s  0:03 left  train-images-idx3-ubyte.gz"
std::string progressLine(const std::string& name, const DownloadProgress& now)
{
    if (now.phase == Phase::Checking)
        return name + "  checking  " + now.file;
    std::string line = name + (now.phase == Phase::Unpacking ? "  unpacking  " : "  ")
        + formatBytes(now.bytes) + " of " + formatBytes(now.totalBytes) + "  "
        + formatPercent(static_cast<double>(now.bytes) / static_cast<double>(now.totalBytes));
    if (now.secondsLeft)
        line += "  " + formatBytes(static_cast<std::int64_t>(now.bytesPerSecond)) + "/s  "
            + formatDuration(*now.secondsLeft) + " left";
    return line + "  " + now.file;
}

const char* nameOf(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Fetched:
        return "fetched";
    case Outcome::AlreadyThere:
        return "already_there";
    case Outcome::Stopped:
        return "stopped";
    case Outcome::Refused:
        return "refused";
    case Outcome::Failed:
        break;
    }
    return "failed";
}

bool isThere(Outcome outcome)
{
    return outcome == Outcome::Fetched || outcome == Outcome::AlreadyThere;
}

struct GotSet {
    std::string name;
    DownloadResult result;
};

// One set after the other, until one is not there afterwards.
std::vector<GotSet> getAll(const Arguments& arguments, const std::vector<std::string>& names,
    Console& console, const std::stop_token& stop)
{
    const std::filesystem::path folder = downloadDirectory(arguments.data);
    std::vector<GotSet> got;
    got.reserve(names.size());
    for (const std::string& name : names) {
        DownloadRequest request { name, folder, {} };
        if (arguments.mirror)
            request.mirrors = { *arguments.mirror };
        bool begun = false;
        const DownloadWatcher watcher {
            [&](const DownloadProgress& now) {
                if (!std::exchange(begun, true))
                    console.say("Fetching " + name + ", " + formatBytes(now.totalBytes) + ", into "
                        + (folder / name).string() + ".");
                console.showLive(progressLine(name, now));
            },
            [&](const std::string& sentence) { console.say(sentence); },
        };
        got.push_back({ name, downloadDataSet(request, watcher, stop) });
        console.clearLive();
        if (!isThere(got.back().result.outcome))
            break;
        if (!arguments.json)
            console.printLine(printable(got.back().result.message));
    }
    return got;
}

Json jsonOf(const std::vector<GotSet>& got)
{
    Json sets = Json::array();
    for (const GotSet& each : got)
        sets.push_back({ { "name", each.name }, { "outcome", nameOf(each.result.outcome) },
            { "folder", each.result.folder.string() }, { "message", each.result.message } });
    return sets;
}

int exitCode(Outcome outcome, int signal)
{
    switch (outcome) {
    case Outcome::Fetched:
    case Outcome::AlreadyThere:
        return kExitDone;
    case Outcome::Stopped:
        return exitCodeOf(signal);
    case Outcome::Refused:
        return kExitWrongInput;
    case Outcome::Failed:
        break;
    }
    return kExitFailed;
}

} // namespace

int dataGetCommand(const Arguments& arguments, Console& console)
{
    const std::vector<std::string> names = namesOf(arguments);
    std::stop_source stop;
    const StopSignals signals(
        [&](int) {
            stop.request_stop();
            console.sayIfFree("Stopping; press Ctrl-C again to quit at once.");
        },
        [&](int signal) {
            console.sayLast("Quitting at once; what has arrived is kept.");
            _exit(exitCodeOf(signal));
        });
    const std::vector<GotSet> got = getAll(arguments, names, console, stop.get_token());
    const DownloadResult& last = got.back().result;
    if (arguments.json)
        console.print(textOf(jsonOf(got)));
    if (!isThere(last.outcome))
        console.say((last.outcome == Outcome::Stopped ? "" : "accrue: ") + last.message);
    return exitCode(last.outcome, signals.received());
}

} // namespace accrue
