# SPDX-License-Identifier: Apache-2.0
# LibTorch, and the CUDA toolkit for our own kernels. The scripts pass CMAKE_PREFIX_PATH, CUDACXX and CUDAToolkit_ROOT.
set(ACCRUE_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING "Compute capabilities of our kernels")
include("${CMAKE_CURRENT_LIST_DIR}/AccrueArchitectures.cmake")

# LibTorch is linked by the files that are used, not by its CMake files: those of a LibTorch built with CUDA demand the whole
# toolkit even of those who use none of it, and put their own architectures and flags in place of ours.
find_path(ACCRUE_TORCH_CONFIG TorchConfigVersion.cmake PATH_SUFFIXES Torch share/cmake/Torch REQUIRED)
set(PACKAGE_FIND_VERSION 2.11)
include("${ACCRUE_TORCH_CONFIG}/TorchConfigVersion.cmake")
if(NOT PACKAGE_VERSION_COMPATIBLE)
    message(FATAL_ERROR "LibTorch ${PACKAGE_VERSION} was found in ${ACCRUE_TORCH_CONFIG}; Accrue needs ${PACKAGE_FIND_VERSION} or newer.")
endif()
set(ACCRUE_TORCH_VERSION "${PACKAGE_VERSION}" CACHE INTERNAL "LibTorch that the engine is linked with")
cmake_path(SET torch_root NORMALIZE "${ACCRUE_TORCH_CONFIG}/../../..")
set(ACCRUE_TORCH_LIBRARIES "${torch_root}/lib" CACHE INTERNAL "Where it lies")

# Not libtorch.so, which is nothing but the need of libtorch_cuda.so: the engine loads where there is no CUDA.
add_library(accrue_torch INTERFACE)
# First: LibTorch exports an own, half-linked copy of std::filesystem, which would take the place of the standard library's
# in everything linked after it (remove_all then jumps to address 0).
target_link_libraries(accrue_torch INTERFACE stdc++ "${torch_root}/lib/libtorch_cpu.so" "${torch_root}/lib/libc10.so")
target_include_directories(accrue_torch SYSTEM INTERFACE "${torch_root}/include" "${torch_root}/include/torch/csrc/api/include")

if(ACCRUE_CUDA)
    set(CMAKE_CUDA_ARCHITECTURES ${ACCRUE_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    # The tests link what is found here too.
    set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
    find_package(CUDAToolkit REQUIRED)
    add_library(accrue_torch_cuda INTERFACE)
    target_link_libraries(accrue_torch_cuda INTERFACE "${torch_root}/lib/libtorch_cuda.so" "${torch_root}/lib/libc10_cuda.so" CUDA::cudart)
endif()

# These headers take 15 s to read: one precompiled copy serves every target that needs more than a tensor. Not torch/torch.h: a copy
# of it has 730 MB, and g++ takes 2 s longer for each source to load it.
set(header_source "${CMAKE_BINARY_DIR}/torch_header.cpp")
if(NOT EXISTS "${header_source}")
    file(WRITE "${header_source}" "// Made by CMake: carries the precompiled torch header.\n")
endif()
add_library(accrue_torch_header STATIC "${header_source}")
target_link_libraries(accrue_torch_header PRIVATE accrue_torch accrue_warnings)
target_precompile_headers(accrue_torch_header PRIVATE <ATen/ATen.h> <torch/nn/module.h> <torch/utils.h>)

# accrue_use_torch_header(TARGET): compiles TARGET, which links accrue_torch, with the precompiled header.
function(accrue_use_torch_header target)
    accrue_reuse_header(${target} accrue_torch_header)
endfunction()
