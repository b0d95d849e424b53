// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/local_exchange.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ATen/ATen.h>

#include "engine/base/format.h"

namespace accrue {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPiece = 512 * 1024; // bytes of a slot; two fit the cache of a core
constexpr std::size_t kLine = 64; // of a cache
constexpr int kSpins = 2'000; // some microseconds
constexpr std::chrono::milliseconds kYielding { 2 };
constexpr std::chrono::microseconds kSleep { 100 };
constexpr std::chrono::milliseconds kBetweenChecks { 20 };

// One cache line each, so that no rank writes where another one reads its own.
struct alignas(kLine) Arrivals {
    std::atomic<std::uint64_t> count { 0 };
};

// At the beginning: the arrivals, and behind them a word of progress, of each rank.
std::size_t bytesOfWords(int ranks)
{
    return static_cast<std::size_t>(ranks) * (sizeof(Arrivals) + sizeof(ProgressWord));
}

// Behind these: a slot of each rank, and one for the sum.
std::size_t bytesFor(int ranks)
{
    return bytesOfWords(ranks) + (static_cast<std::size_t>(ranks) + 1) * kPiece;
}

Arrivals* arrivalsIn(void* memory)
{
    return static_cast<Arrivals*>(memory);
}

// Unlike any other memory of this machine.
std::string newName()
{
    std::random_device random;
    return "accrue-" + hexadecimal(random(), 8) + hexadecimal(random(), 8);
}

// What a link in /proc says of it.
std::string linkTo(const std::string& path)
{
    std::error_code error;
    return fs::read_symlink(path, error).string();
}

} // namespace

// New memory is all zeros, which are arrivals that nobody has counted. It is reserved, because a
// full machine would be a signal that kills the process.
std::unique_ptr<LocalExchange> LocalExchange::create(int ranks, Lost lost, std::string& invitation)
{
    const std::string name = newName();
    Descriptor file(::memfd_create(name.c_str(), MFD_CLOEXEC));
    const auto bytes = static_cast<off_t>(bytesFor(ranks));
    if (!file.isOpen() || ::posix_fallocate(file.get(), /*offset=*/0, bytes) != 0)
        return {};
    invitation =
        "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file.get()) + " " + name;
    return map(std::move(file), /*rank=*/0, ranks, std::move(lost));
}

// In a container of its own a rank may find another process by that number, and must not write into
// a file of that one: the name tells.
std::unique_ptr<LocalExchange> LocalExchange::open(
    const std::string& invitation, int rank, int ranks, Lost lost)
{
    const std::size_t blank = invitation.find(' ');
    if (blank == invitation.npos)
        return {};
    const std::string path = invitation.substr(0, blank);
    if (linkTo(path).find(invitation.substr(blank + 1)) == std::string::npos)
        return {};
    return map(Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC)), rank, ranks, std::move(lost));
}

std::unique_ptr<LocalExchange> LocalExchange::map(Descriptor file, int rank, int ranks, Lost lost)
{
    if (!file.isOpen())
        return {};
    struct flock own = byteLock(F_WRLCK, rank);
    if (::fcntl(file.get(), F_SETLK, &own) != 0)
        return {};
    void* const memory = ::mmap(
        nullptr, bytesFor(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), /*offset=*/0);
    if (memory == MAP_FAILED)
        return {};
    return std::unique_ptr<LocalExchange>(
        new LocalExchange(rank, ranks, std::move(file), memory, std::move(lost)));
}

LocalExchange::LocalExchange(int rank, int ranks, Descriptor file, void* memory, Lost lost)
    : m_rank(rank)
    , m_ranks(ranks)
    , m_file(std::move(file))
    , m_memory(memory)
    , m_lost(std::move(lost))
    , m_maySpin(ranks <= static_cast<int>(std::thread::hardware_concurrency()))
{
}

LocalExchange::~LocalExchange()
{
    ::munmap(m_memory, bytesFor(m_ranks));
}

std::byte* LocalExchange::slotOf(int rank) const
{
    return static_cast<std::byte*>(m_memory) + bytesOfWords(m_ranks)
        + static_cast<std::size_t>(rank) * kPiece;
}

// A mapping of its own, which ends with the last owner.
std::shared_ptr<ProgressWord[]> LocalExchange::progressWords() const
{
    const std::size_t bytes = bytesOfWords(m_ranks);
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), /*offset=*/0);
    if (memory == MAP_FAILED)
        return {};
    auto* const behindArrivals = reinterpret_cast<ProgressWord*>(arrivalsIn(memory) + m_ranks);
    return { behindArrivals, [memory, bytes](ProgressWord*) { ::munmap(memory, bytes); } };
}

// Returns when all ranks have called it as often. What they wrote before is visible afterwards.
void LocalExchange::meet()
{
    arrivalsIn(m_memory)[m_rank].count.store(++m_meetings, std::memory_order_release);
    for (int rank = 0; rank < m_ranks; ++rank)
        awaitRank(rank, m_meetings);
}

