# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=… -DHEADER=… -P write_revision.cmake: the revision of the sources as a header, written only when it
# changed, so that nothing is compiled again for nothing.
cmake_minimum_required(VERSION 3.24)
set(revision "unknown")
find_program(git_program git)
if(git_program)
    execute_process(COMMAND "${git_program}" -C "${SOURCE}" describe --always --dirty
        OUTPUT_VARIABLE described ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
        set(revision "${described}")
    endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT "// Written by the build.
#pragma once
#define ACCRUE_REVISION \"@revision@\"
")
