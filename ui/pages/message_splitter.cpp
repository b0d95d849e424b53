// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/message_splitter.h"

#include "ui/pages/message_panel.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kFirstOpenHeight = 184; // six messages and the line above them

} // namespace

MessageSplitter::MessageSplitter(QWidget* pages, MessagePanel* messages, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_messages(messages)
    , m_openHeight(kFirstOpenHeight)
{
    setChildrenCollapsible(false);
    setHandleWidth(1);
    addWidget(pages);
    addWidget(messages);
    setStretchFactor(0, 1);
    setStretchFactor(1, 0);
    connect(messages, &MessagePanel::openChanged, this, &MessageSplitter::place);
    connect(this, &QSplitter::splitterMoved, this, &MessageSplitter::takeDrag);
    place();
}

void MessageSplitter::setOpenHeight(int height)
{
    m_openHeight = std::max(height, m_messages->leastOpenHeight());
    place();
}

void MessageSplitter::takeDrag()
{
    if (m_messages->isOpen())
        m_openHeight = sizes().back();
}

// By hand: a splitter leaves the room of a part that became smaller empty.
void MessageSplitter::place()
{
    const bool open = m_messages->isOpen();
    const int below = open ? m_openHeight : m_messages->closedHeight();
    handle(1)->setEnabled(open);
    setSizes({ std::max(0, height() - handleWidth() - below), below });
}

void MessageSplitter::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    place();
}

} // namespace accrue
