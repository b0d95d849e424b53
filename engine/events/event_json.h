// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/events/events.h"

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace accrue {

// The words of JSON, SQL and files.
// "completed", "stopped", "diverged", "out_of_memory", "failed"
std::string_view nameOf(RunOutcome outcome);
std::string_view nameOf(EarlyEnd early); // "" (None), "rule", "patience", "halving"
std::string_view nameOf(
    BatchPlan::Solved solved); // "none", "effective", "micro", "steps", "devices"
std::string_view nameOf(RunMessage::Severity severity); // "information", "warning", "error"
// "data_set", "parameters", "gradients", "optimizer_state", "average", "buffers", "input",
// "activations", "workspace"
std::string_view nameOf(MemoryCategory category);
// "run_started", "step", "epoch", "evaluation", "checkpoint", "learning_rate", "paused", "resumed",
// "message", "run_ended", "trace", "memory", "out_of_memory", "ranks", "histograms"
std::string_view nameOf(const Event& event);

// One line of `train --json` (no newline): an object with `event` first and the fields below in
// this order. Non-finite numbers are the strings "nan", "inf", "-inf", because JSON has none. A
// RunStarted gives two lines: run_started and plan. Fields are added, never renamed.
//
//   run_started    name settings{dotted key: value} data train_samples test_samples parameters
//                  device device_name threads versions{torch cuda}
//   plan           effective micro steps devices solved (none effective micro steps devices)
//                  epoch_samples epoch_windows epoch_micro_batches tail_samples total_steps
//   step           step epoch samples micro_batches seconds loss learning_rate gradient_norm
//                  step_ms data_ms forward_ms backward_ms optimizer_ms peak_bytes updated;
//                  like the two below followed by its `values`, each under its metric's name
//   epoch          epoch step samples micro_batches seconds train_loss train_accuracy
//   evaluation     epoch step samples micro_batches seconds test_loss test_accuracy
//                  validation_loss validation_accuracy (both only where samples are held out)
//                  evaluation_ms
//   checkpoint     step seconds checkpoint
//   learning_rate  step seconds factor learning_rate
//   paused         step seconds
//   resumed        step seconds
//   memory         step epoch seconds phases[{phase micro_batch samples begin_bytes end_bytes
//                  peak_bytes peak{category: bytes} end{category: bytes} cached_bytes other_bytes
//                  owners[{category layer operation bytes}]}]
//   histograms     step epoch samples micro_batches seconds histograms[{parameter kind (value
//                  gradient) least largest mean deviation not_finite counts[]}]
//   out_of_memory  step epoch seconds from_micro to_micro phase text code arguments
//   message        severity (information warning error) step seconds text code arguments{name:
//   value} run_ended      outcome step samples micro_batches epoch seconds message message_code
//                  message_arguments checkpoint early (only where it is not None)
// A text is English, its code and arguments are those of Message (engine/base/message.h).
std::string toJsonLines(const Event& event);
// The same as objects, one per line.
std::vector<nlohmann::ordered_json> jsonObjects(const Event& event);
// The metrics of an evaluation as fields of the object, with the names of the event's fields.
void addMetrics(nlohmann::ordered_json& object, const Evaluated& event);
// One of them as its line; text that is not UTF-8 is shown with replacement characters.
std::string jsonLine(const nlohmann::ordered_json& object);

} // namespace accrue
