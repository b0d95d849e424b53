#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lays out the C++ and CUDA sources that git tracks with clang-format.
#   scripts/format.sh            rewrites them
#   scripts/format.sh --check    only says which differ, with exit code 1
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
git ls-files -z '*.h' '*.cpp' '*.cu' | xargs -0 -r -n 20 -P "$(nproc)" clang-format-14 "${mode[@]}"
