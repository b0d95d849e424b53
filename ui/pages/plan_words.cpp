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
std::size_t countInSight(const ExplanationPart& part)
{
    switch (part.topic) {
    case Topic::LearningRate:
        return 1;
    case Topic::Normalization: // what is seen, and how the running statistics follow
        return std::min<std::size_t>(part.sentences.size(), 2);
    default:
        return 0;
    }
}

QString htmlOf(const ExplanationPart& part)
{
    QString html =
        QStringLiteral("<p><b>%1</b></p>").arg(QString::fromStdString(part.title).toHtmlEscaped());
    for (std::size_t i = countInSight(part); i < part.sentences.size(); ++i)
        html += QStringLiteral("<p>%1</p>")
                    .arg(QString::fromStdString(part.sentences[i]).toHtmlEscaped());
    return html;
}

QLabel* mutedLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setWordWrap(true);
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
    m_inSight->setTextFormat(Qt::PlainText);
    m_folded->setTextFormat(Qt::RichText);
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

void PlanWords::setParts(const std::vector<ExplanationPart>& parts)
{
    QStringList inSight;
    QString folded;
    for (const ExplanationPart& part : parts) {
        const std::size_t count = countInSight(part);
        for (std::size_t i = 0; i < count; ++i)
            inSight << QString::fromStdString(part.sentences[i]);
        if (count < part.sentences.size())
            folded += htmlOf(part);
    }
    const QString text = inSight.join(QLatin1Char('\n'));
    if (text != m_inSight->text())
        m_inSight->setText(text);
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

QString PlanWords::inSight() const
{
    return m_inSight->text();
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
