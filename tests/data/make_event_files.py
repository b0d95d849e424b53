#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/event_files and tests/data/event_histograms with the messages and the record writer of Python's `tensorboard` package: what Accrue imports
without that package. The files are the same at every call.

    python3 -m venv VENV && VENV/bin/pip install tensorboard && VENV/bin/python tests/data/make_event_files.py
"""

import io
from pathlib import Path

from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.plugins.histogram.summary_v2 import histogram_pb
from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2
from tensorboard.plugins.scalar.summary_v2 import scalar_pb
from tensorboard.summary.writer.record_writer import RecordWriter

FOLDER = Path(__file__).resolve().parent / "event_files"
HISTOGRAMS = FOLDER.parent / "event_histograms"
BEGAN = 1764270000.25  # Unix time


def write(run, events, to=FOLDER):
    folder = to / run
    folder.mkdir(parents=True, exist_ok=True)
    content = io.BytesIO()
    content.close = lambda: None  # the writer closes what it writes to
    writer = RecordWriter(content)
    for event in [event_pb2.Event(wall_time=BEGAN, file_version="brain.Event:2")] + events:
        writer.write(event.SerializeToString(deterministic=True))
    (folder / "events.out.tfevents.1764270000.example.1").write_bytes(content.getvalue())


def simple(step, tag, value):
    """As torch.utils.tensorboard's add_scalar."""
    summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag=tag, simple_value=value)])
    return event_pb2.Event(wall_time=BEGAN + step / 2, step=step, summary=summary)


def tensor(step, tag, value):
    """As tf.summary.scalar."""
    return event_pb2.Event(wall_time=BEGAN + step / 2, step=step, summary=scalar_pb(tag, value))


def histogram(step, tag, numbers, limits, counts):
    """As torch.utils.tensorboard's add_histogram: the first limit is the left edge of the first bucket with a number."""
    proto = summary_pb2.HistogramProto(min=min(numbers), max=max(numbers), num=len(numbers), sum=sum(numbers),
                                       sum_squares=sum(x * x for x in numbers), bucket_limit=limits, bucket=counts)
    value = summary_pb2.Summary.Value(tag=tag, histo=proto)
    return event_pb2.Event(wall_time=BEGAN + step / 2, step=step, summary=summary_pb2.Summary(value=[value]))


def histogram_tensor(step, tag, numbers):
    """As tf.summary.histogram."""
    return event_pb2.Event(wall_time=BEGAN + step / 2, step=step, summary=histogram_pb(tag, numbers, buckets=4))


def at_begin(summary):
    return event_pb2.Event(wall_time=BEGAN, summary=summary)


def hparams(tag, **content):
    """As torch.utils.tensorboard's add_hparams: the content is in the metadata."""
    data = plugin_data_pb2.HParamsPluginData(version=metadata.PLUGIN_DATA_VERSION, **content)
    plugin = summary_pb2.SummaryMetadata.PluginData(plugin_name=metadata.PLUGIN_NAME, content=data.SerializeToString(deterministic=True))
    value = summary_pb2.Summary.Value(tag=tag, metadata=summary_pb2.SummaryMetadata(plugin_data=plugin))
    return at_begin(summary_pb2.Summary(value=[value]))


def session_log(step, status):
    return event_pb2.Event(wall_time=BEGAN + step / 2, step=step, session_log=event_pb2.SessionLog(status=status))


def main():
    write("simple", [simple(step, "loss/train", 1 / (step + 1)) for step in range(5)] + [simple(4, "accuracy", float("nan"))])
    write("deep/tensors", [tensor(step, "loss", 2 / (step + 1)) for step in range(1, 4)])
    settings = plugin_data_pb2.SessionStartInfo(start_time_secs=BEGAN)
    settings.hparams["lr"].number_value = 0.05
    settings.hparams["optimizer"].string_value = "sgd"
    settings.hparams["augment"].bool_value = True
    settings.hparams["batch"].number_value = 128
    columns = api_pb2.Experiment(hparam_infos=[api_pb2.HParamInfo(name=key) for key in sorted(settings.hparams)])
    end = plugin_data_pb2.SessionEndInfo(status=api_pb2.STATUS_FAILURE, end_time_secs=BEGAN + 9)
    write("hparams", [hparams(metadata.EXPERIMENT_TAG, experiment=columns),
                      hparams(metadata.SESSION_START_INFO_TAG, session_start_info=settings),
                      simple(7, "test_accuracy", 0.75),
                      hparams(metadata.SESSION_END_INFO_TAG, session_end_info=end)])
    # Trained to step 6, then again from step 4: what was logged from there on counts no more.
    write("restarted", [simple(step, "loss", float(step)) for step in range(7)]
          + [session_log(4, event_pb2.SessionLog.START)] + [simple(step, "loss", 10.0 + step) for step in range(4, 6)])

    uneven = [i / 8 for i in range(8)] + [1 + i / 16 for i in range(16)] + [2 + i / 8 for i in range(16)] + [4 + i / 16 for i in range(64)]
    uneven[-1] = 8.0
    write("histograms", [event for step in (3, 7) for event in (
        histogram(step, "fc.weight", uneven, [0, 1, 2, 4, 8], [0, 8, 16, 16, 64]),
        histogram(step, "fc.weight.grad", [0, 1, 1, 2, 2, 2, 3, 3, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]),
        histogram_tensor(step, "dense/kernel", [0, 0, 0, 0.5, 2, 2, 2.5, 4]))], to=HISTOGRAMS)


if __name__ == "__main__":
    main()
