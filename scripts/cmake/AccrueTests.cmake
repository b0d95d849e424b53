# SPDX-License-Identifier: Apache-2.0
find_package(Qt6 REQUIRED COMPONENTS Core Test)

# Qt Test without the two folders that Qt6::Test defines for each program by itself (for QFINDTESTDATA, which no test uses):
# with them, no two programs could share a precompiled header.
add_library(accrue_qt_test INTERFACE)
target_include_directories(accrue_qt_test SYSTEM INTERFACE $<TARGET_PROPERTY:Qt6::Test,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(accrue_qt_test INTERFACE QT_NO_KEYWORDS QT_TESTLIB_LIB)
target_link_libraries(accrue_qt_test INTERFACE Qt6::Core $<TARGET_FILE:Qt6::Test>)

# Reading QTest takes longer than the rest of most tests: a precompiled copy serves all that do not use LibTorch's header.
function(accrue_test_header name)
    set(source "${CMAKE_BINARY_DIR}/${name}.cpp")
    if(NOT EXISTS "${source}")
        file(WRITE "${source}" "// Made by CMake: carries a precompiled header.\n")
    endif()
    add_library(${name} STATIC "${source}")
    target_link_libraries(${name} PRIVATE ${ARGN} accrue_qt_test accrue_warnings)
    target_precompile_headers(${name} PRIVATE <QTest> <algorithm> <filesystem> <functional> <map> <optional> <string> <vector>)
endfunction()
accrue_test_header(accrue_test_header Qt6::Core)
if(ACCRUE_WORKBENCH)
    find_package(Qt6 REQUIRED COMPONENTS Widgets)
    accrue_test_header(accrue_window_test_header Qt6::Widgets)
    target_precompile_headers(accrue_window_test_header PRIVATE <QApplication> <QComboBox> <QLabel> <QMainWindow> <QSignalSpy> <QStandardPaths> <QTableView> <QToolButton>)
endif()

# For accrue_test at the end of its folder, when it is known whether the test uses LibTorch's header.
function(accrue_use_test_header target header)
    get_target_property(other ${target} PRECOMPILE_HEADERS_REUSE_FROM)
    if(NOT other)
        accrue_reuse_header(${target} ${header})
    endif()
    # g++ 12 warns falsely of the bounds of a std::string, and a precompiled header is no system header to it.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
    endif()
endfunction()

# accrue_test(tst_name SOURCES … LINKS … LABELS … TIMEOUT seconds): one Qt Test program, without a display unless labelled
# `window`. Labels: engine, ui, app; `slow` and `window` are left out under the sanitizers; `gpu` has rows that skip without a
# CUDA device; `numeric` computes with LibTorch, whose kernels differ from processor to processor (scripts/test_processors.sh).
function(accrue_test name)
    cmake_parse_arguments(test "" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 1200) # against hanging only: a busy machine takes many times as long
    endif()
    add_executable(${name} ${test_SOURCES})
    if(ACCRUE_SANITIZE STREQUAL "thread")
        target_link_libraries(${name} PRIVATE accrue_tsan_hand_over)
    endif()
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    # AUTOMOC would scan, and compile a file without content, once for each of some two hundred programs. With TARGET moc
    # would read all of LibTorch's headers, for seconds, and write the same.
    list(FILTER test_SOURCES INCLUDE REGEX "^tst_[^.]*[.]cpp$")
    foreach(source IN LISTS test_SOURCES)
        string(REPLACE .cpp .moc moc "${source}")
        qt_generate_moc(${source} ${moc})
        target_sources(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${moc}")
    endforeach()
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name} PRIVATE ${test_LINKS} accrue_qt_test accrue_warnings)
    set(header accrue_test_header)
    if("ui" IN_LIST test_LABELS)
        set(header accrue_window_test_header)
        target_link_libraries(${name} PRIVATE Qt6::Widgets)
    endif()
    if(NOT "Qt6::Gui" IN_LIST test_LINKS) # for which QTest has more, and which few programs use without widgets
        cmake_language(EVAL CODE "cmake_language(DEFER CALL accrue_use_test_header [[${name}]] [[${header}]])")
    endif()
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES
        LABELS "${test_LABELS}"
        TIMEOUT ${test_TIMEOUT}
        # Qt Test ends a function after five minutes, which a busy machine may take.
        ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=1200000;QT_QPA_PLATFORM=offscreen;ACCRUE_ENGINE=${PROJECT_BINARY_DIR}/bin/libaccrue_engine.so;ACCRUE_BIN=${PROJECT_BINARY_DIR}/bin;ACCRUE_SOURCE=${PROJECT_SOURCE_DIR}")
    # Threads of LibTorch that wait for each other do not burn the cores that other tests need: not even for the moment that
    # the door's loader allows the programs.
    if("numeric" IN_LIST test_LABELS)
        set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "GOMP_SPINCOUNT=0")
    endif()
    # A whole window is watched against the clock: nothing else runs beside it.
    if("window" IN_LIST test_LABELS)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
endfunction()
