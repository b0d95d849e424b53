// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <string>

QT_BEGIN_NAMESPACE
class QUndoStack;
QT_END_NAMESPACE

namespace accrue {

// What the form holds at one moment, text that cannot be read included.
struct FormState {
    std::map<std::string, QString> texts; // by key, as they stand in the fields
    Experiment base; // for keys without a field, and for batch numbers until one is edited
    bool batchEdited = false;
    Experiment begun; // what was set last, before any edit
    QString recipe; // the recipe's name or path whose settings these are; empty: edited
    friend bool operator==(const FormState&, const FormState&) = default;
};

// What was done to the form, step by step, to go back and forth. Nothing is ever dropped from it
// but by clear, and by a new step what had been undone. GUI thread.
class FormHistory : public QObject {
    Q_OBJECT
public:
    using State = std::shared_ptr<const FormState>; // never null

    struct Step {
        QString name; // "micro-batch b": stands after the word Undo
        std::string key; // the field that changed, of several the first; empty: all of them
        bool typed = false; // a letter of what is being typed: joins the one before it
        State before;
        State after;
    };

    // `restore` puts a state back and shows the field of `key`.
    using Restore = std::function<void(const State& state, const std::string& key)>;
    explicit FormHistory(Restore restore, QObject* parent = nullptr);

    void add(Step step); // it is done already
    void endTyping(); // what is typed next is a step of its own
    void clear();

    bool canUndo() const;
    bool canRedo() const;
    QString undoName() const; // of the step that would be undone
    QString redoName() const;
    void undo();
    void redo();

Q_SIGNALS:
    void changed(); // what can be undone or redone

private:
    Restore m_restore;
    QUndoStack* m_steps;
    bool m_isTyping = false;
};

} // namespace accrue
