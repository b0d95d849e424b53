// SPDX-License-Identifier: Apache-2.0
#include "engine/studies/border_search.h"

#include <algorithm>

namespace accrue {

BorderSearch::BorderSearch(std::int64_t smallest, std::int64_t largest, std::int64_t guess)
    : m_smallest(smallest)
    , m_largest(largest)
    , m_guess(std::clamp(guess, smallest, largest))
    , m_fits(smallest - 1)
    , m_fails(largest + 1)
{
}

// Three stages: the guess; doubling strides away from it, until one number fits and one fails; then
// bisection between them.
std::optional<std::int64_t> BorderSearch::next() const
{
    const bool someFits = m_fits >= m_smallest;
    const bool someFails = m_fails <= m_largest;
    if (m_fits + 1 == m_fails)
        return std::nullopt;
    if (!someFits && !someFails)
        return m_guess;
    if (!someFails)
        return std::min(m_fits + m_stride, m_largest);
    if (!someFits)
        return std::max(m_fails - m_stride, m_smallest);
    return m_fits + (m_fails - m_fits) / 2;
}

void BorderSearch::setFits(bool fits)
{
    // The first result only shows the direction, so the first stride after it is one.
    const bool isFirst = m_fits < m_smallest && m_fails > m_largest;
    const std::int64_t tried = *next();
    (fits ? m_fits : m_fails) = tried;
    if (!isFirst)
        m_stride *= 2;
}

std::optional<std::int64_t> BorderSearch::border() const
{
    return m_fits < m_smallest ? std::nullopt : std::optional(m_fits);
}

} // namespace accrue
