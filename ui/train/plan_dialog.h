// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/explanation.h"

#include <QDialog>
#include <QString>

#include <vector>

class QTextBrowser;

namespace accrue {

// The plan of the form in words, all of it. Not modal: it follows the form while it is open.
class PlanDialog : public QDialog {
    Q_OBJECT
public:
    explicit PlanDialog(QWidget* parent = nullptr);

    // Without parts, while something is wrong with the settings, the last ones stay, greyed.
    void setParts(const std::vector<ExplanationPart>& parts);
    QString html() const { return m_html; }

private:
    QTextBrowser* m_text;
    QString m_html;
};

} // namespace accrue
