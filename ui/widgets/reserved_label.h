// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace accrue {

// A text that wraps, in a space that is reserved before the text exists: for so many characters at
// its width, so that nothing beside it moves when the text appears, changes or disappears. A longer
// text gets the space that it needs.
class ReservedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ReservedLabel(int characters, QWidget* parent = nullptr);

    void setText(const QString& text);

    // Any width, however narrow, is acceptable.
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
