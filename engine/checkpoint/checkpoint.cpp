// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint.h"

#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <toml++/toml.h>
#include <torch/utils.h>
#include <torch/version.h>

#include "engine/base/sha.h"
#include "engine/base/unfinished.h"
#include "engine/checkpoint/durable_file.h"
#include "engine/data/pixel_table.h"
#include "engine/door/checkpoints.h"
#include "engine/experiment/key_names.h"

namespace accrue {
namespace {

constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kStateFile = "state.safetensors";
constexpr const char* kPositionFile = "checkpoint.toml";
constexpr const char* kWindowEpoch = "cursor.window.epoch"; // only while a window is open
constexpr const char* kDataKey = "data"; // in checkpoint.toml and in the metadata of the model

// Calls `visit(key, value)` for every value that is stored as it is, when writing and when reading,
// so that no key is written that is not read. Those of the open window only if there is one.
template <typename Saved, typename Visit> void forEachValue(Saved& saved, const Visit& visit)
{
    auto& position = saved.state.position;
    visit("position.epoch", position.epoch);
    visit("position.step", position.step);
    visit("position.samples", position.samples);
    visit("position.micro_batches", position.microBatches);
    visit("position.seconds", position.seconds);
    auto& cursor = saved.state.cursor;
    visit("cursor.epoch", cursor.epoch);
    visit("cursor.offset", cursor.offset);
    visit("cursor.updates", cursor.updates);
    visit("cursor.filled", cursor.filled);
    if (cursor.open) {
        visit(kWindowEpoch, cursor.open->epoch);
        visit("cursor.window.steps", cursor.open->steps);
        visit("cursor.window.samples", cursor.open->samples);
    }
    visit("run.train_samples", saved.trainSamples);
    visit(key::runThreads, saved.threads);
    visit(key::runDevice, saved.device);
    visit(key::runMemoryFormat, saved.memoryFormat);
    visit("recipe", saved.recipe);
}

// Inserts at a key such as "cursor.window.epoch", with the tables that lead to it.
template <typename Value> void insertAt(toml::table& table, std::string_view key, Value&& value)
{
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos) {
        table.insert(key, std::forward<Value>(value));
        return;
    }
    const auto [entry, isNew] = table.insert(key.substr(0, dot), toml::table {});
    insertAt(*entry->second.as_table(), key.substr(dot + 1), std::forward<Value>(value));
}

SafetensorsMetadata metadataOf(const DataIdentity& data)
{
    return data.isKnown() ? SafetensorsMetadata { { kDataKey, dataIdentityJson(data) } }
                          : SafetensorsMetadata {};
}

std::string positionText(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    toml::table table {
        { "format", kCheckpointFormat },
        { kDataKey, dataIdentityJson(checkpoint.data) },
        { "versions", toml::table { { "torch", TORCH_VERSION } } },
        { "sha256",
            toml::table { { "model", sha256OfFile(folder / kModelFile) },
                { "state", sha256OfFile(folder / kStateFile) } } },
    };
    forEachValue(
        checkpoint, [&](const char* key, const auto& value) { insertAt(table, key, value); });
    std::ostringstream text;
    text << table << '\n';
    return sealedCheckpointToml(text.str());
}

void makeFolder(const std::filesystem::path& folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw Error(Message(
            "checkpoint.no_folder", { { "folder", folder }, { "reason", error.message() } }));
}

// checkpoint.toml comes last: it holds the digests of the other two, computed from what is on disk.
void writeFiles(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    writeSafetensors(folder / kModelFile, checkpoint.model, metadataOf(checkpoint.data));
    NamedTensors state = figuresOf(checkpoint.state);
    state.insert(state.end(), checkpoint.tensors.begin(), checkpoint.tensors.end());
    writeSafetensors(folder / kStateFile, state);
    OutputFile position = durableFile(folder / kPositionFile);
    position.write(positionText(folder, checkpoint));
    position.close();
    // The names must be durable before the folder gets its final name: a checkpoint that is there
    // has all of its files.
    syncFolder(folder);
}

// A missing file has no digest, and so differs; one that cannot be read is reported with the
// reason.
void checkDigest(const std::filesystem::path& file, const std::string& expected)
{
    std::error_code failed;
    std::optional<std::string> found;
    try {
        if (std::filesystem::exists(file, failed) || failed)
            found = sha256OfFile(file);
    } catch (const Error& error) {
        throw CheckpointError(file, error.message());
    }
    if (found != expected)
        throw CheckpointError(file, Message("checkpoint.differs", { { "file", file } }));
}

// The text is empty if the run's data were not known.
DataIdentity readData(const CheckpointToml& toml)
{
    const std::string json = toml.value<std::string>(kDataKey);
    if (json.empty())
        return {};
    const auto data = parseDataIdentity(json);
    if (!data || !data->isKnown() || data->channels > kMaxChannels)
        throw CheckpointError(
            toml.file(), Message("checkpoint.data_invalid", { { "file", toml.file() } }));
    return *data;
}

Checkpoint valuesOf(const CheckpointToml& toml)
{
    Checkpoint checkpoint;
    checkpoint.format = toml.format();
    // forEachValue visits the values of the open window only if there is one.
    if (toml.has(kWindowEpoch))
        checkpoint.state.cursor.open.emplace();
    forEachValue(checkpoint,
        [&]<typename Value>(const char* key, Value& value) { value = toml.value<Value>(key); });
    // The number of threads is an int everywhere else.
    if (checkpoint.threads < 1 || checkpoint.threads > std::numeric_limits<int>::max())
        throw CheckpointError(toml.file(),
            Message("checkpoint.threads_invalid",
                { { "file", toml.file() }, { "threads", checkpoint.threads } }));
    if (toml.coversItself())
        checkpoint.data = readData(toml);
    return checkpoint;
}

} // namespace

