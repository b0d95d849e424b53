// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_log_reader.h"

#include <map>
#include <set>
#include <vector>

namespace accrue {

inline constexpr const char* kExportCall = "accrue export --damaged";

// Compares what is exported with its checksums. Damage is thrown as RunLogError; with `leftOut`, it
// is added to that instead, and damaged parts are left out. `log` and `leftOut` are borrowed.
class ExportCheck {
public:
    // Checks the rows of `runs` of the whole log, because a damaged one may hide its run. A message
    // names `call`, the command that leaves damage out.
    ExportCheck(RunLogReader& log, std::vector<LogDamage>* leftOut, std::string call = kExportCall);

    // Throws RunLogError unless `leftOut` is given; false: the whole run is left out.
    bool takes(RunId run);
    // The rows of the run to read in a table; null: all of them. Valid until the next run's.
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
