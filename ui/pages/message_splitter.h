// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSplitter>

namespace accrue {

class MessagePanel;

// The pages above, the messages below. Closed messages take one line and give the rest to the
// pages; opened, they are as high as the user last made them.
class MessageSplitter : public QSplitter {
    Q_OBJECT
public:
    // Both become its children.
    MessageSplitter(QWidget* pages, MessagePanel* messages, QWidget* parent = nullptr);

    int openHeight() const { return m_openHeight; } // pixels; also while closed
    void setOpenHeight(int height);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    void takeDrag();

    MessagePanel* m_messages;
    int m_openHeight;
};

} // namespace accrue
