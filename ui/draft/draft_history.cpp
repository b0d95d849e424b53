// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/draft_history.h"

#include <QUndoCommand>

#include <utility>

namespace accrue {

// A step holds the states before and after it, all texts of the form, not what was done. So no
// change needs an inverse, and a new field is undone without a line of code; adjacent steps share
// the state between them. Letters that are typed without a pause are one step, by QUndoCommand's
// merging.

namespace {

constexpr int kTyping = 1;

// Ignores whether the draft counts as edited: text that is typed and removed edits it, too.
bool isAlike(const DraftState& a, DraftState b)
{
    b.origin.edited = a.origin.edited;
    return a == b;
}

class StepCommand : public QUndoCommand {
public:
    // `joins`: merges with the step before it, if that is of the same field.
    StepCommand(DraftHistory::Step step, bool joins, const DraftHistory::Restore& restore)
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
        // A letter that is typed and removed again has changed nothing.
        setObsolete(isAlike(*m_step.before, *m_step.after));
        return true;
    }

    void undo() override { m_restore(m_step.before, m_step.key); }

    void redo() override
    {
        // QUndoStack executes what is pushed, but this is done already
        if (!std::exchange(m_isNew, false))
            m_restore(m_step.after, m_step.key);
    }

private:
    DraftHistory::Step m_step;
    bool m_joins;
    const DraftHistory::Restore& m_restore;
    bool m_isNew = true;
};

} // namespace

DraftHistory::DraftHistory(Restore restore)
    : m_restore([this, restore = std::move(restore)](const State& state, const std::string& key) {
        endTyping();
        restore(state, key);
    })
{
}

DraftHistory::~DraftHistory()
{
    // ~QUndoStack clears itself, which would notify receivers that may be destroyed already.
    blockSignals(true);
}

void DraftHistory::add(Step step)
{
    // Only letters that follow each other in one field, without a pause that ended the typing,
    // are one step.
    const bool joins = m_isTyping && step.typed;
    m_isTyping = step.typed;
    push(new StepCommand(std::move(step), joins, m_restore));
}

} // namespace accrue
