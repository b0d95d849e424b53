// SPDX-License-Identifier: Apache-2.0
#include "engine/training/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <system_error>

#include <toml++/toml.h>
#include <torch/nn/module.h>
#include <torch/utils.h>
#include <torch/version.h>

#include "engine/data/pixel_table.h"
#include "engine/data/raw_data.h"
#include "engine/data/sha256.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/unfinished.h"
#include "engine/training/durable_file.h"

namespace accrue {
namespace {

constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kStateFile = "state.safetensors";
constexpr const char* kPositionFile = "checkpoint.toml";
constexpr const char* kDataKey = "data"; // in checkpoint.toml and in the metadata of the model

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

SafetensorsMetadata metadataOf(const DataIdentity& data)
{
    return data.isKnown() ? SafetensorsMetadata { { kDataKey, dataIdentityJson(data) } }
                          : SafetensorsMetadata {};
}

std::string positionText(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    const Position& at = checkpoint.state.position;
    const toml::table table {
        { "format", kCheckpointFormat },
        { kDataKey, dataIdentityJson(checkpoint.data) },
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
    return sealedCheckpointToml(text.str());
}

// A new folder beside `target`, for this process to write into.
std::filesystem::path makeUnfinished(const std::filesystem::path& target)
{
    const std::filesystem::path made = unfinishedNameOf(target);
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
    writeSafetensors(folder / kModelFile, checkpoint.model, metadataOf(checkpoint.data));
    NamedTensors state = figuresOf(checkpoint.state);
    state.insert(state.end(), checkpoint.tensors.begin(), checkpoint.tensors.end());
    writeSafetensors(folder / kStateFile, state);
    DurableFile position(folder / kPositionFile);
    position.write(positionText(folder, checkpoint));
    position.close();
    syncFolder(folder);
}

// Calls `read`, which throws DataError.
template <typename Read> auto readingOf(const std::filesystem::path& file, const Read& read)
{
    try {
        return read();
    } catch (const DataError& error) {
        throw CheckpointError(file, error.what());
    }
}

void checkDigest(const std::filesystem::path& file, const std::string& expected)
{
    std::error_code error;
    const bool there = std::filesystem::exists(file, error) || error;
    if (!there || readingOf(file, [&] { return sha256OfFile(file); }) != expected)
        throw CheckpointError(file,
            "\"" + file.string()
                + "\" is missing or differs from what was saved (its SHA-256 does not match); use "
                  "another checkpoint.");
}

// Empty text: the run's data were not known.
DataIdentity readData(const CheckpointToml& toml)
{
    const std::string json = toml.text(kDataKey);
    if (json.empty())
        return {};
    const auto data = parseDataIdentity(json);
    if (!data || !data->isKnown() || data->channels > kMaxChannels)
        throw CheckpointError(toml.file(),
            "\"" + toml.file().string() + "\" does not describe the data of a training.");
    return *data;
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
        throw CheckpointError(toml.file(),
            "\"" + toml.file().string() + "\" has " + std::to_string(threads)
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
    if (toml.coversItself())
        checkpoint.data = readData(toml);
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
    if (const std::string problem = problemOfFolder(folder); !problem.empty())
        throw EngineError(problem);
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
        throw CheckpointError(file,
            "\"" + folder.string() + "\" is not a checkpoint: it has no " + kPositionFile + ".");
    const CheckpointToml toml(file);
    checkDigest(folder / kModelFile, toml.text("sha256.model"));
    checkDigest(folder / kStateFile, toml.text("sha256.state"));
    Checkpoint checkpoint;
    checkpoint.format = toml.format();
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
