// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "ui/draft/setting_texts.h"

#include <QString>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <string>

namespace accrue {

// The origin of a draft's settings.
struct DraftOrigin {
    QString title; // "first-run", "settings of lenet5 #3"; empty: the user made them
    QString recipe {}; // the name or path of the recipe that they equal; empty: of none
    bool edited = false; // the user has changed them since
    friend bool operator==(const DraftOrigin&, const DraftOrigin&) = default;
};

// The content of a draft (experiment_draft.h) at one moment, including text that cannot be read.
struct DraftState {
    SettingTexts texts;
    // The settings as they were set last, from a recipe or a run. Batch numbers are read from here
    // until one of their texts is edited, because texts cannot represent all that recipes can leave
    // open.
    Experiment base;
    bool batchEdited = false;
    Experiment begun; // likewise, without the changes of fixes; edits are compared with it
    DraftOrigin origin;
    friend bool operator==(const DraftState&, const DraftState&) = default;
};

// The undo stack of a draft. A step is dropped only by clear(), or if a new step follows after an
// undo. undoText() is the name of the step that would be undone, redoText() likewise. GUI thread.
class DraftHistory : public QUndoStack {
public:
    using State = std::shared_ptr<const DraftState>; // never null

    struct Step {
        QString name; // "micro-batch b": follows the word Undo
        std::string key; // the field that changed, of several the first; empty: all of them
        bool typed = false; // a letter of what is being typed: merged with the one before it
        State before;
        State after;
    };

    // `restore` restores a state and shows the field of `key`.
    using Restore = std::function<void(const State& state, const std::string& key)>;
    explicit DraftHistory(Restore restore);
    ~DraftHistory() override; // emits nothing about being empty

    void add(Step step); // it is done already
    void endTyping() { m_isTyping = false; } // the next letter begins a step of its own

private:
    Restore m_restore; // and ends the typing
    bool m_isTyping = false;
};

} // namespace accrue
