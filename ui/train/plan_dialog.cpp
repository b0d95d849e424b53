// SPDX-License-Identifier: Apache-2.0
#include "ui/train/plan_dialog.h"

#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace accrue {

namespace {

QString htmlOf(const ExplanationPart& part)
{
    QString html = QStringLiteral("<h4>%1</h4>")
                       .arg(QString::fromStdString(part.title.text()).toHtmlEscaped());
    for (const Message& sentence : part.sentences)
        html += QStringLiteral("<p>%1</p>")
                    .arg(QString::fromStdString(sentence.text()).toHtmlEscaped());
    return html;
}

} // namespace

PlanDialog::PlanDialog(QWidget* parent)
    : QDialog(parent)
    , m_text(new QTextBrowser(this))
{
    setWindowTitle(tr("Batch plan"));
    resize(600, 520);
    m_text->setAccessibleName(windowTitle());
    m_text->setPlaceholderText(
        tr("There is no plan while a setting has an error. See the checks on the Train page."));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
}

void PlanDialog::setParts(const std::vector<ExplanationPart>& parts)
{
    m_text->setEnabled(!parts.empty());
    if (parts.empty())
        return;
    QString html;
    for (const ExplanationPart& part : parts)
        if (part.topic != ExplanationPart::Topic::Defects) // of others' programs, not of this plan
            html += htmlOf(part);
    // A new text would scroll back to its beginning while somebody reads.
    if (html == m_html)
        return;
    m_html = html;
    m_text->setHtml(html);
}

} // namespace accrue
