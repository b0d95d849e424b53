// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report/law_store.h"
#include "ui/draft/draft_history.h"
#include "ui/draft/experiment_check.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <string>
#include <vector>

namespace accrue {

// The experiment that the user writes: its texts, the settings that they represent, the findings of
// the checks, its history and its origin. The form, the recipe bar, the checks, the forecast, the
// memory model and Start are views of it and hold nothing of it themselves. GUI thread.
//
// A number is wrong while it is being typed, at "0." of 0.05. So check() follows each letter, but
// `checked` waits with new errors until the typing pauses, and nothing flickers meanwhile.
class ExperimentDraft : public QObject {
    Q_OBJECT
public:
    explicit ExperimentDraft(QObject* parent = nullptr);

    const Experiment& experiment() const { return m_experiment; } // as far as it could be read
    const ExperimentCheck& check() const { return m_check; } // of the texts as they are now
    const SettingTexts& texts() const { return m_state->texts; }
    const DraftOrigin& origin() const { return m_state->origin; }
    const std::optional<DataSetStatus>& data() const { return m_surroundings.data; }
    const std::vector<DeviceInfo>& devices() const { return m_surroundings.devices; }
    DraftHistory& history() { return m_history; }

    // The initial settings: the history is empty then. Until a batch number is edited, experiment()
    // returns exactly what was set.
    void begin(const Experiment& experiment);
    // Sets all settings at once, as a step that is called `name`.
    void replace(const Experiment& experiment, const QString& name, const DraftOrigin& origin = {});
    void edit(const std::string& key, const QString& text, bool typed); // typed: by one letter
    void toggleSolved(const std::string& key); // as the function of setting_texts.h, as a step
    void applyFix(const Fix& fix); // as a step
    void setOrigin(const DraftOrigin& origin); // not a step: a recipe was saved, for example
    void showPending(); // does not wait for a pause in the typing

    // What is known outside of the draft.
    void setDataStatus(const std::optional<DataSetStatus>& status); // empty: being looked for
    // Memory models that another version of LibTorch measured do not apply; empty: any applies.
    void setDevices(const std::vector<DeviceInfo>& devices, const std::string& torchVersion = {});
    void lookForLaw(); // it may have been measured since
    // It was measured just now, and also applies if it could not be stored.
    void takeLaw(const Experiment& measured, const MemoryFit& fit, bool stored);

Q_SIGNALS:
    void textsChanged(); // not by edit(): fields show them anew
    void replaced(bool lostEdits); // all settings are others; whether edits of the user were lost
    void stepped(const std::string& key); // by a fix, undo or redo: the field to show
    void originChanged();
    void checked(); // views show check() now
    // Name, path, size or fit of the data set: its status must be determined again
    void dataChanged();
    void devicesChanged();

private:
    using State = DraftHistory::State;
    void set(const Experiment& experiment, const DraftOrigin& origin);
    void addStep(DraftState next, const QString& name, const std::string& key, bool typed);
    void restore(const State& state, const std::string& key);
    void setState(DraftState state);
    Experiment withDevices(const Experiment& experiment) const;
    void read();
    void countDevices();
    void readStep(bool typed);
    void readReplaced(bool lostEdits);

    LawPlace lawPlaceOf(const Experiment& experiment) const;
    void checkTexts();
    void updateCheck();
    void showCheck();

    State m_state; // after the last step
    DraftHistory m_history;
    Experiment m_experiment;
    Findings m_unreadable; // texts
    BatchPlan m_lastPlan; // that could be solved
    CheckSurroundings m_surroundings;
    LawCache m_law;
    std::string m_torchVersion;
    ExperimentCheck m_check;
    QTimer m_typingPause; // runs while m_check waits to be shown
};

} // namespace accrue
