// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/models/run_palette.h"

#include <QAbstractListModel>
#include <QStringList>

#include <vector>

namespace accrue {

// The compared runs, each with what distinguishes it from the others. GUI thread.
class ChosenRunsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        RunIdRole = Qt::UserRole, // qint64
        DetailRole, // the second line: what differs
        StyleRole, // QColor
        LineRole // Qt::PenStyle as int
    };

    using QAbstractListModel::QAbstractListModel;

    void setRuns(const std::vector<RunRecord>& runs);
    void setBackground(Background background);
    const std::vector<RunRecord>& runs() const { return m_runs; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    std::vector<RunRecord> m_runs;
    QStringList m_details;
    std::vector<RunStyle> m_styles;
    Background m_background = Background::Light;
};

} // namespace accrue
