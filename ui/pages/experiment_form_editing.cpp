// SPDX-License-Identifier: Apache-2.0
// How the settings of the form change: by typing, by recipes, by fixes, and back again.
#include "ui/pages/experiment_form.h"

#include "engine/experiment/fixes.h"
#include "ui/pages/folded_part.h"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMenu>

#include <tuple>
#include <utility>

namespace accrue {

namespace {

// "Micro-batch b" after the word Undo; "MLP" stays.
QString inMidSentence(const QString& title)
{
    const bool word = title.size() > 1 && !title.at(1).isUpper();
    return word ? title.at(0).toLower() + title.mid(1) : title;
}

// What the words about a data set follow from.
auto describedBy(const DataSettings& data)
{
    return std::tuple(data.name, data.path, data.imageSize, data.fit);
}

std::string keyOf(const std::string& assignment)
{
    return assignment.substr(0, assignment.find('='));
}

} // namespace

FormState ExperimentForm::fieldsNow() const
{
    FormState state { {}, m_base, m_batchEdited, m_begun, {} };
    for (const auto& [key, row] : m_rows)
        state.texts[key] = row->editor()->text();
    return state;
}

void ExperimentForm::setExperiment(const Experiment& experiment)
{
    showExperiment(experiment);
    m_state = std::make_shared<const FormState>(fieldsNow());
    m_history->clear();
    readFields();
    Q_EMIT dataChanged();
    checkFields();
    showFolds(Folds::MayOpen);
}

void ExperimentForm::replace(
    const Experiment& experiment, const QString& name, const QString& recipe)
{
    const FormHistory::State before = m_state;
    showExperiment(experiment);
    FormState after = fieldsNow();
    after.recipe = recipe;
    m_state = std::make_shared<const FormState>(std::move(after));
    if (!(*before == *m_state))
        m_history->add({ name, {}, false, before, m_state });
    readFields();
    Q_EMIT dataChanged();
    checkFields();
    showFolds(Folds::MayOpen);
}

void ExperimentForm::setRecipe(const QString& nameOrPath)
{
    FormState state = *m_state;
    state.recipe = nameOrPath;
    m_state = std::make_shared<const FormState>(std::move(state));
}

void ExperimentForm::takeEdit(const std::string& key, bool typed)
{
    if (m_batchEditors.count(key) > 0)
        m_batchEdited = true;
    addStep(inMidSentence(row(key)->title()), key, typed);
    if (!typed)
        showFolds(Folds::MayOpen);
}

// The numbers of the batch are solved from each other: they are shown anew, all of them.
void ExperimentForm::applyFix(const Fix& fix)
{
    Experiment fixed = m_experiment;
    accrue::applyFix(fixed, fix);
    m_base.batch = m_experiment.batch;
    accrue::applyFix(m_base, fix);
    for (const std::string& assignment : fix.assignments) {
        const std::string key = keyOf(assignment);
        if (m_batchEditors.count(key) > 0) {
            m_batchEdited = false;
            showBatch(fixed);
        } else if (SettingEditor* field = editor(key))
            field->setText(QString::fromStdString(assignment.substr(key.size() + 1)));
    }
    const std::string first = keyOf(fix.assignments.front());
    addStep(tr("fix: %1").arg(QString::fromStdString(fix.label)), first, false);
    showFolds(Folds::MayOpen);
    showField(first);
}

// What the fields hold now is the next step; nothing, if they hold what they held.
void ExperimentForm::addStep(const QString& name, const std::string& key, bool typed)
{
    FormState now = fieldsNow();
    now.recipe = m_state->recipe;
    if (now == *m_state)
        return;
    now.recipe.clear();
    const FormHistory::State before =
        std::exchange(m_state, std::make_shared<const FormState>(std::move(now)));
    m_history->add({ name, key, typed, before, m_state });
    takeFields(typed);
    Q_EMIT edited();
}

void ExperimentForm::takeFields(bool typed)
{
    const DataSettings before = m_experiment.data;
    readFields();
    if (describedBy(before) != describedBy(m_experiment.data)) {
        m_surroundings.data.reset();
        Q_EMIT dataChanged();
    }
    typed ? checkTyped() : checkFields();
}

void ExperimentForm::restore(const FormHistory::State& state, const std::string& key)
{
    m_state = state;
    m_base = state->base;
    m_batchEdited = state->batchEdited;
    m_begun = state->begun;
    for (const auto& [each, text] : state->texts)
        if (editor(each)->text() != text)
            editor(each)->setText(text);
    takeFields(false);
    showFolds(Folds::MayOpen);
    Q_EMIT restored();
    showField(key);
}

void ExperimentForm::showField(const std::string& key)
{
    FormRow* const changed = row(key);
    if (changed == nullptr || !isUsed(key))
        return;
    if (FoldedPart* fold = foldOf(key))
        fold->setOpen(true);
    QWidget* field = changed->editor()->focusWidgetOfField();
    field->setFocus(Qt::OtherFocusReason);
    if (auto* edit = qobject_cast<QLineEdit*>(field))
        edit->end(false); // typing goes on where it was
    Q_EMIT fieldShown(changed);
}

// A field's own undo knows of its letters only. Here the form's takes over, whatever shortcut it
// has.
bool ExperimentForm::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut) {
        m_history->endTyping();
        // Not now: what is shown may delete the widget that the keyboard goes to. And a click
        // reaches what is under it first.
        if (static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason)
            QMetaObject::invokeMethod(this, &ExperimentForm::showPending, Qt::QueuedConnection);
    }
    auto* edit = qobject_cast<QLineEdit*>(watched);
    if (edit != nullptr && event->type() == QEvent::ContextMenu) {
        showFieldMenu(*edit, static_cast<QContextMenuEvent*>(event)->globalPos());
        return true;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool undo = pressed->matches(QKeySequence::Undo);
    if (undo)
        m_history->undo();
    else if (pressed->matches(QKeySequence::Redo))
        m_history->redo();
    else
        return false;
    return true;
}

// The actions of the form, undo and redo, in the place of the field's own.
void ExperimentForm::showFieldMenu(QLineEdit& edit, const QPoint& at)
{
    QMenu* menu = edit.createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!edit.isReadOnly()) {
        for (int own = 0; own < 2; ++own)
            menu->removeAction(menu->actions().constFirst());
        menu->insertActions(menu->actions().value(0), actions());
    }
    menu->popup(at);
}

} // namespace accrue
