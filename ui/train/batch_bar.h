// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <cstdint>
#include <vector>

namespace accrue {

// Draws one window as blocks, each as wide as its micro-batch is large, and beside it, hatched, the
// smaller window that ends an epoch. Blocks too small to be distinguished become stripes, labelled
// with the number that they represent: “128 × 1”. Several devices have a row of blocks each,
// because they compute side by side; of more than eight the first seven and the last are drawn.
class BatchBar : public QWidget {
    Q_OBJECT
public:
    explicit BatchBar(QWidget* parent = nullptr);

    // Samples of the slices of a window and of the tail; empty: nothing to draw. The devices share
    // each slice. A bar that is disabled is faded.
    void setSlices(
        std::vector<std::int64_t> window, std::vector<std::int64_t> tail, std::int64_t devices = 1);

    QSize sizeHint() const override { return { 320, 30 }; }
    QSize minimumSizeHint() const override { return { 120, 30 }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<std::int64_t> m_window;
    std::vector<std::int64_t> m_tail;
    std::int64_t m_devices = 1;
};

} // namespace accrue
