// SPDX-License-Identifier: Apache-2.0
#include "engine/report/local_ranks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/report/child_program.h"

namespace accrue {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostPerCore = 8; // a core that is shared by more computes ever less
constexpr const char* kStarter = "ACCRUE_RANKS_STARTED_BY"; // the process id of rank 0
constexpr int kToEnd = 3000; // milliseconds

std::string reasonOf(int error)
{
    return std::strerror(error);
}

std::string assignment(const char* name, const std::string& value)
{
    return std::string(name) + "=" + value;
}

// The place of a rank, in the form that every launcher of PyTorch's programs uses.
std::vector<std::string> variablesOf(const RankPlace& place, std::int64_t rank)
{
    const std::string number = std::to_string(rank);
    const std::string ranks = std::to_string(place.ranks);
    return { assignment("RANK", number), assignment("WORLD_SIZE", ranks),
        assignment("LOCAL_RANK", number), assignment("LOCAL_WORLD_SIZE", ranks),
        assignment("MASTER_ADDR", place.address),
        assignment("MASTER_PORT", std::to_string(place.port)),
        assignment("TORCHELASTIC_USE_AGENT_STORE", "False"),
        assignment("TORCHELASTIC_RESTART_COUNT", "0"), starterVariable(kStarter) };
}

Message endOf(std::int64_t rank, int status)
{
    if (WIFSIGNALED(status))
        return Message("ranks.killed",
            { { "rank", rank }, { "signal", WTERMSIG(status) },
                { "name", std::string(::strsignal(WTERMSIG(status))) } });
    return Message("ranks.ended", { { "rank", rank }, { "code", WEXITSTATUS(status) } });
}

} // namespace

LocalRanks::LocalRanks(std::int64_t ranks)
    : m_place { .ranks = ranks, .localRanks = ranks, .address = "127.0.0.1" }
{
    const std::int64_t most = kMostPerCore * std::max(1U, std::thread::hardware_concurrency());
    if (ranks > most)
        throw InputError(Message("ranks.too_many", { { "ranks", ranks }, { "most", most } }));
    listen();
    try {
        for (std::int64_t rank = 1; rank < ranks; ++rank)
            start(rank);
    } catch (...) {
        killAll();
        throw;
    }
}

// The port is open before the others start, so that no other program can take it in between.
void LocalRanks::listen()
{
    m_place.listener =
        std::make_shared<Descriptor>(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int socket = m_place.listener->get();
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    if (socket < 0 || ::bind(socket, any, size) != 0 || ::listen(socket, SOMAXCONN) != 0
        || ::getsockname(socket, any, &size) != 0)
        throw InputError(Message("ranks.no_port", { { "reason", reasonOf(errno) } }));
    m_place.port = ntohs(address.sin_port);
}

void LocalRanks::start(std::int64_t rank)
{
    // What a rank would print, rank 0 prints.
    const pid_t process = startChild({ .words = { programOfRanks(thisProgram()).string(), "train" },
        .variables = variablesOf(m_place, rank) });
    m_children.push_back({ rank, process });
}

// Takes note of the children that have ended. The mutex is held.
void LocalRanks::collect()
{
    for (Child& child : m_children)
        if (child.process != 0 && ::waitpid(child.process, &child.status, WNOHANG) == child.process)
            child.process = 0;
}

bool LocalRanks::areRunning() const
{
    return std::any_of(m_children.begin(), m_children.end(),
        [](const Child& child) { return child.process != 0; });
}

void LocalRanks::await(int milliseconds)
{
    constexpr int kBetweenLooks = 10;
    for (int waited = 0; waited < milliseconds && areRunning(); waited += kBetweenLooks) {
        std::this_thread::sleep_for(std::chrono::milliseconds(kBetweenLooks));
        collect();
    }
}

void LocalRanks::killAll()
{
    for (Child& child : m_children)
        if (child.process != 0) {
            ::kill(child.process, SIGKILL);
            ::waitpid(child.process, &child.status, 0);
            child.process = 0;
        }
}

LocalRanks::~LocalRanks()
{
    const std::scoped_lock lock(m_mutex);
    collect();
    await(kToEnd);
    killAll();
}

Message LocalRanks::loss()
{
    const std::scoped_lock lock(m_mutex);
    collect();
    // Of several that have ended, one was the first, and the others have ended because of it.
    const Child* first = nullptr;
    for (const Child& child : m_children)
        if (child.process == 0 && child.status != 0
            && (first == nullptr || (WIFSIGNALED(child.status) && !WIFSIGNALED(first->status))))
            first = &child;
    return first == nullptr ? Message() : endOf(first->rank, first->status);
}

fs::path programOfRanks(const fs::path& program)
{
    return program.parent_path() / "accrue";
}

void endWithStarterOfRanks()
{
    endWithStarter(kStarter);
}

bool isLocalRank()
{
    return std::getenv(kStarter) != nullptr;
}

} // namespace accrue
