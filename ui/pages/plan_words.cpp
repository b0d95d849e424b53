// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_words.h"

#include "ui/pages/icons.h"

#include <QKeyEvent>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace accrue {

namespace {

using Topic = ExplanationPart::Topic;

// How many of a part's sentences matter to everyone.
std::size_t countInSight(const ExplanationPart& part, bool hasNorm)
{
    if (part.topic == Topic::LearningRate)
        return 1;
    // What is seen, and how the running statistics follow.
    const bool norm = part.topic == Topic::Normalization && hasNorm;
    return norm ? std::min<std::size_t>(part.sentences.size(), 2) : 0;
}

QString paragraph(const QString& html, int above)
{
    return QStringLiteral("<p style='margin: %1px 0 0 0'>%2</p>").arg(above).arg(html);
}

QString htmlOf(const QStringList& sentences)
{
    QString html;
    for (const QString& sentence : sentences)
        html += paragraph(sentence.toHtmlEscaped(), html.isEmpty() ? 0 : 4);
    return html;
}

QString htmlOf(const QString& title, const QStringList& sentences)
{
    return paragraph(QStringLiteral("<b>%1</b>").arg(title.toHtmlEscaped()), 8) + htmlOf(sentences);
}

QLabel* mutedLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setProperty("role", QStringLiteral("muted"));
    return label;
}

} // namespace

PlanWords::PlanWords(QWidget* parent)
    : QWidget(parent)
    , m_inSight(mutedLabel(this))
    , m_button(new QToolButton(this))
    , m_folded(mutedLabel(this))
{
    m_button->setText(tr("More about this plan"));
    m_button->setCheckable(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setProperty("disclosure", true);
    m_button->setIconSize({ 12, 12 });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_inSight);
    layout->addWidget(m_button, 0, Qt::AlignLeft);
    layout->addWidget(m_folded);
    connect(m_button, &QToolButton::clicked, this, &PlanWords::setOpen);
    setOpen(false);
    hide();
}

void PlanWords::setParts(const std::vector<ExplanationPart>& parts, bool hasNorm)
{
    m_sentences.clear();
    QString folded;
    for (const ExplanationPart& part : parts) {
        QStringList rest;
        const std::size_t count = countInSight(part, hasNorm);
        for (std::size_t i = 0; i < part.sentences.size(); ++i)
            (i < count ? m_sentences : rest) << QString::fromStdString(part.sentences[i]);
        if (!rest.isEmpty())
            folded += htmlOf(QString::fromStdString(part.title), rest);
    }
    if (const QString html = htmlOf(m_sentences); html != m_inSight->text())
        m_inSight->setText(html);
    if (folded != m_folded->text())
        m_folded->setText(folded);
    setVisible(!parts.empty());
}

bool PlanWords::isOpen() const
{
    return m_button->isChecked();
}

void PlanWords::setOpen(bool open)
{
    m_button->setChecked(open);
    m_button->setIcon(
        themedIcon(open ? QLatin1String("chevron-down") : QLatin1String("chevron-right")));
    m_button->setToolTip(open
            ? tr("Fold the words about the plan")
            : tr("How the numbers were solved, what an epoch is, and what the mistakes of "
                 "published programs would do with them"));
    m_folded->setVisible(open);
}

QString PlanWords::folded() const
{
    return m_folded->text();
}

// Space presses a button by itself.
void PlanWords::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_button->hasFocus())
        m_button->click();
    else
        QWidget::keyPressEvent(event);
}

} // namespace accrue
