// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

namespace accrue {

class LiveDescription;

// Milliseconds of one step by part; `other` is the rest that belongs to no part.
struct StepParts {
    double data = 0;
    double forward = 0;
    double backward = 0;
    double optimizer = 0;
    double other = 0;
    double total() const { return data + forward + backward + optimizer + other; }
};

// One step's time as a bar of its parts, with a legend that lists the milliseconds of each. The
// legend has three columns, or two if it is narrow, and a fixed place for each part, so that none
// moves from step to step. Empty, with the same height, before the first step.
class StepPartsBar : public QWidget {
    Q_OBJECT
public:
    explicit StepPartsBar(QWidget* parent = nullptr);
    void setParts(const StepParts& parts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 120, sizeHint().height() }; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString words() const;

    StepParts m_parts;
    int m_columns = 3; // of the legend
    LiveDescription* m_description; // the words for a screen reader
};

} // namespace accrue
