// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/law_picture.h"

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

    void showLaw(const LawQuestion& question); // which has a memory model
    void showNone(const QString& why);

    MetricChart* byMicro() const { return m_byMicro; }
    MetricChart* bySteps() const { return m_bySteps; }
    MetricChart* inSight() const { return currentIndex() == 1 ? m_bySteps : m_byMicro; }
    QString pictureName() const; // of that one, without an ending

Q_SIGNALS:
    void pictureRequested();

private:
    QLayout* addPage(MetricChart* chart, const QString& title);
    void showByMicro(const LawQuestion& question);
    void showBySteps(const LawQuestion& question);

    MetricChart* m_byMicro;
    MetricChart* m_bySteps;
    ReservedLabel* m_stepsText; // why N does not change the peak
};

} // namespace accrue
