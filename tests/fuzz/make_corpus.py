#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the seeds of the fuzz targets.

    tests/fuzz/make_corpus.py BUILD      BUILD: a build folder with bin/example_log; ImageMagick's convert makes the pictures

Writes tests/fuzz/corpus/TARGET/… anew, beside what is there under other names (inputs that once were wrong).
"""

import gzip
import hashlib
import json
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
LARGEST = 100_000  # bytes of a seed


def write(target, name, content):
    if isinstance(content, str):
        content = content.encode()
    assert len(content) <= LARGEST, f"{target}/{name} has {len(content)} bytes"
    path = HERE / "corpus" / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def weights():
    one = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    write("weights", "one", safetensors(one, bytes(8)))
    several = {"__metadata__": {"format": "pt"}}
    begin = 0
    for dtype, size in (("F64", 8), ("F16", 2), ("BF16", 2), ("I64", 8), ("I32", 4), ("U8", 1), ("BOOL", 1)):
        several["layer." + dtype] = {"dtype": dtype, "shape": [1, 3], "data_offsets": [begin, begin + 3 * size]}
        begin += 3 * size
    write("weights", "several", safetensors(several, bytes(begin)))
    write("weights", "nothing", safetensors({}))
    write("weights", "empty-tensor", safetensors({"a": {"dtype": "U8", "shape": [0, 7], "data_offsets": [0, 0]}}))
    nested = b'{"a":{"dtype":' + b"[" * 2_000 + b"]" * 2_000 + b',"shape":[8],"data_offsets":[0,32]}}'
    write("weights", "nested-dtype", safetensors(nested, bytes(32)))


CHECKPOINT = """format = 2
data = '{"classes":["a","b"],"channels":1,"height":28,"width":28,"mean":[0.1],"stddev":[0.3],"train_digest":"00","test_digest":"11"}'

recipe = '''
name = "first-run"

[optimizer]
lr = 0.02
'''

[cursor]
epoch = 1
offset = 640
updates = 5
filled = 32

[cursor.window]
epoch = 1
steps = 4
samples = 128

[position]
epoch = 1
step = 5
samples = 672
micro_batches = 21
seconds = 0.25

[run]
train_samples = 12000
threads = 2
device = 'cpu'
memory_format = 'contiguous'

[sha256]
model = '0000000000000000000000000000000000000000000000000000000000000000'
state = '0000000000000000000000000000000000000000000000000000000000000000'

[versions]
torch = '2.11.0'
"""


def checkpoint():
    write("checkpoint", "whole", CHECKPOINT)
    sealed = CHECKPOINT.replace("format = 2", "format = 3", 1)
    write("checkpoint", "sealed", sealed + f'\n[self]\nsha256 = "{hashlib.sha256(sealed.encode()).hexdigest()}"\n')
    write("checkpoint", "long-key", ".".join(["a"] * 2_000) + " = 1\nformat = 2\n")


def recipe():
    for name in ("first-run", "mnist-99", "mindspore-boost", "colossalai-resnet18"):
        write("recipe", name, (HERE.parents[1] / "experiments" / (name + ".toml")).read_text())
    write("recipe", "values", """name = "b 32 × N 4" # é
