// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/door/engine.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/keys.h"
#include "ui/pages/experiment_check.h"
#include "ui/pages/form_widgets.h"

#include <QWidget>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QVBoxLayout;

namespace accrue {

class BatchBar;

// Every key of an experiment as a field, checked as one types. Text goes through applySetting, so
// that the form takes exactly what the command line takes and says the same sentences.
class ExperimentForm : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentForm(QWidget* parent = nullptr);

    // Until a batch number is edited, experiment() gives back exactly what was set.
    void setExperiment(const Experiment& experiment);
    const Experiment& experiment() const { return m_experiment; } // as far as it could be read
    const ExperimentCheck& check() const { return m_check; }

    // Of the data that the form names; empty while it is looked for.
    void setDataStatus(const std::optional<DataSetStatus>& status);
    void setDevices(const std::vector<DeviceInfo>& devices);

    FormRow* row(const std::string& key) const; // null: no such key
    SettingEditor* editor(const std::string& key) const;

Q_SIGNALS:
    void edited(); // by the user
    void checked(); // experiment() and check() are up to date
    void dataChanged(); // data.name or data.path: the status must be asked anew

private:
    void addDataRows();
    void addBatchRows();
    void addOptimizerRows();
    void addRunRows();
    void addSection(const QString& title);
    void addRow(const std::string& key, const QString& label, SettingEditor* editor);
    void addNumber(const std::string& key, const QString& label);
    void addChoice(
        const std::string& key, const QString& label, const ChoiceEditor::Choices& choices);
    void addBatchNumber(const std::string& key, const QString& label);

    void takeEdit(const std::string& key);
    void solveFor(const std::string& key);
    void readFields();
    void checkFields();
    void showBatch(const Experiment& experiment);
    void showFindings();
    void showDataStatus();
    void showRelevantRows();
    void showRelevantScheduleRows();

    QVBoxLayout* m_layout;
    std::map<std::string, FormRow*> m_rows;
    std::map<std::string, BatchNumberEditor*> m_batchEditors;
    BatchBar* m_batchBar;
    QLabel* m_batchWords;
    QLabel* m_dataWords;

    Experiment m_experiment;
    Findings m_typed; // text that could not be read
    ExperimentCheck m_check;
    CheckSurroundings m_surroundings;
    Experiment m_asSet; // last given to setExperiment
    std::optional<BatchSettings> m_batchAsSet; // its batch numbers, until a batch number is edited
};

} // namespace accrue
