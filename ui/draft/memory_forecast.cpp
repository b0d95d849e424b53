// SPDX-License-Identifier: Apache-2.0
#include "ui/draft/memory_forecast.h"

#include "ui/models/format.h"

#include <QStringList>

#include <cmath>

namespace accrue {

namespace {

QString bandText(const MemoryForecast& forecast)
{
    return QStringLiteral("± ") + bytesText(std::llround(*forecast.band));
}

QString rangeText(const MemoryForecast& forecast)
{
    const QString range = Ui::tr("It was measured from b = %1 to %2")
                              .arg(countText(forecast.from), countText(forecast.to));
    if (forecast.micro > forecast.to)
        return Ui::tr("%1; beyond it, as here, %2 is added.").arg(range, messageText(marginText()));
    return forecast.micro < forecast.from
        ? Ui::tr("%1; below it, as here, the prediction is less certain.").arg(range)
        : range + QLatin1Char('.');
}

// The memory model and a real window can disagree near the limit, in both directions; then the real
// window decides, and the sentence states that. Empty if both agree that there is enough.
QString limitSentence(const MemoryForecast& forecast)
{
    const bool isMore = forecast.bytes > forecast.limitBytes;
    if (forecast.fits)
        return isMore ? Ui::tr("This exceeds the available memory, but a real window did fit.")
                      : QString();
    return isMore
        ? Ui::tr("This exceeds the available memory: the run would halve its micro-batches.")
        : Ui::tr("This should fit, but a real window of at most this size ran out of memory: the "
                 "run would halve its micro-batches.");
}

} // namespace

std::optional<MemoryForecast> forecastOf(
    const Experiment& experiment, const BatchPlan& plan, const std::optional<MemoryFit>& fit)
{
    if (!fit)
        return std::nullopt;
    const std::int64_t limit = limitBytes(experiment, *fit);
    return MemoryForecast { .micro = plan.micro,
        .bytes = predictedBytes(*fit, plan.micro),
        .band = fit->law.bandAt(plan.micro),
        .limitBytes = limit,
        .ranks = ranksSharing(experiment, *fit),
        .isBudget = experiment.memory.budget.has_value(),
        .fits = fitsBudget(*fit, plan.micro, limit),
        .from = fit->law.from,
        .to = fit->law.to,
        .device = QString::fromStdString(fit->device),
        .deviceName = QString::fromStdString(fit->deviceName) };
}

QString forecastText(const MemoryForecast& forecast)
{
    const std::int64_t ranks = forecast.isBudget ? 1 : forecast.ranks; // each has a budget
    const QString times = ranks == 1 ? QString() : countText(ranks) + QStringLiteral(" × ");
    const QString need = times + bytesText(forecast.bytes);
    // A model that equals its measurements has a band that rounds to no byte.
    const bool hasBand = forecast.band && std::llround(*forecast.band) > 0;
    const QString predicted = hasBand ? Ui::tr("%1 predicted (%2)").arg(need, bandText(forecast))
                                      : Ui::tr("%1 predicted").arg(need);
    const QString limit = bytesText(ranks * forecast.limitBytes);
    return forecast.isBudget ? Ui::tr("%1 of %2 budget").arg(predicted, limit)
                             : Ui::tr("%1 of %2 on %3").arg(predicted, limit, forecast.device);
}

QString forecastMeaning(const MemoryForecast& forecast)
{
    QStringList sentences { Ui::tr("Peak memory of a window with micro-batches of %1, for any N, "
                                   "from the memory model measured on %2 (%3).")
                                .arg(countText(forecast.micro), forecast.device,
                                    forecast.deviceName),
        rangeText(forecast) };
    if (forecast.band)
        sentences << Ui::tr("Another window is within %1 of it with a probability of 95 %.")
                         .arg(bandText(forecast));
    if (forecast.ranks > 1)
        sentences << Ui::tr("%1 devices share the memory of %2: each computes such windows.")
                         .arg(countText(forecast.ranks), forecast.device);
    sentences << limitSentence(forecast);
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char('\n'));
}

} // namespace accrue
