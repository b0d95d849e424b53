// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/window_sequence.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace accrue {

namespace {

// The cursor at the first sample of the next epoch, if this one is over. A manipulated checkpoint
// may contain an epoch that has no next one.
WindowCursor atNextSample(WindowCursor cursor, std::int64_t samples)
{
    if (cursor.offset == samples && cursor.epoch < std::numeric_limits<std::int64_t>::max()) {
        ++cursor.epoch;
        cursor.offset = 0;
    }
    return cursor;
}

// x in 0 … modulus - 1 with value · x ≡ 1 (mod modulus), by Euclid; they have no common divisor.
std::int64_t inverse(std::int64_t value, std::int64_t modulus)
{
    std::int64_t rest = modulus;
    std::int64_t nextRest = value % modulus;
    std::int64_t x = 0;
    std::int64_t nextX = 1;
    while (nextRest != 0) {
        const std::int64_t quotient = rest / nextRest;
        rest = std::exchange(nextRest, rest - quotient * nextRest);
        x = std::exchange(nextX, x - quotient * nextX);
    }
    return (x % modulus + modulus) % modulus;
}

// The smallest k ≥ 0 with k · step ≡ target (mod modulus); nullopt: there is none. `modulus` is a
// window, so its square fits 64 bits.
std::optional<std::int64_t> fewestMultiples(
    std::int64_t step, std::int64_t target, std::int64_t modulus)
{
    const std::int64_t divisor = std::gcd(step, modulus);
    // The multiples of `step` only reach multiples of the common divisor.
    if (target % divisor != 0)
        return {};
    const std::int64_t reduced = modulus / divisor;
    return target / divisor % reduced * inverse(step / divisor, reduced) % reduced;
}

// Sizes of `part`'s slices, split where `planned` splits the window.
std::vector<std::int64_t> cutSizes(const std::vector<std::int64_t>& planned, const WindowPart& part)
{
    std::vector<std::int64_t> sizes;
    std::int64_t end = 0;
    for (const std::int64_t slice : planned) {
        const std::int64_t begin = std::max(end, part.position);
        end += slice;
        const std::int64_t size = std::min(end, part.position + part.samples) - begin;
        if (size > 0)
            sizes.push_back(size);
    }
    return sizes;
}

// A slice below the smallest shares with the previous one, the first one with the next.
void liftSmallSlices(std::vector<std::int64_t>& sizes, const BatchPlan& plan)
{
    for (std::size_t i = 0; i < sizes.size() && sizes.size() > 1; ++i) {
        if (sizes[i] >= smallestSlice(plan))
            continue;
        const std::size_t first = i > 0 ? i - 1 : 0;
        const std::int64_t both = sizes[first] + sizes[first + 1];
        sizes[first] = both - both / 2;
        sizes[first + 1] = both / 2;
        // Two small slices that fit one micro-batch are joined instead.
        if (both <= largestSlice(plan)) {
            sizes[first] = both;
            sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(first) + 1);
        }
    }
}

// The weight of each sample of a window.
class Weights {
public:
    Weights(const BatchPlan& plan, const Window& window, const std::vector<std::int64_t>& planned)
        : m_mean(1.0 / static_cast<double>(window.samples))
    {
        if (plan.reduction == Reduction::Sum)
            std::partial_sum(planned.begin(), planned.end(), std::back_inserter(m_ends));
    }

    double at(std::int64_t position) const
    {
        if (m_ends.empty())
            return m_mean;
        const auto end = std::upper_bound(m_ends.begin(), m_ends.end(), position);
        const std::int64_t size = *end - (end == m_ends.begin() ? 0 : *std::prev(end));
        return 1.0 / static_cast<double>(size);
    }

private:
    const double m_mean;
    std::vector<std::int64_t> m_ends; // of the planned slices; only if they matter
};

// Within a window only the last slices are smaller, so a slice whose ends have the same weight is
// uniform.
void weigh(Slice& slice, std::int64_t position, const Weights& weights)
{
    slice.weight = weights.at(position);
    if (slice.weight == weights.at(position + slice.samples - 1))
        return;
    slice.weights.resize(static_cast<std::size_t>(slice.samples));
    for (double& weight : slice.weights)
        weight = weights.at(position++);
}

} // namespace

