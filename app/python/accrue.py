# SPDX-License-Identifier: Apache-2.0
"""Runs of your own training scripts in Accrue's run log, and the log as pandas frames.

    import accrue

    with accrue.Run(name="my loop", settings={"batch.micro": 32, "lr": 0.1}) as run:
        for step in range(1, 1001):
            ...
            run.log(step=step, loss=loss)

    accrue.runs("runs.db")               # a frame with a row for each run
    accrue.steps("runs.db", "my loop")   # a frame with a column for each metric

docs/python.md is the manual, docs/run_log_format.md describes the file. The writer needs the standard library only.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import dataclasses
import errno
import hashlib
import json
import math
import operator
import os
import secrets
import socket
import sqlite3
import stat
import struct
import sys
import tempfile
import threading
import time
import urllib.parse
import zlib

try:
    import fcntl
except ImportError:  # not on Windows, where a log can still be read
    fcntl = None

__all__ = ["LogError", "Run", "default_log", "runs", "series", "steps"]

# ---- Written from the program's own tables by tst_python_package: not by hand. ACCRUE_WRITE_DOCS=1 brings it up to date. ----
__version__ = "0.1.0"
_FORMAT = 10
_APPLICATION_ID = 0x41636372
_LONGEST_NAME = 200
_LONGEST_TAG = 50
_LONGEST_NOTE = 1048576
_OUTCOMES = (
    "completed",
    "stopped",
    "diverged",
    "out_of_memory",
    "failed",
)
_BETTER = {
    "loss": "lower",
    "step_ms": "lower",
    "data_ms": "lower",
    "forward_ms": "lower",
    "backward_ms": "lower",
    "optimizer_ms": "lower",
    "peak_bytes": "lower",
    "throughput": "higher",
    "train_loss": "lower",
    "train_accuracy": "higher",
    "test_loss": "lower",
    "test_accuracy": "higher",
    "validation_loss": "lower",
    "validation_accuracy": "higher",
    "rank_step_ms": "lower",
    "rank_data_ms": "lower",
    "rank_forward_ms": "lower",
    "rank_backward_ms": "lower",
    "rank_optimizer_ms": "lower",
    "wait_ms": "lower",
    "communication_ms": "lower",
    "communication_bytes": "lower",
    "rank_peak_bytes": "lower",
}
_WITHOUT_SUMMARY = {
    "traced_value_1",
    "traced_value_2",
    "traced_value_3",
    "traced_value_4",
    "traced_checksum",
    "rank_checksum",
    "micro_batch_bytes",
}
_JUDGED_BY = (
    "validation_accuracy",
    "test_accuracy",
)
_RESULTS = (
    ("last_loss", "loss", False),
    ("final_train_loss", "train_loss", False),
    ("final_train_accuracy", "train_accuracy", False),
    ("final_test_loss", "test_loss", False),
    ("final_test_accuracy", "test_accuracy", False),
    ("best_test_accuracy", "test_accuracy", True),
    ("final_validation_loss", "validation_loss", False),
    ("final_validation_accuracy", "validation_accuracy", False),
    ("best_validation_accuracy", "validation_accuracy", True),
)
_NETWORK_FILE_SYSTEMS = {
    0x00006969: "NFS",
    0x0000517b: "SMB",
    0xff534d42: "CIFS",
    0xfe534d42: "SMB2",
    0x0000564c: "NCP",
    0x73757245: "Coda",
    0x5346414f: "AFS",
    0x6b414653: "AFS",
    0x00c36400: "Ceph",
    0x0bd00bd0: "Lustre",
    0x47504653: "GPFS",
    0x19830326: "BeeGFS",
    0xaad7aaea: "PanFS",
}
_SCHEMA = (
    """CREATE TABLE settings (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('boolean', 'integer', 'number', 'text')),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE steps (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    window_samples INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    loss ANY NOT NULL,
    learning_rate ANY NOT NULL,
    gradient_norm ANY NOT NULL,
    step_ms ANY NOT NULL,
    data_ms ANY NOT NULL,
    forward_ms ANY NOT NULL,
    backward_ms ANY NOT NULL,
    optimizer_ms ANY NOT NULL,
    peak_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE epochs (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    train_loss ANY NOT NULL,
    train_accuracy ANY NOT NULL,
    PRIMARY KEY (run_id, epoch, attempt)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE evaluations (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    seconds ANY NOT NULL,
    test_loss ANY NOT NULL,
    test_accuracy ANY NOT NULL,
    evaluation_ms ANY NOT NULL, validation_loss ANY, validation_accuracy ANY,
    PRIMARY KEY (run_id, step, attempt)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE summaries (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    metric TEXT NOT NULL,
    final ANY NOT NULL,
    best ANY NOT NULL,
    best_step INTEGER NOT NULL,
    min ANY NOT NULL,
    max ANY NOT NULL,
    PRIMARY KEY (run_id, metric)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE traces (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batches INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    checksum INTEGER NOT NULL,
    value_1 ANY,
    value_2 ANY,
    value_3 ANY,
    value_4 ANY,
    PRIMARY KEY (run_id, step, micro_batches, attempt)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE memory_owners (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    phase TEXT NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    category TEXT NOT NULL,
    layer TEXT NOT NULL,
    operation TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch, position)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE markers (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('checkpoint', 'learning_rate', 'paused', 'resumed',
        'message', 'ended', 'continued', 'out_of_memory')),
    severity TEXT NOT NULL CHECK (severity IN ('information', 'warning', 'error')),
    step INTEGER NOT NULL,
    samples INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    seconds ANY NOT NULL,
    time_ms INTEGER NOT NULL,
    value ANY,
    text TEXT NOT NULL
, code TEXT NOT NULL DEFAULT '', arguments TEXT NOT NULL DEFAULT '{}') STRICT""",
    """CREATE TABLE memory_kept (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL,
    step INTEGER NOT NULL,
    micro_batch INTEGER NOT NULL,
    position INTEGER NOT NULL,
    layer TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, micro_batch, position)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE "runs" (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    attempt INTEGER NOT NULL DEFAULT 1 CHECK (attempt BETWEEN 1 AND 1000000),
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    message TEXT NOT NULL DEFAULT '',
    checkpoint TEXT NOT NULL DEFAULT '',
    recipe TEXT NOT NULL,
    host TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
memory_format TEXT NOT NULL DEFAULT '',
    data_description TEXT NOT NULL DEFAULT '',
data_identity TEXT NOT NULL DEFAULT '',
    train_samples INTEGER NOT NULL DEFAULT 0 CHECK (train_samples >= 0),
    test_samples INTEGER NOT NULL DEFAULT 0 CHECK (test_samples >= 0),
    parameters INTEGER NOT NULL DEFAULT 0 CHECK (parameters >= 0),
    batch_effective INTEGER NOT NULL CHECK (batch_effective >= 0),
    batch_micro INTEGER NOT NULL CHECK (batch_micro >= 0),
    batch_steps INTEGER NOT NULL CHECK (batch_steps >= 0),
    batch_devices INTEGER NOT NULL CHECK (batch_devices >= 0),
    batch_solved TEXT NOT NULL,
    smallest_slice INTEGER NOT NULL CHECK (smallest_slice >= 0),
    epoch_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_samples >= 0),
    epoch_windows INTEGER NOT NULL DEFAULT 0 CHECK (epoch_windows >= 0),
    epoch_tail_samples INTEGER NOT NULL DEFAULT 0 CHECK (epoch_tail_samples >= 0),
    epoch_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (epoch_micro_batches >= 0),
    total_steps INTEGER NOT NULL DEFAULT 0 CHECK (total_steps >= 0),
    step INTEGER NOT NULL DEFAULT 0 CHECK (step >= 0),
    samples INTEGER NOT NULL DEFAULT 0 CHECK (samples >= 0),
    micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (micro_batches >= 0),
    epoch INTEGER NOT NULL DEFAULT 0 CHECK (epoch >= 0),
    seconds ANY NOT NULL DEFAULT 0.0,
    peak_bytes INTEGER NOT NULL DEFAULT 0 CHECK (peak_bytes >= 0),
    last_loss ANY,
    final_train_loss ANY,
    final_train_accuracy ANY,
    final_test_loss ANY,
    final_test_accuracy ANY,
    best_test_accuracy ANY,

    final_validation_loss ANY,
    final_validation_accuracy ANY,
    best_validation_accuracy ANY,
    best_step INTEGER NOT NULL DEFAULT 0 CHECK (best_step >= 0),
    best_metric TEXT AS (CASE
        WHEN best_validation_accuracy IS NOT NULL THEN 'validation_accuracy'
        WHEN best_test_accuracy IS NOT NULL THEN 'test_accuracy' END) VIRTUAL
, tags TEXT NOT NULL DEFAULT '', message_code TEXT NOT NULL DEFAULT '', message_arguments TEXT NOT NULL DEFAULT '{}', data_description_code TEXT NOT NULL DEFAULT '', data_description_arguments TEXT NOT NULL DEFAULT '{}', source TEXT NOT NULL DEFAULT 'accrue'
    CHECK (source IN ('accrue', 'script', 'tensorboard', 'csv')), origin TEXT NOT NULL DEFAULT '', ended_early TEXT NOT NULL DEFAULT ''
    CHECK (ended_early IN ('', 'rule', 'patience', 'halving')), sweep_id INTEGER REFERENCES sweeps (id)) STRICT""",
    """CREATE TABLE "attempts" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    from_step INTEGER NOT NULL DEFAULT 0 CHECK (from_step >= 0),
    from_samples INTEGER NOT NULL DEFAULT 0 CHECK (from_samples >= 0),
    from_micro_batches INTEGER NOT NULL DEFAULT 0 CHECK (from_micro_batches >= 0),
    from_epoch INTEGER NOT NULL DEFAULT 0 CHECK (from_epoch >= 0),
    from_seconds ANY NOT NULL DEFAULT 0.0,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT
        CHECK (outcome IN ('completed', 'stopped', 'diverged', 'out_of_memory', 'failed')),
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    program_version TEXT NOT NULL,
    code_revision TEXT NOT NULL,
    torch_version TEXT NOT NULL DEFAULT '',
    cuda_version TEXT NOT NULL DEFAULT '',
    device TEXT NOT NULL DEFAULT '',
    device_name TEXT NOT NULL DEFAULT '',
    threads INTEGER NOT NULL DEFAULT 0 CHECK (threads >= 0),
    PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE "memory" (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    phase TEXT NOT NULL
        CHECK (phase IN ('data', 'forward', 'backward', 'optimizer', 'evaluation')),
    micro_batch INTEGER NOT NULL CHECK (micro_batch >= 0),
    position INTEGER NOT NULL CHECK (position >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    samples INTEGER NOT NULL CHECK (samples >= 0),
    begin_bytes INTEGER NOT NULL CHECK (begin_bytes >= 0),
    end_bytes INTEGER NOT NULL CHECK (end_bytes >= 0),
    peak_bytes INTEGER NOT NULL CHECK (peak_bytes >= 0),
    peak_data_set INTEGER NOT NULL,
    peak_parameters INTEGER NOT NULL,
    peak_gradients INTEGER NOT NULL,
    peak_optimizer_state INTEGER NOT NULL,
    peak_average INTEGER NOT NULL,
    peak_buffers INTEGER NOT NULL,
    peak_input INTEGER NOT NULL,
    peak_activations INTEGER NOT NULL,
    peak_workspace INTEGER NOT NULL,
    end_data_set INTEGER NOT NULL,
    end_parameters INTEGER NOT NULL,
    end_gradients INTEGER NOT NULL,
    end_optimizer_state INTEGER NOT NULL,
    end_average INTEGER NOT NULL,
    end_buffers INTEGER NOT NULL,
    end_input INTEGER NOT NULL,
    end_activations INTEGER NOT NULL,
    end_workspace INTEGER NOT NULL,
    cached_bytes INTEGER NOT NULL,
    other_bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, step, attempt, phase, micro_batch)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE checksums (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    first_step INTEGER NOT NULL,
    last_step INTEGER NOT NULL CHECK (last_step >= first_step),
    row_count INTEGER NOT NULL CHECK (row_count >= 1),
    checksum INTEGER NOT NULL,
    column_names TEXT NOT NULL,
    PRIMARY KEY (run_id, table_name, attempt, first_step)
) STRICT, WITHOUT ROWID""",
    """CREATE INDEX markers_of_run ON markers (run_id, attempt, step)""",
    """CREATE INDEX epochs_of_attempt ON epochs (run_id, attempt, step)""",
    """CREATE TABLE metric_values (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    micro_batches INTEGER NOT NULL CHECK (micro_batches >= 0),
    samples INTEGER NOT NULL CHECK (samples >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    metric TEXT NOT NULL,
    rank INTEGER NOT NULL CHECK (rank >= 0),
    value ANY NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt, metric, rank)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE sweeps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    definition TEXT NOT NULL,
    checksum INTEGER NOT NULL
) STRICT""",
    """CREATE TABLE queue (
    run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    position REAL NOT NULL,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
    begun INTEGER NOT NULL DEFAULT 0 CHECK (begun IN (0, 1)),
    failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
    rungs TEXT NOT NULL DEFAULT '',
    rung INTEGER NOT NULL DEFAULT 0 CHECK (rung >= 0),
    stop INTEGER NOT NULL DEFAULT 0 CHECK (stop IN (0, 1)),
    predicted_bytes ANY,
    predicted_seconds ANY,
    added_ms INTEGER NOT NULL
) STRICT""",
    """CREATE TABLE queue_hold (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    held INTEGER NOT NULL CHECK (held IN (0, 1))
) STRICT""",
    """CREATE INDEX runs_of_sweep ON runs (sweep_id)""",
    """CREATE TABLE histograms (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 1000000),
    step INTEGER NOT NULL CHECK (step >= 0),
    micro_batches INTEGER NOT NULL CHECK (micro_batches >= 0),
    samples INTEGER NOT NULL CHECK (samples >= 0),
    epoch INTEGER NOT NULL CHECK (epoch >= 0),
    seconds ANY NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    parameter TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('value', 'gradient')),
    least ANY NOT NULL,
    largest ANY NOT NULL,
    mean ANY NOT NULL,
    deviation ANY NOT NULL,
    not_finite INTEGER NOT NULL CHECK (not_finite >= 0),
    counts TEXT NOT NULL,
    PRIMARY KEY (run_id, step, micro_batches, attempt, parameter, kind)
) STRICT, WITHOUT ROWID""",
    """CREATE INDEX histograms_of_parameter ON histograms (run_id, parameter, kind, position)""",
)
# ---- The end of what tst_python_package writes. ----


class LogError(RuntimeError):
    """A run log that cannot be written or read. Its text is one sentence that says what to do."""


def default_log():
    """The file in which Accrue's programs log unless they are told another one."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return os.path.join(data, "accrue", "runs.db")


# ---- The place of a log ----


def _place_of(db):
    """The file itself: the -wal and the locks are beside it, whatever links lead to it."""
    path = os.path.abspath(os.fspath(db) if db is not None else default_log())
    return os.path.realpath(path) if os.path.islink(path) else path


def _file_system_type(folder):
    """statfs's f_type, its first field."""
    fields = (ctypes.c_long * 64)()
    done = ctypes.CDLL(None, use_errno=True).statfs(os.fsencode(folder), ctypes.byref(fields))
    return fields[0] & 0xFFFFFFFF if done == 0 else 0


def _refuse_network(path):
    folder = os.path.dirname(path)
    while not os.path.exists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    system = _NETWORK_FILE_SYSTEMS.get(_file_system_type(folder))
    if system:
        raise LogError(f"The run log {path} is on a network file system ({system}), where a log cannot be written safely. "
                       "Choose a local folder with db=.")


def _require_sqlite():
    if sqlite3.sqlite_version_info < (3, 37):
        raise LogError(f"Python's SQLite is {sqlite3.sqlite_version}, but a run log needs 3.37 or newer. Use a newer Python.")


def _require_writable(path):
    """In this order: nothing may be created on a network file system."""
    if fcntl is None or not hasattr(fcntl, "F_OFD_SETLK"):
        raise LogError("A run log can only be written on Linux, because its locks are Linux's.")
    _require_sqlite()
    _refuse_network(path)
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise LogError(f"The folder of the run log {path} cannot be created ({error.strerror}). Choose another one with db=.") from None
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise LogError(f"The run log {path} is not a regular file. Choose another one with db=.")
    if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
        raise LogError(f"The run log {path} cannot be written (no permission). Choose another one with db=.")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise LogError(f"The run log {path} is in a folder that cannot be written (no permission). Choose another one with db=.")


def _identity(path):
    """Device and inode. Never by opening the file: closing it would release SQLite's locks of this process."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


# ---- Locks, as in docs/run_log_format.md ----

_TURN_BYTE, _PRESENCE_BYTE, _FIRST_RUN_BYTE = 0, 1, 4096
_FLOCK = "hhqqi4x"  # struct flock: type, whence, start, length, process
_OPEN_PATIENCE, _CLOSE_PATIENCE, _PATIENCE = 10.0, 1.0, 5.0  # seconds
_TURN_PAUSE = 0.005


class _Locks:
    """Locks of an open file description: they end with the process, however it ends."""

    def __init__(self, database, writing):
        self.path = database + "-lock"
        self.descriptor = -1
        flags = os.O_NONBLOCK | os.O_CLOEXEC | (os.O_RDWR | os.O_CREAT if writing else os.O_RDONLY)
        try:
            self.descriptor = os.open(self.path, flags, 0o666)
        except OSError as error:
            if writing:
                raise LogError(f"The lock file {self.path} cannot be opened ({error.strerror}). Choose another log with db=.") from None

    def _set(self, kind, byte):
        try:
            fcntl.fcntl(self.descriptor, fcntl.F_OFD_SETLK, struct.pack(_FLOCK, kind, os.SEEK_SET, byte, 1, 0))
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.EACCES):
                return False
            raise LogError(f"The lock file {self.path} cannot be locked ({error.strerror}). "
                           "Choose a log in another folder with db=.") from None
        return True

    def try_turn(self):
        return self._set(fcntl.F_WRLCK, _TURN_BYTE)

    def try_shared_turn(self):
        return self._set(fcntl.F_RDLCK, _TURN_BYTE)

    def end_turn(self):
        self._set(fcntl.F_UNLCK, _TURN_BYTE)

    def try_presence(self):
        return self._set(fcntl.F_RDLCK, _PRESENCE_BYTE)

    def try_alive(self, run):
        return self._set(fcntl.F_WRLCK, _FIRST_RUN_BYTE + run)

    def release_alive(self, run):
        self._set(fcntl.F_UNLCK, _FIRST_RUN_BYTE + run)

    def is_alive(self, run):
        """Asked without taking the lock: another reader would take the run for a living one."""
        if self.descriptor < 0:
            return False
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, _FIRST_RUN_BYTE + run, 1, 0)
        return struct.unpack(_FLOCK, fcntl.fcntl(self.descriptor, fcntl.F_OFD_GETLK, asked))[0] != fcntl.F_UNLCK

    def is_still_there(self):
        status = os.fstat(self.descriptor)
        return _identity(self.path) == (status.st_dev, status.st_ino)

    def close(self):
        if self.descriptor >= 0:
            os.close(self.descriptor)
        self.descriptor = -1


def _within(seconds, attempt):
    """Whether `attempt` succeeded in that time: these locks send no notice."""
    end = time.monotonic() + seconds
    pause = 0.001
    while not attempt():
        if time.monotonic() >= end:
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return True


# ---- SQLite ----


def _text(data):
    """Texts of a log may come from anybody; none of their bytes is lost."""
    return data.decode("utf-8", "surrogateescape")


def _connect(path, options):
    uri = "file:" + urllib.parse.quote(os.fsencode(path)) + options
    db = sqlite3.connect(uri, uri=True, timeout=0.25, isolation_level=None, check_same_thread=False)
    db.text_factory = _text
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    return db


def _first(db, sql, *values):
    row = db.execute(sql, values).fetchone()
    return None if row is None else row[0]


def _sentence(path, error):
    """What SQLite reports, as one sentence. Before Python 3.11 only the text of an error tells its kind."""
    text = str(error)
    for part, sentence in (
            ("not a database", "is not a database, so it is not a run log. It was left as it is. Name another file with db=."),
            ("malformed", "is damaged. `accrue doctor --check-log` lists what is lost; log into another file with db=."),
            ("is full", "cannot grow: the disk is full. Free some space."),
            ("disk I/O", "cannot be written: the disk reports an error. Check the disk."),
            ("readonly", "is read-only. Choose another one with db=."),
            ("locked", "is locked by another program. Close that program."),
            ("unable to open", "cannot be opened. Check the permissions of its folder.")):
        if part in text:
            return f"The run log {path} {sentence}"
    return f"The run log {path} cannot be used ({text}). Choose another one with db=."


@contextlib.contextmanager
def _in_sentences(path):
    try:
        yield
    except sqlite3.Error as error:
        raise LogError(_sentence(path, error)) from error


def _require_ours(db, path):
    """The format of the log; 0 of an empty file, which is nobody's."""
    application = _first(db, "PRAGMA application_id")
    version = _first(db, "PRAGMA user_version")
    if application == 0 and version == 0 and _first(db, "SELECT count(*) FROM sqlite_schema") == 0:
        return 0
    if application != _APPLICATION_ID or version <= 0:
        raise LogError(f"The file {path} is a database of another program, not a run log. It was left as it is. "
                       "Name another file with db=.")
    if version > _FORMAT:
        raise LogError(f"The run log {path} has format {version}, so a newer version of Accrue wrote it. This package knows formats up to "
                       f"{_FORMAT}. Install the newer version of the package, or name another log with db=.")
    return version


def _require_newest(db, path):
    version = _require_ours(db, path)
    if 0 < version < _FORMAT:
        raise LogError(f"The run log {path} has the older format {version}. Open it once with Accrue, which brings it to format {_FORMAT} "
                       "(such as `accrue unarchive 1 --db FILE`), or name another log with db=.")
    if _first(db, "SELECT 1 FROM sqlite_schema WHERE type = 'trigger'"):
        raise LogError(f"The run log {path} has triggers, which no run log has. Log into another file with db=.")
    return version


def _refuse_at_sight(path):
    """Before anything is created beside the file, which may be another program's."""
    if not os.path.exists(path):
        return
    with _in_sentences(path):
        db = _connect(path, "?mode=ro&immutable=1")
        try:
            _require_newest(db, path)
        except sqlite3.DatabaseError as error:
            if "not a database" in str(error):
                raise
            # Otherwise perhaps a log in the middle of a checkpoint, which `immutable` does not wait for.
        finally:
            db.close()


def _leak(thing):
    """Keeps it for ever. Closing a connection writes to the file, which is only allowed within the turn."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _remove_with_companions(path):
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + suffix)


def _make_tables(db):
    db.execute("BEGIN IMMEDIATE")
    for statement in _SCHEMA:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {_FORMAT}")
    db.execute("COMMIT")


# ---- Numbers and checksums ----


def _stored(value):
    """SQLite has no NaN, and the log keeps infinities as texts beside it."""
    if math.isfinite(value):
        return value
    return "nan" if value != value else "inf" if value > 0 else "-inf"


def _read(value):
    if isinstance(value, str):
        return {"inf": math.inf, "-inf": -math.inf}.get(value, math.nan)
    return math.nan if value is None else float(value)


_eight = struct.Struct("<q").pack
_double = struct.Struct("<d").pack


def _checksum(names, row):
    parts = []
    for name, value in zip(names, row):
        parts.append(name)
        kind = type(value)
        if kind is float:
            parts.append(b"r" + _double(value))
        elif kind is int:
            parts.append(b"i" + _eight(value))
        elif kind is str:
            parts.append(b"t" + value.encode("utf-8", "surrogateescape") + b"\0")
        elif value is None:
            parts.append(b"n")
        else:
            parts.append(b"b" + value + b"\0")
    return zlib.crc32(b"".join(parts))


_CLOSED_ROWS = 64  # after which a batch grows no more


class _Seals:
    """Writes the checksums of rows that a transaction has changed: what SQLite has stored, read back."""

    def __init__(self, db):
        self.db = db
        self._columns = {}
        self._touched = {}

    def touch(self, table, run, step=None):
        self._touched.setdefault((table, run), set()).add(step)

    def forget(self):
        self._touched = {}

    def write(self):
        for (table, run), steps in self._touched.items():
            if None in steps:
                self._seal_all(table, run)
            else:
                self._seal_steps(table, run, sorted(steps))
        self.forget()

    def is_whole(self, table, run):
        """Of a table that is one batch a run: its rows are those that were sealed."""
        names, rows = self._rows(table, run)
        sealed = self.db.execute("SELECT row_count, checksum FROM checksums WHERE run_id = ? AND table_name = ?", (run, table)).fetchone()
        return sealed == (len(rows), sum(_checksum(names, row) for row in rows))

    def _rows(self, table, run):
        """Computed columns are sealed as well: table_xinfo has them, table_info has not."""
        if table not in self._columns:
            names = [row[0] for row in self.db.execute("SELECT name FROM pragma_table_xinfo(?) ORDER BY cid", (table,))]
            self._columns[table] = ([name.encode() + b"\0" for name in names], ", ".join(f'"{name}"' for name in names), ",".join(names))
        names, quoted, _ = self._columns[table]
        key = "id" if table == "runs" else "run_id"
        return names, self.db.execute(f"SELECT {quoted} FROM {table} WHERE {key} = ?", (run,)).fetchall()

    def _insert(self, table, run, attempt, first, last, count, checksum):
        self.db.execute("INSERT INTO checksums (run_id, table_name, attempt, first_step, last_step, row_count, checksum, column_names)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (run, table, attempt, first, last, count, checksum, self._columns[table][2]))

    def _seal_all(self, table, run):
        names, rows = self._rows(table, run)
        self.db.execute("DELETE FROM checksums WHERE run_id = ? AND table_name = ?", (run, table))
        if rows:
            self._insert(table, run, 0, 0, 0, len(rows), sum(_checksum(names, row) for row in rows))

    def _seal_steps(self, table, run, steps):
        """A batch that has one of the steps, or is still small and before it, is sealed again; batches never overlap."""
        ranges = []
        batch_before = None
        for step in steps:
            batch = self.db.execute(
                "SELECT first_step, last_step, row_count FROM checksums WHERE run_id = ? AND table_name = ? AND attempt = 1"
                " AND first_step <= ? ORDER BY first_step DESC LIMIT 1", (run, table, step)).fetchone()
            if ranges and batch == batch_before:
                ranges[-1][1] = max(ranges[-1][1], step)
                continue
            batch_before = batch
            is_open = batch is not None and (batch[1] >= step or batch[2] < _CLOSED_ROWS)
            ranges.append([batch[0], max(batch[1], step)] if is_open else [step, step])
        for first, last in ranges:
            self._seal_range(table, run, first, last)

    def _seal_range(self, table, run, first, last):
        self._rows(table, -1)
        names, quoted, _ = self._columns[table]
        self.db.execute("DELETE FROM checksums WHERE run_id = ? AND table_name = ? AND attempt = 1 AND first_step BETWEEN ? AND ?",
                        (run, table, first, last))
        count = checksum = begin = end = 0
        for step, *row in self.db.execute(f"SELECT step, {quoted} FROM {table} WHERE run_id = ? AND attempt = 1"
                                          " AND step BETWEEN ? AND ? ORDER BY step", (run, first, last)):
            if count >= _CLOSED_ROWS and step != end:  # never within a step
                self._insert(table, run, 1, begin, end, count, checksum)
                count = checksum = 0
            begin = step if count == 0 else begin
            end = step
            count += 1
            checksum += _checksum(names, row)
        if count:
            self._insert(table, run, 1, begin, end, count, checksum)


# ---- The connection that writes ----


class _Connection:
    """The one writing connection of this process to a log, with its locks. Every change happens within the turn, and begins by
    looking whether the file at the path is still the open one. Used by one thread at a time."""

    def __init__(self, path):
        _require_writable(path)
        _refuse_at_sight(path)
        self.path = path
        self.db = None
        self.seals = None
        self.notice = None
        self._mine = {}
        self._identity = None
        self._node = -1
        self.locks = _Locks(path, True)
        try:
            if not _within(_OPEN_PATIENCE, self.locks.try_turn):
                raise LogError(_held_elsewhere(path, _OPEN_PATIENCE))
            try:
                with _in_sentences(path):
                    self._adopt(self._open())
            finally:
                self.locks.end_turn()
        except BaseException:
            self.locks.close()
            raise

    def _open(self):
        if _identity(self.path) is None:
            self._create()
        db = _connect(self.path, "?mode=rw")
        try:
            version = _require_newest(db, self.path)
            db.execute("PRAGMA journal_mode = WAL")
            if version == 0:
                _make_tables(db)
            db.execute("PRAGMA foreign_keys = ON")
            self.locks.try_presence()
        except BaseException:
            _leak(db)  # a file that is not ours is not even closed like one that is
            raise
        return db

    def _create(self):
        """The file gets its name when it is complete, so that no reader finds half of it."""
        fresh = self.path + ".new"
        _remove_with_companions(fresh)
        db = _connect(fresh, "?mode=rwc")
        try:
            db.execute("PRAGMA journal_mode = WAL")
            _make_tables(db)
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.close()
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                db.close()
            _remove_with_companions(fresh)
            raise
        _remove_with_companions(self.path)  # the -wal of a deleted log would be replayed into the new one
        os.rename(fresh, self.path)

    def _adopt(self, db):
        self.db = db
        self.seals = _Seals(db)
        self._identity = _identity(self.path)
        if self._node >= 0:
            os.close(self._node)
        # Refers to the file without opening it, to see whether it still has a name.
        self._node = os.open(self.path, os.O_PATH | os.O_CLOEXEC)

    def transaction(self, durable, work):
        """Runs `work`; False: another process has the turn. `durable`: it survives a power failure, too."""
        if not self.locks.is_still_there():
            self._renew_locks()
        if not self.locks.try_turn():
            return False
        try:
            with _in_sentences(self.path):
                self._follow()
                self._transact(durable, work)
        finally:
            self.locks.end_turn()
        self.notice = None
        return True

    def _transact(self, durable, work):
        self.db.execute("PRAGMA synchronous = " + ("FULL" if durable else "NORMAL"))
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self.seals.forget()
            work(self)
            self.seals.write()
            self.db.execute("COMMIT")
        except BaseException:
            if self.db.in_transaction:  # SQLite ends it itself where the disk is full
                self.db.execute("ROLLBACK")
            raise

    def hold_alive(self, run, token):
        self._mine[run] = token
        self.locks.try_alive(run)

    def release_alive(self, run):
        if self._mine.pop(run, None) is not None:
            self.locks.release_alive(run)

    def _renew_locks(self):
        """Somebody deleted the lock file: our locks are on a file that nobody finds."""
        old, self.locks = self.locks, _Locks(self.path, True)
        old.close()
        self.locks.try_presence()
        for run in self._mine:
            self.locks.try_alive(run)

    def _follow(self):
        now = _identity(self.path)
        if now == self._identity:
            return
        self._empty_wal()  # while the old file still has its own
        if now is None and os.fstat(self._node).st_nlink > 0:
            raise LogError(f"The run log {self.path} was moved away while it was open. Move it back to its place.")
        if now is None and self._mine:
            self._put_back()
        db = self._open()
        for run, token in self._mine.items():
            if _first(db, "SELECT 1 FROM runs WHERE id = ? AND token = ?", run, token) is None:
                _leak(db)
                raise LogError(f"The run log {self.path} was replaced by another file while a run was writing to it. "
                               "Put the original back in its place.")
        _leak(self.db)  # closing it would remove the files of the new one
        self._adopt(db)

    def _empty_wal(self):
        with contextlib.suppress(sqlite3.Error):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _put_back(self):
        copy = self.path + ".restored"
        _remove_with_companions(copy)
        self.db.execute("VACUUM INTO ?", (copy,))
        _remove_with_companions(self.path)
        os.rename(copy, self.path)
        self.notice = (f"The run log {self.path} was deleted while this run was writing to it; it was put back with everything in it.",
                       "runlog.put_back", json.dumps({"file": self.path}))

    def close(self):
        """Closing moves the -wal into the file, so it happens within the turn, or not at all."""
        has_turn = _within(_CLOSE_PATIENCE, self.locks.try_turn)
        try:
            if has_turn and _identity(self.path) == self._identity:
                with contextlib.suppress(sqlite3.Error):
                    self.db.close()
            else:
                _leak(self.db)
        finally:
            if has_turn:
                self.locks.end_turn()
            self.locks.close()
            os.close(self._node)

    def abandon(self):
        """In a child of this process, which has copies of its descriptors: no lock may outlive the parent here."""
        _leak(self.db)
        self.locks.close()
        os.close(self._node)


def _held_elsewhere(path, seconds):
    return (f"Another process has held the run log {path} for more than {seconds:.0f} seconds. Try again when that process has "
            "finished.")


# ---- The thread that writes ----

_INTERVAL = 0.2  # seconds between two transactions
_BATCH = 4096  # calls of log() that one transaction takes
_MOST_WAITING = 200_000  # calls of log(); then log() waits
_LONGEST_RETRY = 2.0


def _say(text):
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(f"accrue: {text}", file=sys.stderr, flush=True)


class _Job:
    """`after` follows the commit, `undo` a failure."""

    def __init__(self, work, after, undo):
        self.work = work
        self.after = after
        self.undo = undo
        self.error = None
        self.done = threading.Event()
        self.deadline = time.monotonic() + _PATIENCE


class _Log:
    """A log that this process writes: one connection, used by one thread. Rows wait until they are committed, however often that
    has to be tried."""

    _opened = {}
    _opening = threading.Lock()

    @classmethod
    def of(cls, path):
        with cls._opening:
            log = cls._opened.get(path)
            if log is None:
                log = cls._opened[path] = cls(path)
            log._users += 1
            return log

    def __init__(self, path):
        self.path = path
        self.process = os.getpid()
        self._connection = _Connection(path)
        self._users = 0
        self._changed = threading.Condition()
        self._rows = []
        self._jobs = []
        self._first_at = 0.0
        self._retry_at = 0.0
        self._retry_pause = 0.05
        self._held_since = None
        self._jobs_at = 0.0
        self._flushing = 0
        self._stop_at = math.inf
        self._logged = self._committed = self._failures = 0
        self._problem = None
        self._thread = threading.Thread(target=self._work, name="accrue", daemon=True)
        self._thread.start()

    def require_process(self):
        if self.process != os.getpid():
            raise LogError(f"This run belongs to process {self.process}, which began it. Log from there, or begin a run of its own in "
                           "this process.")

    def add(self, run, place, values):
        with self._changed:
            while len(self._rows) >= _MOST_WAITING:
                self._changed.wait()
            if not self._rows:
                self._first_at = time.monotonic()
            self._rows.append((run, place, values))
            self._logged += 1
            if len(self._rows) in (1, _BATCH):
                self._changed.notify_all()

    def flush(self, patience):
        """Waits until everything so far is committed; the problem if that failed for so long."""
        end = time.monotonic() + patience
        with self._changed:
            target = self._logged
            failures = self._failures
            self._flushing += 1
            self._retry_at = 0.0
            self._changed.notify_all()
            try:
                while self._committed < target:
                    if self._failures != failures and time.monotonic() >= end:
                        raise LogError(self._problem)
                    self._changed.wait(0.1)
            finally:
                self._flushing -= 1

    def do(self, work, after=None, undo=None):
        """Runs `work(connection)` in a transaction of its own, after the rows that wait."""
        self.require_process()
        job = _Job(work, after, undo)
        with self._changed:
            self._jobs.append(job)
            self._changed.notify_all()
        job.done.wait()
        if job.error is not None:
            raise job.error

    def release(self):
        with self._opening:
            self._users -= 1
            if self._users > 0:
                return
            self._opened.pop(self.path, None)
        with self._changed:
            self._stop_at = time.monotonic() + _PATIENCE
            self._changed.notify_all()
        self._thread.join()
        if self._rows:
            _say(f"{len(self._rows)} logged values could not be written. {self._problem}")

    def abandon(self):
        self._connection.abandon()
        self._changed = threading.Condition()

    def _work(self):
        while self._wait():
            self._write()
            self._run_jobs()
        self._connection.close()

    def _wait(self):
        """Until there is something to do; False: nothing will be any more."""
        with self._changed:
            while True:
                now = time.monotonic()
                ending = self._stop_at < math.inf
                stuck = self._problem is not None or self._held_since is not None
                if ending and (not (self._rows or self._jobs) or (stuck and now >= self._stop_at)):
                    return False
                at = min(self._jobs_at if self._jobs else math.inf, self._stop_at if stuck else math.inf)
                if self._rows:
                    hurry = self._flushing or self._jobs or ending or len(self._rows) >= _BATCH
                    at = min(at, max(self._retry_at, now if hurry else self._first_at + _INTERVAL))
                if at <= now:
                    return True
                self._changed.wait(None if at == math.inf else at - now)

    def _write(self):
        with self._changed:
            if not self._rows or time.monotonic() < self._retry_at:
                return
            batch = self._rows[:_BATCH]
        rows = _BatchRows(batch)
        try:
            taken = self._connection.transaction(rows.durable, rows.write)
        except (LogError, OSError) as error:
            self._fail(str(error))
            return
        except Exception as error:  # pylint: disable=broad-except  # the thread has to live on
            self._fail(f"The run log {self.path} cannot be written ({error}).")
            return
        if not taken:
            self._held()
            return
        rows.adopt()
        with self._changed:
            del self._rows[:len(batch)]
            self._first_at = time.monotonic()
            self._committed += len(batch)
            if self._problem is not None:
                _say(f"The run log {self.path} can be written again; nothing is lost.")
            self._problem = self._held_since = None
            self._retry_pause = 0.05
            self._changed.notify_all()

    def _held(self):
        now = time.monotonic()
        with self._changed:
            self._held_since = self._held_since or now
            self._retry_at = now + _TURN_PAUSE
            lasting = now - self._held_since >= _PATIENCE
        if lasting:
            self._fail(_held_elsewhere(self.path, _PATIENCE))

    def _fail(self, problem):
        with self._changed:
            is_new = self._problem != problem
            self._problem = problem
            self._failures += 1
            self._retry_at = time.monotonic() + self._retry_pause
            self._retry_pause = min(2 * self._retry_pause, _LONGEST_RETRY)
            self._changed.notify_all()
        if is_new:
            _say(f"{problem} What is logged meanwhile waits in memory.")

    def _run_jobs(self):
        while self._jobs:
            job = self._jobs[0]
            try:
                if not self._connection.transaction(True, job.work):
                    if time.monotonic() < job.deadline:
                        self._jobs_at = time.monotonic() + _TURN_PAUSE
                        return
                    job.error = LogError(_held_elsewhere(self.path, _PATIENCE))
                elif job.after:
                    job.after(self._connection)
            except BaseException as error:  # pylint: disable=broad-except  # belongs to the caller
                job.error = error
                if job.undo:
                    job.undo(self._connection)
            self._jobs.pop(0)
            job.done.set()


def _after_fork():
    for log in _Log._opened.values():
        log.abandon()
    _Log._opened = {}
    _Log._opening = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# ---- What a run has so far ----


class _Tally:
    """One metric of a run: its row of `summaries`. Values may come in any order of their places."""

    __slots__ = ("best", "best_place", "final", "final_place", "max", "min")

    def __init__(self):
        self.final, self.final_place = math.nan, (-1, -1)
        self.best = self.min = self.max = math.nan
        self.best_place = (0, 0)

    def add(self, value, place, higher):
        if place >= self.final_place:
            self.final, self.final_place = value, place
        if not math.isfinite(value):
            return
        better = self.best != self.best or (value > self.best if higher else value < self.best)
        if better or (value == self.best and place < self.best_place):
            self.best, self.best_place = value, place
        self.min = value if self.min != self.min else min(self.min, value)
        self.max = value if self.max != self.max else max(self.max, value)

    def copy(self):
        other = _Tally()
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    @property
    def has_finite(self):
        return math.isfinite(self.best)


class _Progress:
    """What the row of a run and its summaries repeat. Copied before a transaction, and adopted when it is committed."""

    def __init__(self):
        self.place = (0, 0)
        self.epoch = self.samples = 0
        self.seconds = 0.0
        self.step = 0  # the highest that has a value
        self.tallies = {}

    def copy(self):
        other = _Progress()
        other.__dict__.update(self.__dict__)
        other.tallies = dict(self.tallies)
        return other

    def advance(self, place, values):
        step, micro_batches, samples, epoch, seconds = place
        if values:
            self.step = max(self.step, step)
        if (step, micro_batches) >= self.place:
            self.place = (step, micro_batches)
            self.samples, self.epoch, self.seconds = samples, epoch, seconds

    def columns(self):
        columns = {"step": self.step, "samples": self.samples, "micro_batches": self.place[1], "epoch": self.epoch,
                   "seconds": self.seconds, "peak_bytes": self._peak(), "best_step": 0}
        for metric in _JUDGED_BY:
            if metric in self.tallies and self.tallies[metric].has_finite:
                columns["best_step"] = self.tallies[metric].best_place[0]
                break
        for column, metric, is_best in _RESULTS:
            tally = self.tallies.get(metric)
            known = tally is not None and (tally.has_finite or not is_best)
            columns[column] = _stored(tally.best if is_best else tally.final) if known else None
        return columns

    def _peak(self):
        tally = self.tallies.get("peak_bytes")
        if tally is None or not tally.has_finite:
            return 0
        return min(max(0, math.floor(tally.max + 0.5)), 2**63 - 1)


class _BatchRows:
    """The rows of one transaction."""

    def __init__(self, batch):
        self.durable = False
        self._runs = {}
        for run, place, values in batch:
            self.durable = self.durable or run.durable_from <= place[3]
            self._runs.setdefault(run, []).append((place, values))
        self._progress = {}

    def write(self, connection):
        self._progress = {}
        for run, logged in self._runs.items():
            if not run.is_gone(connection.db):
                self._write_run(connection, run, logged)

    def adopt(self):
        for run, progress in self._progress.items():
            run.progress = progress
            run.durable_from = max(run.durable_from, progress.epoch + 1)

    def _write_run(self, connection, run, logged):
        if connection.notice:
            _write_marker(connection, run, run.progress, "message", "warning", *connection.notice)
        values = self._last_values(logged)
        progress = run.progress.copy()
        for place, metrics in logged:
            progress.advance(place, metrics)
        replaced = self._tally(connection.db, run, progress, values) if run.rank == 0 else ()
        connection.db.executemany(
            "INSERT OR REPLACE INTO metric_values (run_id, attempt, step, micro_batches, samples, epoch, seconds, metric, rank, value)"
            " VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(run.id, *place, metric, run.rank, _stored(value)) for (*_, metric), (place, value) in values.items()])
        for step, *_ in values:
            connection.seals.touch("metric_values", run.id, step)
        self._progress[run] = progress
        if run.rank == 0:
            self._recount(connection.db, run, progress, replaced)
            self._sum_up(connection, run, progress, {metric for *_, metric in values})

    @staticmethod
    def _last_values(logged):
        """By place and metric: one that is logged twice at one place has the last value."""
        values = {}
        for place, metrics in logged:
            for metric, value in metrics.items():
                values[place[0], place[1], metric] = (place, value)
        return values

    def _tally(self, db, run, progress, values):
        """The metrics of which a value that was counted before is replaced."""
        replaced = set()
        fresh = set()
        for (step, micro_batches, metric), (_, value) in sorted(values.items(), key=lambda item: item[0][:2]):
            if metric in _WITHOUT_SUMMARY:
                continue
            if metric not in fresh:
                fresh.add(metric)
                progress.tallies[metric] = progress.tallies[metric].copy() if metric in progress.tallies else _Tally()
            tally = progress.tallies[metric]
            place = (step, micro_batches)
            if place <= tally.final_place and self._is_stored(db, run, place, metric):
                replaced.add(metric)
            tally.add(value, place, _BETTER.get(metric) == "higher")
        return replaced

    @staticmethod
    def _is_stored(db, run, place, metric):
        return _first(db, "SELECT 1 FROM metric_values WHERE run_id = ? AND step = ? AND micro_batches = ? AND attempt = 1"
                      " AND metric = ? AND rank = 0", run.id, *place, metric) is not None

    @staticmethod
    def _recount(db, run, progress, metrics):
        for metric in metrics:
            tally = progress.tallies[metric] = _Tally()
            for step, micro_batches, value in db.execute(
                    "SELECT step, micro_batches, value FROM metric_values WHERE run_id = ? AND attempt = 1 AND metric = ? AND rank = 0"
                    " ORDER BY step, micro_batches", (run.id, metric)):
                tally.add(_read(value), (step, micro_batches), _BETTER.get(metric) == "higher")

    @staticmethod
    def _sum_up(connection, run, progress, metrics):
        columns = progress.columns()
        connection.db.execute("UPDATE runs SET " + ", ".join(f"{name} = ?" for name in columns) + " WHERE id = ?",
                              (*columns.values(), run.id))
        tallies = [(metric, progress.tallies[metric]) for metric in metrics if metric in progress.tallies]
        connection.db.executemany(
            "INSERT OR REPLACE INTO summaries (run_id, metric, final, best, best_step, min, max) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(run.id, metric, _stored(tally.final), _stored(tally.best), tally.best_place[0], _stored(tally.min), _stored(tally.max))
             for metric, tally in tallies])
        connection.seals.touch("runs", run.id)
        connection.seals.touch("summaries", run.id)


def _write_marker(connection, run, progress, kind, severity, text, code="", arguments="{}"):
    step, _ = progress.place
    connection.db.execute(
        "INSERT INTO markers (run_id, attempt, kind, severity, step, samples, epoch, seconds, time_ms, text, code, arguments)"
        " VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (run.id, kind, severity, step, progress.samples, progress.epoch, progress.seconds, _now_ms(), text, code, arguments))
    connection.seals.touch("markers", run.id, step)


def _now_ms():
    return time.time_ns() // 1_000_000


# ---- A run ----

_PLACES = ("step", "epoch", "samples", "micro_batches")
_MOST = 2**53  # of a place: exact as a double
_JOIN_PATIENCE = 60.0


def _one_line(text, most):
    """Whether it is one line of at most so many characters that UTF-8 has."""
    return 0 < len(text) <= most and not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in text)


def _short(value, most=80):
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= most else text[:most - 1] + "…"


def _number(metric, value):
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        shape = getattr(value, "shape", None)
        what = f"a {type(value).__name__}" + (f" of shape {tuple(shape)}" if shape is not None else "")
        raise TypeError(f"Metric {_short(metric)!r} is {what}, not one number. Log its mean, or another single number of it.") from None


def _place_number(name, value):
    try:
        number = int(value) if name == "epoch" and isinstance(value, float) else operator.index(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        number = int(value) if isinstance(value, float) and value.is_integer() else -1
    if not 0 <= number <= _MOST:
        raise ValueError(f"{name} is {_short(value)}; it is a whole number from 0.")
    return number


def _flat(settings, before=""):
    """Nested settings by dotted keys: {"optimizer": {"lr": 0.1}} is optimizer.lr."""
    if settings is None:
        return {}
    if dataclasses.is_dataclass(settings) and not isinstance(settings, type):
        settings = dataclasses.asdict(settings)
    elif not hasattr(settings, "items") and hasattr(settings, "__dict__"):  # argparse.Namespace
        settings = vars(settings)
    flat = {}
    for name, value in settings.items():
        key = before + str(name)
        if hasattr(value, "items") or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
            flat.update(_flat(value, key + "."))
            continue
        if not _one_line(key, _LONGEST_NAME):
            raise ValueError(f"The key {_short(key)!r} of a setting is not one line of at most {_LONGEST_NAME} characters.")
        flat[key] = _setting(value)
    return flat


def _setting(value):
    """Kind and value, as the table `settings` has them."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a number of numpy or a tensor
        value = value.item()
    if isinstance(value, bool):
        return "boolean", int(value)
    if isinstance(value, int) and -2**63 <= value < 2**63:
        return "integer", value
    if isinstance(value, float):
        return "number", _stored(float(value))
    if value is None:
        return "text", "none"
    if isinstance(value, (list, tuple)):
        with contextlib.suppress(TypeError, ValueError):
            return "text", json.dumps(value, ensure_ascii=False)
    return "text", str(value).replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _checked_tag(tag):
    if not _one_line(tag, _LONGEST_TAG) or any(c.isspace() or c == "," for c in tag) or tag[0] in "+-":
        raise ValueError(f"{_short(tag)!r} cannot be a tag. A tag has at most {_LONGEST_TAG} characters, no spaces and no commas, and does "
                         "not begin with + or -.")
    return tag


def _tags_in(text):
    return [tag for tag in text.split(" ") if tag]


def _words(tags):
    return tags.split() if isinstance(tags, str) else list(tags)


def _boot_id():
    with contextlib.suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.readline().strip()
    return ""


def _launch_key(ordinal):
    """What the ranks of one launch have in common: their launcher is one process of this machine. ACCRUE_RUN_KEY says so where they
    have no common parent."""
    parent = os.getppid()
    started = ""
    with contextlib.suppress(OSError), open(f"/proc/{parent}/stat", "rb") as file:
        started = file.read().rpartition(b")")[2].split()[19].decode()
    parts = [os.environ.get("ACCRUE_RUN_KEY") or f"{parent} {started}", _boot_id(),
             os.environ.get("TORCHELASTIC_RESTART_COUNT", ""), str(ordinal)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _outcome_of(error):
    if error is None or isinstance(error, GeneratorExit) or (isinstance(error, SystemExit) and error.code in (None, 0)):
        return "completed", ""
    if isinstance(error, KeyboardInterrupt):
        return "stopped", "Stopped by Ctrl-C."
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SystemExit):
        text = f"The script ended with exit code {error.code}."
    out_of_memory = isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"
    return "out_of_memory" if out_of_memory else "failed", _short(" ".join(text.split()), 2000)


class Run:
    """A run of this script in a run log.

    name      what the run is called, one line; otherwise the script's name
    settings  what it is trained with: a dict (nested ones get dotted keys), an argparse.Namespace or a dataclass
    db        the run log; otherwise Accrue's own, default_log(). It is created if it does not exist
    tags      words by which it is found again: a list, or one text with blanks
    note      a text of any length
    rank      of several processes that train it; otherwise RANK of the environment, or 0. Rank 0 begins the run, and the others
              join it

    `with` ends the run as completed, or as failed with the exception's message; so does the end of the script without `with`.
    Raises LogError if the log cannot be written.
    """

    _running = []
    _ordinals = {}

    def __init__(self, name=None, settings=None, db=None, tags=(), note="", rank=None):
        self.rank = _rank_here() if rank is None else _place_number("rank", rank)
        self.id = None
        self.db = _place_of(db)
        self.name = str(name) if name is not None else os.path.splitext(os.path.basename((sys.argv or [""])[0]))[0] or "script"
        if not _one_line(self.name, _LONGEST_NAME):
            raise ValueError(f"The name {_short(self.name)!r} of a run is not one line of at most {_LONGEST_NAME} characters.")
        self._settings = _flat(settings)
        self._tags = sorted({_checked_tag(tag) for tag in _words(tags)})
        self._note = self._checked_note(note)
        self.progress = _Progress()
        self.durable_from = 1
        self._began = time.monotonic()
        self._given = {"step": False}
        self._place = dict.fromkeys(_PLACES, 0)
        self._lock = threading.Lock()
        self._ended = False
        self._log = None
        self._gone = False
        ordinal = Run._ordinals[self.db] = Run._ordinals.get(self.db, -1) + 1
        self._key = _launch_key(ordinal)
        self.token = self._key + secrets.token_hex(4)
        if self.rank == 0:
            self._begin()
        else:
            self._join()
        if self._log is not None:
            Run._running.append(self)

    @staticmethod
    def _checked_note(note):
        if len(note.encode("utf-8", "replace")) > _LONGEST_NOTE or "\0" in note:
            raise ValueError(f"A note is text of at most {_LONGEST_NOTE} bytes without NUL.")
        return note

    def __repr__(self):
        return f"<accrue.Run #{self.id} {self.name!r} in {self.db}>"

    # ---- what a script calls ----

    def log(self, metrics=None, /, **values):
        """Logs metrics of any name: log(step=3, loss=0.1), or log({"val/loss": 0.1}, step=3, epoch=1). Takes microseconds: a thread
        writes what was logged every fifth of a second.

        step, epoch, samples and micro_batches say where in the run this is, and keep their last value where they are left out or None.
        A run that never names a step counts one for each call without epoch. Values are whatever float() takes.
        """
        if metrics:
            values = {**metrics, **values}
        places = {name: _place_number(name, value) for name in _PLACES
                  if name in values and (value := values.pop(name)) is not None}
        numbers = {metric: value if type(value) is float else _number(metric, value) for metric, value in values.items()}
        for metric in numbers:
            if metric not in self._known_names:
                self._check_name(metric)
        if self._log is None:
            return
        if self._ended:
            raise LogError(f"Run #{self.id} has ended; begin another one to log more.")
        self._log.require_process()
        with self._lock:
            place = self._place
            if "step" in places:
                self._given["step"] = True
            elif not self._given["step"] and "epoch" not in places:
                place["step"] += 1
            place.update(places)
            self._log.add(self, (place["step"], place["micro_batches"], place["samples"], place["epoch"],
                                 time.monotonic() - self._began), numbers)

    def flush(self):
        """Waits until everything that was logged so far is committed: then no kill of this process loses it. Raises LogError if it
        cannot be committed now; it is then still tried again."""
        if self._log is not None and not self._ended:
            self._log.require_process()
            self._log.flush(0)

    def note(self, text):
        """Replaces the note of the run."""
        text = self._checked_note(text)
        self._change("note", lambda _: text)

    def tag(self, *tags):
        """Adds tags, and removes those with a - in front: tag("baseline", "-draft")."""
        words = [word for tag in tags for word in _words(tag)]
        removed = {_checked_tag(word[1:]) for word in words if word.startswith("-")}
        added = {_checked_tag(word[1:] if word.startswith("+") else word) for word in words if not word.startswith("-")}
        self._change("tags", lambda text: " ".join(sorted(set(_tags_in(text)) - removed | added, key=str.encode)))

    def end(self, outcome="completed", message=""):
        """Ends the run as completed, stopped, diverged, out_of_memory or failed, with a message. Everything is then on the disk."""
        if outcome not in _OUTCOMES:
            raise ValueError(f"{_short(outcome)!r} is no outcome of a run. Outcomes are {', '.join(_OUTCOMES)}.")
        if self._log is None or self._ended:
            return
        self._log.require_process()
        self._ended = True
        Run._running.remove(self)
        try:
            try:
                self._log.flush(_PATIENCE)
            finally:
                self._log.do(lambda connection: self._finish(connection, outcome, str(message)),
                             after=lambda connection: connection.release_alive(self.id))
        finally:
            self._log.release()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        outcome, message = _outcome_of(error)
        if error is None:
            self.end(outcome, message)
            return
        try:
            self.end(outcome, message)
        except LogError as problem:  # the script's own exception matters more
            _say(str(problem))

    # ---- on the thread that writes ----

    def is_gone(self, db):
        """Whether somebody has deleted the run meanwhile: its values have no place any more."""
        if not self._gone and _first(db, "SELECT 1 FROM runs WHERE id = ? AND token = ?", self.id, self.token) is None:
            self._gone = True
            _say(f"Run #{self.id} was deleted from {self.db}; what it logs now is dropped.")
        return self._gone

    def _insert(self, connection):
        now = _now_ms()
        torch = sys.modules.get("torch")
        here = {"host": socket.gethostname(), "pid": os.getpid(), "program_version": __version__, "code_revision": "",
                "torch_version": str(getattr(torch, "__version__", ""))}
        self.id = _insert_into(connection.db, "runs", {
            "token": self.token, "source": "script", "name": self.name, "note": self._note, "tags": " ".join(self._tags),
            "created_ms": now, "started_ms": now, "recipe": "", "boot_id": _boot_id(), "batch_effective": 0, "batch_micro": 0,
            "batch_steps": 0, "batch_devices": 0, "batch_solved": "none", "smallest_slice": 0, **here})
        for key, (kind, value) in self._settings.items():
            _insert_into(connection.db, "settings", {"run_id": self.id, "key": key, "kind": kind, "value": value})
        _insert_into(connection.db, "attempts", {"run_id": self.id, "attempt": 1, "started_ms": now, **here})
        for table in ("runs", "settings", "attempts"):
            connection.seals.touch(table, self.id)
        connection.hold_alive(self.id, self.token)  # before the commit: nobody sees the row of a run that is not alive yet

    def _finish(self, connection, outcome, message):
        if self.is_gone(connection.db):
            return
        failed = outcome not in ("completed", "stopped")
        if self.rank == 0:
            now = _now_ms()
            connection.db.execute("UPDATE runs SET outcome = ?, message = ?, ended_ms = ?, paused = 0 WHERE id = ?",
                                  (outcome, message, now, self.id))
            connection.db.execute("UPDATE attempts SET outcome = ?, ended_ms = ? WHERE run_id = ? AND attempt = 1", (outcome, now, self.id))
            connection.seals.touch("runs", self.id)
            connection.seals.touch("attempts", self.id)
            _write_marker(connection, self, self.progress, "ended", "error" if failed else "information", message or outcome)
        elif failed:
            _write_marker(connection, self, self.progress, "message", "error", f"Rank {self.rank}: {message or outcome}")

    # ---- the rest ----

    _known_names = set()

    def _check_name(self, metric):
        if not isinstance(metric, str) or not _one_line(metric, _LONGEST_NAME):
            raise ValueError(f"{_short(metric)!r} is no name of a metric. It is one line of at most {_LONGEST_NAME} characters.")
        if len(self._known_names) < 10_000:
            self._known_names.add(metric)

    def _change(self, column, changed):
        if self._log is None or self.rank != 0:
            return

        def work(connection):
            whole = connection.seals.is_whole("runs", self.id)  # a damaged row gets no checksum that says it is whole
            before = _first(connection.db, f"SELECT {column} FROM runs WHERE id = ?", self.id)
            connection.db.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (changed(before or ""), self.id))
            if whole:
                connection.seals.touch("runs", self.id)

        if self._ended:
            raise LogError(f"Run #{self.id} has ended; change it in Accrue, or with `accrue note` and `accrue tag`.")
        self._log.do(work)

    def _begin(self):
        self._log = _Log.of(self.db)
        try:
            self._log.do(self._insert, undo=lambda connection: connection.release_alive(self.id))
        except BaseException:
            self._log.release()
            raise

    def _join(self):
        """Finds the run that rank 0 has begun, and logs nothing where it cannot: training matters more."""
        is_other_machine = os.environ.get("GROUP_RANK", "0") != "0"
        if is_other_machine or not _within(_JOIN_PATIENCE, self._find):
            _say(f"Rank {self.rank} logs nothing: " + (
                "it is on another machine than rank 0, and a log is written on one machine." if is_other_machine else
                f"rank 0 has begun no run in {self.db}. Give all ranks the same db=, and the same ACCRUE_RUN_KEY if they have no "
                "launcher."))
            return
        self._log = _Log.of(self.db)

    def _find(self):
        if not os.path.exists(self.db):
            time.sleep(0.05)
            return False
        with contextlib.suppress(LogError, sqlite3.Error), contextlib.closing(_connect(self.db, "?mode=ro")) as db:
            found = db.execute("SELECT id, token FROM runs WHERE substr(token, 1, 24) = ? AND outcome IS NULL ORDER BY id DESC LIMIT 1",
                               (self._key,)).fetchone()
            locks = _Locks(self.db, False)
            try:
                if found and locks.is_alive(found[0]):
                    self.id, self.token = found
            finally:
                locks.close()
        return self.id is not None


def _rank_here():
    text = os.environ.get("RANK", "")
    return int(text) if text.isdecimal() else 0


def _insert_into(db, table, columns):
    return db.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                      tuple(columns.values())).lastrowid