data = { normalize = {mean = [0.49, 0.48, 0.45], std = [0.25, 0.24, 0.26]}, augment = ["crop:4", 'flip'], validation = 0.1 }
model.widths = [256, 0x80, 1_000]
batch.schedule = [{from_epoch = 0, steps = 1}, {from_epoch = 4, steps = 4}]
schedule.milestones = ["30 epochs", "60 epochs"]
memory.budget = "4GiB"
[optimizer]
lr = 1e-3
[run]
evaluate_every = \"\"\"500 steps\"\"\"
""")
    write("recipe", "letters", "é = 1\n")
    write("recipe", "letters-in-a-section", "[batch]é\na× = 1\n")


def points():
    def point(ranks, steps, seconds, **more):
        return {"ranks": ranks, "steps": steps, "synchronize": "window", "effective": 32 * ranks * steps, "gradient_bytes": 4e6,
                "window_seconds": seconds, "samples_per_second": 32 * ranks * steps / seconds, "communication_ms": 1.5,
                "wait_ms": 0.5, "bytes": 4e6, **more}
    alone = [point(1, 1, 0.02), point(1, 4, 0.08)]
    slow = [point(2, 1, 0.06, link="1gbit", shard="optimizer"), point(2, 4, 0.12, link="1gbit", synchronize="micro_batch")]
    write("points", "one-rank", json.dumps({"points": alone}))
    write("points", "links", json.dumps({"points": [*alone, *slow, point(2, 4, 0.09, link="local"),
                                                    point(2, 2, 0.3, link="1gbit", shard="parameters", kept_bytes=1e6)]}))
    write("points", "one-number-of-steps", json.dumps({"points": [point(1, 2, 0.04), point(2, 2, 0.05)]}))
    write("points", "extremes", json.dumps({"points": [*alone, point(1000000, 1000000, 1e18), point(2, 1, 1e-9)]}))
    write("points", "impossible", json.dumps({"points": [point(0, 1, 0.02)]}))
    write("points", "no-points", '{"points": []}')


def setting():
    examples = [
        'name="b 32 × N 4"', "batch.micro=16", "batch.micro=0x10", "batch.effective=auto", "optimizer.lr=1e-3",
        "model.widths=[256, 128]", "model.widths=256, 128", "data.normalize={mean = [0.37], std = [0.29]}",
        "data.normalize=mean 0.37 std 0.29", 'data.augment=["crop:4","flip"]', "data.augment=crop:4, cutout:8",
        "batch.schedule=[{from_epoch = 0, steps = 1}]", "batch.schedule=1 from epoch 0, 4 from epoch 4",
        'schedule.milestones=["30 epochs"]', "run.evaluate_every=500 steps", "memory.budget=1.5 GB", "data.validation=0.1",
        "data.image_size=[64, 96]"]
    for number, example in enumerate(examples):
        write("setting", f"{number:02}", example + "\n")
    write("setting", "all", "\n".join(examples) + "\n")


def sweep():
    examples = [
        "batch.micro=8,16,32", "model.widths=[512,256],[256]", 'data.path="a, b",c', "optimizer.lr=0.01..0.1:5",
        "optimizer.lr=0.001..1:4log", "optimizer.lr=0.001..1:log", "run.seed=1..5", "test_accuracy >= 0.99 and train_loss < 0.1"]
    for number, example in enumerate(examples):
        write("sweep", f"{number:02}", example + "\n")
    write("sweep", "all", "\n".join(examples) + "\n")
    ranges = {"key": "optimizer.lr", "from": 0.001, "to": 1.0, "whole": False, "count": 4, "logarithmic": True}
    definition = {
        "format": 1, "base": 'name = "a"\n', "vary": [{"key": "batch.micro", "values": [8, 16]}, ranges], "seeds": 2, "random": 0,
        "keep_effective": True, "order": "memory", "halving": 3}
    write("sweep", "definition", json.dumps(definition))
    write("sweep", "random", json.dumps(dict(definition, random=5)))
    write("sweep", "later-format", json.dumps(dict(definition, format=2)))


# Those of tests/data/event_*, which are tensorboard's own, and what is cut off or damaged.
def events():
    for file in sorted((HERE.parent / "data").glob("event_*/**/*tfevents*")):
        content = file.read_bytes()
        write("events", file.parent.name, content)
        write("events", file.parent.name + "-cut-off", content[:-7])
        write("events", file.parent.name + "-flipped", content[:70] + bytes([content[70] ^ 4]) + content[71:])
    write("events", "no-event-file", "This is a text.")


def csv():
    write("csv", "lightning", "epoch,step,train_loss,val_loss\n0,9,0.5,\n0,19,0.25,0.75\n1,29,nan,NA\n")
    write("csv", "keras", "epoch;accuracy;loss\r\n0;0,5;1e-3\r\n1;0,75;2e-3\r\n")
    write("csv", "history", ",_step,_runtime,_timestamp,loss\n0,0,1.5,1764270000.5,0.5\n1,1,2.5,1764270001.5,inf\n")
    write("csv", "chart", '"Step","a - loss","a - loss__MIN","a - loss__MAX"\n"0","1","1","1"\n')
    write("csv", "long", "run,name,step,seconds,metric,value,rank\n1,'=a,1,0.5,loss,2,0\n1,'=a,1,0.5,wait_ms,2,1\n")
    write("csv", "settings", "\ufefftrial,lr,norm,step,loss\na,0.1,group,1,5\nb,0.2,\"ba\"\"tch\",1,5\n")
    write("csv", "open-quote", 'step,loss\n1,"2\n')
    write("csv", "utf-16", "step,loss\n1,2\n".encode("utf-16"))


def idx():
    images = struct.pack(">4I", 0x803, 3, 4, 5) + bytes(range(60))
    labels = struct.pack(">2I", 0x801, 3) + bytes([0, 1, 2])
    for name, content in (("images", images), ("labels", labels)):
        write("idx", name, content)
        write("idx", name + ".gz", gzip.compress(content, mtime=0))
    write("idx", "two.gz", gzip.compress(images[:30], mtime=0) + gzip.compress(images[30:], mtime=0))
    write("idx", "promises-much", struct.pack(">4I", 0x803, 1 << 30, 1 << 10, 1 << 10))


def picture():
    options = {
        "grey.png": ["-colorspace", "Gray"], "colours.png": [], "palette.png": ["-type", "Palette"],
        "sixteen.png": ["-depth", "16"], "alpha.png": ["-alpha", "on"], "interlaced.png": ["-interlace", "PNG"],
        "grey.jpg": ["-colorspace", "Gray"], "colours.jpg": [], "progressive.jpg": ["-interlace", "JPEG"],
        "cmyk.jpg": ["-colorspace", "CMYK"], "lossy.webp": ["-quality", "80"],
        "lossless.webp": ["-define", "webp:lossless=true"], "alpha.webp": ["-alpha", "on", "-define", "webp:lossless=true"]}
    made_as = {}
    for name, words in options.items():
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / name
            subprocess.run(["convert", "-seed", "1", "-size", "9x7", "plasma:red-blue", *words, "-strip", made], check=True)
            made_as[name] = made.read_bytes()
            write("picture", name, made_as[name])
    exif = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"
    segment = b"Exif\0\0" + exif
    jpeg, png, webp = made_as["colours.jpg"], made_as["colours.png"], made_as["lossless.webp"]
    write("picture", "turned.jpg", jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + jpeg[2:])
    chunk = b"eXIf" + exif
    write("picture", "turned.png", png[:33] + struct.pack(">I", len(exif)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + png[33:])
    extended = b"VP8X" + struct.pack("<I", 10) + b"\x08\0\0\0\x08\0\0\x06\0\0" + webp[12:] + b"EXIF" + struct.pack("<I", len(exif)) + exif
    write("picture", "turned.webp", b"RIFF" + struct.pack("<I", len(extended) + 4) + b"WEBP" + extended)


# VACUUM keeps the file's encoding and content; small pages make a small file of many tables.
def shrunk(log):
    database = sqlite3.connect(log)
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("PRAGMA page_size = 512")
    database.execute("VACUUM")
    database.close()
    return log.read_bytes()


# An older log whose numbers contradict each other: micro-batches that no window can be split into, and no device.
def impossible_plans(log):
    database = sqlite3.connect(log)
    database.executescript((HERE.parent / "data/run_log_v5.sql").read_text())
    for run, attempt, value, devices in ((1, 1, -3.0, 1), (2, 1, "nan", 0), (4, 2, 1e300, 2)):
        database.execute("DELETE FROM markers WHERE run_id = ? AND kind = 'out_of_memory'", (run,))
        database.execute(
            "INSERT INTO markers (run_id, attempt, kind, severity, step, samples, epoch, seconds, time_ms, value, text)"
            " VALUES (?, ?, 'out_of_memory', 'warning', 1, 128, 1, 0.01, 1767258001000, ?, '')", (run, attempt, value))
        database.execute("UPDATE runs SET batch_devices = ? WHERE id = ?", (devices, run))
    database.commit()
    database.close()


def log(build):
    with tempfile.TemporaryDirectory() as folder:
        for name, runs, steps in (("two-runs.db", 2, 3), ("no-run.db", 0, 0)):
            made = Path(folder) / name
            subprocess.run([build / "bin/example_log", made, str(runs), str(steps)], check=True)
            write("log", name, shrunk(made))
        made = Path(folder) / "impossible-plans.db"
        impossible_plans(made)
        write("log", made.name, shrunk(made))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for target in (weights, checkpoint, recipe, points, setting, sweep, events, csv, idx, picture):
        target()
    log(Path(sys.argv[1]).resolve())
    for target in sorted((HERE / "corpus").iterdir()):
        sizes = [path.stat().st_size for path in target.iterdir()]
        print(f"{target.name}: {len(sizes)} inputs, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
