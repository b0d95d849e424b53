// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/help_words.h"

#include "engine/experiment/key_names.h"
#include "ui/models/key_words.h"

#include <QCoreApplication>

#include <utility>

namespace accrue {

namespace {

// Functions and not tables of constants: tr() must be called after the language is known. Labels of
// fields come from the table of keys, so that a word here is always the word that the form shows.
class Text {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

std::vector<HelpWord> trainWords()
{
    return {
        { keyLabel(key::batchEffective), Text::tr("Samples in one update of the parameters.") },
        { keyLabel(key::batchMicro),
            Text::tr("Samples in one forward and backward pass. It decides how much memory "
                     "training needs.") },
        { keyLabel(key::batchSteps),
            Text::tr("Micro-batches whose gradients are added up for one update: B = b × N.") },
        { keyLabel(key::batchDevices),
            Text::tr("Devices that share an effective batch: B = b × N × W.") },
        { Text::tr("Window"),
            Text::tr("The N micro-batches between two updates. The parameters change once per "
                     "window.") },
        { Text::tr("Step"), Text::tr("One update, at the end of a window; never a micro-batch.") },
        { Text::tr("Last partial batch"),
            Text::tr("The last window of an epoch, if fewer than B samples remain.") },
        { keyLabel(key::batchTail),
            Text::tr("How the last partial batch is handled. Use it (flush): one update from the "
                     "mean over its samples. Drop it: no update. Carry over: the next epoch "
                     "completes the window.") },
        { keyLabel(key::batchReduction),
            Text::tr("Mean over the effective batch: every sample counts the same, as in one "
                     "large batch. Sum of micro-batch means: the gradient grows with N.") },
        { keyLabel(key::optimizerLrRule),
            Text::tr("With a schedule of N, the learning rate follows the effective batch. "
                     "Linear: twice the batch, twice the rate. Square root: √2 times.") },
        { keyLabel(key::modelBatchnormMomentum),
            Text::tr("BatchNorm updates its running statistics N times per step. “Corrected” "
                     "gives a whole window the weight of one update.") },
        { Text::tr("= button"), Text::tr("Computes its value from the others.") },
    };
}

std::vector<HelpWord> runsWords()
{
    return {
        { Text::tr("Search"),
            Text::tr("Words that a run must contain, and conditions with = != < <= > >=, such as "
                     "state=completed b<=32 accuracy>0.98. All of them must be true.") },
        { Text::tr("Check"),
            Text::tr("Compare and Export use the checked runs. Space checks the selected runs.") },
        { Text::tr("Open"), Text::tr("Shows the curves of the run on the Train page.") },
        { Text::tr("Resume"),
            Text::tr("Continues a run exactly where its last checkpoint was saved.") },
        { Text::tr("Interrupted"),
            Text::tr("The program ended before the run did. Everything logged is stored.") },
        { Text::tr("Archive"), Text::tr("Hides a run from the list. Nothing is deleted.") },
    };
}

std::vector<HelpWord> compareWords()
{
    return {
        { Text::tr("Equivalent"),
            Text::tr("Two runs perform the same training: b and N differ, but the losses differ "
                     "only by rounding.") },
        { Text::tr("Smoothing"),
            Text::tr("An exponential moving average. The measured curve stays faint behind "
                     "it.") },
        { Text::tr("Legend"),
            Text::tr("A run's number and the settings in which it differs from the others.") },
        { Text::tr("Best"),
            Text::tr("The best value of a metric and the step that it was measured at.") },
    };
}

std::vector<HelpWord> memoryWords()
{
    return {
        { Text::tr("Memory model"),
            Text::tr("Peak memory as a function of the micro-batch, fitted to a few measured "
                     "windows: peak = constant + b × bytes per sample.") },
        { Text::tr("Peak memory"),
            Text::tr("The most memory that was allocated at once, as counted by the allocator.") },
        { Text::tr("Transient memory"),
            Text::tr("What is allocated and freed within a window, mostly activations. The "
                     "rest is constant: parameters, gradients, optimizer state, data.") },
        { Text::tr("Activations"),
            Text::tr("Results of the forward pass that the backward pass needs. They grow with "
                     "b, not with N.") },
        { Text::tr("Workspace"), Text::tr("Scratch memory of a single operation.") },
        { keyLabel(key::memoryBudget),
            Text::tr("A limit to plan for, such as an emulated smaller card.") },
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
