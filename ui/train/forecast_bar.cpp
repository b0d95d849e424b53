// SPDX-License-Identifier: Apache-2.0
#include "ui/train/forecast_bar.h"

#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/theme.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kBarHeight = 8;
constexpr int kGap = 4; // between bar and words
constexpr double kLeastWidth = 2; // of a part that is small but not zero
constexpr int kWordLines = 2;

} // namespace

ForecastBar::ForecastBar(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_measure(new QPushButton(tr("Measure"), this))
{
    setAccessibleName(tr("Predicted memory"));
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_measure->setProperty("compact", true);
    m_measure->setToolTip(tr("Opens the Memory page, which measures how the memory of a window "
                             "grows with the micro-batch"));
    m_measure->setAccessibleDescription(m_measure->toolTip());
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QHBoxLayout* layout = makeRow(this, { m_words, m_measure }, { 0, kBarHeight + kGap, 0, 0 });
    layout->setStretchFactor(m_words, 1);
    layout->setAlignment(m_measure, Qt::AlignTop);
    // For two lines, whether or not the words need them.
    setFixedHeight(kBarHeight + kGap + kWordLines * fontMetrics().lineSpacing());
    connect(m_measure, &QPushButton::clicked, this, &ForecastBar::measureRequested);
    setForecast(std::nullopt);
}

void ForecastBar::setForecast(const std::optional<MemoryForecast>& forecast)
{
    m_forecast = forecast;
    m_words->setText(forecast ? forecastText(*forecast) : tr("Memory: not measured yet"));
    setToolTip(forecast ? forecastMeaning(*forecast)
                        : tr("Accrue predicts the memory of a window with these settings once it "
                             "has been measured on this device."));
    setAccessibleDescription(QStringList { m_words->text(), toolTip() }.join(QLatin1Char('\n')));
    const bool beyond = forecast && !forecast->fits;
    setStyleProperty(m_words, "role", beyond ? QStringLiteral("warning") : QStringLiteral("muted"));
    m_measure->setVisible(!forecast);
    update();
}

// The track is the available memory; a need beyond it makes the track shorter.
void ForecastBar::paintEvent(QPaintEvent*)
{
    const ThemeColors& colors = themeColors();
    QPainter painter(this);
    if (!m_forecast || !isEnabled()) {
        painter.fillRect(QRectF(0, 0, width(), kBarHeight), colors.track);
        return;
    }
    // At least 1, because it is a divisor.
    const double whole = static_cast<double>(
        std::max({ m_forecast->bytes, m_forecast->limitBytes, std::int64_t { 1 } }));
    const auto wide = [&](std::int64_t bytes) {
        return std::max(kLeastWidth, width() * static_cast<double>(bytes) / whole);
    };
    const double limit = wide(m_forecast->limitBytes);
    painter.fillRect(QRectF(0, 0, limit, kBarHeight), colors.track);
    painter.fillRect(QRectF(0, 0, wide(m_forecast->bytes), kBarHeight),
        m_forecast->fits ? colors.accentFill : colors.warning);
    if (m_forecast->bytes > m_forecast->limitBytes) // the limit
        painter.fillRect(QRectF(limit - 1, 0, 2, kBarHeight), colors.text);
}

} // namespace accrue
