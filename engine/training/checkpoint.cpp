// SPDX-License-Identifier: Apache-2.0
#include "engine/training/checkpoint.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>

#include <toml++/toml.h>
#include <torch/nn/module.h>
#include <torch/utils.h>
#include <torch/version.h>
#include <unistd.h>

#include "engine/data/sha256.h"
#include "engine/door/engine_error.h"
#include "engine/training/checkpoint_toml.h"
#include "engine/training/durable_file.h"

namespace accrue {
namespace {

constexpr std::int64_t kFormat = 2;
constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kStateFile = "state.safetensors";
constexpr const char* kPositionFile = "checkpoint.toml";
constexpr std::string_view kUnfinished = ".writing-"; // and the id of the process that writes

toml::table cursorTable(const WindowCursor& cursor)
{
    toml::table table { { "epoch", cursor.epoch }, { "offset", cursor.offset },
        { "updates", cursor.updates }, { "filled", cursor.filled } };
    if (cursor.open)
        table.insert("window",
            toml::table { { "epoch", cursor.open->epoch }, { "steps", cursor.open->steps },
                { "samples", cursor.open->samples } });
    return table;
}

std::string positionText(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    const Position& at = checkpoint.state.position;
    const toml::table table {
        { "format", kFormat },
        { "position",
            toml::table { { "epoch", at.epoch }, { "step", at.step }, { "samples", at.samples },
                { "micro_batches", at.microBatches }, { "seconds", at.seconds } } },
        { "cursor", cursorTable(checkpoint.state.cursor) },
        { "run",
            toml::table { { "train_samples", checkpoint.trainSamples },
                { "threads", checkpoint.threads }, { "device", checkpoint.device },
                { "memory_format", checkpoint.memoryFormat } } },
        { "versions", toml::table { { "torch", TORCH_VERSION } } },
        { "sha256",
            toml::table { { "model", sha256OfFile(folder / kModelFile) },
                { "state", sha256OfFile(folder / kStateFile) } } },
        { "recipe", checkpoint.recipe },
    };
    std::ostringstream text;
    text << table << '\n';
    return text.str();
}

// Whether the process `id` has ended; no number at all is none.
bool hasEnded(const std::string& id)
{
    pid_t process = 0;
    const auto parsed = std::from_chars(id.data(), id.data() + id.size(), process);
    return parsed.ec == std::errc() && parsed.ptr == id.data() + id.size() && process > 0
        && ::kill(process, 0) != 0 && errno == ESRCH;
}

// Another machine may share the folder, whose processes cannot be asked for: a day is more than any
// of them writes.
bool isOld(const std::filesystem::path& folder)
{
    std::error_code error;
    const auto changed = std::filesystem::last_write_time(folder, error);
    return !error && changed < std::filesystem::file_time_type::clock::now() - std::chrono::days(1);
}

// Processes that were killed while they wrote a checkpoint leave unfinished folders in `parent`.
void removeUnfinished(const std::filesystem::path& parent)
{
    std::error_code error; // a folder that stays costs space, not correctness
    std::filesystem::directory_iterator entry(parent, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        const std::size_t mark = name.rfind(kUnfinished);
        std::error_code ignored;
        if (mark != std::string::npos && hasEnded(name.substr(mark + kUnfinished.size()))
            && isOld(entry->path()))
            std::filesystem::remove_all(entry->path(), ignored);
    }
}

// A new folder beside `target`, for this process to write into.
std::filesystem::path makeUnfinished(const std::filesystem::path& target)
{
    std::filesystem::path made = target;
    made += std::string(kUnfinished) + std::to_string(::getpid());
    std::error_code error;
    std::filesystem::remove_all(made, error); // left by a process that had our id
    std::filesystem::create_directories(made, error);
    if (error)
        throw EngineError("The folder \"" + made.string() + "\" cannot be made: " + error.message()
            + "; choose another folder for checkpoints.");
    return made;
}

void writeFiles(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    writeSafetensors(folder / kModelFile, checkpoint.model);
    NamedTensors state = figuresOf(checkpoint.state);
    state.insert(state.end(), checkpoint.tensors.begin(), checkpoint.tensors.end());
    writeSafetensors(folder / kStateFile, state);
    DurableFile position(folder / kPositionFile);
    position.write(positionText(folder, checkpoint));
    position.close();
    syncFolder(folder);
}

void checkDigest(const std::filesystem::path& file, const std::string& expected)
{
    if (!std::filesystem::exists(file) || sha256OfFile(file) != expected)
        throw EngineError("\"" + file.string()
            + "\" is missing or differs from what was saved (its SHA-256 does not match); use "
              "another checkpoint.");
}

Position readPosition(const CheckpointToml& toml)
{
    return { .epoch = toml.count("position.epoch"),
        .step = toml.count("position.step"),
        .samples = toml.count("position.samples"),
        .microBatches = toml.count("position.micro_batches"),
        .seconds = toml.number("position.seconds") };
}

WindowCursor readCursor(const CheckpointToml& toml)
{
    WindowCursor cursor { .epoch = toml.count("cursor.epoch"),
        .offset = toml.count("cursor.offset"),
        .updates = toml.count("cursor.updates"),
        .filled = toml.count("cursor.filled") };
    if (toml.has("cursor.window.epoch"))
        cursor.open = Window { .epoch = toml.count("cursor.window.epoch"),
            .steps = toml.count("cursor.window.steps"),
            .samples = toml.count("cursor.window.samples") };
    return cursor;
}

int readThreads(const CheckpointToml& toml)
{
    const std::int64_t threads = toml.count("run.threads");
    if (threads < 1 || threads > std::numeric_limits<int>::max())
        throw EngineError("\"" + toml.file().string() + "\" has " + std::to_string(threads)
            + " run.threads; use another checkpoint.");
    return static_cast<int>(threads);
}

void readRun(Checkpoint& checkpoint, const CheckpointToml& toml)
{
    checkpoint.state.position = readPosition(toml);
    checkpoint.state.cursor = readCursor(toml);
    checkpoint.trainSamples = toml.count("run.train_samples");
    checkpoint.threads = readThreads(toml);
    checkpoint.device = toml.text("run.device");
    checkpoint.memoryFormat = toml.text("run.memory_format");
    checkpoint.recipe = toml.text("recipe");
}

} // namespace

NamedTensors namedState(const torch::nn::Module& module)
{
    NamedTensors state;
    for (const auto& parameter : module.named_parameters())
        state.emplace_back(parameter.key(), parameter.value().detach());
    for (const auto& buffer : module.named_buffers())
        state.emplace_back(buffer.key(), buffer.value().detach());
    return state;
}

void requireCheckpointPlace(const std::filesystem::path& folder)
{
    std::error_code ignored;
    std::filesystem::remove(makeUnfinished(std::filesystem::absolute(folder)), ignored);
}

void writeCheckpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    const std::filesystem::path target = std::filesystem::absolute(folder);
    removeUnfinished(target.parent_path());
    const std::filesystem::path made = makeUnfinished(target);
    try {
        writeFiles(made, checkpoint);
        replaceFolder(made, target);
    } catch (...) {
        std::error_code ignored;
        std::filesystem::remove_all(made, ignored);
        throw;
    }
}

Checkpoint readCheckpoint(const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / kPositionFile;
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error)
        throw EngineError(
            "\"" + folder.string() + "\" is not a checkpoint: it has no " + kPositionFile + ".");
    const CheckpointToml toml(file);
    if (const auto format = toml.count("format"); format != kFormat)
        throw EngineError("\"" + file.string() + "\" has format " + std::to_string(format)
            + ", this program reads format " + std::to_string(kFormat)
            + "; use the version that wrote it, or a newer one.");
    checkDigest(folder / kModelFile, toml.text("sha256.model"));
    checkDigest(folder / kStateFile, toml.text("sha256.state"));
    Checkpoint checkpoint;
    readRun(checkpoint, toml);
    checkpoint.model = readSafetensors(folder / kModelFile);
    const NamedTensors state = readSafetensors(folder / kStateFile);
    takeFigures(checkpoint.state, state);
    for (const auto& entry : state)
        if (entry.first.rfind("run.", 0) != 0)
            checkpoint.tensors.push_back(entry);
    return checkpoint;
}

} // namespace accrue
