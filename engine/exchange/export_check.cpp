// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/export_check.h"

#include <utility>

namespace accrue {

ExportCheck::ExportCheck(RunLogReader& log, std::vector<LogDamage>* leftOut, std::string call)
    : m_log(log)
    , m_leftOut(leftOut)
    , m_call(std::move(call))
{
    const std::vector<LogDamage> damage = log.damageInRuns();
    note(damage);
    for (const LogDamage& each : damage)
        if (each.run)
            m_damagedRuns.insert(*each.run);
}

bool ExportCheck::takes(RunId run)
{
    if (m_damagedRuns.count(run) > 0)
        return false;
    bool whole = true;
    for (const CheckedTable table : { CheckedTable::Runs, CheckedTable::RunSettings,
             CheckedTable::Attempts, CheckedTable::Summaries }) {
        // A run is useless without these: its other rows could be assigned to wrong settings or
        // attempts.
        const std::vector<LogDamage> damage = m_log.damageIn(run, table).damage;
        note(damage);
        whole = whole && damage.empty();
    }
    return whole;
}

const std::vector<RowRange>* ExportCheck::wholeRows(RunId run, CheckedTable table)
{
    // The verdicts of one run are remembered: its metrics share tables, and checking one reads all
    // its rows.
    if (run != m_run)
        m_verdicts.clear();
    m_run = run;
    const auto [entry, isNew] = m_verdicts.try_emplace(table);
    DamageFinder::Verdict& verdict = entry->second;
    if (isNew) {
        verdict = m_log.damageIn(run, table);
        note(verdict.damage);
    }
    // Null reads the table in one SELECT, instead of one for every 64 rows.
    return verdict.damage.empty() ? nullptr : &verdict.whole;
}

void ExportCheck::note(const std::vector<LogDamage>& damage)
{
    if (damage.empty())
        return;
    if (m_leftOut == nullptr)
        throw RunLogError(Message("runlog.not_exported",
                              { { "file", m_log.file().string() }, { "damage", describe(damage) },
                                  { "call", m_call } }),
            RunLogError::Kind::Damaged);
    m_leftOut->insert(m_leftOut->end(), damage.begin(), damage.end());
}

} // namespace accrue
