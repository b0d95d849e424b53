// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/shortcut_rules.h"

#include "ui/models/format.h"

#include <algorithm>

namespace accrue {

namespace {

// A shortcut with one of these keys would fail silently: a field receives the keys that type or
// edit before an action does, and input methods and desktops receive theirs before the window does.
// Keys that move the focus are refused because the window cannot be used by keyboard without them.
bool isOneOf(QKeyCombination keys, std::initializer_list<QKeyCombination> list)
{
    return std::find(list.begin(), list.end(), keys) != list.end();
}

bool isLetterOrDigit(Qt::Key key)
{
    return (key >= Qt::Key_A && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9);
}

bool isFunctionKey(Qt::Key key)
{
    return key >= Qt::Key_F1 && key <= Qt::Key_F35;
}

bool isMovingKey(Qt::Key key)
{
    return (key >= Qt::Key_Home && key <= Qt::Key_PageDown) || key == Qt::Key_Tab
        || key == Qt::Key_Backtab || key == Qt::Key_Escape || key == Qt::Key_Return
        || key == Qt::Key_Enter || key == Qt::Key_Menu;
}

bool belongsToInputMethods(QKeyCombination keys)
{
    // First the keys of keyboards for Chinese, Japanese and Korean; then the defaults of IBus and
    // Fcitx: Ctrl or Shift with Space switches the method.
    const bool steersOne = keys.key() >= Qt::Key_Multi_key && keys.key() <= Qt::Key_Hangul_Special;
    const bool space = keys.key() == Qt::Key_Space && keys.keyboardModifiers() != Qt::NoModifier
        && !keys.keyboardModifiers().testFlag(Qt::AltModifier);
    return steersOne || space
        || isOneOf(keys,
            { Qt::CTRL | Qt::Key_Period, Qt::CTRL | Qt::Key_Semicolon, Qt::CTRL | Qt::Key_QuoteLeft,
                Qt::ALT | Qt::Key_QuoteLeft, Qt::CTRL | Qt::SHIFT | Qt::Key_F,
                Qt::CTRL | Qt::SHIFT | Qt::Key_U, Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_U });
}

bool belongsToDesktop(QKeyCombination keys)
{
    const Qt::KeyboardModifiers modifiers = keys.keyboardModifiers();
    // Ctrl+Alt with a function key switches consoles; T and L open a terminal and lock the screen
    // on many desktops. Alt with F4, Tab or Space is for the windows themselves.
    const bool ctrlAlt = modifiers.testFlags(Qt::ControlModifier | Qt::AltModifier);
    const bool altOnly = modifiers == Qt::AltModifier || modifiers == (Qt::ALT | Qt::SHIFT);
    const Qt::Key key = keys.key();
    if (modifiers.testFlag(Qt::MetaModifier) || key == Qt::Key_Print || key == Qt::Key_SysReq)
        return true;
    if (ctrlAlt)
        return isFunctionKey(key) || isMovingKey(key) || key == Qt::Key_Delete
            || key == Qt::Key_Backspace || key == Qt::Key_T || key == Qt::Key_L;
    return altOnly && (isFunctionKey(key) || isMovingKey(key) || key == Qt::Key_Space);
}

bool editsText(QKeyCombination keys)
{
    const Qt::Key key = keys.key();
    const bool ctrl = keys.keyboardModifiers().testFlag(Qt::ControlModifier);
    const bool moves = key >= Qt::Key_Home && key <= Qt::Key_PageDown;
    return key == Qt::Key_Backspace
        || (ctrl && (moves || key == Qt::Key_Delete || key == Qt::Key_Insert))
        || isOneOf(keys,
            { Qt::CTRL | Qt::Key_A, Qt::CTRL | Qt::Key_C, Qt::CTRL | Qt::Key_U,
                Qt::CTRL | Qt::Key_V, Qt::CTRL | Qt::Key_X, Qt::CTRL | Qt::Key_Y,
                Qt::CTRL | Qt::Key_Z, Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::SHIFT | Qt::Key_Insert,
                Qt::SHIFT | Qt::Key_Delete });
}

// A sentence about these keys, with %1 for them; empty: they are free.
QString problemOf(QKeyCombination keys)
{
    // Some keys are in more than one list: Ctrl+Alt+Delete also edits text.
    if (belongsToInputMethods(keys))
        return Ui::tr("Input methods use %1; choose another shortcut.");
    if (belongsToDesktop(keys))
        return Ui::tr("The desktop uses %1; choose another shortcut.");
    if (editsText(keys))
        return Ui::tr("%1 edits text in fields; choose another shortcut.");
    const Qt::Key key = keys.key();
    const Qt::KeyboardModifiers modifiers = keys.keyboardModifiers();
    const QString moves = Ui::tr("%1 moves the focus; add Ctrl.");
    if (modifiers.testFlag(Qt::ControlModifier))
        return key == Qt::Key_Tab || key == Qt::Key_Backtab ? moves : QString();
    if (modifiers.testFlag(Qt::AltModifier)) // opens a menu by its letter
        return isLetterOrDigit(key) ? moves : QString();
    if (isMovingKey(key) || key == Qt::Key_F10)
        return moves;
    const bool free = isFunctionKey(key) || key == Qt::Key_Delete || key == Qt::Key_Insert;
    return free ? QString() : Ui::tr("%1 types text; add Ctrl.");
}

} // namespace

QString shortcutProblem(const QKeySequence& keys)
{
    if (keys.isEmpty())
        return {};
    const QString text = keys.toString(QKeySequence::NativeText);
    if (keys.count() > 1)
        return Ui::tr("%1 is a sequence; use a single key combination.").arg(text);
    const QString problem = problemOf(keys[0]);
    return problem.isEmpty() ? QString() : problem.arg(text);
}

} // namespace accrue
