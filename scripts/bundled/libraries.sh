# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Sourced by the launchers of an archive of scripts/bundle.sh, with its folder in $here: sets LD_LIBRARY_PATH, so that the
# programs find the torch of this machine's Python, and the libraries that they brought.
: "${here:?}"
python=${ACCRUE_PYTHON:-python3}

# Two lines: torch's folder and version, with the CUDA it was built for. Importing torch would take seconds.
torch=$("$python" -c '
import importlib.util, os, runpy
found = importlib.util.find_spec("torch")
if found:
    folder = os.path.dirname(found.origin)
    print(folder)
    print(runpy.run_path(os.path.join(folder, "version.py"))["__version__"])' 2>/dev/null)
version=$(printf '%s\n' "$torch" | sed -n 2p)
torch=$(printf '%s\n' "$torch" | sed -n 1p)

libraries=$here/lib
case $version in
2.11.0+cu130)
    libraries=$libraries:$torch/lib
    for folder in "$(dirname "$torch")"/nvidia/*/lib; do
        [ -d "$folder" ] && libraries=$libraries:$folder
    done
    ;;
"") echo "accrue: $python has no torch, so nothing can be trained here; install torch 2.11.0+cu130 for it, or name another Python with ACCRUE_PYTHON." >&2 ;;
*) echo "accrue: $python has torch $version, and this build needs torch 2.11.0+cu130 to train; name another Python with ACCRUE_PYTHON." >&2 ;;
esac
libraries=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# The C++ library that is carried along serves only where this machine's is older than the build's.
LD_LIBRARY_PATH=$libraries "$here/bin/accrue" --version >/dev/null 2>&1 || libraries=$libraries:$here/spare
export LD_LIBRARY_PATH="$libraries"
