// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/choices/choice_search.h"

#include <QAbstractListModel>

#include <cstddef>
#include <vector>

namespace accrue {

// The choices that match a search, below the headings of their sections. GUI thread.
class ChoiceModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { HeadingRole = Qt::UserRole, DetailRole, MarkedRole };
    using QAbstractListModel::QAbstractListModel;

    void setChoices(Choices choices);
    const Choices& choices() const { return m_choices; } // all of them
    void setSearch(const ChoiceSearch& search);

    const Choice* choiceAt(const QModelIndex& index) const; // null: a heading, or nothing
    // Those that match and can be chosen.
    std::vector<const Choice*> found() const;
    bool isEmpty() const { return m_rows.empty(); }
    int rowOf(const QString& id) const; // -1: it is not shown

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        std::size_t choice = 0;
        bool isHeading = false; // of the section of that choice
    };
    void filter();

    Choices m_choices;
    std::vector<Row> m_rows;
    ChoiceSearch m_search;
};

} // namespace accrue