@atexit.register
def _end_all():
    """A script that ends without ending its runs: they are completed, or failed with what nobody caught."""
    interactive = hasattr(sys, "ps1") or sys.flags.interactive
    outcome, message = _outcome_of(None if interactive else getattr(sys, "last_value", None))
    for run in list(Run._running):
        if run._log.process == os.getpid():
            try:
                run.end(outcome, message)
            except LogError as problem:
                _say(str(problem))


# ---- Reading a log, with pandas ----


def _pandas():
    try:
        import pandas  # pylint: disable=import-outside-toplevel
    except ImportError:
        raise ImportError("accrue reads a log into frames of pandas, which is not installed: pip install pandas") from None
    return pandas


class _View:
    """A log that is read: no lock is taken and nothing is written, whoever writes meanwhile."""

    def __init__(self, db):
        _require_sqlite()
        self.path = _place_of(db)
        self._copy = None
        if not os.path.exists(self.path):
            raise LogError(f"The run log {self.path} does not exist. Name another one, or train a run first.")
        with _in_sentences(self.path):
            self.db = self._open()
            if _require_ours(self.db, self.path) == 0:
                raise LogError(f"The run log {self.path} is empty. Name another one, or train a run first.")
            self.db.execute("BEGIN")  # one state, whatever is committed meanwhile
            self.tables = {name for name, in self.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            self.run_columns = self.columns("runs")
        self.locks = _Locks(self.path, False) if hasattr(fcntl, "F_OFD_GETLK") else None

    def _open(self):
        db = _connect(self.path, "?mode=ro")
        try:
            _first(db, "SELECT count(*) FROM sqlite_schema")
            return db
        except sqlite3.OperationalError:
            db.close()
            if os.access(os.path.dirname(self.path), os.W_OK):
                raise
        return self._open_in_read_only_folder()

    def _open_in_read_only_folder(self):
        """The last rows may be in the -wal, which SQLite only reads where it can create its index beside it."""
        wal = self.path + "-wal"
        if not os.path.exists(wal) or os.path.getsize(wal) == 0:
            return _connect(self.path, "?mode=ro&immutable=1")
        self._copy = tempfile.TemporaryDirectory(prefix="accrue-view-")  # pylint: disable=consider-using-with
        copy = os.path.join(self._copy.name, "runs.db")
        for suffix in ("", "-wal"):
            with open(self.path + suffix, "rb") as source, open(copy + suffix, "wb") as target:
                target.write(source.read())
        return _connect(copy, "?mode=ro")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.db.close()
        if self.locks:
            self.locks.close()
        if self._copy:
            self._copy.cleanup()

    def columns(self, table):
        return [row[0] for row in self.db.execute("SELECT name FROM pragma_table_xinfo(?) ORDER BY cid", (table,))]

    def run_of(self, run):
        """The number of a run: 12, "#12", or a name that only one run has."""
        text = str(run)
        number = text[1:] if text.startswith("#") else text
        if number.isdecimal() and self.db.execute("SELECT 1 FROM runs WHERE id = ?", (int(number),)).fetchone():
            return int(number)
        named = [row[0] for row in self.db.execute("SELECT id FROM runs WHERE name = ? ORDER BY id", (text,))]
        if len(named) == 1:
            return named[0]
        if named:
            numbers = ", ".join(f"#{each}" for each in named)
            raise LogError(f"The name {_short(text)!r} is that of several runs: {numbers}. Name one by its number.")
        raise LogError(f"There is no run {_short(text)!r} in {self.path}. accrue.runs() lists all.")

    def state_of(self, run, outcome, paused, boot, host):
        if outcome is not None:
            return "finished"
        if self.locks and self.locks.is_alive(run):
            return "paused" if paused else "running"
        return "interrupted" if boot == _boot_id() or host == socket.gethostname() else "unknown"

    def rows_of(self, table, run, columns, more="", *values):
        """Rows of the run that no later attempt has computed again."""
        superseded = ""
        if "attempts" in self.tables and _first(self.db, "SELECT attempt FROM runs WHERE id = ?", run) > 1:
            superseded = (f" AND NOT EXISTS (SELECT 1 FROM attempts AS later WHERE later.run_id = {table}.run_id"
                          f" AND later.attempt > {table}.attempt AND later.from_micro_batches < {table}.micro_batches)")
        return self.db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE run_id = ?{more}{superseded} ORDER BY step, micro_batches",
                               (run, *values)).fetchall()


