// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/run/run_controller.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace accrue {

class ElidedLabel;

// Changes the learning rate of a run that trains here: its rate now, a field, and why what is typed
// there cannot become the next rate.
class LearningRateRow : public QWidget {
    Q_OBJECT
public:
    explicit LearningRateRow(QWidget* parent = nullptr);

    void begin(double rate, double factor); // of a run that starts
    void read(double rate); // the log told the rate of a newer step
    // Empty, and as high, unless `own`. `rate`: of the newest step; none before the first.
    void showRate(bool own, const std::optional<double>& rate);
    void focusField(); // puts the keyboard there

    QLineEdit* field() const { return m_field; }
    QPushButton* button() const { return m_button; }
    ElidedLabel* problemLabel() const { return m_problem; } // who lays out this places it

Q_SIGNALS:
    void factorAsked(double factor); // on the schedule
    void refused(const QString& why);
    void problemChanged(bool any); // whether problemLabel() says something

private:
    void build();
    void showTyped();
    QString problem() const;
    void apply();
    void showNow();

    LearningRateChanges m_changes;
    std::optional<double> m_rate;
    std::optional<double> m_asked; // and not told of yet
    bool m_own = false;
    QLabel* m_now;
    QLineEdit* m_field;
    QPushButton* m_button;
    ElidedLabel* m_problem;
};

} // namespace accrue
