// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <vector>

namespace accrue {

class MetricChart;

// Charts over one x axis: what is pointed at in one of them is marked in all, and all show the same
// part of x. GUI thread.
class ChartLinks : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void add(MetricChart& chart); // borrowed; one that is destroyed leaves by itself
    void resetZoom(); // of all
    bool isZoomed() const; // any of them

Q_SIGNALS:
    void zoomChanged();

private:
    void shareZoom(const MetricChart& of);
    void shareStop(const MetricChart& of);

    std::vector<MetricChart*> m_charts;
};

} // namespace accrue
