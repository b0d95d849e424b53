// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_model.h"

#include <algorithm>
#include <utility>

namespace accrue {

void ChoiceModel::setChoices(Choices choices)
{
    const bool sameNames = std::ranges::equal(choices, m_choices, {}, &Choice::id, &Choice::id);
    m_choices = std::move(choices);
    if (!sameNames)
        filter();
    else if (!m_rows.empty()) // the list keeps its place
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void ChoiceModel::setSearch(const ChoiceSearch& search)
{
    m_search = search;
    filter();
}

void ChoiceModel::filter()
{
    beginResetModel();
    m_rows.clear();
    QString section;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        if (!m_search.matches(m_choices[i]))
            continue;
        if (std::exchange(section, m_choices[i].section) != m_choices[i].section)
            m_rows.push_back({ i, /*isHeading=*/true });
        m_rows.push_back({ i });
    }
    endResetModel();
}

const Choice* ChoiceModel::choiceAt(const QModelIndex& index) const
{
    if (!index.isValid())
        return nullptr;
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    return row.isHeading ? nullptr : &m_choices[row.choice];
}

std::vector<const Choice*> ChoiceModel::found() const
{
    std::vector<const Choice*> found;
    for (const Row& row : m_rows)
        if (!row.isHeading && m_choices[row.choice].problem.isEmpty())
            found.push_back(&m_choices[row.choice]);
    return found;
}

int ChoiceModel::rowOf(const QString& id) const
{
    const auto at = std::ranges::find_if(
        m_rows, [&](const Row& row) { return !row.isHeading && m_choices[row.choice].id == id; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

int ChoiceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ChoiceModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const Choice& choice = m_choices[row.choice];
    switch (role) {
    case Qt::DisplayRole:
        return row.isHeading ? choice.section : choice.title;
    case Qt::AccessibleTextRole:
        return choice.isMarked && !row.isHeading ? tr("%1, chosen").arg(choice.title)
                                                 : data(index, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return row.isHeading ? QString() : choice.problem;
    case HeadingRole:
        return row.isHeading;
    case DetailRole:
        return row.isHeading ? QString() : choice.detail;
    case MarkedRole:
        return choice.isMarked && !row.isHeading;
    default:
        return {};
    }
}

Qt::ItemFlags ChoiceModel::flags(const QModelIndex& index) const
{
    const Choice* const choice = choiceAt(index);
    if (choice == nullptr)
        return Qt::NoItemFlags;
    return choice->problem.isEmpty() ? Qt::ItemIsSelectable | Qt::ItemIsEnabled : Qt::NoItemFlags;
}

} // namespace accrue
