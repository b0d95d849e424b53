// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/exchange/import_plan.h"
#include "ui/run/task.h"

#include <QCheckBox>
#include <QDialog>

#include <filesystem>
#include <memory>
#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace accrue {

class ColumnMap;
class ElidedLabel;

// What will be imported from a file or folder, before it is: which runs, which of them the log has
// already, what cannot be read, and of a CSV file what its columns become. Reads in the background.
// Not modal; deletes itself. GUI thread.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    // `log`: into which the runs are to be imported. `task`, which reads, is borrowed and outlives
    // this, so that a dialog that is closed waits for nothing.
    ImportDialog(QWidget& window, std::filesystem::path log, Task& task);
    ~ImportDialog() override;

    void look(const std::filesystem::path& path); // replaces what was looked at before
    bool isLooking() const { return m_task.isRunning(); }
    // Null: nothing was looked at, it cannot be imported, or it is still being read.
    std::shared_ptr<const ImportPlan> plan() const { return m_plan; }

    QString summary() const; // how many runs there are, or why nothing can be imported
    ColumnMap& columns() const { return *m_columns; }
    QTreeWidget& runs() const { return *m_runs; }
    QCheckBox& checkpoints() const { return *m_checkpoints; }
    QPushButton& importButton() const { return *m_import; }

Q_SIGNALS:
    // When it is accepted.
    void importRequested(
        const std::shared_ptr<const accrue::ImportPlan>& plan, const accrue::ImportWishes& wishes);

private:
    QWidget* makePlace();
    QWidget* makeButtons();
    void makeRuns();
    void read(const std::optional<CsvLayout>& layout);
    void showPlan(const std::shared_ptr<const ImportPlan>& plan);
    void fail(const QString& problem);
    void showRuns(const ImportPlan& plan);
    void showSentence(const QString& sentence, const char* role); // as the style sheet has it
    void chosen() { Q_EMIT importRequested(m_plan, { m_checkpoints->isChecked() }); }

    const std::filesystem::path m_log;
    Task& m_task;
    std::filesystem::path m_path; // that is looked at; empty: none yet
    std::shared_ptr<const ImportPlan> m_plan;
    ElidedLabel* m_place = nullptr;
    ColumnMap* m_columns;
    QTreeWidget* m_runs;
    QLabel* m_summary;
    QLabel* m_problems;
    QCheckBox* m_checkpoints;
    QProgressBar* m_reading;
    QPushButton* m_import = nullptr;
};

} // namespace accrue
