// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

namespace accrue {

// The only formatter of numbers for people, on the command line and in the window. Non-finite
// values are as in exactNumber.
std::string formatCount(std::int64_t value); // 4 690 (thin groups of three, U+202F)
std::string formatBytes(std::int64_t bytes); // 212 MiB, 1.50 GiB
std::string formatDuration(double seconds); // 0.8 s, 0:41, 1:02:07
std::string formatPercent(double share); // 98.71 %
std::string formatNumber(double value, int significantDigits = 4); // 0.04, 2.303, 1.2e-05
std::string formatRate(double samplesPerSecond); // 9 840 img/s
// As strftime formats it; up to 31 bytes.
std::string localTime(std::time_t seconds, const char* format);
// The last `digits` hexadecimal digits, in lower case.
std::string hexadecimal(std::uint64_t value, int digits);
// Shortest text that reads back as the same double; "nan", "inf", "-inf" if it is not finite.
std::string exactNumber(double value);

} // namespace accrue