_PLACE_COLUMNS = ["step", "micro_batches", "samples", "epoch", "seconds"]
_COURSE = ("steps", "epochs", "evaluations")
_AXES = ("step", "samples", "micro_batches", "epoch", "seconds")
_DESCRIBED = ("id", "name", "source", "outcome", "attempt", "archived", "tags", "note", "step", "epoch", "samples", "micro_batches",
              "seconds", "peak_bytes", "host", "device", "device_name", "threads", "parameters", "program_version", "torch_version",
              "message")


def _metric_columns(view, table):
    return [name for name in view.columns(table) if name not in ("run_id", "attempt", *_PLACE_COLUMNS)]


def runs(db=None, archived=False):
    """A frame with a row for each run: what it is, its settings by their keys, and of each metric METRIC.final, .best (where one
    value is better than another), .best_step, .min and .max. `archived`: with those that are archived."""
    pandas = _pandas()
    with _View(db) as view, _in_sentences(view.path):
        described = [name for name in _DESCRIBED if name in view.run_columns]
        columns = [*described, "created_ms", "ended_ms", "paused", "boot_id"]
        records = {}
        for row in view.db.execute(f"SELECT {', '.join(columns)} FROM runs{'' if archived else ' WHERE archived = 0'} ORDER BY id"):
            found = dict(zip(columns, row))
            record = records[found["id"]] = {name: found[name] for name in described}
            record["state"] = view.state_of(found["id"], found["outcome"], found["paused"], found["boot_id"], found["host"])
            record["created"] = pandas.Timestamp(found["created_ms"], unit="ms", tz="UTC")
            record["ended"] = pandas.Timestamp(found["ended_ms"], unit="ms", tz="UTC") if found["ended_ms"] else pandas.NaT
            record["seconds"] = _read(found["seconds"])
            record["archived"] = bool(found["archived"])
            record["tags"] = _tags_in(found.get("tags") or "")
        _add_settings(view, records)
        _add_summaries(view, records)
    return pandas.DataFrame.from_records(list(records.values()), index="id") if records else pandas.DataFrame()


