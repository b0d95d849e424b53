// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"

#include <QWidget>

#include <cstdint>

namespace accrue {

class LiveDescription;

// What the engine does right now: one window as forward and backward boxes with the current one
// highlighted, and the same in words. Paints only when something changed.
class WindowView : public QWidget {
    Q_OBJECT
public:
    explicit WindowView(QWidget* parent = nullptr);

    void setMicroBatches(std::uint32_t count); // of a window, while nothing trains
    void setProgress(const Progress& progress);
    QString words() const; // "micro-batch 3 of 4, backward"

    QSize sizeHint() const override { return { 400, 24 }; }
    QSize minimumSizeHint() const override { return { 160, 24 }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintPairs(QPainter& painter, const QRectF& area);
    void paintBar(QPainter& painter, const QRectF& area);
    std::uint32_t shownMicroBatches() const;

    std::uint32_t m_microBatches = 0;
    Progress m_progress;
    LiveDescription* m_description; // the same words for a screen reader
};

} // namespace accrue
