# SPDX-License-Identifier: Apache-2.0
# Sets ACCRUE_OLDEST_ARCHITECTURE: "75;80;90a" → 75. The programs tell which GPUs they have kernels for, so "native" or "all" will not do.
if(NOT "${ACCRUE_CUDA_ARCHITECTURES}" MATCHES "^[0-9]+[a-z]*(-real|-virtual)?(;[0-9]+[a-z]*(-real|-virtual)?)*$")
    message(FATAL_ERROR "ACCRUE_CUDA_ARCHITECTURES is \"${ACCRUE_CUDA_ARCHITECTURES}\"; "
        "list compute capabilities by their numbers, for example -DACCRUE_CUDA_ARCHITECTURES=\"75;90\".")
endif()
set(sorted_architectures ${ACCRUE_CUDA_ARCHITECTURES})
list(SORT sorted_architectures COMPARE NATURAL)
string(REGEX MATCH "[0-9]+" ACCRUE_OLDEST_ARCHITECTURE "${sorted_architectures}")
