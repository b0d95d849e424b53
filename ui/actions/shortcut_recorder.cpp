// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_recorder.h"

#include <QKeyEvent>

namespace accrue {

namespace {

bool isModifier(int key)
{
    return key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt
        || key == Qt::Key_AltGr || key == Qt::Key_Meta || key == Qt::Key_unknown || key == 0;
}

// Shift is part of a sign that it writes ("Ctrl+!"), but not of a letter ("Ctrl+Shift+A").
Qt::KeyboardModifiers modifiersOf(const QKeyEvent& event)
{
    Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
    const int key = event.key();
    const bool sign = key > Qt::Key_Space && key < Qt::Key_Escape;
    const bool letter = key >= Qt::Key_A && key <= Qt::Key_Z;
    return sign && !letter ? modifiers & ~Qt::ShiftModifier : modifiers;
}

} // namespace

ShortcutRecorder::ShortcutRecorder(QWidget* parent)
    : QLineEdit(parent)
{
    // Neither the field, its menu nor an input method may process a key first.
    setReadOnly(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    setAttribute(Qt::WA_InputMethodEnabled, false);
    setPlaceholderText(tr("Press keys"));
    setToolTip(tr("Press keys (Backspace: none, Esc: cancel)"));
    setAccessibleName(tr("New shortcut: press keys"));
}

bool ShortcutRecorder::event(QEvent* event)
{
    // Otherwise the keys would trigger the action that has them now.
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void ShortcutRecorder::keyPressEvent(QKeyEvent* event)
{
    // The key that it modifies has not been pressed yet.
    if (isModifier(event->key()))
        return;
    const Qt::KeyboardModifiers modifiers = modifiersOf(*event);
    // Not accepted, so that the delegate closes the field.
    if (event->key() == Qt::Key_Escape && modifiers == Qt::NoModifier) {
        event->ignore();
        return;
    }
    // Backspace alone can never be a shortcut, so it is free to mean that there is none.
    const bool none = event->key() == Qt::Key_Backspace && modifiers == Qt::NoModifier;
    m_keys = none ? QKeySequence()
                  : QKeySequence(QKeyCombination(modifiers, static_cast<Qt::Key>(event->key())));
    setText(m_keys->toString(QKeySequence::NativeText));
    Q_EMIT recorded(*m_keys);
}

} // namespace accrue