Slice shareOf(const Slice& slice, std::int64_t rank, std::int64_t ranks)
{
    const std::int64_t each = slice.samples / ranks;
    const std::int64_t more = slice.samples % ranks; // ranks that get one more, the first ones
    const std::int64_t before = rank * each + std::min(rank, more);
    Slice share { .begin = slice.begin + before,
        .samples = each + (rank < more ? 1 : 0),
        .weight = slice.weight };
    if (!slice.weights.empty())
        share.weights.assign(
            slice.weights.begin() + before, slice.weights.begin() + before + share.samples);
    return share;
}

WindowSequence::WindowSequence(BatchPlan plan, std::int64_t samples, std::int64_t epochs)
    : m_plan(std::move(plan))
    , m_cut(m_plan)
    , m_samples(samples)
    , m_epochs(epochs)
{
}

std::optional<WindowPart> WindowSequence::next(const WindowCursor& cursor) const
{
    const WindowCursor at = atNextSample(cursor, m_samples);
    if (at.epoch > m_epochs)
        return {};
    WindowPart part { .window = at.open.value_or(Window {}), .epoch = at.epoch };
    if (!at.open)
        part.window = opened(at);
    // The samples of the window from this epoch: all of them, or those since the epoch began.
    part.done = part.window.epoch == at.epoch ? at.filled : at.offset;
    part.begin = at.offset - part.done;
    part.position = at.filled - part.done;
    part.samples = std::min(part.window.samples - part.position, m_samples - part.begin);
    return part;
}

std::vector<Slice> WindowSequence::slices(const WindowPart& part) const
{
    std::vector<std::int64_t> sizes = cutSizes(sliceSizes(m_cut, part.window.samples), part);
    liftSmallSlices(sizes, m_cut);
    const Weights weights(m_plan, part.window, sliceSizes(m_plan, part.window.samples));
    std::vector<Slice> slices;
    slices.reserve(sizes.size());
    std::int64_t done = 0;
    for (const std::int64_t size : sizes) {
        if (done >= part.done) {
            slices.push_back({ .begin = part.begin + done, .samples = size });
            weigh(slices.back(), part.position + done, weights);
        }
        done += size;
    }
    return slices;
}

std::optional<WindowPart> WindowSequence::firstUncutPart() const
{
    constexpr int kMostParts = 100'000;
    WindowCursor cursor;
    for (int parts = 0; m_plan.smallestSlice > 1 && parts < kMostParts; ++parts) {
        const auto part = next(cursor);
        if (!part)
            break;
        for (const Slice& slice : slices(*part))
            if (slice.samples < smallestSlice(m_plan))
                return part;
        cursor = advanced(cursor, *part, part->samples);
    }
    return {};
}

std::optional<std::int64_t> WindowSequence::finerMicro() const
{
    WindowSequence finer = *this;
    const std::int64_t half =
        std::max((micro() + 1) / 2, ceilDivide(smallestSlice(m_plan), m_plan.devices));
    for (std::int64_t micro = half; micro < m_cut.micro; ++micro) {
        finer.cutInto(micro);
        if (!finer.firstUncutPart())
            return micro;
    }
    return {};
}

std::int64_t WindowSequence::microBatches(const WindowCursor& cursor) const
{
    WindowCursor walked = opening(cursor);
    std::int64_t passes = 0;
    do {
        const WindowPart part = *next(walked);
        passes += static_cast<std::int64_t>(slices(part).size());
        walked = advanced(walked, part, part.samples);
    } while (walked.open);
    return passes;
}

WindowCursor WindowSequence::opening(const WindowCursor& cursor) const
{
    const WindowCursor at = atNextSample(cursor, m_samples);
    const std::int64_t before = (at.epoch - 1) * m_samples + at.offset - at.filled;
    return { .epoch = before / m_samples + 1, .offset = before % m_samples, .updates = at.updates };
}

