// SPDX-License-Identifier: Apache-2.0
#include "ui/train/experiment_form.h"

#include "engine/experiment/key_names.h"
#include "ui/models/key_words.h"
#include "ui/widgets/folded_part.h"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>

namespace accrue {

// The draft holds what is typed; this only carries edits to it and shows what it reports. It is a
// class of its own beside FormRows because the rows know nothing of a draft: they show texts,
// findings and folds that they are given.
ExperimentForm::ExperimentForm(ExperimentDraft& draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_layout(new QVBoxLayout(this))
    , m_data(new DataBlock(this))
    , m_plan(new PlanBlock(this))
    , m_rows(new FormRows(
          this, m_layout, { { key::dataName, m_data }, { key::batchDevices, m_plan } }))
{
    m_layout->setContentsMargins(16, 12, 6, 16); // the scroll bar is 10 wide
    m_layout->setSpacing(8);
    m_layout->addStretch(1);
    orderTabs();
    connectParts();
    showDevices();
    m_rows->setTexts(m_draft.texts());
    showCheck();
    showReplaced();
}

// Child editors outlive our members: disconnect them, so that losing the focus during destruction
// cannot call back into the form.
ExperimentForm::~ExperimentForm()
{
    m_rows->disconnect(this);
}

void ExperimentForm::connectParts()
{
    connect(m_rows, &FormRows::edited, this, &ExperimentForm::takeEdit);
    connect(m_rows, &FormRows::solveToggled, this, &ExperimentForm::toggleSolved);
    connect(&m_draft, &ExperimentDraft::textsChanged, this,
        [this] { m_rows->setTexts(m_draft.texts()); });
    connect(&m_draft, &ExperimentDraft::devicesChanged, this, &ExperimentForm::showDevices);
    connect(&m_draft, &ExperimentDraft::checked, this, &ExperimentForm::showCheck);
    connect(&m_draft, &ExperimentDraft::replaced, this, &ExperimentForm::showReplaced);
    connect(&m_draft, &ExperimentDraft::stepped, this, [this](const std::string& key) {
        // Unfolded first: a hidden field does not accept the focus.
        showFolds(FormRows::Folds::MayOpen);
        showField(key);
    });
}

// Rows are made in another order than they are shown in.
void ExperimentForm::orderTabs()
{
    QWidget* last = nullptr;
    const auto append = [&](QWidget* field) {
        // A widget with a proxy does not accept the focus itself, and one in another window, such
        // as the list of a combo box, has a tab order of its own.
        const bool takesTab = (field->focusPolicy() & Qt::TabFocus) != 0
            && field->focusProxy() == nullptr && field->window() == window();
        if (!takesTab)
            return;
        if (last != nullptr)
            setTabOrder(last, field);
        last = field;
    };
    for (int i = 0; i < m_layout->count(); ++i) {
        QWidget* shown = m_layout->itemAt(i)->widget();
        if (shown == nullptr)
            continue;
        append(shown);
        for (QWidget* field : shown->findChildren<QWidget*>())
            append(field);
    }
}

// ---- from the fields to the draft ----

void ExperimentForm::takeEdit(const std::string& key, bool typed)
{
    m_draft.edit(key, editor(key)->text(), typed);
    // A letter never opens a part: only a choice does, which the user has finished.
    if (!typed)
        showFolds(FormRows::Folds::MayOpen);
}

void ExperimentForm::toggleSolved(const std::string& key)
{
    m_draft.toggleSolved(key);
    showFolds(FormRows::Folds::MayOpen);
    const auto* number = static_cast<BatchNumberEditor*>(editor(key));
    if (!number->isSolved()) // the user wants to type it
        number->edit()->setFocus();
}

// ---- from the draft to the fields ----

void ExperimentForm::showDevices()
{
    const KeyInfo& key = *findKey(key::runDevice);
    const KeyChoice& automatic = key.choices.front();
    ChoiceEditor::Choices choices { { QString::fromStdString(automatic.value),
        QString::fromStdString(titleOf(key, automatic)) } };
    // "auto" is in the table of keys; the others are those of this machine.
    for (const DeviceInfo& device : m_draft.devices())
        choices.emplace_back(QString::fromStdString(device.id),
            tr("%1, %2").arg(
                QString::fromStdString(device.name), QString::fromStdString(device.detail.text())));
    static_cast<ChoiceEditor*>(editor(key::runDevice))->setChoices(choices);
}

void ExperimentForm::showReplaced()
{
    m_rows->forgetFolds();
    showFolds(FormRows::Folds::MayOpen);
}

void ExperimentForm::showCheck()
{
    const ExperimentCheck& check = m_draft.check();
    m_rows->showSolutions(check.resolved ? std::optional(check.resolved->plan) : std::nullopt);
    m_plan->showCheck(check, !m_draft.devices().empty());
    m_rows->showRelevant(m_draft.experiment());
    m_rows->showFindings(check.findings);
    // A check follows a pause in the typing: no part may unfold under the user then.
    showFolds(FormRows::Folds::Stay);
    m_data->showData(m_draft.experiment(), m_draft.data());
}

void ExperimentForm::showFolds(FormRows::Folds folds)
{
    m_rows->showFolds(m_draft.experiment(), m_draft.check().findings, folds);
}

// ---- the focus and undo ----

void ExperimentForm::showField(const std::string& key)
{
    FormRow* const changed = row(key);
    if (changed == nullptr || fieldLabel(key, m_draft.experiment()).isEmpty())
        return;
    if (FoldedPart* fold = foldOf(key))
        fold->setOpen(true);
    QWidget* field = changed->editor()->focusWidgetOfField();
    field->setFocus(Qt::OtherFocusReason);
    if (auto* edit = qobject_cast<QLineEdit*>(field))
        edit->end(false); // where typing continues
    Q_EMIT fieldShown(changed);
}

// A field's own undo knows only its letters. Here the draft's undo replaces it, whatever shortcut
// the user has chosen.
bool ExperimentForm::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusOut) {
        m_draft.history().endTyping();
        // Queued, because what is shown may delete the widget that receives the focus. A click must
        // reach the widget under it before anything moves.
        if (static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason)
            QMetaObject::invokeMethod(
                &m_draft, &ExperimentDraft::showPending, Qt::QueuedConnection);
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
    const bool redo = pressed->matches(QKeySequence::Redo);
    if (undo)
        m_draft.history().undo();
    if (redo)
        m_draft.history().redo();
    return undo || redo;
}

// The actions of the form, undo and redo, replace those of the field.
void ExperimentForm::showFieldMenu(QLineEdit& edit, const QPoint& at)
{
    QMenu* menu = edit.createStandardContextMenu();
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!edit.isReadOnly()) {
        // The first two are the line edit's own Undo and Redo.
        for (int own = 0; own < 2; ++own)
            menu->removeAction(menu->actions().constFirst());
        menu->insertActions(menu->actions().value(0), actions());
    }
    menu->popup(at);
}

} // namespace accrue
