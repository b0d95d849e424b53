// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/number_field.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace accrue {

namespace {

QString steppedWhole(qlonglong number, bool up)
{
    if (up)
        return QString::number(
            number < std::numeric_limits<qlonglong>::max() ? number + 1 : number);
    return QString::number(std::max<qlonglong>(number, 1) - 1);
}

// At 0.1 the step down is that of the decade below.
QString steppedDecimal(double number, bool up)
{
    constexpr double kRounding = 1e-9;
    const double size = std::abs(number);
    // A logarithm that should be whole may be a little less.
    double unit = std::pow(10, std::floor(std::log10(size) + kRounding));
    // Stepping a negative number up makes it smaller in size.
    const bool shrinks = up == (number < 0);
    if (shrinks && size < unit * (1 + kRounding))
        unit /= 10;
    constexpr int kDigits = 10; // fewer than a double has: 0.3, not 0.30000000000000004
    return QString::number(number + (up ? unit : -unit), 'g', kDigits);
}

} // namespace

QString steppedNumber(const QString& text, bool up, NumberField::Kind kind)
{
    bool isWhole = false;
    const qlonglong whole = text.toLongLong(&isWhole);
    if (isWhole && kind == NumberField::Kind::Whole)
        return steppedWhole(whole, up);
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    if (!isNumber || !std::isfinite(number) || number == 0)
        return text;
    return steppedDecimal(number, up);
}

NumberField::NumberField(Kind kind, QWidget* parent)
    : QLineEdit(parent)
    , m_kind(kind)
{
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
}

void NumberField::mouseDoubleClickEvent(QMouseEvent* event)
{
    QLineEdit::mouseDoubleClickEvent(event);
    selectAll();
}

void NumberField::keyPressEvent(QKeyEvent* event)
{
    const bool arrow = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    if (!arrow || modifiers != Qt::NoModifier || isReadOnly())
        return QLineEdit::keyPressEvent(event);
    const QString typed = text().trimmed();
    // An empty field represents a number that is not shown, from which it steps.
    const QString from = typed.isEmpty() ? m_unset : typed;
    const QString stepped = steppedNumber(from, event->key() == Qt::Key_Up, m_kind);
    if (stepped == from)
        return;
    setText(stepped);
    // setText does not emit it, but listeners of typing must receive a step as well.
    Q_EMIT textEdited(stepped);
}

} // namespace accrue
