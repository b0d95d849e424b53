// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/message.h"
#include "engine/runs/foreign_run.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace accrue {

// A run as TensorBoard sees it: all event files of one folder, in the order of their names.
struct EventFolder {
    std::string name; // of the folder below the one that was searched, "." for that one itself
    std::vector<std::filesystem::path> files;
};

bool isEventFile(const std::filesystem::path& file); // a file with "tfevents" in its name

// All folders with event files at and below `folder`, by name. Links to folders are not followed.
// Throws RunLogError if `folder` is none, or cannot be read.
std::vector<EventFolder> eventFoldersIn(const std::filesystem::path& folder);

Message noEventsIn(const std::filesystem::path& folder); // a sentence

struct ReadEvents {
    // Its scalars and histograms, as simple values and as tensors, and its hparams; empty: the
    // files have none of them. Its token is made from the name and the beginning of the first file,
    // so that it is that of the same run at every place and after the run has grown.
    std::optional<ForeignRun> run = {};
    // What could not be read, each a sentence: a file that is no event file, is cut off, or is
    // damaged. The rest was read.
    std::vector<Message> problems = {};
};

// `folder`: that was searched, of which the origin and the name of a run are made. A tag is a
// metric, or a parameter (histogramTagOf); its values of one step are those of the last event with
// that step. Where a program was started again from an earlier step (SessionLog START), what it had
// logged from that step on is left out, as by TensorBoard. Blocks. Throws nothing for any content
// of files.
ReadEvents readEvents(const EventFolder& events, const std::filesystem::path& folder);

// Reads these folders one after the other, so that one run at a time is in memory, and passes each
// run to `take`, which returns false to end. A run that was passed already is a problem, not a run.
// Returns the problems. Blocks.
std::vector<Message> readRuns(const std::vector<EventFolder>& folders,
    const std::filesystem::path& folder, const std::function<bool(const ForeignRun&)>& take);

} // namespace accrue
