// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>

namespace accrue {

// A field for one number: a double click selects all of it (a plain line edit would stop at the
// decimal point), and the arrow keys step it. A step counts as typed: textEdited is emitted.
class NumberField : public QLineEdit {
    Q_OBJECT
public:
    enum class Kind { Whole, Decimal };
    explicit NumberField(Kind kind, QWidget* parent = nullptr);
    // The number from which steps of an empty field start.
    void setUnset(const QString& number) { m_unset = number; }

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    Kind m_kind;
    QString m_unset;
};

// `text` one step up or down. Whole numbers step by 1 and stop at 0 and at the highest. Others step
// by one unit of their first digit, so that a learning rate steps 0.08, 0.09, 0.1, 0.2. A text that
// is not a number, and a decimal 0, which has no first digit, remain.
QString steppedNumber(const QString& text, bool up, NumberField::Kind kind);

} // namespace accrue
