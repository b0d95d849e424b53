// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/help_words.h"

#include <QCoreApplication>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(Help)
};

std::vector<HelpWord> trainWords()
{
    return {
        { Text::tr("Effective batch B"), Text::tr("Samples in one update of the parameters.") },
        { Text::tr("Micro-batch b"),
            Text::tr("Samples in one forward and backward pass. It decides how much memory "
                     "training needs.") },
        { Text::tr("Accumulation steps N"),
            Text::tr("Micro-batches whose gradients are added up for one update: B = b × N.") },
        { Text::tr("Devices W"),
            Text::tr("Devices that share an effective batch: B = b × N × W.") },
        { Text::tr("Window"),
            Text::tr("The N micro-batches between two updates. The parameters change once per "
                     "window.") },
        { Text::tr("Step"), Text::tr("One update, at the end of a window; never a micro-batch.") },
        { Text::tr("Tail"),
            Text::tr("The last window of an epoch, where the samples left are fewer than B.") },
        { Text::tr("Last partial batch"),
            Text::tr("What becomes of the tail. Use it (flush): one update from the mean over "
                     "its samples. Drop it: no update. Carry over: the next epoch fills the "
                     "window.") },
        { Text::tr("Gradient reduction"),
            Text::tr("Mean over the effective batch: every sample counts the same, as in one "
                     "large batch. Sum of micro-batch means: the gradient grows with N.") },
        { Text::tr("Scale learning rate with N"),
            Text::tr("With a schedule of N, the learning rate follows the effective batch. "
                     "Linear: twice the batch, twice the rate. Square root: √2 times.") },
        { Text::tr("BatchNorm momentum"),
            Text::tr("BatchNorm updates its running statistics N times per step. “Corrected” "
                     "gives a whole window the weight of one update.") },
        { Text::tr("= button"), Text::tr("Solves its number from the others.") },
    };
}

std::vector<HelpWord> runsWords()
{
    return {
        { Text::tr("Search"),
            Text::tr("Words that a run must hold, and conditions with = != < <= > >=, such as "
                     "state=completed b<=32 accuracy>0.98. Each must be true.") },
        { Text::tr("Check"),
            Text::tr("Checked runs are those that Compare and Export use. Space checks the "
                     "selected runs.") },
        { Text::tr("Open"), Text::tr("Shows the curves of the run on the Train page.") },
        { Text::tr("Resume"),
            Text::tr("Continues a run exactly where its last checkpoint was saved.") },
        { Text::tr("Interrupted"),
            Text::tr("The program ended before the run did. Everything logged is kept.") },
        { Text::tr("Archive"), Text::tr("Hides a run from the list. Nothing is deleted.") },
    };
}

std::vector<HelpWord> compareWords()
{
    return {
        { Text::tr("Equivalent"),
            Text::tr("Two runs do the same training: their losses differ by rounding only, "
                     "although b and N differ.") },
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
            Text::tr("The most that was allocated at once, as the allocator counts it.") },
        { Text::tr("Transient memory"),
            Text::tr("What is allocated and freed within a window, mostly activations. The "
                     "rest is constant: parameters, gradients, optimizer state, data.") },
        { Text::tr("Activations"),
            Text::tr("Results of the forward pass that the backward pass needs. They grow with "
                     "b, not with N.") },
        { Text::tr("Workspace"), Text::tr("Scratch memory of a single operation.") },
        { Text::tr("Memory budget"),
            Text::tr("A limit to plan for, such as a smaller card that is emulated.") },
    };
}

} // namespace

std::vector<HelpWord> helpWords(HelpTopic topic)
{
    switch (topic) {
    case HelpTopic::Train:
        return trainWords();
    case HelpTopic::Runs:
        return runsWords();
    case HelpTopic::Compare:
        return compareWords();
    case HelpTopic::Memory:
        return memoryWords();
    case HelpTopic::Preferences:
        break;
    }
    return {};
}

bool isExplained(const QString& word)
{
    for (const HelpTopic topic :
        { HelpTopic::Train, HelpTopic::Runs, HelpTopic::Compare, HelpTopic::Memory })
        for (const HelpWord& explained : helpWords(topic))
            if (explained.word == word)
                return true;
    return false;
}

} // namespace accrue
