// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before a function that the CPU and a kernel both call, so that they cannot differ.
#ifdef __CUDACC__
#define ACCRUE_HOST_DEVICE __host__ __device__
#else
#define ACCRUE_HOST_DEVICE
#endif
