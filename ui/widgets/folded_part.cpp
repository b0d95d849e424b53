// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/folded_part.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QKeyEvent>
#include <QToolButton>

namespace accrue {

FoldedPart::FoldedPart(const QString& section, QWidget* parent)
    : QWidget(parent)
    , m_section(section)
    , m_button(new QToolButton(this))
    , m_body(new QWidget(this))
    , m_rows(makeColumn(m_body))
{
    makeColumn(this, { m_button, m_body });
    m_button->setCheckable(true);
    m_button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // whatever it counts
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setProperty("disclosure", true);
    m_button->setIconSize({ 12, 12 });
    // clicked, not toggled: only what the user opens is remembered.
    connect(m_button, &QToolButton::clicked, this, [this](bool open) {
        setOpen(open);
        Q_EMIT toggled(open);
    });
    setCounts(0, 0);
    setOpen(false);
}

void FoldedPart::addRow(QWidget* row)
{
    m_rows->addWidget(row);
}

void FoldedPart::setOpen(bool open)
{
    m_button->setChecked(open);
    m_button->setIcon(
        themedIcon(open ? QLatin1String("chevron-down") : QLatin1String("chevron-right")));
    m_button->setToolTip(open ? tr("Hide advanced settings") : tr("Show advanced settings"));
    m_body->setVisible(open);
}

bool FoldedPart::isOpen() const
{
    return m_button->isChecked();
}

void FoldedPart::setCounts(int changed, int problems)
{
    QStringList parts { tr("Advanced") };
    if (changed > 0)
        parts << tr("%1 changed").arg(changed);
    if (problems > 0)
        parts << (problems == 1 ? tr("1 to check") : tr("%1 to check").arg(problems));
    const QString text = parts.join(tr(", "));
    m_button->setText(text);
    m_button->setAccessibleName(tr("%1: %2").arg(m_section, text));
}

// Space presses a button by itself.
void FoldedPart::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_button->hasFocus())
        // Not toggle(): only a click is reported as the user's.
        m_button->click();
    else
        QWidget::keyPressEvent(event);
}

} // namespace accrue