def _add_settings(view, records):
    for run, key, kind, value in view.db.execute("SELECT run_id, key, kind, value FROM settings ORDER BY run_id, key"):
        if run in records and key not in records[run]:
            records[run][key] = bool(value) if kind == "boolean" else _read(value) if kind == "number" else value


def _add_summaries(view, records):
    for run, metric, *values in view.db.execute(
            "SELECT run_id, metric, final, best, best_step, min, max FROM summaries ORDER BY run_id, metric"):
        if run not in records:
            continue
        final, best, best_step, least, most = values
        record = records[run]
        record[metric + ".final"] = _read(final)
        if metric in _BETTER:
            record[metric + ".best"], record[metric + ".best_step"] = _read(best), best_step
        record[metric + ".min"], record[metric + ".max"] = _read(least), _read(most)


def steps(db=None, run=None, rank=0):
    """A frame with a row for each place at which something was logged, by step, and a column for each metric; what was not logged at a
    place is NaN. What a later attempt computed again is left out. Of a run of several ranks, `rank` chooses those metrics that each
    has."""
    pandas = _pandas()
    with _View(db) as view, _in_sentences(view.path):
        number = view.run_of(run)
        places, metrics = [], []
        for table in _COURSE:
            columns = _metric_columns(view, table)
            rows = view.rows_of(table, number, [*_PLACE_COLUMNS, *columns])
            if rows:
                frame = pandas.DataFrame(rows, columns=[*_PLACE_COLUMNS, *columns]).set_index(_PLACE_COLUMNS[:2])
                places.append(frame[_PLACE_COLUMNS[2:]])
                metrics.append(frame[columns])
        if "metric_values" in view.tables:
            rows = view.rows_of("metric_values", number, [*_PLACE_COLUMNS, "metric", "value"], " AND rank = ?", rank)
            if rows:
                frame = pandas.DataFrame(rows, columns=[*_PLACE_COLUMNS, "metric", "value"]).set_index(_PLACE_COLUMNS[:2])
                places.append(frame[_PLACE_COLUMNS[2:]])
                metrics.append(frame.set_index("metric", append=True)["value"].unstack("metric"))
    return _joined(pandas, places, metrics)


