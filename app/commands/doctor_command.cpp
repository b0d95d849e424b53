// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.h"
#include "app/commands/cuda_advice.h"
#include "app/commands/damage_checks.h"
#include "app/exit_code.h"
#include "app/text_table.h"
#include "engine/base/error.h"
#include "engine/base/format.h"
#include "engine/base/host_memory.h"
#include "engine/base/places.h"
#include "engine/base/sentences.h"
#include "engine/door/data_sets.h"
#include "engine/door/loader.h"
#include "engine/download/download.h"
#include "engine/events/json_list.h"
#include "engine/runlog/program_version.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/utsname.h>
#include <unistd.h>

namespace accrue {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

struct Report {
    TextTable table;
    std::vector<Message> missing; // what is missing, and how to get it
    bool canTrain = false;
    CudaState cuda;
    Json json = Json::object();
};

// "NVRM version: NVIDIA UNIX … Kernel Module  580.65.06  …" → "580.65.06"; empty: no driver. From
// the kernel, because NVML need not be installed.
std::string kernelDriver()
{
    const std::string line = valueIn("/proc/driver/nvidia/version");
    const std::size_t module = line.find("Module");
    const std::size_t first =
        module == std::string::npos ? std::string::npos : line.find_first_of("0123456789", module);
    if (first == std::string::npos)
        return {};
    return line.substr(first, line.find(' ', first) - first);
}

bool hasNvidiaCard()
{
    std::error_code error;
    for (fs::directory_iterator entry("/sys/bus/pci/devices", error), end; !error && entry != end;
         // PCI class 0x03 is a display controller; a card also has functions of other classes, such
         // as sound.
         entry.increment(error)) {
        const bool display = valueIn(entry->path() / "class").rfind("0x03", 0) == 0;
        if (display && valueIn(entry->path() / "vendor") == "0x10de")
            return true;
    }
    return false;
}

std::int64_t memoryBytes(const char* key)
{
    // The file counts in KiB.
    return std::strtoll(valueIn("/proc/meminfo", key).c_str(), nullptr, 10) * 1024;
}

// The folder itself, or its nearest existing parent.
fs::path existingParent(fs::path path)
{
    std::error_code ignored;
    while (path.has_relative_path() && !fs::exists(path, ignored))
        // has_relative_path() is false for "/", so the loop ends there at the latest.
        path = path.parent_path();
    return path;
}

std::string freeText(std::int64_t freeBytes, std::int64_t totalBytes)
{
    return Message("cli.free_bytes",
        { { "free", ByteCount { freeBytes } }, { "total", ByteCount { totalBytes } } })
        .text();
}

void addProgram(Report& report)
{
    utsname system {};
    uname(&system);
    report.table.addRow(
        { label("Program"), "accrue " + programVersion() + " (" + codeRevision() + ")" });
    const std::string name = std::string(system.sysname) + " " + system.release;
    report.table.addRow({ label("System"),
        Message("cli.system",
            { { "system", name }, { "machine", std::string(system.machine) },
                { "cores", std::thread::hardware_concurrency() } }) });
    const std::int64_t available = memoryBytes("MemAvailable");
    const std::int64_t total = memoryBytes("MemTotal");
    report.table.addRow({ label("Memory"), freeText(available, total) });
    report.json["accrue"] = programVersion();
    report.json["code_revision"] = codeRevision();
    report.json["memory"] = { { "free_bytes", available }, { "total_bytes", total } };
}

void addLoadedEngine(Report& report, Engine& engine)
{
    const EngineVersions versions = engine.versions();
    report.table.addRow({ "LibTorch", versions.torch });
    report.table.addRow({ "CUDA",
        versions.cudaBuilt.empty()
            ? label("not built")
            : Message("cli.built_for_cuda", { { "version", versions.cudaBuilt } }).text() });
    report.table.addRow({ label("CUDA kernels"),
        versions.kernels.empty() ? label("not built") : versions.kernels });
    Json devices = Json::array();
    for (const DeviceInfo& device : engine.devices()) {
        // Negative: the free memory of a device can only be read once it is in use.
        const bool known = device.freeBytes >= 0;
        report.table.addRow({ label("Device") + " " + device.id,
            clausesOf({ Message::plain(device.name),
                Message::plain(known ? freeText(device.freeBytes, device.totalBytes)
                                     : formatBytes(device.totalBytes)),
                device.detail }) });
        devices.push_back(
            { { "id", device.id }, { "name", device.name }, { "total_bytes", device.totalBytes },
                { "free_bytes", known ? Json(device.freeBytes) : Json() },
                { "detail", device.detail.english() } });
        report.cuda.device = report.cuda.device || device.id != "cpu";
    }
    report.cuda.engine = versions;
    report.json["torch"] = versions.torch;
    report.json["cuda_built"] = versions.cudaBuilt;
    report.json["kernels"] = versions.kernels;
    report.json["devices"] = devices;
    report.canTrain = !devices.empty();
}

void addEngine(Report& report)
{
    const LoadedEngine loaded = loadEngine();
    const Message found("cli.engine_loaded", { { "library", loaded.library.string() } });
    report.table.addRow({ label("Engine"),
        loaded.engine != nullptr ? Cell(found.text(), TextStyle::Good)
                                 : Cell(label("cannot be loaded"), TextStyle::Bad) });
    report.json["engine"] = { { "loaded", loaded.engine != nullptr },
        { "library", loaded.library.string() }, { "problem", loaded.problem.english() } };
    if (loaded.engine != nullptr)
        addLoadedEngine(report, *loaded.engine);
    else
        report.missing.push_back(loaded.problem);
}

void addDriver(Report& report)
{
    CudaState& cuda = report.cuda;
    cuda.card = hasNvidiaCard();
    cuda.driver = kernelDriver();
    // In a container, /proc may lack the driver's file although the engine can use the driver.
    if (cuda.driver.empty() && cuda.engine)
        cuda.driver = cuda.engine->cudaDriver;
    report.table.addRow({ label("NVIDIA driver"),
        !cuda.driver.empty() ? cuda.driver
            : cuda.card      ? label("not loaded")
                             : label("none; no NVIDIA card was found") });
    report.json["driver"] = cuda.driver;
    if (const Message advice = cudaAdvice(cuda); !advice.empty())
        report.missing.push_back(advice);
}

// A data set that nobody downloaded is no fault of the machine; one that cannot be read is.
void addData(Report& report, const Arguments& arguments)
{
    Json sets = Json::array();
    std::vector<std::string> usable;
    std::vector<std::string> downloadable;
    for (const DataSetStatus& status : findDataSets(dataDirectories(arguments.data))) {
        const bool isUsable = status.problem.empty();
        const bool isMissing = status.state == DataSetStatus::State::Missing;
        sets.push_back({ { "name", status.name }, { "usable", isUsable },
            { "folder", status.folder.string() } });
        if (isUsable)
            usable.push_back(status.name);
        else if (isMissing && downloadBytes(status.name))
            downloadable.push_back(status.name);
        else
            report.missing.push_back(status.problem);
    }
    const Message found = downloadable.empty()
        ? commaList(usable)
        : Message("cli.data_sets_found",
            { { "found", commaList(usable) }, { "others", commaList(downloadable) } });
    report.table.addRow({ label("Data sets"), found });
    report.json["data"] = sets;
}

void addPlaces(Report& report, const Arguments& arguments)
{
    // Faults of settings.toml are findings here, while other commands only warn of them.
    Message problem;
    readUserSettings(&problem);
    if (!problem.empty())
        report.missing.push_back(problem);
    const fs::path log = arguments.runLog ? fs::path(*arguments.runLog) : defaultRunLog();
    // The log and its folder may not exist yet; the space is that of the disk where they will be.
    const fs::path folder = existingParent(fs::absolute(log).parent_path());
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    const auto free = error ? 0 : static_cast<std::int64_t>(space.available);
    const bool there = fs::exists(log, error);
    const Message place(there ? "cli.run_log_place" : "cli.run_log_absent",
        { { "file", log.string() }, { "free", ByteCount { free } } });
    report.table.addRow({ label("Run log"), place });
    report.json["run_log"] = { { "file", log.string() }, { "exists", there },
        { "free_bytes", free } };
    const bool writable = access((there ? log : folder).c_str(), W_OK) == 0;
    if (!writable)
        report.missing.push_back(Message("cli.run_log_not_writable", { { "file", log.string() } }));
    report.table.addRow({ label("Settings"), (userConfigDirectory() / "settings.toml").string() });
    report.table.addRow({ label("Recipes"), userRecipeDirectory().string() });
}

void print(const Report& report, Console& console)
{
    std::string text = report.table.render(console.terminal().colours) + "\n";
    const Message verdict =
        report.canTrain ? Message("cli.can_train") : Message("cli.cannot_train");
    text += verdict.text() + "\n";
    if (!report.missing.empty())
        text += Message("cli.missing_things").text() + "\n";
    for (const Message& message : report.missing)
        text += "  - " + printable(message.text()) + "\n";
    console.print(text);
}

// The requested checks, one after the other; 1 if either found damage.
int checkAll(const Arguments& arguments, Console& console)
{
    // Two documents on one stream would not be one JSON document.
    if (arguments.json && arguments.checkLog && arguments.checkCheckpoints)
        throw InputError(Message("cli.two_json_checks"));
    const int log = arguments.checkLog ? checkLogCommand(arguments, console) : kExitDone;
    return arguments.checkCheckpoints ? std::max(log, checkCheckpoints(arguments, console)) : log;
}

} // namespace

int doctorCommand(const Arguments& arguments, Console& console)
{
    if (arguments.checkLog || arguments.checkCheckpoints)
        return checkAll(arguments, console);
    Report report;
    addProgram(report);
    addEngine(report);
    // After the engine, which knows the driver as well.
    addDriver(report);
    addData(report, arguments);
    addPlaces(report, arguments);
    if (arguments.json) {
        report.json["can_train"] = report.canTrain;
        report.json["missing"] = jsonList(report.missing, &Message::english);
        console.printJson(report.json);
    } else {
        print(report, console);
    }
    // Other findings do not matter to the exit code as long as the machine can train.
    return report.canTrain ? kExitDone : kExitFailed;
}

} // namespace accrue
