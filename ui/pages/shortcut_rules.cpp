// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/shortcut_rules.h"

#include <QCoreApplication>

#include <algorithm>

namespace accrue {

namespace {

enum class Use {
    Free,
    Typing, // writes a character
    Editing, // of text, in every field
    Moving, // within the window: focus, buttons, menus
    InputMethod, // of IBus and Fcitx, as they come
    Desktop, // of window managers and consoles
};

class Text {
    Q_DECLARE_TR_FUNCTIONS(ShortcutRules)
};

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

Use useOf(QKeyCombination keys)
{
    const Qt::Key key = keys.key();
    if (belongsToInputMethods(keys))
        return Use::InputMethod;
    if (belongsToDesktop(keys))
        return Use::Desktop;
    if (editsText(keys))
        return Use::Editing;
    const Qt::KeyboardModifiers modifiers = keys.keyboardModifiers();
    if (modifiers.testFlag(Qt::ControlModifier))
        return key == Qt::Key_Tab || key == Qt::Key_Backtab ? Use::Moving : Use::Free;
    if (modifiers.testFlag(Qt::AltModifier)) // opens a menu by its letter
        return isLetterOrDigit(key) ? Use::Moving : Use::Free;
    if (isMovingKey(key) || key == Qt::Key_F10)
        return Use::Moving;
    const bool free = isFunctionKey(key) || key == Qt::Key_Delete || key == Qt::Key_Insert;
    return free ? Use::Free : Use::Typing;
}

QString sentence(Use use)
{
    switch (use) {
    case Use::Free:
        break;
    case Use::Typing:
        return Text::tr("%1 types text. Add Ctrl.");
    case Use::Editing:
        return Text::tr("%1 edits text in every field. Take another.");
    case Use::Moving:
        return Text::tr("%1 moves within the window. Add Ctrl.");
    case Use::InputMethod:
        return Text::tr("Input methods use %1. Take another.");
    case Use::Desktop:
        return Text::tr("The desktop uses %1. Take another.");
    }
    return {};
}

} // namespace

QString shortcutProblem(const QKeySequence& keys)
{
    if (keys.isEmpty())
        return {};
    const QString text = keys.toString(QKeySequence::NativeText);
    if (keys.count() > 1)
        return Text::tr("%1 are several strokes. Take one.").arg(text);
    const Use use = useOf(keys[0]);
    return use == Use::Free ? QString() : sentence(use).arg(text);
}

} // namespace accrue
