# SPDX-License-Identifier: Apache-2.0
# What every target of ours is built with, as one interface target and one function a kind of room.
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# What C++ leaves to the processor is as on x86-64: the same digits of our own arithmetic, and char is signed.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off> $<$<COMPILE_LANGUAGE:CXX>:-fsigned-char>)
endif()

add_library(accrue_warnings INTERFACE)
target_compile_options(accrue_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Werror>)
# g++ 12 warns falsely of overlapping copies in "text" + std::string (GCC bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(accrue_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict;-Wno-unknown-warning-option>)
endif()
if(ACCRUE_SANITIZE)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ACCRUE_SANITIZE}> $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>)
    add_link_options(-fsanitize=${ACCRUE_SANITIZE})
    # Instrumented code hides from g++ what is initialised and how large it is; the other presets still look.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(accrue_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized;-Wno-array-bounds>)
    endif()
endif()
if(ACCRUE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# accrue_room(NAME LINKS … PRIVATE_LINKS …): a static library of all .h and .cpp files of the folder, or of the units that UNITS
# names (data for data.h and data.cpp), or of all but those that WITHOUT names. Its headers are included from the repository's
# root ("engine/door/loader.h") and each stand alone (scripts/check_headers.sh).
function(accrue_room name)
    cmake_parse_arguments(room "" "" "UNITS;WITHOUT;SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.h)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *.cpp)
    list(JOIN room_UNITS "|" units)
    list(JOIN room_WITHOUT "|" without)
    foreach(list headers sources)
        if(room_UNITS)
            list(FILTER ${list} INCLUDE REGEX "^(${units})[.]")
        elseif(room_WITHOUT)
            list(FILTER ${list} EXCLUDE REGEX "^(${without})[.]")
        endif()
    endforeach()
    add_library(${name} STATIC ${sources} ${room_SOURCES})
    target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${headers})
    target_link_libraries(${name} PUBLIC ${room_LINKS} PRIVATE ${room_PRIVATE_LINKS} $<BUILD_INTERFACE:accrue_warnings>)
    set_target_properties(${name} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
endfunction()

# accrue_reuse_header(TARGET FROM): compiles TARGET with the precompiled header of the target FROM. Programs are compiled as the
# header was, with -fPIC instead of -fPIE, because the compiler refuses it otherwise.
function(accrue_reuse_header target from)
    target_precompile_headers(${target} REUSE_FROM ${from})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${target} PRIVATE -fPIC)
    endif()
endfunction()