// A rank that computes as long as the others is there within microseconds. One that takes longer is
// left the core, and one that takes long is waited for asleep.
void LocalExchange::awaitRank(int rank, std::uint64_t arrivals)
{
    const std::atomic<std::uint64_t>& count = arrivalsIn(m_memory)[rank].count;
    const auto isThere = [&] { return count.load(std::memory_order_acquire) >= arrivals; };
    for (int spin = 0; m_maySpin && spin < kSpins; ++spin)
        if (isThere())
            return;
    const Clock::time_point begin = Clock::now();
    Clock::time_point nextCheck = begin + kBetweenChecks;
    while (!isThere()) {
        const Clock::time_point now = Clock::now();
        if (now - begin < kYielding)
            ::sched_yield();
        else
            std::this_thread::sleep_for(kSleep);
        if (now < nextCheck)
            continue;
        nextCheck = now + kBetweenChecks;
        // Again after the check: it may have come and ended.
        if ((hasEnded(rank) || now - begin > m_timeout) && !isThere())
            m_lost();
    }
}

bool LocalExchange::hasEnded(int rank) const
{
    struct flock lock = byteLock(F_WRLCK, rank);
    return ::fcntl(m_file.get(), F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

std::vector<int> LocalExchange::ended() const
{
    std::vector<int> ended;
    for (int rank = 0; rank < m_ranks; ++rank)
        if (rank != m_rank && hasEnded(rank))
            ended.push_back(rank);
    return ended;
}

// Each rank adds up its share of a piece, and all read the whole sum. The meeting that follows the
// next piece's writing keeps it from being overwritten while a slower rank still reads: slots are
// read before the second meeting, and the sum before the first of the next piece.
template <typename Value> void LocalExchange::sumPieces(Value* values, std::int64_t count)
{
    constexpr auto kMost = static_cast<std::int64_t>(kPiece / sizeof(Value));
    for (std::int64_t begin = 0; begin < count; begin += kMost) {
        const std::int64_t piece = std::min(kMost, count - begin);
        std::memcpy(
            slotOf(m_rank), values + begin, static_cast<std::size_t>(piece) * sizeof(Value));
        meet();
        const std::int64_t from = piece * m_rank / m_ranks;
        const std::int64_t to = piece * (m_rank + 1) / m_ranks;
        auto* const sums = reinterpret_cast<Value*>(result());
        addUp(sums + from, from, to);
        meet();
        std::memcpy(values + begin, sums, static_cast<std::size_t>(piece) * sizeof(Value));
    }
}

// The values [from, to) of all slots, in the order of the ranks.
template <typename Value>
void LocalExchange::addUp(Value* sums, std::int64_t from, std::int64_t to) const
{
    const auto slot = [&](int rank) { return reinterpret_cast<const Value*>(slotOf(rank)); };
    std::copy(slot(0) + from, slot(0) + to, sums);
    for (int rank = 1; rank < m_ranks; ++rank) {
        const Value* const values = slot(rank) + from;
        for (std::int64_t i = 0; i < to - from; ++i)
            sums[i] = static_cast<Value>(sums[i] + values[i]);
    }
}

// Each rank writes a piece of every part, and adds up that of its own.
template <typename Value> void LocalExchange::sumPiecesOfPart(Value* values, std::int64_t part)
{
    const std::int64_t most = static_cast<std::int64_t>(kPiece / sizeof(Value)) / m_ranks;
    for (std::int64_t begin = 0; begin < part; begin += most) {
        const std::int64_t piece = std::min(most, part - begin);
        for (int owner = 0; owner < m_ranks; ++owner)
            std::memcpy(reinterpret_cast<Value*>(slotOf(m_rank)) + owner * piece,
                values + owner * part + begin, static_cast<std::size_t>(piece) * sizeof(Value));
        meet();
        addUp(values + m_rank * part + begin, m_rank * piece, (m_rank + 1) * piece);
        meet(); // nobody writes the next piece while a slower rank reads this one
    }
}

namespace {

// Calls `visit` with a pointer to the values of a tensor that is exchanged.
template <typename Visit> void withValues(const at::Tensor& tensor, const Visit& visit)
{
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return visit(tensor.mutable_data_ptr<float>());
    case at::kDouble:
        return visit(tensor.mutable_data_ptr<double>());
    case at::kLong:
        return visit(tensor.mutable_data_ptr<std::int64_t>());
    default:
        return visit(tensor.mutable_data_ptr<std::uint8_t>());
    }
}

} // namespace

void LocalExchange::sum(const at::Tensor& tensor)
{
    withValues(tensor, [&](auto* values) { sumPieces(values, tensor.numel()); });
}

void LocalExchange::any(const at::Tensor& flags)
{
    sum(flags);
    flags.clamp_max_(1);
}

void LocalExchange::sumOwnPart(const at::Tensor& tensor)
{
    withValues(tensor, [&](auto* values) { sumPiecesOfPart(values, tensor.numel() / m_ranks); });
}

// Every rank writes a piece of its part, and all read those of the others.
void LocalExchange::gatherParts(const at::Tensor& tensor)
{
    auto* const bytes = static_cast<std::byte*>(tensor.mutable_data_ptr());
    const std::size_t part = tensor.nbytes() / static_cast<std::size_t>(m_ranks);
    for (std::size_t begin = 0; begin < part; begin += kPiece) {
        const std::size_t piece = std::min(kPiece, part - begin);
        const auto placeOf = [&](int rank) {
            return bytes + static_cast<std::size_t>(rank) * part + begin;
        };
        std::memcpy(slotOf(m_rank), placeOf(m_rank), piece);
        meet();
        for (int rank = 0; rank < m_ranks; ++rank)
            if (rank != m_rank)
                std::memcpy(placeOf(rank), slotOf(rank), piece);
        meet(); // nobody writes the next piece while a slower rank reads this one
    }
}

} // namespace accrue
