// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/experiment_check.h"

#include <QPointer>
#include <QString>
#include <QWidget>

#include <vector>

class QTextBrowser;

namespace accrue {

class BatchBar;
class ElidedLabel;
class ForecastBar;

// The result of the form's batch numbers: a window drawn as blocks, an epoch in words, the forecast
// of memory, and a button that explains the plan. Its height is constant.
class PlanBlock : public QWidget {
    Q_OBJECT
public:
    explicit PlanBlock(QWidget* parent = nullptr);

    // What cannot be computed now remains as it was, greyed.
    void showCheck(const ExperimentCheck& check, bool devicesAreKnown);
    ForecastBar& forecast() const { return *m_forecast; }

private:
    void openDialog(); // the plan in words, all of it, which follows the form while it is open
    void explain();

    BatchBar* m_bar;
    ElidedLabel* m_words;
    ForecastBar* m_forecast;
    std::vector<ExplanationPart> m_parts;
    QPointer<QTextBrowser> m_explanation; // of the dialog, while it is open
    QString m_html; // in it
};

} // namespace accrue
