// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/run_control.h"

#include <QWidget>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accrue {

class LiveDescription;

// What the engine does right now: one window as forward and backward boxes with the current one
// highlighted, and the same in words. Several devices have a row each, by rank; of more than 16 the
// first 15 and the last are drawn. Paints only when something changed.
class WindowView : public QWidget {
    Q_OBJECT
public:
    explicit WindowView(QWidget* parent = nullptr);

    // Of a window, while nothing trains, and of the run.
    void setPlan(std::uint32_t microBatches, std::int64_t devices = 1);
    void setMicroBatches(std::uint32_t count) { setPlan(count); }
    // By rank; of fewer ranks than the run has devices if the others are on other machines.
    void setProgressOfRanks(std::vector<Progress> progress);
    void setProgress(const Progress& progress) { setProgressOfRanks({ progress }); }
    QString words() const; // "micro-batch 3 of 4, backward"

    QSize sizeHint() const override { return { 400, heightOf(m_rows) }; }
    QSize minimumSizeHint() const override { return { 160, heightOf(m_rows) }; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    static int heightOf(int rows); // pixels
    Progress progressOf(std::size_t rank) const; // idle, if it is not known
    QString wordsOf(const Progress& progress) const;
    QString wordsOfRanks() const;
    void paintRow(QPainter& painter, const QRectF& area, const Progress& progress) const;
    void paintPairs(QPainter& painter, const QRectF& area, const Progress& progress) const;
    void paintBar(QPainter& painter, const QRectF& area, const Progress& progress) const;
    std::uint32_t shownMicroBatches() const;

    std::uint32_t m_microBatches = 0;
    std::int64_t m_devices = 1;
    int m_rows = 1;
    std::vector<Progress> m_progress { {} }; // by rank, at least of one
    LiveDescription* m_description; // the same words for a screen reader
};

} // namespace accrue
