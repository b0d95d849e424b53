// SPDX-License-Identifier: Apache-2.0
#include "ui/train/learning_rate_row.h"

#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/number_field.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <cmath>

namespace accrue {

LearningRateRow::LearningRateRow(QWidget* parent)
    : QWidget(parent)
    , m_now(new QLabel(this))
    , m_field(new NumberField(NumberField::Kind::Decimal, this))
    , m_button(new QPushButton(tr("Apply"), this))
    , m_problem(new ElidedLabel(parent))
{
    makeRow(this, { m_now, m_field, m_button });
    m_field->setFixedWidth(88);
    m_field->setAccessibleName(tr("New learning rate"));
    m_field->setToolTip(tr("Learning rate from the next step on; the schedule continues from it. "
                           "The change is logged."));
    m_button->setToolTip(tr("Continue with this learning rate"));
    for (QWidget* part : std::initializer_list<QWidget*> { m_field, m_button }) {
        QSizePolicy kept = part->sizePolicy(); // so that the row has the same height without a run
        kept.setRetainSizeWhenHidden(true);
        part->setSizePolicy(kept);
    }
    m_problem->setProperty("role", QStringLiteral("error"));
    connect(m_field, &QLineEdit::returnPressed, this, &LearningRateRow::apply);
    connect(m_field, &QLineEdit::textChanged, this, &LearningRateRow::showTyped);
    connect(m_button, &QPushButton::clicked, this, &LearningRateRow::apply);
    showRate(false, {});
}

void LearningRateRow::read(std::int64_t step, const std::optional<std::int64_t>& since)
{
    // Charts are some steps behind the run: until the log has a step with the new rate, the
    // requested rate is shown, not the old one again.
    if (since && step >= *since)
        m_asked.reset();
}

void LearningRateRow::focusField()
{
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void LearningRateRow::showRate(bool own, const std::optional<double>& rate)
{
    m_own = own;
    m_rate = rate;
    for (QWidget* part : std::initializer_list<QWidget*> { m_now, m_field, m_button })
        part->setVisible(own);
    showNow();
    showTyped();
}

void LearningRateRow::showNow()
{
    if (m_asked)
        m_now->setText(
            tr("Learning rate %1 from the next step, change to").arg(numberText(*m_asked)));
    else
        m_now->setText(m_rate ? tr("Learning rate %1, change to").arg(numberText(*m_rate))
                              : tr("Change the learning rate to"));
}

void LearningRateRow::showTyped()
{
    const QString why = problem();
    m_button->setEnabled(!m_field->text().isEmpty() && why.isEmpty());
    // Each letter gets here, and problemChanged() must be emitted for a change only.
    if (why == m_problem->fullText())
        return;
    m_problem->setFullText(why);
    Q_EMIT problemChanged(!why.isEmpty());
    m_field->setAccessibleDescription(why);
    setStyleProperty(m_field, "wrong", !why.isEmpty());
}

// Why the typed text cannot become the learning rate; empty: it can, or nothing is typed.
QString LearningRateRow::problem() const
{
    const QString typed = m_field->text();
    if (typed.isEmpty() || !m_own)
        return {};
    bool number = false;
    const double wanted = typed.toDouble(&number);
    if (!number)
        return tr("“%1” is not a number. Write the learning rate as 0.01 or 1e-2.").arg(typed);
    // Negated, so that NaN is refused as well.
    if (!(wanted > 0) || !std::isfinite(wanted))
        return tr("The learning rate must be finite and greater than 0; it is %1.").arg(typed);
    // Exactly 0, which a schedule can reach: the change is a factor, and 0 times any factor is 0.
    if (m_rate == 0.0)
        return tr(
            "The schedule has reached 0. A change scales the schedule, so the rate would stay 0.");
    return {};
}

void LearningRateRow::apply()
{
    const QString typed = m_field->text();
    if (!m_own || typed.isEmpty() || !problem().isEmpty())
        return;
    m_asked = typed.toDouble();
    showNow();
    Q_EMIT rateAsked(*m_asked);
    m_field->clear();
}

} // namespace accrue
