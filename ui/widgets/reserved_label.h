// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace accrue {

// A text that wraps, in a room that is there before the text is: for so many characters at its
// width, so that nothing beside it moves when the text comes, changes or goes. A text that needs
// more gets it.
class ReservedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ReservedLabel(int characters, QWidget* parent = nullptr);

    void setText(const QString& text);

    // As narrow as anything beside it likes.
    QSize minimumSizeHint() const override { return { 0, fontMetrics().height() }; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void reserve();
    int heightOf(const QString& text) const; // at this width

    const QString m_usual; // a text as long as is reserved for
};

} // namespace accrue
