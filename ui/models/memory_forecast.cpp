// SPDX-License-Identifier: Apache-2.0
#include "ui/models/memory_forecast.h"

#include "ui/models/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(MemoryForecast)
};

QString bandText(const MemoryForecast& forecast)
{
    return QStringLiteral("± ") + bytesText(std::llround(*forecast.band));
}

QString rangeText(const MemoryForecast& forecast)
{
    const QString range = Text::tr("It was measured from b = %1 to %2")
                              .arg(countText(forecast.from), countText(forecast.to));
    if (forecast.micro > forecast.to)
        return Text::tr("%1; beyond, as here, %2 is included.")
            .arg(range, QString::fromStdString(marginText()));
    return forecast.micro < forecast.from
        ? Text::tr("%1; below, as here, it is less sure.").arg(range)
        : range + QLatin1Char('.');
}

// Empty where the law and what fits agree that there is enough.
QString limitSentence(const MemoryForecast& forecast)
{
    const bool isMore = forecast.bytes > forecast.limitBytes;
    if (forecast.fits)
        return isMore ? Text::tr("That is more than there is, but it fits all the same.")
                      : QString();
    return isMore
        ? Text::tr("That is more than there is: the run would cut its micro-batches smaller.")
        : Text::tr(
            "That would be enough, but a real window that was no larger did not fit: the run would "
            "cut its micro-batches smaller.");
}

} // namespace

std::optional<MemoryForecast> forecastOf(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit)
{
    if (!fit)
        return std::nullopt;
    const auto& budget = experiment.memory.budget;
    const std::int64_t limit = budget ? budget->count : fit->totalBytes;
    return MemoryForecast { .micro = plan.micro,
        .bytes = predictedBytes(*fit, plan.micro),
        .band = fit->law.bandAt(plan.micro),
        .limitBytes = limit,
        .isBudget = budget.has_value(),
        .fits = fitsBudget(*fit, plan.micro, limit),
        .from = fit->law.from,
        .to = fit->law.to,
        .device = QString::fromStdString(fit->device),
        .deviceName = QString::fromStdString(fit->deviceName) };
}

QString forecastText(const MemoryForecast& forecast)
{
    const bool hasBand = forecast.band && std::llround(*forecast.band) > 0;
    const QString predicted = hasBand
        ? Text::tr("%1 predicted (%2)").arg(bytesText(forecast.bytes), bandText(forecast))
        : Text::tr("%1 predicted").arg(bytesText(forecast.bytes));
    return forecast.isBudget
        ? Text::tr("%1 of %2 budget").arg(predicted, bytesText(forecast.limitBytes))
        : Text::tr("%1 of %2 on %3")
              .arg(predicted, bytesText(forecast.limitBytes), forecast.device);
}

QString forecastMeaning(const MemoryForecast& forecast)
{
    QStringList sentences { Text::tr("What a window of micro-batches of %1 needs at its peak, "
                                     "whatever N is, by the memory model measured on %2 (%3).")
                                .arg(countText(forecast.micro), forecast.device,
                                    forecast.deviceName),
        rangeText(forecast) };
    if (forecast.band)
        sentences << Text::tr("Another window lies within %1 of it with a probability of 95 %.")
                         .arg(bandText(forecast));
    sentences << limitSentence(forecast);
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char('\n'));
}

} // namespace accrue
