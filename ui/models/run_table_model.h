// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"
#include "ui/models/requested_texts.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Every run of the log, one per row, newest first. Rows are inserted, changed and removed as the
// log changes; only clear() resets the model. Checked rows are those chosen for a comparison. GUI
// thread.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { // each is a row of run_columns.cpp
        Name, // and number, with the run's colour and the check box; only the name is editable
        State,
        BestAccuracy, // with its step; results come first, so that a small window shows them
        FinalLoss, // of the test set
        Time,
        MicroBatch,
        Steps,
        Effective,
        LearningRate,
        Norm,
        Throughput,
        PeakMemory,
        Data,
        Model,
        Optimizer,
        Id,
        Progress, // step of all steps
        Seed,
        Device,
        Created,
        Note,
        ColumnCount
    };
    enum Role {
        RunIdRole = Qt::UserRole, // qint64
        StateRole, // RunState as int
        OutcomeRole, // RunOutcome as int; invalid before the end
        UsualTextRole, // QString: a long text of that column, for its width; a run's own grows
        ArchivedRole, // bool
        VariantRole // QString: the settings in which it differs from the first run of its name
    };

    using QAbstractTableModel::QAbstractTableModel;

    void clear(); // another log
    void setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs);
    // Shows the note until the log has it. Must not be called during a change of this model.
    void showNote(RunId run, const QString& note);
    // The requested changes could not be written: the next list shows what the log has.
    void takeBack() { m_requested.clear(); }
    const RunRecord& run(int row) const { return m_rows.at(static_cast<std::size_t>(row)).run; }
    const RunRecord* find(RunId id) const; // null: not in the log; valid until the next change
    int rowOf(RunId id) const; // -1: not in the log

    const std::vector<RunId>& checked() const
    {
        return m_checked;
    } // in the order in which they were checked
    bool isChecked(RunId run) const;
    void setChecked(const std::vector<RunId>& runs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    // A name is shown at once, even before the log has it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void checkedChanged();
    void renameRequested(accrue::RunId run, const QString& name);

private:
    struct Row {
        RunRecord run;
        mutable std::optional<QString> variant = {}; // computed when it is first painted
    };

    bool setName(int row, const QString& name);
    void request(int row, RequestedTexts::Text text, const std::string& now);
    std::vector<RunId> checksThatStay(const std::vector<RunRecord>& now) const;
    void removeMissing(const std::vector<RunRecord>& now);
    void insertNew(const std::vector<RunRecord>& now);
    bool updateRows(const std::vector<RunRecord>& now); // returns whether variants may have changed
    QVariant dataOfName(int row, int role) const; // of the column Name only
    QString variantOf(const Row& row) const;
    void forgetVariants();

    std::vector<Row> m_rows;
    std::vector<RunId> m_checked;
    RequestedTexts m_requested;
};

} // namespace accrue
