// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/door/engine.h"
#include "engine/door/law_store.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/keys.h"
#include "ui/pages/experiment_check.h"
#include "ui/pages/form_history.h"
#include "ui/pages/form_widgets.h"

#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QVBoxLayout;

namespace accrue {

class BatchBar;
class DataFetchRow;
class ForecastBar;
class FoldedPart;
class PlanDialog;

// Every key of an experiment as a field, checked as one types. Text goes through applySetting, so
// that the form takes exactly what the command line takes and says the same sentences. Whatever
// changes its settings is a step of its history, which brings unreadable text back, too.
//
// Nothing in it moves while one types: rows appear by a choice, never by a letter, and what is
// shown of the settings has its room whether or not there is something to show. A number is wrong
// while it is being typed, at "0." of 0.05: that is shown once the typing pauses, or at once when
// the keyboard leaves the field.
class ExperimentForm : public QWidget {
    Q_OBJECT
public:
    explicit ExperimentForm(QWidget* parent = nullptr);
    ~ExperimentForm() override;

    // What it starts with: the history is empty then. Until a batch number is edited, experiment()
    // gives back exactly what was set.
    void setExperiment(const Experiment& experiment);
    // All settings at once, as a step that is called `name`; `recipe` names the recipe that they
    // are, if it is one.
    void replace(const Experiment& experiment, const QString& name, const QString& recipe = {});
    void applyFix(const Fix& fix); // as a step; the keyboard goes to the field that it changes
    FormHistory& history() const { return *m_history; }
    // Whose settings these are; empty: edited since.
    const QString& recipe() const { return m_state->recipe; }
    void setRecipe(const QString& nameOrPath); // they were saved as one; no step
    const Experiment& experiment() const { return m_experiment; } // as far as it could be read
    // Of what stands in the fields now, whether or not it is shown yet.
    const ExperimentCheck& check() const { return m_check; }
    void showPending(); // what waits for a pause in the typing, now
    // `message` with the labels of fields in place of their keys.
    QString inWords(const std::string& message) const;
    void showField(const std::string& key); // puts the keyboard there

    // Of the data that the form names; empty while it is looked for.
    void setDataStatus(const std::optional<DataSetStatus>& status);
    // Of this machine; laws of memory that another version measured are of no use (empty: any is).
    void setDevices(const std::vector<DeviceInfo>& devices, const std::string& torchVersion = {});
    void lookForLaw(); // it may have been measured since
    // That was measured just now; it counts where it could not be stored, too.
    void takeLaw(const Experiment& measured, const MemoryFit& fit, bool stored);

    DataFetchRow& dataFetch() const { return *m_dataFetch; }
    ForecastBar& forecast() const { return *m_forecast; }
    FormRow* row(const std::string& key) const; // null: no such key
    bool isUsed(const std::string& key) const; // its row can be edited, in a fold or in sight
    SettingEditor* editor(const std::string& key) const;
    FoldedPart* foldOf(const std::string& key) const; // null: it stands in no advanced part
    // The advanced parts that the user opened, to remember. Others open by themselves where they
    // hold something that differs from its default or that a finding is about.
    QStringList openParts() const;
    void setOpenParts(const QStringList& parts);

Q_SIGNALS:
    void edited(); // by the user, not by undo or redo
    void restored(); // by undo or redo
    void explanationRequested(const QString& word); // of a field's label
    void fieldShown(QWidget* row); // the keyboard was put there: scroll to it
    void checked(); // check() is shown
    void measureRequested(); // the memory of these settings
    void dataChanged(); // of name, path, size or fit: the status must be asked anew

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // Where in its section a row stands: always in sight, or in the part that is folded at first.
    enum class Part { Main, Advanced };
    struct Fold {
        FoldedPart* part = nullptr;
        QString id; // remembered by it: the first word of its first key
        std::vector<std::string> keys;
        bool wanted = false; // the user opened it
        std::set<std::string> reasons; // keys that it opened itself for
    };

    void addDataRows();
    void addBatchRows();
    void addOptimizerRows();
    void addRunRows();
    void addHints();
    void addSection(const QString& title);
    void endSection();
    void addRow(const std::string& key, const QString& label, SettingEditor* editor,
        Part part = Part::Main);
    // A whole number, or a word or a share in its place.
    void addCount(const std::string& key, const QString& label, Part part = Part::Main);
    void addNumber(const std::string& key, const QString& label, Part part = Part::Main);
    void addChoice(const std::string& key, const QString& label,
        const ChoiceEditor::Choices& choices, Part part = Part::Main);
    void addBatchNumber(const std::string& key, const QString& label);
    void addToFold(const std::string& key, FormRow* row);
    void orderTabs();

    void showExperiment(const Experiment& experiment);
    void solveFor(const std::string& key);
    void readFields();
    LawPlace lawPlaceOf(const Experiment& experiment) const;
    void checkFields(); // and shows what it finds
    void checkTyped(); // and shows what it finds wrong when the typing pauses
    void updateCheck();
    void showCheck();
    void showPlan();
    void showBatch(const Experiment& experiment);
    void showFindings();
    void showDataStatus();
    void showRelevantRows();
    void showRelevantScheduleRows();
    enum class Folds { MayOpen, Stay };
    void showFolds(Folds folds);
    void openPlan();
    void setUsed(const std::string& key, bool used);
    QWidget* makeDataBlock();
    std::set<std::string> changedKeys(const Fold& fold) const;

    // Of the history: experiment_form_editing.cpp.
    void takeEdit(const std::string& key, bool typed);
    FormState fieldsNow() const;
    void addStep(const QString& name, const std::string& key, bool typed);
    void takeFields(bool typed);
    void restore(const FormHistory::State& state, const std::string& key);
    void showFieldMenu(QLineEdit& edit, const QPoint& at);

    QVBoxLayout* m_layout;
    std::map<std::string, FormRow*> m_rows;
    std::map<std::string, BatchNumberEditor*> m_batchEditors;
    std::vector<Fold> m_folds;
    QString m_section; // the title of the one that rows are added to
    bool m_foldTakesRows = false; // the last fold belongs to that section
    BatchBar* m_batchBar;
    ElidedLabel* m_batchWords;
    ForecastBar* m_forecast;
    QPointer<PlanDialog> m_planDialog; // while it is open
    QWidget* m_dataBlock = nullptr;
    QLabel* m_dataWords;
    DataFetchRow* m_dataFetch;

    Experiment m_experiment;
    Findings m_typed; // text that could not be read
    ExperimentCheck m_check;
    QTimer m_typingPause; // runs while m_check waits to be shown
    CheckSurroundings m_surroundings;
    LawInSight m_law;
    std::string m_torchVersion;
    Experiment m_base; // FormState::base
    bool m_batchEdited = false;
    Experiment m_begun; // FormState::begun
    FormHistory* m_history;
    FormHistory::State m_state; // after the last step
};

} // namespace accrue
