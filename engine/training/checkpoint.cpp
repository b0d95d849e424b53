// SPDX-License-Identifier: Apache-2.0
#include "engine/training/checkpoint.h"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
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
#include "engine/training/durable_file.h"

namespace accrue {
namespace {

constexpr std::int64_t kFormat = 1;
constexpr const char* kModelFile = "model.safetensors";
constexpr const char* kStateFile = "state.safetensors";
constexpr const char* kPositionFile = "checkpoint.toml";
constexpr std::string_view kUnfinished = ".writing-"; // and the id of the process that writes
constexpr const char* kFactorName = "learning_rate_factor";

std::string positionText(const std::filesystem::path& folder, const Checkpoint& checkpoint)
{
    const Position& at = checkpoint.position;
    const toml::table table {
        { "format", kFormat },
        { "position",
            toml::table { { "epoch", at.epoch }, { "step", at.step }, { "samples", at.samples },
                { "micro_batches", at.microBatches }, { "seconds", at.seconds } } },
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
    NamedTensors state = checkpoint.optimizer;
    state.emplace_back(kFactorName, at::scalar_tensor(checkpoint.learningRateFactor, at::kDouble));
    writeSafetensors(folder / kStateFile, state);
    DurableFile position(folder / kPositionFile);
    position.write(positionText(folder, checkpoint));
    position.close();
    syncFolder(folder);
}

toml::table parsePosition(const std::filesystem::path& file)
{
    try {
        return toml::parse_file(file.string());
    } catch (const toml::parse_error& error) {
        throw EngineError("\"" + file.string()
            + "\" is not a checkpoint's position: " + std::string(error.description()) + ".");
    }
}

template <typename T>
T required(const std::filesystem::path& file, const toml::table& table, const char* path)
{
    if (const auto value = table.at_path(path).value<T>())
        return *value;
    throw EngineError("\"" + file.string() + "\" has no " + path + ", or not of its type.");
}

void checkDigest(const std::filesystem::path& file, const std::string& expected)
{
    if (!std::filesystem::exists(file) || sha256OfFile(file) != expected)
        throw EngineError("\"" + file.string()
            + "\" is missing or differs from what was saved (its SHA-256 does not match); use "
              "another checkpoint.");
}

void takeFactor(Checkpoint& checkpoint, const std::filesystem::path& file)
{
    for (auto entry = checkpoint.optimizer.begin(); entry != checkpoint.optimizer.end(); ++entry) {
        if (entry->first != kFactorName)
            continue;
        checkpoint.learningRateFactor = entry->second.item<double>();
        checkpoint.optimizer.erase(entry);
        return;
    }
    throw EngineError("\"" + file.string() + "\" has no " + kFactorName + ".");
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
    if (!std::filesystem::exists(file))
        throw EngineError(
            "\"" + folder.string() + "\" is not a checkpoint: it has no " + kPositionFile + ".");
    const toml::table table = parsePosition(file);
    if (const auto format = required<std::int64_t>(file, table, "format"); format != kFormat)
        throw EngineError("\"" + file.string() + "\" has format " + std::to_string(format)
            + ", this program reads format " + std::to_string(kFormat)
            + "; use the version that wrote it, or a newer one.");
    checkDigest(folder / kModelFile, required<std::string>(file, table, "sha256.model"));
    checkDigest(folder / kStateFile, required<std::string>(file, table, "sha256.state"));
    Checkpoint checkpoint;
    checkpoint.position = { .epoch = required<std::int64_t>(file, table, "position.epoch"),
        .step = required<std::int64_t>(file, table, "position.step"),
        .samples = required<std::int64_t>(file, table, "position.samples"),
        .microBatches = required<std::int64_t>(file, table, "position.micro_batches"),
        .seconds = required<double>(file, table, "position.seconds") };
    checkpoint.recipe = required<std::string>(file, table, "recipe");
    checkpoint.model = readSafetensors(folder / kModelFile);
    checkpoint.optimizer = readSafetensors(folder / kStateFile);
    takeFactor(checkpoint, folder / kStateFile);
    return checkpoint;
}

} // namespace accrue