def _joined(pandas, places, metrics):
    if not places:
        return pandas.DataFrame(columns=_PLACE_COLUMNS[1:]).rename_axis("step")
    where = pandas.concat(places)
    frame = where[~where.index.duplicated()].sort_index()
    for columns in metrics:
        frame = frame.join(columns)
    for column in frame.columns:
        if column not in ("samples", "epoch"):
            frame[column] = pandas.to_numeric(frame[column], errors="coerce")
    if {"window_samples", "step_ms"} <= set(frame.columns):
        frame["throughput"] = (1000 * frame["window_samples"] / frame["step_ms"]).where(frame["step_ms"] > 0)
    frame.columns.name = None
    return frame.reset_index("micro_batches")


def series(db=None, run=None, metric="loss", axis="step", rank=0):
    """One metric of a run as a series of pandas over step, samples, micro_batches, epoch or seconds."""
    if axis not in _AXES:
        raise ValueError(f"{_short(axis)!r} is no axis. Axes are {', '.join(_AXES)}.")
    pandas = _pandas()
    with _View(db) as view, _in_sentences(view.path):
        rows = _rows_of_metric(view, view.run_of(run), metric, axis, rank)
    if rows:
        at = pandas.Index([_read(place) if axis == "seconds" else place for place, _ in rows], name=axis)
        return pandas.Series([_read(value) for _, value in rows], index=at, name=metric, dtype=float)
    frame = steps(db, run, rank).reset_index()
    logged = [name for name in frame.columns if name not in _AXES]
    if metric not in logged:
        raise LogError(f"Run {_short(run)} has no metric {_short(metric)!r}. It has {', '.join(map(_short, logged)) or 'none'}.")
    return frame.set_index(axis)[metric].dropna()  # one that is computed


def _rows_of_metric(view, number, metric, axis, rank):
    for table in _COURSE:
        if metric in _metric_columns(view, table):
            rows = view.rows_of(table, number, [axis, f'"{metric}"'], f' AND "{metric}" IS NOT NULL')
            if rows:
                return rows
    if "metric_values" not in view.tables:
        return []
    return view.rows_of("metric_values", number, [axis, "value"], " AND metric = ? AND rank = ?", metric, rank)
