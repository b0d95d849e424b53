// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAccessible>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>

class QWidget;

namespace accrue {

// Updates the accessible description of a widget whose content changes many times a second. While
// no assistive technology is connected, the words are not made. GUI thread.
class LiveDescription : public QObject, private QAccessible::ActivationObserver {
    Q_OBJECT
public:
    // Becomes a child of `widget`, which `words` may use.
    LiveDescription(QWidget* widget, std::function<QString()> words);
    ~LiveDescription() override;

    // What is shown may have changed: described within half a second, once for many calls.
    void refresh();

private:
    void accessibilityActiveChanged(bool active) override;
    void describe();

    QWidget* m_widget;
    std::function<QString()> m_words;
    QTimer m_timer;
    bool m_listened;
};

} // namespace accrue
