// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"

#include <map>
#include <set>
#include <vector>

namespace accrue {

inline constexpr const char* kExportCall = "accrue export --damaged";

// Holds what is exported against its checksums. Damage is thrown as RunLogError; where `leftOut` is
// given, it is added to that instead, and what is damaged is left out. `log` and `leftOut` are
// borrowed.
class ExportCheck {
public:
    // Looks through the rows of `runs` of the whole log: a damaged one may hide its run. A
    // message names the `call` that leaves damage out.
    ExportCheck(RunLogReader& log, std::vector<LogDamage>* leftOut, std::string call = kExportCall);

    // Throws RunLogError unless `leftOut` is given; false: the run is left out whole.
    bool takes(RunId run);
    // Which rows of the run to read in a table: null is all of them. Valid until the next run's.
    const std::vector<RowRange>* wholeRows(RunId run, CheckedTable table);

private:
    void note(const std::vector<LogDamage>& damage);

    RunLogReader& m_log;
    std::vector<LogDamage>* const m_leftOut;
    const std::string m_call;
    std::set<RunId> m_damagedRuns;
    RunId m_run {}; // of m_verdicts
    std::map<CheckedTable, DamageFinder::Verdict> m_verdicts;
};

} // namespace accrue
