// SPDX-License-Identifier: Apache-2.0
// The queue of a log: its runs, and the workers that train them.
#include "app/commands/commands.h"
#include "app/counts.h"
#include "app/engine_access.h"
#include "app/exit_code.h"
#include "app/log_access.h"
#include "app/queue/part_copy.h"
#include "app/queue/queue_text.h"
#include "app/queue/worker.h"
#include "app/queue/worker_pool.h"
#include "app/requested_recipe.h"
#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/queue/run_queue.h"
#include "engine/report/logged_times.h"
#include "engine/report/queue_outlook.h"
#include "engine/runs/run_json.h"

#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostParts = 1'000'000;

// ---- work -------------------------------------------------------------------------------------

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

std::vector<std::string> devicesOf(const Arguments& arguments)
{
    return arguments.device ? split(*arguments.device, ',') : std::vector<std::string>();
}

// A worker needs memory for LibTorch, and its share of a processor.
int workersOf(const Arguments& arguments, std::size_t devices)
{
    const auto most =
        static_cast<std::int64_t>(8 * std::max(1U, std::thread::hardware_concurrency()));
    return static_cast<int>(countOf(arguments.jobs, "--jobs",
        std::max<std::int64_t>(1, static_cast<std::int64_t>(devices)), most));
}

QueuePart partOf(const std::string& text)
{
    const std::vector<std::string> numbers = split(text, '/');
    if (numbers.size() != 2)
        throw InputError(Message("cli.wrong_part", { { "text", text } }));
    QueuePart part;
    part.count = countIn(numbers.back(), "--part", kMostParts);
    part.number = countIn(numbers.front(), "--part", kMostParts);
    if (part.number > part.count)
        throw InputError(Message("cli.wrong_part", { { "text", text } }));
    return part;
}

// The copy of the log that this worker trains in.
fs::path copyForPart(const Arguments& arguments)
{
    if (!arguments.logCopy || !arguments.part)
        throw InputError(Message("cli.part_needs_copy"));
    if (arguments.logCopy->empty())
        throw InputError(Message("cli.empty_log_copy"));
    const QueuePart part = partOf(*arguments.part);
    chooseRuns(arguments, {}); // says what is wrong with the log
    makePartCopy(runLogOf(arguments), *arguments.logCopy, part);
    return *arguments.logCopy;
}

// Before a run is taken: each one would end as failed, and leave the queue.
void checkWork(const Arguments& arguments, const std::vector<std::string>& devices)
{
    for (const std::string& device : devices)
        requireDeviceName(device, "--device");
    std::error_code ignored;
    if (arguments.data && !fs::is_directory(*arguments.data, ignored))
        throw InputError(Message("cli.data_is_no_folder", { { "folder", *arguments.data } }));
}

// Says so. A log that does not exist is not created for nothing.
bool isNothingQueued(const fs::path& file, const Arguments& arguments, Console& console)
{
    Arguments place = arguments;
    place.runLog = file.string();
    std::optional<RunLogReader> log = openExistingLog(place);
    if (log && !queueOf(log->runs()).empty())
        return false;
    console.say(log ? Message("queue.empty")
                    : Message("cli.no_run_log_yet", { { "file", file.string() } }));
    return true;
}

// The call of a worker of a pool, which gets its device.
std::vector<std::string> callOfWorker(const fs::path& log, const Arguments& arguments)
{
    std::vector<std::string> words { thisProgram().string(), "work", "--db", log.string() };
    if (arguments.data)
        words.insert(words.end(), { "--data", *arguments.data });
    if (arguments.watch)
        words.emplace_back("--watch");
    if (arguments.json)
        words.emplace_back("--json");
    return words;
}

int workAlone(const fs::path& log, const Arguments& arguments, Console& console)
{
    if (arguments.device)
        chooseDeviceId(requireEngine(), *arguments.device, "--device");
    WorkerPlan plan;
    plan.log = log;
    plan.terms.dataDirectories = dataDirectories(arguments.data);
    plan.terms.device = arguments.device;
    plan.terms.workersHere = workersOfPool();
    plan.watches = arguments.watch;
    plan.isOneOfSeveral = workersOfPool() > 1;
    plan.json = arguments.json;
    return Worker(std::move(plan), console).work();
}

// ---- queue ------------------------------------------------------------------------------------

using Runs = std::vector<RunId>;

void printQueue(const Arguments& arguments, Console& console)
{
    std::vector<RunRecord> runs;
    bool held = false;
    if (std::optional<RunLogReader> log = openExistingLog(arguments)) {
        runs = log->runs();
        predictMissingTimes(runs);
        held = log->queueState().held;
    }
    if (arguments.json) {
        nlohmann::ordered_json json = nlohmann::ordered_json::array();
        for (const RunRecord& run : queueOf(runs))
            json.push_back(jsonOf(run));
        console.printJson({ { "held", held }, { "runs", std::move(json) } });
        return;
    }
    const TextTable table = queueTable(runs);
    if (!table.empty())
        console.print(table.render(console.terminal().colours));
    console.say(outlookText(runs, held));
    if (const Message blocked = heldText(runs); !blocked.empty())
        console.say(blocked);
}