void requireCheckpointPlace(const std::filesystem::path& folder)
{
    if (const Message problem = problemOfFolder(folder); !problem.empty())
        throw Error(problem);
    // Creating a folder is the only reliable test of permissions and of a read-only disk.
    // `Unfinished` removes it again.
    makeFolder(Unfinished(std::filesystem::absolute(folder)).path());
}

void writeCheckpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    // The parent of a plain name would be empty.
    const std::filesystem::path target = std::filesystem::absolute(folder);
    removeUnfinished(target.parent_path());
    // Removes the folder if anything throws; one that took its place has left nothing to remove.
    const Unfinished made(target);
    makeFolder(made.path());
    writeFiles(made.path(), checkpoint);
    replaceFolder(made.path(), target);
}

// Digests are compared before anything is parsed, so that a damaged file is reported as damaged and
// not as whatever its bytes happen to mean.
Checkpoint readCheckpoint(const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / kPositionFile;
    std::error_code error;
    // Probably the wrong folder was named: this deserves another message than a damaged checkpoint.
    if (!std::filesystem::exists(file, error) && !error)
        throw CheckpointError(file,
            Message("checkpoint.not_one", { { "folder", folder }, { "file", kPositionFile } }));
    const CheckpointToml toml(file);
    checkDigest(folder / kModelFile, toml.value<std::string>("sha256.model"));
    checkDigest(folder / kStateFile, toml.value<std::string>("sha256.state"));
    Checkpoint checkpoint = valuesOf(toml);
    checkpoint.model = readSafetensors(folder / kModelFile);
    const NamedTensors state = readSafetensors(folder / kStateFile);
    setFigures(checkpoint.state, state);
    for (const auto& entry : state) // the figures are stored among them (run_state.cpp)
        if (entry.first.rfind("run.", 0) != 0)
            checkpoint.tensors.push_back(entry);
    return checkpoint;
}

} // namespace accrue
