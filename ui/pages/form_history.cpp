// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/form_history.h"

#include <QUndoCommand>
#include <QUndoStack>

#include <utility>

namespace accrue {

namespace {

constexpr int kTyping = 1;

class StepCommand : public QUndoCommand {
public:
    // `joins`: to the one before it, where that is of the same field.
    StepCommand(FormHistory::Step step, bool joins, const FormHistory::Restore& restore)
        : QUndoCommand(step.name)
        , m_step(std::move(step))
        , m_joins(joins)
        , m_restore(restore)
    {
    }

    int id() const override { return m_step.typed ? kTyping : -1; }

    bool mergeWith(const QUndoCommand* command) override
    {
        const auto* next = static_cast<const StepCommand*>(command); // it has the same id
        if (!next->m_joins || next->m_step.key != m_step.key)
            return false;
        m_step.after = next->m_step.after;
        setObsolete(*m_step.before == *m_step.after);
        return true;
    }

    void undo() override { m_restore(m_step.before, m_step.key); }

    void redo() override
    {
        if (!std::exchange(m_isNew, false)) // QUndoStack does what is put on it
            m_restore(m_step.after, m_step.key);
    }

private:
    FormHistory::Step m_step;
    bool m_joins;
    const FormHistory::Restore& m_restore;
    bool m_isNew = true;
};

} // namespace

FormHistory::FormHistory(Restore restore, QObject* parent)
    : QObject(parent)
    , m_restore(std::move(restore))
    , m_steps(new QUndoStack(this))
{
    connect(m_steps, &QUndoStack::indexChanged, this, &FormHistory::changed);
}

void FormHistory::add(Step step)
{
    const bool joins = m_isTyping && step.typed;
    m_isTyping = step.typed;
    m_steps->push(new StepCommand(std::move(step), joins, m_restore));
}

void FormHistory::endTyping()
{
    m_isTyping = false;
}

void FormHistory::clear()
{
    endTyping();
    m_steps->clear();
}

bool FormHistory::canUndo() const
{
    return m_steps->canUndo();
}

bool FormHistory::canRedo() const
{
    return m_steps->canRedo();
}

QString FormHistory::undoName() const
{
    return m_steps->undoText();
}

QString FormHistory::redoName() const
{
    return m_steps->redoText();
}

void FormHistory::undo()
{
    endTyping();
    m_steps->undo();
}

void FormHistory::redo()
{
    endTyping();
    m_steps->redo();
}

} // namespace accrue
