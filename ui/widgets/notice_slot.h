// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/widgets/inline_message.h"

#include <QPointer>

#include <vector>

namespace accrue {

// What has just happened, one notice at a time for the whole window: it floats over the bottom of
// the page, in no layout, so that nothing moves when it appears or disappears. A later notice
// replaces the one before; a note disappears after ten seconds, a problem when it is closed. Work
// that is still in progress is shown again when a notice that replaced it disappears. GUI thread.
class NoticeSlot : public InlineMessage {
    Q_OBJECT
public:
    // Over the bottom of `area`, as a child of its window.
    explicit NoticeSlot(QWidget& area);
    void setArea(QWidget& area); // likewise, from now on
    // The slot of the window of `anywhere`; if it has none, one is made that covers all of it.
    static NoticeSlot& of(QWidget& anywhere);

    // `work` is only compared: it is the same in all three calls.
    void begin(const QObject& work, const QString& text, std::function<void()> cancel);
    void advance(const QObject& work, double share);
    void end(const QObject& work);
    void withdraw(const QString& text); // its text no longer holds

protected:
    void present(
        Kind kind, const QString& text, const QString& button, std::function<void()> act) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Work {
        const QObject* of = nullptr;
        QString text;
        double share = 0;
        std::function<void()> cancel;
    };
    void showWork();
    void place();

    QPointer<QWidget> m_area;
    std::vector<Work> m_works; // the newest last
    const QObject* m_shown = nullptr; // of m_works
};

} // namespace accrue
