// SPDX-License-Identifier: Apache-2.0
#include "engine/door/rank_place.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <unistd.h>

#include "engine/base/error.h"

namespace accrue {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000;
constexpr std::int64_t kMostRestarts = 1'000'000;
constexpr std::int64_t kDefaultPort = 29'500; // PyTorch's

// Where a launcher puts what it says of a process.
struct Launcher {
    const char* rank;
    const char* ranks;
    const char* localRank;
    const char* localRanks; // how many ranks this machine has
    // Set only where it has started the process: a batch script has the other variables, too.
    const char* mark;
};

constexpr Launcher kLaunchers[] {
    { "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "RANK" },
    { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
        "SLURM_STEP_ID" },
};

std::string_view valueOf(const char* name)
{
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

bool isSet(const char* name)
{
    return !valueOf(name).empty();
}

// A whole number from `least` to `most`.
std::int64_t numberIn(const char* name, std::int64_t least, std::int64_t most)
{
    const std::string_view text = valueOf(name);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc {} || end != text.data() + text.size() || number < least
        || number > most)
        throw InputError(Message("ranks.wrong_variable",
            { { "name", name }, { "value", std::string(text) }, { "least", std::to_string(least) },
                { "most", std::to_string(most) } }));
    return number;
}

// Compared as texts: of several machines srun writes "2(x3)".
bool isOneMachine(const Launcher& launcher)
{
    return valueOf(launcher.localRanks) == valueOf(launcher.ranks);
}

std::int64_t leadingNumber(std::string_view text)
{
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

// The entry of the machine `node` in "2(x3),1": two ranks on each of the first three, one on the
// fourth. 0: there is none.
std::int64_t entryOf(std::int64_t node, std::string_view list)
{
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        const std::size_t times = entry.find("(x");
        node -= times == entry.npos ? 1 : leadingNumber(entry.substr(times + 2));
        if (node < 0)
            return leadingNumber(entry);
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
    }
    return 0;
}

// Only srun lists the machines, of which SLURM_NODEID is this one. Where nothing is said, the ranks
// are on one machine or each on its own.
std::int64_t localRanks(const Launcher& launcher, const RankPlace& place)
{
    if (!isSet(launcher.localRanks))
        return place.isOneMachine ? place.ranks : 1;
    const std::string_view told = valueOf(launcher.localRanks);
    const bool isList = told.find_first_of(",(") != told.npos;
    const std::int64_t node = isList ? leadingNumber(valueOf("SLURM_NODEID")) : 0;
    return std::clamp<std::int64_t>(entryOf(node, told), 1, place.ranks);
}

// Ranks of one machine meet there; those of several need the name of one of them.
std::string addressFor(const Launcher& launcher, const RankPlace& place)
{
    if (isSet("MASTER_ADDR"))
        return std::string(valueOf("MASTER_ADDR"));
    if (!isOneMachine(launcher))
        throw InputError(Message("ranks.no_address", { { "ranks", place.ranks } }));
    return "127.0.0.1";
}

// "4711 since 81234567": the process that started this one, and when it began, in ticks since the
// machine did. Launches may have one name, but no two of them one such process.
std::string starter()
{
    const std::string process = std::to_string(::getppid());
    std::ifstream file("/proc/" + process + "/stat");
    std::string stat((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    // The second field, the program's name in parentheses, may contain blanks.
    std::istringstream fields(stat.substr(std::min(stat.rfind(')'), stat.size() - 1) + 1));
    std::string began;
    for (int field = 3; field <= 22; ++field)
        fields >> began;
    return process + " since " + began;
}

} // namespace

std::optional<RankPlace> rankFromEnvironment()
{
    for (const Launcher& launcher : kLaunchers) {
        if (!isSet(launcher.mark))
            continue;
        RankPlace place { .ranks = numberIn(launcher.ranks, 1, kMostRanks) };
        if (place.ranks == 1)
            return {};
        place.rank = numberIn(launcher.rank, 0, place.ranks - 1);
        place.localRank =
            isSet(launcher.localRank) ? numberIn(launcher.localRank, 0, place.ranks - 1) : 0;
        place.address = addressFor(launcher, place);
        place.isOneMachine = isSet(launcher.localRanks)
            ? isOneMachine(launcher)
            : place.address == "127.0.0.1" || place.address == "localhost";
        place.localRanks = localRanks(launcher, place);
        place.port = isSet("MASTER_PORT") ? numberIn("MASTER_PORT", 1, 65'535) : kDefaultPort;
        if (isSet("TORCHELASTIC_RESTART_COUNT"))
            place.attempt = numberIn("TORCHELASTIC_RESTART_COUNT", 0, kMostRestarts);
        if (isSet("TORCHELASTIC_RUN_ID"))
            place.launch = std::string(valueOf("TORCHELASTIC_RUN_ID")) + " " + starter();
        place.storeRuns = valueOf("TORCHELASTIC_USE_AGENT_STORE") == "True";
        return place;
    }
    return {};
}

} // namespace accrue
