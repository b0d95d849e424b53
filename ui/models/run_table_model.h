// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"
#include "engine/runs/run_record.h"
#include "ui/models/requested_texts.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
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
        Tags,
        LossCurve, // a picture
        BestAccuracy, // with its step; results come first, so that a small window shows them
        AccuracyChange, // to the baseline, as the other changes
        FinalLoss, // of the test set
        LossChange,
        Time,
        TimeChange,
        MicroBatch,
        Steps,
        Effective,
        LearningRate,
        Norm,
        Throughput,
        PeakMemory,
        MemoryChange,
        Data,
        Model,
        Optimizer,
        Id,
        Progress, // step of all steps
        Seed,
        Device,
        Created,
        Note,
        AccuracyCurve, // a picture
        ColumnCount // columns of other keys follow, which the user has added
    };
    enum Role {
        RunIdRole = Qt::UserRole, // qint64
        StateRole, // RunState as int
        OutcomeRole, // RunOutcome as int; invalid before the end
        UsualTextRole, // QString: a long text of that column, for its width; a run's own grows
        ArchivedRole, // bool
        VariantRole, // QString: the settings in which it differs from the first run of its name
        TagsRole, // QStringList
        BaselineRole, // bool: it is the run that others are compared with
        BetterRole, // bool: in a column of differences, better than the baseline
        // What ShownRunsModel adds:
        GroupRole, // bool: a row that stands for several runs
        FoldedRole, // bool: the rows of that group are not shown
        LevelRole // int: 0 without groups; 1: a group, or a run that has none; 2: a run of a group
    };

    using QAbstractTableModel::QAbstractTableModel;

    void clear(); // another log
    void setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs);
    // Shows the note until the log has it. Must not be called during a change of this model.
    void showNote(RunId run, const QString& note);
    // The requested changes could not be written: the next list shows what the log has.
    void takeBack() { m_requested.clear(); }
    // The run that columns of differences compare with; empty, or not in the log: they are empty.
    void setBaseline(std::optional<RunId> run);
    std::optional<RunId> baseline() const { return m_baseline; }
    // Further columns behind the others, each with the values of a key of run_keys.h or of a
    // recipe. Keys that do not exist are left out.
    void setExtraKeys(const std::vector<std::string>& keys);
    std::vector<std::string> extraKeys() const;
    std::string sortKey(int column) const; // by which the column is sorted

    const RunRecord& run(int row) const { return m_rows.at(static_cast<std::size_t>(row)).run; }
    const RunRecord* find(RunId id) const; // null: not in the log; valid until the next change
    int rowOf(RunId id) const; // -1: not in the log

    const std::vector<RunId>& checked() const
    {
        return m_checked;
    } // in the order in which they were checked
    bool isChecked(RunId run) const;
    void setChecked(const std::vector<RunId>& runs);

    QString changeText(int column, std::optional<double> value) const; // to the baseline
    bool isBetter(int column, std::optional<double> value) const; // than the baseline

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    // A name is shown at once, even before the log has it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void checkedChanged();
    // All that has changed in a call is in place; after the last of its other signals. Not for
    // checks.
    void updated();
    void renameRequested(accrue::RunId run, const QString& name);

private:
    struct Row {
        RunRecord run;
        mutable std::optional<QString> variant = {}; // computed when it is first painted
    };

    struct Extra { // a column of a key
        std::string key;
        RunReading reading;
        bool isNumber = false;
    };
    QVariant dataOfExtra(const Extra& extra, const RunRecord& run, int role) const;
    QVariant dataOfChange(const RunRecord& run, int column, int role) const;
    const Extra* extraAt(int column) const; // null: it is a column of the enumeration

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
    std::vector<Extra> m_extras;
    mutable std::unordered_map<RunId, int> m_rowOf; // empty: to be made again
    std::optional<RunId> m_baseline;
    std::vector<RunId> m_checked;
    RequestedTexts m_requested;
};

} // namespace accrue
