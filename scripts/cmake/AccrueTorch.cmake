# SPDX-License-Identifier: Apache-2.0
# LibTorch, and the CUDA toolkit for our own kernels. The scripts pass CMAKE_PREFIX_PATH, CUDACXX and CUDAToolkit_ROOT.
set(ACCRUE_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING "Compute capabilities of our kernels")
if(ACCRUE_CUDA)
    set(CMAKE_CUDA_ARCHITECTURES ${ACCRUE_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
endif()
# Without it torch's CMake files look for a GPU on this machine and fail where there is none. Our kernels do not use it.
if(NOT DEFINED TORCH_CUDA_ARCH_LIST)
    set(TORCH_CUDA_ARCH_LIST 9.0)
endif()
find_package(Torch 2.11 REQUIRED)
# Torch's headers are not ours to warn about, and its flags are not ours to inherit.
add_library(accrue_torch INTERFACE)
target_include_directories(accrue_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_link_libraries(accrue_torch INTERFACE ${TORCH_LIBRARIES})
