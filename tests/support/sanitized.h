// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accrue::test {

// Whether this program is built with AddressSanitizer or ThreadSanitizer, which need address space
// and memory for themselves. g++ defines a macro for each, clang has features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
#else
inline constexpr bool kIsSanitized = false;
#endif

// ThreadSanitizer ends a process that was forked from one with threads and starts a thread itself.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kForksMayStartThreads = false;
#elif defined(__has_feature)
inline constexpr bool kForksMayStartThreads = !__has_feature(thread_sanitizer);
#else
inline constexpr bool kForksMayStartThreads = true;
#endif

} // namespace accrue::test
