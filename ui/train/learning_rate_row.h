// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace accrue {

class ElidedLabel;

// Changes the learning rate of a run that trains here: its current rate, a field, and why the typed
// text cannot become the next rate.
class LearningRateRow : public QWidget {
    Q_OBJECT
public:
    explicit LearningRateRow(QWidget* parent = nullptr);

    void begin() { m_asked.reset(); } // a run starts
    // The log has the rate of this step. `since`: RunController::learningRateStep.
    void read(std::int64_t step, const std::optional<std::int64_t>& since);
    // Empty, with the same height, unless `own`. `rate`: of the newest step; none before the first.
    void showRate(bool own, const std::optional<double>& rate);
    void focusField(); // gives it the focus

    QLineEdit* field() const { return m_field; }
    QPushButton* button() const { return m_button; }
    ElidedLabel* problemLabel() const { return m_problem; } // the caller lays it out

Q_SIGNALS:
    void rateAsked(double rate); // of the next step
    void problemChanged(bool any); // whether problemLabel() has a text

private:
    void showTyped();
    QString problem() const;
    void apply();
    void showNow();

    std::optional<double> m_rate;
    std::optional<double> m_asked; // requested, and in effect in no step that was read yet
    bool m_own = false;
    QLabel* m_now;
    QLineEdit* m_field;
    QPushButton* m_button;
    ElidedLabel* m_problem;
};

} // namespace accrue
