// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/experiment.h"
#include "engine/insight/memory_fit.h"

#include <QString>
#include <QTabWidget>

namespace accrue {

class MetricChart;
class ReservedLabel;

// A memory model as charts: the peak by micro-batch, and by N. Both exist before anything is known,
// so that nothing moves when it is. GUI thread.
class LawCharts : public QTabWidget {
    Q_OBJECT
public:
    explicit LawCharts(QWidget* parent = nullptr);

    // `fit` has a memory model; `experiment` is that of the form.
    void showLaw(
        const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);
    void showNone(const QString& why);

    MetricChart* byMicro() const { return m_byMicro; }
    MetricChart* bySteps() const { return m_bySteps; }
    MetricChart* inSight() const;
    QString pictureName() const; // of that one, without an ending

Q_SIGNALS:
    void pictureRequested();

private:
    QLayout* addPage(MetricChart* chart, const QString& title);
    void showByMicro(
        const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);
    void showBySteps(const MemoryFit& fit, const Experiment& experiment);

    MetricChart* m_byMicro;
    MetricChart* m_bySteps;
    ReservedLabel* m_stepsText; // why N does not change the peak
};

} // namespace accrue
