// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/fastest_split.h"
#include "ui/models/law_picture.h"
#include "ui/models/run_progress.h"

#include <QString>

#include <string>

namespace accrue {

// "LeNet-5, no norm, SGD on cpu": what a law is about, in the words of the form.
QString lawSubject(const Experiment& experiment, const std::string& device);
// "window 3, micro-batch of 128 samples"; the first word stands within a sentence.
QString fitProgressText(const FitProgress& progress);
// How far a fit is, whose windows took so many seconds; the time left is that of as many more.
ShownProgress progressOf(const FitProgress& progress, double seconds);
// "1 sample", "12 samples"
QString samplesText(std::int64_t samples);
// What fits the experiment's budget, otherwise the whole device, and how that is known.
QString verdictText(
    const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);
// "b = 64 × N 2"
QString splitText(const SplitSpeed& split);
// Which measured split of the experiment's B is the fastest, and how sure that is; why none is
// named, where none is.
QString fastestText(
    const MemoryFit& fit, const Experiment& experiment, const std::optional<BatchPlan>& plan);
// "Peak 3.81 MiB + 70.4 KiB · b …": the law as a formula, where it was measured, and its band.
QString lawText(const MemoryFit& fit);
// "12 GiB", which a card sold as one of 12 GB has.
QString cardTitle(std::int64_t bytes);
// "812", "812, proved", "128, all of B", "60 000, all samples", "no".
QString cardAnswerText(const CardAnswer& answer);
// Where each of these cards takes all that is of use: that instead of a table; otherwise empty.
QString cardsSentence(const MemoryFit& fit, const std::optional<BatchPlan>& plan);
// Whose memory a table of cards was computed from, and with which margin.
QString cardsSource(const MemoryFit& fit);
// Why N does not change the peak, in one sentence.
QString stepsMeaning(const MemoryFit& fit);

} // namespace accrue
