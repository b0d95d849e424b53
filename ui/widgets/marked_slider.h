// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSlider>

#include <vector>

namespace accrue {

// A horizontal slider with ticks at some of its values. Follows the theme. GUI thread.
class MarkedSlider : public QSlider {
    Q_OBJECT
public:
    explicit MarkedSlider(QWidget* parent = nullptr);

    void setMarks(std::vector<int> values);
    const std::vector<int>& marks() const { return m_marks; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<int> m_marks;
};

} // namespace accrue
