// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_block.h"

#include "engine/experiment/key_names.h"
#include "ui/train/batch_bar.h"
#include "ui/train/forecast_bar.h"
#include "ui/train/plan_dialog.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QToolButton>

namespace accrue {

PlanBlock::PlanBlock(QWidget* parent)
    : QWidget(parent)
    , m_bar(new BatchBar(this))
    , m_words(new ElidedLabel(this))
    , m_forecast(new ForecastBar(this))
{
    auto* button = new QToolButton(this);
    button->setText(tr("About this plan…"));
    button->setProperty("disclosure", true);
    button->setToolTip(tr("How the batch numbers were computed, what one epoch contains, and what "
                          "they mean for the learning rate and the norm layers"));
    m_words->setProperty("role", QStringLiteral("muted"));
    makeColumn(this, { m_bar, m_words, m_forecast, button })->setAlignment(button, Qt::AlignLeft);
    connect(button, &QToolButton::clicked, this, &PlanBlock::openDialog);
}

void PlanBlock::showCheck(const ExperimentCheck& check, bool devicesAreKnown)
{
    const bool hasPlan = check.resolved.has_value();
    m_bar->setEnabled(hasPlan);
    m_words->setEnabled(!check.epochSentence.isEmpty());
    if (hasPlan) {
        m_bar->setSlices(check.slices, check.tailSlices);
        m_bar->setToolTip(check.batchSentence);
        m_bar->setAccessibleDescription(planSentence(check));
    }
    if (!check.epochSentence.isEmpty())
        m_words->setFullText(check.epochSentence);
    // Without a device nobody can say how much memory there is; with a budget that cannot be read
    // neither.
    const bool known =
        hasPlan && devicesAreKnown && (check.memory || !isWrong(check.findings, key::memoryBudget));
    m_forecast->setEnabled(known);
    if (known)
        m_forecast->setForecast(check.memory);
    m_parts = check.parts;
    if (m_dialog != nullptr)
        m_dialog->setParts(m_parts);
}

void PlanBlock::openDialog()
{
    // One dialog at the most, which the user may leave open beside the form.
    if (m_dialog == nullptr) {
        m_dialog = new PlanDialog(window());
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_dialog->setParts(m_parts);
    m_dialog->show();
    m_dialog->raise();
}

} // namespace accrue
