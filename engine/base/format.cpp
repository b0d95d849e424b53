// SPDX-License-Identifier: Apache-2.0
#include "engine/base/format.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace accrue {

namespace {

constexpr const char* kThinSpace = "\u202f";

// std::to_chars, because printf writes the decimal sign of the user's locale.
template <typename... How> std::string digitsOf(double value, How... how)
{
    std::array<char, 400> buffer; // a double has at most 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, how...);
    return { buffer.data(), end.ptr };
}

std::string fixed(double value, int decimals)
{
    return digitsOf(value, std::chars_format::fixed, decimals);
}

// Three significant digits of a value below 1024: 1.50, 23.4, 212. The limits are where rounding
// would add a digit: 9.995 would be 10.00.
std::string threeDigits(double value)
{
    if (value < 9.995)
        return fixed(value, 2);
    return fixed(value, value < 99.95 ? 1 : 0);
}

std::string twoDigits(std::int64_t value)
{
    return (value < 10 ? "0" : "") + std::to_string(value);
}

} // namespace

std::string formatCount(std::int64_t value)
{
    const std::string text = std::to_string(value);
    const std::size_t sign = value < 0 ? 1 : 0;
    std::string grouped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // Groups are counted from the end, without the sign.
        if (i > sign && (text.size() - i) % 3 == 0)
            grouped += kThinSpace;
        grouped += text[i];
    }
    return grouped;
}

std::string formatBytes(std::int64_t bytes)
{
    constexpr std::array kUnits { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    const double size = std::abs(static_cast<double>(bytes));
    if (size < 1024)
        return std::to_string(bytes) + " B";
    double value = size / 1024;
    std::size_t unit = 0;
    // 1023.5 would be written as 1024 of the smaller unit.
    for (; value >= 1023.5 && unit + 1 < kUnits.size(); ++unit)
        value /= 1024;
    return (bytes < 0 ? "-" : "") + threeDigits(value) + " " + kUnits.at(unit);
}

std::string formatDuration(double seconds)
{
    if (!std::isfinite(seconds))
        return exactNumber(seconds);
    if (seconds < 0)
        return "-" + formatDuration(-seconds);
    if (seconds < 9.95) // from there on, one decimal would show 10.0
        return fixed(seconds, 1) + " s";
    if (seconds > 1e15) // thirty million years; the limit of llround is far beyond
        return formatNumber(seconds) + " s";
    const std::int64_t whole = std::llround(seconds);
    const std::string tail = twoDigits(whole % 60);
    if (whole < 3600)
        return std::to_string(whole / 60) + ":" + tail;
    return std::to_string(whole / 3600) + ":" + twoDigits(whole / 60 % 60) + ":" + tail;
}

std::string formatPercent(double share)
{
    return std::isfinite(share) ? fixed(share * 100, 2) + " %" : exactNumber(share);
}

std::string formatNumber(double value, int significantDigits)
{
    if (!std::isfinite(value))
        return exactNumber(value);
    return digitsOf(value, std::chars_format::general, significantDigits);
}

std::string formatRate(double samplesPerSecond)
{
    if (!std::isfinite(samplesPerSecond))
        return exactNumber(samplesPerSecond);
    // Beyond this, the exact digits mean nothing, and llround would be undefined.
    if (std::abs(samplesPerSecond) < 99.95 || std::abs(samplesPerSecond) > 1e15)
        return formatNumber(samplesPerSecond, 3) + " img/s";
    return formatCount(std::llround(samplesPerSecond)) + " img/s";
}

std::string localTime(std::time_t seconds, const char* format)
{
    std::tm local {};
    localtime_r(&seconds, &local);
    std::array<char, 32> text {};
    const std::size_t length = std::strftime(text.data(), text.size(), format, &local);
    return { text.data(), length };
}

std::string hexadecimal(std::uint64_t value, int digits)
{
    std::string text;
    while (digits-- > 0)
        text += "0123456789abcdef"[(value >> (4 * digits)) & 15];
    return text;
}

std::string exactNumber(double value)
{
    if (std::isnan(value))
        return "nan"; // to_chars would write the sign of a NaN, too
    return digitsOf(value);
}

} // namespace accrue
