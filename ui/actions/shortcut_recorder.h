// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QLineEdit>

#include <optional>

namespace accrue {

// A field that accepts the next key combination instead of text. Backspace means no shortcut; Tab
// and Esc retain their meaning, so that the focus is never trapped.
class ShortcutRecorder : public QLineEdit {
    Q_OBJECT
public:
    explicit ShortcutRecorder(QWidget* parent = nullptr);

    // Empty: nothing was pressed yet.
    const std::optional<QKeySequence>& keys() const { return m_keys; }

Q_SIGNALS:
    void recorded(const QKeySequence& keys);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::optional<QKeySequence> m_keys;
};

} // namespace accrue
