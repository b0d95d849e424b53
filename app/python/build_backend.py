# SPDX-License-Identifier: Apache-2.0
"""Builds the package from its one file (PEP 517 and 660) with Python's standard library, so that installing it needs neither the
network nor another package."""

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile

MODULE = "accrue.py"


def _read(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def _version():
    return re.search(r'^__version__ = "([^"]+)"', _read(MODULE), re.MULTILINE).group(1)


def _metadata():
    summary = re.search(r'^"""(.+)$', _read(MODULE), re.MULTILINE).group(1)
    return (f"Metadata-Version: 2.1\nName: accrue\nVersion: {_version()}\nSummary: {summary}\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nProvides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
            "Description-Content-Type: text/markdown\n\n" + _read("README.md"))


def _digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _wheel(folder, content):
    name = f"accrue-{_version()}"
    about = f"{name}.dist-info"
    files = {**content, f"{about}/METADATA": _metadata().encode(),
             f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: accrue\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in files.items()) + f"{about}/RECORD,,\n"
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in {**files, f"{about}/RECORD": record.encode()}.items():
            archive.writestr(path, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {MODULE: _read(MODULE).encode()})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _wheel(wheel_directory, {"accrue.pth": (os.getcwd() + "\n").encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = f"accrue-{_version()}"
    with tarfile.open(os.path.join(sdist_directory, name + ".tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for path in ("pyproject.toml", "build_backend.py", "README.md", MODULE):
            archive.add(path, f"{name}/{path}")
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        info.size = len(_metadata().encode())
        archive.addfile(info, io.BytesIO(_metadata().encode()))
    return name + ".tar.gz"
