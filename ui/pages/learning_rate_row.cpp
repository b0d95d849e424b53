// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/learning_rate_row.h"

#include "ui/models/format.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/number_field.h"

#include <QHBoxLayout>
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
    build();
    connect(m_field, &QLineEdit::returnPressed, this, &LearningRateRow::apply);
    connect(m_field, &QLineEdit::textChanged, this, &LearningRateRow::showTyped);
    connect(m_button, &QPushButton::clicked, this, &LearningRateRow::apply);
    showRate(false, {});
}

void LearningRateRow::build()
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_field->setFixedWidth(88);
    m_field->setAccessibleName(tr("New learning rate"));
    m_field->setToolTip(tr("The learning rate from the next step on; the schedule goes "
                           "on from it. The change is logged."));
    m_button->setToolTip(tr("Continue with this learning rate"));
    for (QWidget* part : std::initializer_list<QWidget*> { m_field, m_button }) {
        QSizePolicy kept = part->sizePolicy(); // so that the row is as high without a run
        kept.setRetainSizeWhenHidden(true);
        part->setSizePolicy(kept);
    }
    layout->addWidget(m_now);
    layout->addWidget(m_field);
    layout->addWidget(m_button);
    m_problem->setProperty("role", QStringLiteral("error"));
}

void LearningRateRow::begin(double rate, double factor)
{
    m_changes.begin(rate, factor);
    m_asked.reset();
}

void LearningRateRow::read(double rate)
{
    m_changes.read(rate);
    // At once where the log tells that very rate; a schedule may have gone on from it.
    if (m_asked && (!m_changes.isAhead() || qFuzzyCompare(rate, *m_asked)))
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
    if (why == m_problem->fullText())
        return;
    m_problem->setFullText(why);
    Q_EMIT problemChanged(!why.isEmpty());
    m_field->setAccessibleDescription(why);
    setStyleProperty(m_field, "wrong", !why.isEmpty());
}

// Why what is typed cannot become the learning rate; empty: it can, or nothing is typed.
QString LearningRateRow::problem() const
{
    const QString typed = m_field->text();
    if (typed.isEmpty() || !m_own)
        return {};
    bool number = false;
    const double wanted = typed.toDouble(&number);
    if (!number)
        return tr("“%1” is not a number. Write the learning rate as 0.01 or 1e-2.").arg(typed);
    if (!(wanted > 0) || !std::isfinite(wanted))
        return tr("A learning rate is above zero and finite; %1 is not.").arg(typed);
    if (m_rate == 0.0)
        return tr("The schedule has come to 0, and a change multiplies what it says: it stays 0.");
    return {};
}

void LearningRateRow::apply()
{
    const QString typed = m_field->text();
    if (!m_own || typed.isEmpty() || !problem().isEmpty())
        return;
    const std::optional<double> factor = m_changes.ask(typed.toDouble());
    if (!factor) {
        Q_EMIT refused(tr("The learning rate was not changed: %1 is too far from what the schedule "
                          "says.")
                           .arg(typed));
        return;
    }
    m_asked = typed.toDouble();
    showNow();
    Q_EMIT factorAsked(*factor);
    m_field->clear();
}

} // namespace accrue
