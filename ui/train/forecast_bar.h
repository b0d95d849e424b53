// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/draft/memory_forecast.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace accrue {

// How much of the memory a window will take, as a bar and in words; where that is not known, a
// button that leads to where it is measured. Disabled it greys what it shows: the settings make no
// plan that it could be about. Always as high.
class ForecastBar : public QWidget {
    Q_OBJECT
public:
    explicit ForecastBar(QWidget* parent = nullptr);

    void setForecast(const std::optional<MemoryForecast>& forecast); // empty: no law is known
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
