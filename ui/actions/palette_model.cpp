// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/palette_model.h"

#include "ui/actions/fuzzy_match.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace accrue {

namespace {

constexpr int kTextMatters = 4; // more than the detail

// What it needs is not a word to find a disabled entry by.
std::optional<int> scoreOf(const PaletteEntry& entry, const QString& query)
{
    if (const std::optional<int> score = matchScore(query, entry.text))
        return kTextMatters * *score;
    return entry.enabled ? matchScore(query, entry.text + QLatin1Char(' ') + entry.detail)
                         : std::nullopt;
}

} // namespace

void PaletteModel::setEntries(std::vector<PaletteEntry> entries)
{
    m_entries = std::move(entries);
    filter();
}

void PaletteModel::setQuery(const QString& query)
{
    m_query = query;
    filter();
}

void PaletteModel::filter()
{
    // By whether it is enabled, and by its score. Entries with the same score, which without a
    // query are all, remain in the order in which they were collected.
    std::multimap<std::pair<bool, int>, std::size_t, std::greater<>> hits;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const std::optional<int> score = scoreOf(m_entries[i], m_query))
            hits.insert({ { m_entries[i].enabled, *score }, i });
    beginResetModel();
    m_shown.clear();
    for (const auto& [place, entry] : hits)
        m_shown.push_back(entry);
    endResetModel();
}

const PaletteEntry& PaletteModel::entry(int row) const
{
    return m_entries.at(m_shown.at(static_cast<std::size_t>(row)));
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    const PaletteEntry& shown = entry(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return shown.text;
    case Qt::DecorationRole:
        return shown.icon;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3").arg(shown.text, shown.detail, shown.keys);
    default:
        return {};
    }
}

} // namespace accrue
