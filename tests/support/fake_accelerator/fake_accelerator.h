// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// What a test asks of libaccrue_fake_accelerator.so beside what the engine asks of it: faults, and
// a look at its memory. A program without a hand on it sets the same by the environment:
//
//   ACCRUE_FAKE_DEVICES=2            how many devices there are
//   ACCRUE_FAKE_TOTAL=4294967296     bytes of each; twice as much of addresses is mapped, twice
//   ACCRUE_FAKE_CAPABILITY=9.0       compute capability of all
//   ACCRUE_FAKE_FAULT=backward:3     as failAt; "backward:3:passing" is an error that does not stay
//   ACCRUE_FAKE_FAULT_ONCE=FILE      the fault happens where FILE is not there, and makes it
//   ACCRUE_FAKE_REFUSE=17            as refuseAllocation
//   ACCRUE_FAKE_WORKSPACE=1048576    as setWorkspace; "1048576:swallow" goes on without
//
// Any thread.
#define ACCRUE_FAKE_API __attribute__((visibility("default")))

namespace accrue::fake {

// Exit status of a process that reads or writes a device's memory on the host.
inline constexpr int kHostAccess = 99;

enum class Fault {
    None,
    Forward, // first kernel after the gather of a micro-batch
    Backward, // convolution's backward pass
    Node, // any kernel inside of a backward pass
    Copy, // copy from device to host that is waited for
    Free // a block of a device, or pinned memory, is given back
};

// From now on counted from 1, number `number` fails: with an error that stays, after which every
// use of the device throws c10::AcceleratorError, code 700, and pinned memory that it used throws
// when it is released; or with a passing one, code 9, once. 0: nothing fails.
ACCRUE_FAKE_API void failAt(Fault fault, std::int64_t number, bool stays = true);
ACCRUE_FAKE_API bool hasFailed(int device);
// All devices answer again, and nothing is going to fail.
ACCRUE_FAKE_API void repair();

// Allocation `number` of device memory from now on, counted from 1, is refused, once; 0: none.
ACCRUE_FAKE_API void refuseAllocation(std::int64_t number);
ACCRUE_FAKE_API std::int64_t allocations(); // since refuseAllocation, or from the start

// A convolution allocates so many bytes while it computes; 0: it does not. Without them it
// continues, as cuDNN does with another algorithm, or throws c10::Error "GET was unable to find an
// engine to execute this computation".
enum class ShortWorkspace { GoesOn, Throws };
ACCRUE_FAKE_API void setWorkspace(std::int64_t bytes, ShortWorkspace whenShort);

ACCRUE_FAKE_API void setCapability(int device, int major, int minor);

// Bytes of segments that hold no block in use: what emptyCache gives back.
ACCRUE_FAKE_API std::int64_t releasableBytes(int device);
// Copies that were started and that nobody waited for yet.
ACCRUE_FAKE_API std::int64_t copiesUnderWay(int device);

} // namespace accrue::fake
