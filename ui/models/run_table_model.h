// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"
#include "ui/models/run_palette.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// Every run of the log, one a row, newest first. Rows are inserted, changed and removed as the log
// tells; it is reset only by clear(). Checked rows are those chosen for comparing. GUI thread.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name, // and number, with the run's colour and the check box; editing is of the name alone
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
        StyleRole, // QColor of the run
        LineRole, // Qt::PenStyle of the run as int
        LiveRole, // bool: running or paused
        NumberRole, // bool: right-aligned
        UsualTextRole, // QString: a long text of that column, for its width; a run's own grows
        ArchivedRole, // bool
        VariantRole // QString: in which settings it differs from the first run of its name
    };

    // What a column is sorted by, a key of run_keys.h.
    static const char* keyOf(int column);

    explicit RunTableModel(QObject* parent = nullptr);

    void clear(); // another log
    void setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs);
    // Shown until the log tells of it. Not from within a change of this model.
    void showNote(RunId run, const QString& note);
    // What was asked for was not written: the next list shows what the log holds.
    void takeBack() { m_asked.clear(); }
    void setBackground(Background background); // colours of dots
    const RunRecord& run(int row) const;
    const RunRecord* find(RunId id) const; // null: not in the log; valid until the next change
    int rowOf(RunId id) const; // -1: not in the log

    std::vector<RunId> checked() const; // in the order in which they were checked
    void setChecked(const std::vector<RunId>& runs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    // A name is shown at once, and until the log tells of it.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

Q_SIGNALS:
    void checkedChanged();
    void renameRequested(accrue::RunId run, const QString& name);

private:
    struct Row {
        explicit Row(const RunRecord& record);
        RunRecord run;
        // Settings as text, kept because looking one up walks all keys.
        QString data, model, norm, optimizer;
        mutable std::optional<QString> variant; // once it was asked for
    };

    struct Asked { // and not told of yet
        RunId run {};
        std::string RunRecord::*text = nullptr;
        std::string before;
        std::string now;
    };

    bool setName(int row, const QString& name);
    void ask(int row, std::string RunRecord::*text, const std::string& now);
    std::optional<RunRecord> withWhatWasAsked(const RunRecord& told); // empty: nothing was
    std::vector<RunId> checksThatStay(const std::vector<RunRecord>& now) const;
    void removeMissing(const std::vector<RunRecord>& now);
    void insertNew(const std::vector<RunRecord>& now);
    bool updateRows(const std::vector<RunRecord>& now); // whether variants may be others now
    static QVariant display(const Row& row, int column);
    static QVariant tip(const RunRecord& run, int column);
    static QString columnTitle(int column);
    static QString columnHelp(int column);
    static QString usualText(int column);
    bool isChecked(RunId run) const;
    QString variantOf(const Row& row) const;
    void forgetVariants();

    std::vector<Row> m_rows;
    std::vector<RunId> m_checked;
    std::vector<Asked> m_asked;
    Background m_background = Background::Light;
};

} // namespace accrue
