// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/sweep/sweep_definition.h"
#include "ui/queue/sweep_planner.h"

#include <QFrame>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace accrue {

class ElidedLabel;
class FormComboBox;
class SweepAxisRow;
class SweepRunsModel;

// Which runs a sweep makes: keys and their values, seeds, grid or random, and below the table of
// what would be trained, with predictions and reasons. GUI thread.
class SweepDrawer : public QFrame {
    Q_OBJECT
public:
    // Where the plan is made for: the log in which runs are looked up, and where data are searched.
    struct Places {
        std::filesystem::path log;
        std::vector<std::filesystem::path> data;
    };
    explicit SweepDrawer(std::function<Places()> places, QWidget* parent = nullptr);

    // Begins a sweep of this experiment; what varied before stays where it is of use.
    void setBase(const Experiment& base);
    const Experiment& base() const { return m_base; }
    void setWhyNotWrite(const QString& why); // empty: the log can be written
    void focusFirst(); // the values of the first key

    const std::vector<SweepAxisRow*>& rows() const { return m_rows; }
    SweepAxisRow* addRow(const std::string& key, const QString& values);
    SweepRunsModel& model() const { return *m_model; }
    QPushButton* addButton() const { return m_add; } // to the queue
    QPushButton* addKeyButton() const { return m_addKey; }
    QLineEdit* seedsEdit() const { return m_seeds; }
    QLineEdit* randomEdit() const { return m_random; }
    QCheckBox* keepBox() const { return m_keep; }
    QString summary() const; // the sentence above the table

Q_SIGNALS:
    void addRequested(std::shared_ptr<const accrue::PlannedSweep> sweep);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeHeader();
    QWidget* makeOptions();
    void makeTable();
    QWidget* makeFooter();
    void addKey();
    void remove(SweepAxisRow* row);
    std::optional<SweepDefinition> definition(); // marks what is wrong; empty: something is
    void changed();
    void plan();
    void showPlan(const std::shared_ptr<const PlannedSweep>& plan);
    void showProblem(const QString& problem);
    void fitColumns();
    void showAdd();

    std::function<Places()> m_places;
    Experiment m_base;
    SweepPlanner* m_planner;
    SweepRunsModel* m_model;
    std::shared_ptr<const PlannedSweep> m_plan; // of what the form says now; null: none
    QString m_problem;
    QString m_whyNotWrite;
    QTimer m_pause; // runs while letters may follow
    std::vector<SweepAxisRow*> m_rows;

    ElidedLabel* m_of = nullptr;
    QVBoxLayout* m_rowsLayout = nullptr;
    QPushButton* m_addKey = nullptr;
    QLineEdit* m_seeds = nullptr;
    QLineEdit* m_random = nullptr;
    QCheckBox* m_keep = nullptr;
    FormComboBox* m_order = nullptr;
    FormComboBox* m_halving = nullptr;
    QLabel* m_summary = nullptr;
    QTableView* m_table = nullptr;
    QPushButton* m_add = nullptr;
};

} // namespace accrue
