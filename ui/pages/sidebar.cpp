// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/sidebar.h"

#include <QAction>
#include <QToolButton>
#include <QVBoxLayout>

namespace accrue {

namespace {

constexpr int kWidth = 80;
constexpr int kIcon = 22;

} // namespace

Sidebar::Sidebar(const std::vector<QAction*>& pages, QWidget* parent)
    : QFrame(parent)
{
    setObjectName(QStringLiteral("sidebar"));
    setAccessibleName(tr("Pages"));
    setFixedWidth(kWidth);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 8, 6, 8);
    layout->setSpacing(4);
    for (QAction* page : pages) {
        if (page == pages.back())
            layout->addStretch(1);
        auto* button = new QToolButton(this);
        button->setDefaultAction(page);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setIconSize({ kIcon, kIcon });
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard to the page
        layout->addWidget(button);
    }
}

} // namespace accrue
