// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/empty_page.h"

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

namespace accrue {

namespace {

constexpr int kIcon = 48;
constexpr int kTextWidth = 440;

} // namespace

EmptyPage::EmptyPage(QLatin1String icon, const QString& title, const QString& text,
    const QString& button, QWidget* parent)
    : QWidget(parent)
    , m_ownTitle(title)
    , m_ownText(text)
    , m_title(makeLabel("title", title, this))
    , m_text(makeLabel("muted", text, this))
    , m_button(new QPushButton(button, this))
    , m_openLog(new QPushButton(tr("Open another log…"), this))
{
    auto* picture = new IconLabel(kIcon, this);
    picture->setIcon(icon, &ThemeColors::muted);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter);
    // A fixed width, because a centred text that wraps has no natural one.
    m_text->setFixedWidth(kTextWidth);
    for (QPushButton* each : { m_button, m_openLog })
        each->setProperty("primary", true);
    m_openLog->hide();
    connect(m_openLog, &QPushButton::clicked, this, &EmptyPage::openLogRequested);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    // Two parts above and three below: what is a little above the middle looks centred.
    layout->addStretch(2);
    for (QWidget* each :
        std::initializer_list<QWidget*> { picture, m_title, m_text, m_button, m_openLog })
        layout->addWidget(each, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void EmptyPage::showLogProblem(const QString& problem)
{
    const bool readable = problem.isEmpty();
    m_title->setText(readable ? m_ownTitle : tr("This run log cannot be read"));
    m_text->setText(readable ? m_ownText : problem);
    m_button->setVisible(readable);
    m_openLog->setVisible(!readable);
    m_text->setMinimumHeight(m_text->heightForWidth(kTextWidth));
}

void EmptyPage::showEvent(QShowEvent* event)
{
    // A layout uses a centred label's size hint, not its height at this width.
    m_text->setMinimumHeight(m_text->heightForWidth(kTextWidth));
    QWidget::showEvent(event);
}

} // namespace accrue
