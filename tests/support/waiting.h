// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

// What a test waits for comes within milliseconds on an idle machine. On a loaded one it may take
// many times as long, so that Qt's five seconds would fail a program that is right: these limits
// are against hanging only.
namespace accrue {

constexpr int kHangsAfterMs = 30'000;

} // namespace accrue

#undef QTRY_VERIFY
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, accrue::kHangsAfterMs)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected)                                                             \
    QTRY_COMPARE_WITH_TIMEOUT(actual, expected, accrue::kHangsAfterMs)
