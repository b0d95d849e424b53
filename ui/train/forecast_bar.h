// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/memory_forecast.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace accrue {

// How much of the memory a window will need, as a bar and in words; if that is not known, a button
// that leads to the measurement. Disabled, it greys its content: the settings have no plan that it
// could be about. Its height is constant.
class ForecastBar : public QWidget {
    Q_OBJECT
public:
    explicit ForecastBar(QWidget* parent = nullptr);

    // Empty: no memory model is known
    void setForecast(const std::optional<MemoryForecast>& forecast);
    const std::optional<MemoryForecast>& forecast() const { return m_forecast; }
    QLabel* words() const { return m_words; }
    QPushButton* measureButton() const { return m_measure; }

Q_SIGNALS:
    void measureRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<MemoryForecast> m_forecast;
    QLabel* m_words;
    QPushButton* m_measure;
};

} // namespace accrue
