// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/help_words.h"

#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"

#include <utility>

namespace accrue {

namespace {

// Functions and not tables of constants: tr() must be called after the language is known. Labels of
// fields come from the table of keys, so that a word here is always the word that the form shows.
std::vector<HelpWord> trainWords()
{
    return {
        { keyLabel(key::batchEffective), Ui::tr("Samples in one update of the parameters.") },
        { keyLabel(key::batchMicro),
            Ui::tr("Samples in one forward and backward pass. It decides how much memory "
                   "training needs.") },
        { keyLabel(key::batchSteps),
            Ui::tr("Micro-batches whose gradients are added up for one update: B = b × N.") },
        { keyLabel(key::batchDevices),
            Ui::tr(
                "Devices that share an effective batch: B = b × N × W. All: every CUDA device of "
                "this machine.") },
        { Ui::tr("Window"),
            Ui::tr("The N micro-batches between two updates. The parameters change once per "
                   "window.") },
        { Ui::tr("Step"), Ui::tr("One update, at the end of a window; never a micro-batch.") },
        { Ui::tr("Last partial batch"),
            Ui::tr("The last window of an epoch, if fewer than B samples remain.") },
        { keyLabel(key::batchTail),
            Ui::tr("How the last partial batch is handled. Use it (flush): one update from the "
                   "mean over its samples. Drop it: no update. Carry over: the next epoch "
                   "completes the window.") },
        { keyLabel(key::batchReduction),
            Ui::tr("Mean over the effective batch: every sample counts the same, as in one "
                   "large batch. Sum of micro-batch means: the gradient grows with N.") },
        { keyLabel(key::optimizerLrRule),
            Ui::tr("With a schedule of N, the learning rate follows the effective batch. "
                   "Linear: twice the batch, twice the rate. Square root: √2 times.") },
        { keyLabel(key::modelBatchnormMomentum),
            Ui::tr("BatchNorm updates its running statistics N times per step. “Corrected” "
                   "gives a whole window the weight of one update.") },
        { Ui::tr("= button"), Ui::tr("Computes its value from the others.") },
    };
}

std::vector<HelpWord> runsWords()
{
    return {
        { Ui::tr("Search"),
            Ui::tr("Words that a run must contain, and conditions with = != < <= > >=, such as "
                   "state=completed b<=32 accuracy>0.98. All of them must be true.") },
        { Ui::tr("Check"),
            Ui::tr("Compare and Export use the checked runs. Space checks the selected runs.") },
        { Ui::tr("Open"), Ui::tr("Shows the curves of the run on the Train page.") },
        { Ui::tr("Resume"),
            Ui::tr("Continues a run exactly where its last checkpoint was saved.") },
        { Ui::tr("Interrupted"),
            Ui::tr("The program ended before the run did. Everything logged is stored.") },
        { Ui::tr("Archive"), Ui::tr("Hides a run from the list. Nothing is deleted.") },
    };
}

std::vector<HelpWord> compareWords()
{
    return {
        { Ui::tr("Equivalent"),
            Ui::tr("Two runs perform the same training: b and N differ, but the losses differ "
                   "only by rounding.") },
        { Ui::tr("Smoothing"),
            Ui::tr("An exponential moving average. The measured curve stays faint behind "
                   "it.") },
        { Ui::tr("Legend"),
            Ui::tr("A run's number and the settings in which it differs from the others.") },
        { Ui::tr("Best"),
            Ui::tr("The best value of a metric and the step that it was measured at.") },
        { Ui::tr("Front"),
            Ui::tr("The runs that no other run matches in every number and beats in one.") },
        { Ui::tr("Points"),
            Ui::tr("A click selects a run in every view, and Ctrl and a click adds one. Ctrl and "
                   "a drag selects the runs in a frame. By the keys, Left and Right go from point "
                   "to point, the space bar selects, and Escape selects none.") },
        { Ui::tr("Brush"),
            Ui::tr("A range of one of the parallel axes, made by a drag along it, or by Shift+Up "
                   "and Shift+Down on the axis that Left and Right choose. Runs within all "
                   "brushes are selected.") },
        { Ui::tr("Importance"),
            Ui::tr("The share of a number's variance that one key explains, corrected for "
                   "chance (ω²); the interval is that of η². Confounded keys move together, so "
                   "that their effects cannot be told apart.") },
        { Ui::tr("Histograms"),
            Ui::tr("A map of each run has the steps across and the values of a parameter, or of "
                   "its gradient, upwards; dark is where many are. The mouse, or Left and Right, "
                   "choose the step of the histograms below; Escape returns to the last one.") },
    };
}

std::vector<HelpWord> memoryWords()
{
    return {
        { Ui::tr("Memory model"),
            Ui::tr("Peak memory as a function of the micro-batch, fitted to a few measured "
                   "windows: peak = constant + b × bytes per sample.") },
        { Ui::tr("Peak memory"),
            Ui::tr("The most memory that was allocated at once, as counted by the allocator.") },
        { Ui::tr("Transient memory"),
            Ui::tr("What is allocated and freed within a window, mostly activations. The "
                   "rest is constant: parameters, gradients, optimizer state, data.") },
        { Ui::tr("Activations"),
            Ui::tr("Results of the forward pass that the backward pass needs. They grow with "
                   "b, not with N.") },
        { Ui::tr("Workspace"), Ui::tr("Scratch memory of a single operation.") },
        { keyLabel(key::memoryBudget),
            Ui::tr("A limit to plan for, such as an emulated smaller card.") },
    };
}

constexpr std::pair<HelpTopic, std::vector<HelpWord> (*)()> kTopics[] = {
    { HelpTopic::Train, trainWords },
    { HelpTopic::Runs, runsWords },
    { HelpTopic::Compare, compareWords },
    { HelpTopic::Memory, memoryWords },
};

} // namespace

std::vector<HelpWord> helpWords(HelpTopic topic)
{
    for (const auto& [each, words] : kTopics)
        if (each == topic)
            return words();
    return {};
}

bool isExplained(const QString& word)
{
    for (const auto& [topic, words] : kTopics)
        for (const HelpWord& explained : words())
            if (explained.word == word)
                return true;
    return false;
}

} // namespace accrue
