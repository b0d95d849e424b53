// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/models/run_palette.h"

#include <QAbstractListModel>
#include <QStringList>

#include <functional>
#include <vector>

namespace accrue {

// The compared runs, each with what distinguishes it from the others, in groups: a group of several
// runs has a row of its own above theirs. GUI thread.
class ChosenRunsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        RunIdRole = Qt::UserRole, // qint64
        DetailRole, // the second line: what differs
        StyleRole, // QColor
        LineRole, // Qt::PenStyle as int
        GroupRole, // bool: the row of a group
        MemberRole, // bool: a run of a group that has a row
        ShownRole, // bool: in the charts; a group is, if one of its runs is
        PointedAtRole // bool: the mouse is on its curve
    };
    struct Group {
        QString title;
        std::vector<std::size_t> runs; // indices of setRuns
    };

    using QAbstractListModel::QAbstractListModel;

    void setRuns(const std::vector<RunRecord>& runs); // each by itself, until setGroups
    void setGroups(const std::vector<Group>& groups);
    void setHidden(const std::function<bool(RunId)>& isHidden);
    void setPointedAt(const std::vector<RunId>& runs);
    std::vector<RunId> runsAt(const QModelIndex& index) const; // several of a group
    // Of each run and group that were set, until others are: then each run has its own look.
    void setStyles(std::vector<RunStyle> ofRuns, std::vector<RunStyle> ofGroups);
    void setBackground(Background background);
    const std::vector<RunRecord>& runs() const { return m_runs; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        const Group* group = nullptr; // null: of a run
        std::size_t run = 0; // the first of the group
        bool isMember = false;
        friend bool operator==(const Row&, const Row&) = default;
    };
    void makeRows();
    void describeMembers(const Group& group); // by what differs within it
    void changed(const QList<int>& roles = {});
    void useOwnLooks();
    QString detailOf(const Row& row) const;
    const RunStyle& styleAt(const Row& row) const;

    std::vector<RunRecord> m_runs;
    std::vector<Group> m_groups; // none: no groups
    std::vector<Row> m_rows;
    std::vector<RunId> m_hidden;
    std::vector<RunId> m_pointedAt;
    QStringList m_details; // of each run
    std::vector<RunStyle> m_styles;
    std::vector<RunStyle> m_groupStyles; // empty: a group has that of its first run
    bool m_hasOwnLooks = true;
    Background m_background = Background::Light;
};

} // namespace accrue