using Change = void (*)(RunQueue& queue, const Runs& runs);

// The actions on runs; hold and release without a run are of the whole queue.
const std::map<std::string, Change>& changes()
{
    using Place = RunQueue::Place;
    static const std::map<std::string, Change> all {
        { "first", [](RunQueue& queue, const Runs& runs) { queue.move(runs, Place::First); } },
        { "earlier", [](RunQueue& queue, const Runs& runs) { queue.move(runs, Place::Earlier); } },
        { "later", [](RunQueue& queue, const Runs& runs) { queue.move(runs, Place::Later); } },
        { "last", [](RunQueue& queue, const Runs& runs) { queue.move(runs, Place::Last); } },
        { "hold", [](RunQueue& queue, const Runs& runs) { queue.hold(runs, true); } },
        { "release", [](RunQueue& queue, const Runs& runs) { queue.hold(runs, false); } },
        { "remove", [](RunQueue& queue, const Runs& runs) { queue.remove(runs); } },
        { "stop",
            [](RunQueue& queue, const Runs& runs) {
                for (const RunId run : runs)
                    queue.requestStop(run);
            } },
    };
    return all;
}

bool concernsAll(const std::string& action)
{
    return action == "hold" || action == "release";
}

// Adds the run of a recipe, which `work` trains when its turn comes.
void addToQueue(const Arguments& arguments, Console& console)
{
    Arguments recipe = arguments;
    recipe.operands.erase(recipe.operands.begin());
    const RequestedRecipe asked =
        askedRecipe(recipe, console, Message("cli.recipe_to_queue_needed"));
    const std::unique_ptr<RunLogWriter> log = openToWrite(arguments, console);
    RunQueue(*log).add({ RunToQueue { asked.resolved, {}, {} } });
}

// RunQueue leaves alone what cannot be removed or stopped; a person has to know that.
void requireEffect(const std::string& action, ChosenRuns& chosen)
{
    const bool stops = action == "stop";
    if (action != "remove" && !stops)
        return;
    for (const RunId id : chosen.ids) {
        const RunRecord run = chosen.log.run(id);
        if (run.queue && isLive(run) == stops)
            continue;
        throw InputError(Message(!run.queue ? "queue.not_in_queue"
                : stops                     ? "queue.not_training"
                                            : "queue.in_training",
            { { "run", numberOf(id) } }));
    }
}

void changeQueue(const Arguments& arguments, Console& console)
{
    const std::string& action = arguments.operands.front();
    const auto change = changes().find(action);
    const std::vector<std::string> names(arguments.operands.begin() + 1, arguments.operands.end());
    if (change == changes().end())
        throw InputError(Message("cli.no_such_queue_action", { { "action", action } }));
    if (names.empty() && !concernsAll(action))
        throw InputError(Message("cli.queue_action_needs_runs", { { "action", action } }));
    ChosenRuns chosen = chooseRuns(arguments, names);
    requireEffect(action, chosen);
    const std::unique_ptr<RunLogWriter> log = openToWrite(arguments, console);
    RunQueue queue(*log);
    if (names.empty())
        queue.holdAll(action == "hold");
    else
        change->second(queue, chosen.ids);
}

} // namespace

int workCommand(const Arguments& arguments, Console& console)
{
    endWithPool();
    const std::vector<std::string> devices = devicesOf(arguments);
    const int workers = workersOf(arguments, devices.size());
    checkWork(arguments, devices);
    const bool copies = arguments.logCopy || arguments.part;
    const fs::path log = copies ? copyForPart(arguments) : runLogOf(arguments);
    if (workersOfPool() == 1 && !arguments.watch && isNothingQueued(log, arguments, console))
        return kExitDone;
    if (workersOfPool() == 1 && (workers > 1 || devices.size() > 1))
        return WorkerPool({ callOfWorker(log, arguments), devices, workers }, console).work();
    return workAlone(log, arguments, console);
}

int queueCommand(const Arguments& arguments, Console& console)
{
    const std::string action = arguments.operands.empty() ? "list" : arguments.operands.front();
    if (action == "add")
        addToQueue(arguments, console);
    else if (action != "list")
        changeQueue(arguments, console);
    else if (arguments.operands.size() > 1)
        throw InputError(
            Message("cli.queue_list_needs_nothing", { { "text", arguments.operands[1] } }));
    printQueue(arguments, console);
    return kExitDone;
}

} // namespace accrue
