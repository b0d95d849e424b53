// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_block.h"

#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/train/batch_bar.h"
#include "ui/train/forecast_bar.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/text_dialog.h"

#include <QTextBrowser>
#include <QToolButton>

namespace accrue {

namespace {

QString htmlOf(const ExplanationPart& part)
{
    QString html = QStringLiteral("<h4>%1</h4>").arg(messageText(part.title).toHtmlEscaped());
    for (const Message& sentence : part.sentences)
        html += QStringLiteral("<p>%1</p>").arg(messageText(sentence).toHtmlEscaped());
    return html;
}

} // namespace

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
        m_bar->setSlices(check.slices, check.tailSlices, check.resolved->plan.devices);
        m_bar->setToolTip(check.batchSentence);
        m_bar->setAccessibleDescription(planSentence(check));
    }
    if (!check.epochSentence.isEmpty())
        m_words->setFullText(check.epochSentence);
    // Without a device, or with a budget that cannot be read, the available memory is unknown.
    const bool known =
        hasPlan && devicesAreKnown && (check.memory || !isWrong(check.findings, key::memoryBudget));
    m_forecast->setEnabled(known);
    if (known)
        m_forecast->setForecast(check.memory);
    m_parts = check.parts;
    if (m_explanation != nullptr)
        explain();
}

void PlanBlock::openDialog()
{
    // At most one dialog, which the user may leave open beside the form.
    if (m_explanation == nullptr) {
        // A new dialog is empty: explain() must not skip a text that equals the last one.
        m_html.clear();
        m_explanation = new QTextBrowser(this);
        m_explanation->setPlaceholderText(
            tr("There is no plan while a setting has an error. See the checks on the Train page."));
        showTextDialog(*window(), tr("Batch plan"), { 600, 520 }, m_explanation);
    }
    explain();
    // An open dialog may be behind the main window.
    m_explanation->window()->raise();
}

// If something is wrong with the settings there are no parts; the last ones remain, greyed.
void PlanBlock::explain()
{
    m_explanation->setEnabled(!m_parts.empty());
    QString html;
    for (const ExplanationPart& part : m_parts)
        if (part.topic != ExplanationPart::Topic::Defects) // of others' programs, not of this plan
            html += htmlOf(part);
    // A new text would scroll back to its beginning while somebody reads.
    if (m_parts.empty() || html == m_html)
        return;
    m_html = html;
    m_explanation->setHtml(html);
}

} // namespace accrue
