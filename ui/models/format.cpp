// SPDX-License-Identifier: Apache-2.0
#include "ui/models/format.h"

#include <QDateTime>

#include "engine/base/format.h"
#include "engine/base/message.h"

namespace accrue {

namespace {

const QChar kNothing(0x2013); // en dash

} // namespace

QString messageText(const Message& message)
{
    return QString::fromStdString(message.text());
}

QString countText(std::int64_t value)
{
    return QString::fromStdString(formatCount(value));
}

QString bytesText(std::int64_t bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}

QString durationText(double seconds)
{
    return QString::fromStdString(formatDuration(seconds));
}

QString percentText(const std::optional<double>& share)
{
    return share ? QString::fromStdString(formatPercent(*share)) : QString(kNothing);
}

QString numberText(const std::optional<double>& value, int significantDigits)
{
    return value ? QString::fromStdString(formatNumber(*value, significantDigits))
                 : QString(kNothing);
}

QString rateText(double samplesPerSecond)
{
    return QString::fromStdString(formatRate(samplesPerSecond));
}

// Two whole sentences instead of a plural ending, because languages form the plural differently.
QString countedText(std::int64_t count, const QString& one, const QString& many)
{
    return count == 1 ? one : many.arg(countText(count));
}

QString timeText(std::int64_t unixMs)
{
    return QDateTime::fromMSecsSinceEpoch(unixMs).toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace accrue