WindowCursor WindowSequence::advanced(
    const WindowCursor& cursor, const WindowPart& part, std::int64_t samples) const
{
    WindowCursor after = atNextSample(cursor, m_samples);
    after.offset += samples;
    after.filled += samples;
    after.open = part.window;
    if (after.filled == part.window.samples) {
        ++after.updates;
        after.open.reset();
        after.filled = 0;
        dropTail(after);
    }
    return after;
}

// Samples that cannot fill another window are left out.
void WindowSequence::dropTail(WindowCursor& cursor) const
{
    if (m_plan.tail == Tail::Drop && m_samples - cursor.offset < windowAt(cursor))
        cursor.offset = m_samples;
}

Window WindowSequence::opened(const WindowCursor& cursor) const
{
    std::int64_t ahead = m_samples - cursor.offset;
    if (m_plan.tail == Tail::Carry)
        ahead += (m_epochs - cursor.epoch) * m_samples;
    return { .epoch = cursor.epoch,
        .steps = stepsAt(cursor),
        .samples = std::min(windowAt(cursor), ahead) };
}

// The first entry of the schedule that is not in force yet.
std::vector<StepsFrom>::const_iterator WindowSequence::laterEntry(const WindowCursor& cursor) const
{
    const std::int64_t reached = stepsChangeByEpoch() ? cursor.epoch - 1 : cursor.updates;
    return std::upper_bound(m_plan.schedule.begin(), m_plan.schedule.end(), reached,
        [](std::int64_t at, const StepsFrom& entry) { return at < entry.from; });
}

std::int64_t WindowSequence::stepsAt(const WindowCursor& cursor) const
{
    const auto later = laterEntry(cursor);
    return later == m_plan.schedule.begin() ? m_plan.steps : std::prev(later)->steps;
}

std::int64_t WindowSequence::windowAt(const WindowCursor& cursor) const
{
    return m_plan.schedule.empty() ? m_plan.effective : largestSlice(m_plan) * stepsAt(cursor);
}

bool WindowSequence::stepsChangeByEpoch() const
{
    return m_plan.schedule.empty() || m_plan.schedule.front().unit == StepsFrom::Unit::Epoch;
}

bool WindowSequence::stepsAreSettled(const WindowCursor& cursor) const
{
    return laterEntry(cursor) == m_plan.schedule.end();
}

// ---- counting updates without visiting every window ----

// The number of equal windows from `part` on in its epoch, before a step changes them.
std::int64_t WindowSequence::equalWindows(const WindowCursor& cursor, const WindowPart& part) const
{
    if (!part.closes() || !part.opens())
        return 1;
    const std::int64_t inEpoch = (m_samples - part.begin) / part.window.samples;
    const auto later = laterEntry(cursor);
    return stepsChangeByEpoch() || later == m_plan.schedule.end()
        ? inEpoch
        : std::min(inEpoch, later->from - cursor.updates);
}

// The cursor at the end of the epoch that begins at `cursor`.
WindowCursor WindowSequence::epochDone(WindowCursor cursor) const
{
    while (cursor.offset < m_samples) {
        const WindowPart part = *next(cursor);
        const std::int64_t windows = equalWindows(cursor, part);
        cursor.updates += windows - 1;
        cursor.offset += (windows - 1) * part.samples;
        cursor = advanced(cursor, part, part.samples);
    }
    return cursor;
}

// Updates within the next `epochs` if N stays the same. `cursor` is at the beginning of an epoch.
std::int64_t WindowSequence::updatesAhead(const WindowCursor& cursor, std::int64_t epochs) const
{
    const std::int64_t window = windowAt(cursor);
    const std::int64_t full = m_samples / window;
    const std::int64_t rest = m_samples % window;
    if (m_plan.tail != Tail::Carry)
        return epochs * (full + (m_plan.tail == Tail::Flush && rest > 0 ? 1 : 0));
    std::int64_t updates = 0;
    std::int64_t ahead = epochs * m_samples;
    if (cursor.open) {
        const std::int64_t missing = cursor.open->samples - cursor.filled;
        if (ahead < missing)
            return 0;
        ahead -= missing;
        ++updates;
    }
    const bool last = cursor.epoch - 1 + epochs == m_epochs;
    return updates + ahead / window + (last && ahead % window > 0 ? 1 : 0);
}

