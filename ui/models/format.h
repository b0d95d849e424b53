// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>

#include <cstdint>
#include <optional>

namespace accrue {

class Message;

// tr() for functions outside of a QObject. The translator ignores contexts
// (ui/window/window_host.cpp), so that one context serves them all.
class Ui {
    Q_DECLARE_TR_FUNCTIONS(Ui)
};
QString messageText(const Message& message); // in the language of the program

// engine/base/format.h as QString: the one formatter of numbers in the window. An empty
// optional is an en dash.
QString countText(std::int64_t value);
QString bytesText(std::int64_t bytes);
QString durationText(double seconds);
QString percentText(const std::optional<double>& share);
QString numberText(const std::optional<double>& value, int significantDigits = 4);
QString rateText(double samplesPerSecond);
// "1 run", "12 runs": `one` as it is, `many` with the number for its %1.
QString countedText(std::int64_t count, const QString& one, const QString& many);
// Unix milliseconds as local date and time, "2026-03-01 14:05".
QString timeText(std::int64_t unixMs);

} // namespace accrue
