// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/insight/fastest_split.h"
#include "ui/models/law_picture.h"
#include "ui/models/run_progress.h"

#include <QString>

#include <string>

namespace accrue {

// "LeNet-5, no norm, SGD on cpu": what a memory model describes, in the words of the form.
QString lawSubject(const Experiment& experiment, const std::string& device);
// "window 3, micro-batch of 128 samples"; begins in lower case, for use within a sentence.
QString fitProgressText(const FitProgress& progress);
// The progress of a fit whose windows took that many seconds; the time left assumes the same pace.
ShownProgress progressOf(const FitProgress& progress, double seconds);
// "1 sample", "12 samples"
QString samplesText(std::int64_t samples);
// Of a question with a memory model: what fits the experiment's budget, or the whole device without
// one, and how that is known.
QString verdictText(const LawQuestion& question);
// "b = 64 × N 2"
QString splitText(const SplitSpeed& split);
// Likewise: which measured split of the experiment's B is the fastest, and how certain that is; if
// none is, why.
QString fastestText(const LawQuestion& question);
// "Peak 3.81 MiB + 70.4 KiB · b …": the memory model as a formula, its measured range, and its
// band.
QString lawText(const MemoryFit& fit);
// "12 GiB", the memory of a card that is sold as one of 12 GB.
QString cardTitle(std::int64_t bytes);
// "812", "812, proved", "128, all of B", "60 000, all samples", "no".
QString cardAnswerText(const CardAnswer& answer);
// A sentence instead of a table if each of these cards fits everything that is useful; otherwise
// empty.
QString cardsSentence(const MemoryFit& fit, const std::optional<BatchPlan>& plan);
// Whose memory a table of cards was computed from, and with which margin.
QString cardsSource(const MemoryFit& fit);
// Why N does not change the peak, in one sentence.
QString stepsMeaning(const MemoryFit& fit);

} // namespace accrue