std::int64_t WindowSequence::updatesWithin(std::int64_t epochs) const
{
    WindowCursor cursor;
    for (std::int64_t done = 0; done < std::min(epochs, m_epochs); ++done) {
        cursor.epoch = done + 1;
        cursor.offset = 0;
        if (stepsAreSettled(cursor))
            return cursor.updates + updatesAhead(cursor, std::min(epochs, m_epochs) - done);
        cursor = epochDone(cursor);
    }
    return cursor.updates;
}

// ---- comparing a cursor with the windows ----

std::optional<std::int64_t> WindowSequence::samplesAt(const WindowCursor& cursor) const
{
    if (m_plan.tail == Tail::Carry && m_plan.schedule.empty())
        return carriedSamplesAt(cursor);
    constexpr int kMostGroups = 10'000'000; // of equal windows; no run has as many
    WindowCursor at;
    std::int64_t computed = 0;
    for (int groups = 0; at.updates < cursor.updates; ++groups) {
        at = atNextSample(at, m_samples);
        computed += skipEqualEpochs(at, cursor.updates);
        const auto part = next(at);
        if (!part || groups == kMostGroups)
            return {};
        const std::int64_t windows = std::min(equalWindows(at, *part), cursor.updates - at.updates);
        at.updates += windows - 1;
        at.offset += (windows - 1) * part->samples;
        at = advanced(at, *part, part->samples);
        computed += windows * part->samples;
    }
    while (at.updates == cursor.updates && at.filled < cursor.filled) {
        const auto part = next(at);
        const std::int64_t left = part ? part->samples - part->done : 0;
        if (left <= 0)
            return {}; // there is no window that could be open
        const std::int64_t samples = std::min(left, cursor.filled - at.filled);
        at = advanced(at, *part, samples);
        computed += samples;
    }
    // An abandoned window leaves the cursor at which it opened, which is before its sample.
    const bool same = atNextSample(at, m_samples) == atNextSample(cursor, m_samples);
    return same ? std::optional(computed) : std::nullopt;
}

// Moves from the beginning of an epoch to that of a later one, before update `updates`. Returns the
// samples between them.
std::int64_t WindowSequence::skipEqualEpochs(WindowCursor& at, std::int64_t updates) const
{
    if (m_plan.tail == Tail::Carry || at.offset != 0 || !stepsAreSettled(at))
        return 0;
    const std::int64_t each = updatesAhead(at, 1);
    const std::int64_t epochs =
        std::min((updates - 1 - at.updates) / std::max<std::int64_t>(each, 1), m_epochs - at.epoch);
    const std::int64_t samples = m_plan.tail == Tail::Drop ? each * windowAt(at) : m_samples;
    if (epochs <= 0)
        return 0;
    at.epoch += epochs;
    at.updates += epochs * each;
    return epochs * samples;
}

// Windows of one size, one after the other through all epochs. A run that ended after an epoch and
// was made longer afterwards has closed a window there that was not full. So
//
//   before = epochs · samples + q · window,  updates = ceil(epochs · samples / window) + q,
//
// for some `epochs`, 0 if it was never made longer; with the first equation the second is updates =
// ceil(before / window).
std::optional<std::int64_t> WindowSequence::carriedSamplesAt(const WindowCursor& cursor) const
{
    if (cursor.epoch < 1 || cursor.epoch > m_epochs || cursor.offset < 0
        || cursor.offset > m_samples || cursor.filled < 0
        || cursor.open.has_value() != (cursor.filled > 0))
        return {};
    const std::int64_t before = (cursor.epoch - 1) * m_samples + cursor.offset - cursor.filled;
    if (before < 0 || (cursor.open && cursor.open->epoch != opening(cursor).epoch))
        return {};
    const std::int64_t window = m_plan.effective;
    const bool counted = before / window + (before % window > 0 ? 1 : 0) == cursor.updates;
    const auto epochs = fewestMultiples(m_samples, before, window);
    const bool begins = epochs && *epochs <= before / m_samples;
    return counted && begins ? std::optional(before + cursor.filled) : std::nullopt;
}

} // namespace accrue
