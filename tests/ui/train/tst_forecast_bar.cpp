// SPDX-License-Identifier: Apache-2.0
#include "ui/train/forecast_bar.h"

#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "ui/widgets/theme.h"

using namespace accrue;

namespace {

MemoryForecast forecastOf(std::int64_t bytes, std::int64_t limit)
{
    return { .micro = 32,
        .bytes = bytes,
        .limitBytes = limit,
        .isBudget = true,
        .fits = bytes <= limit,
        .from = 16,
        .to = 128,
        .device = QStringLiteral("cpu"),
        .deviceName = QStringLiteral("a processor") };
}

// The colours of the bar from left to right.
int widthOf(ForecastBar& bar, const QColor& color)
{
    const QImage image = bar.grab().toImage();
    int width = 0;
    for (int x = 0; x < image.width(); ++x)
        width += image.pixelColor(x, 3) == color ? 1 : 0;
    return width;
}

} // namespace

class TestForecastBar : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBarIsTheShareOfTheLimit()
    {
        ForecastBar bar;
        bar.resize(300, 40);
        bar.setForecast(forecastOf(1 << 20, 4 << 20));
        QCOMPARE(widthOf(bar, themeColors().accentFill), 75);
        QCOMPARE(widthOf(bar, themeColors().track), 225);
        bar.setForecast(forecastOf(1, 4 << 20));
        QCOMPARE(widthOf(bar, themeColors().accentFill), 2); // something is there
        QCOMPARE(bar.words()->text(), QStringLiteral("1 B predicted of 4.00 MiB budget"));
        QVERIFY(bar.measureButton()->isHidden());
    }

    void whatGoesBeyondIsInTheColourOfAWarning()
    {
        ForecastBar bar;
        bar.resize(300, 40);
        bar.setForecast(forecastOf(8 << 20, 4 << 20));
        QCOMPARE(widthOf(bar, themeColors().text), 2); // the limit
        QCOMPARE(widthOf(bar, themeColors().warning), 298);
        QCOMPARE(bar.words()->property("role").toString(), QStringLiteral("warning"));
        bar.setForecast(forecastOf(4 << 20, 4 << 20));
        QCOMPARE(widthOf(bar, themeColors().warning), 0);
        QCOMPARE(bar.words()->property("role").toString(), QStringLiteral("muted"));
    }

    void whatARealWindowShowedCountsMoreThanTheLaw()
    {
        ForecastBar bar;
        bar.resize(300, 40);
        MemoryForecast refused = forecastOf(3 << 20, 4 << 20);
        refused.fits = false;
        bar.setForecast(refused);
        QCOMPARE(widthOf(bar, themeColors().warning), 225);
        QCOMPARE(widthOf(bar, themeColors().text), 0);
        QCOMPARE(bar.words()->property("role").toString(), QStringLiteral("warning"));
        MemoryForecast proved = forecastOf(8 << 20, 4 << 20);
        proved.fits = true;
        bar.setForecast(proved);
        QCOMPARE(widthOf(bar, themeColors().warning), 0);
        QCOMPARE(bar.words()->property("role").toString(), QStringLiteral("muted"));
    }

    void whereNothingWasMeasuredItLeadsToWhereThatIsDone()
    {
        ForecastBar bar;
        QSignalSpy asked(&bar, &ForecastBar::measureRequested);
        QVERIFY(!bar.measureButton()->isHidden());
        QVERIFY(bar.words()->text().contains(QLatin1String("not measured")));
        bar.measureButton()->click();
        QCOMPARE(asked.count(), 1);
    }

    void aScreenReaderIsToldTheSame()
    {
        ForecastBar bar;
        const MemoryForecast forecast = forecastOf(1 << 20, 4 << 20);
        bar.setForecast(forecast);
        QCOMPARE(bar.toolTip(), forecastMeaning(forecast));
        QCOMPARE(bar.accessibleDescription(),
            forecastText(forecast) + QLatin1Char('\n') + forecastMeaning(forecast));
        QVERIFY(!bar.accessibleName().isEmpty());
    }
};

QTEST_MAIN(TestForecastBar)
#include "tst_forecast_bar.moc"
