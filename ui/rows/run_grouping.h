// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"

#include <QString>

#include <string>
#include <utility>
#include <vector>

namespace accrue {

// Which runs the table folds into one row: none, those that differ only by their seed, or those
// with the same values of some keys. A value; pure.
class RunGrouping {
public:
    static constexpr char kSeeds[] = "seeds";

    RunGrouping() = default; // no groups
    // "": no groups, "seeds", or keys of run_keys.h and of recipes, "norm, b". Keys that do not
    // exist are left out.
    // `others`: keys of runs of other programs, which exist as well.
    static RunGrouping of(const QString& text, const std::vector<std::string>& others = {});

    bool isOn() const { return m_bySeeds || !m_keys.empty(); }
    bool isBySeeds() const { return m_bySeeds; }
    bool has(const std::string& key) const;
    std::vector<std::string> keys() const; // in their order; none: by seeds, or no groups
    QString text() const; // as of() reads it

    // Equal for runs of one group.
    std::string groupOf(const RunRecord& run) const;
    // Such as "GroupNorm, b = 32", or the name of the run without its seed; of any run of the
    // group.
    QString titleOf(const RunRecord& run) const;
    // Whether a run that is alone in its group has a row for the group.
    bool showsSingles() const { return !m_bySeeds; }

private:
    bool m_bySeeds = false;
    std::vector<std::pair<std::string, RunReading>> m_keys;
};

} // namespace accrue
