// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/step_choice.h"

#include "ui/models/memory_words.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/marked_slider.h"

#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace accrue {

namespace {

// The positions on the slider of the first windows after an out-of-memory error.
std::vector<int> marksOf(const SeriesBatch::Memory& memory)
{
    std::vector<int> marks;
    for (const std::int64_t step : memory.shortAt) {
        const auto at = std::lower_bound(memory.steps.begin(), memory.steps.end(), step);
        if (at != memory.steps.end())
            marks.push_back(static_cast<int>(at - memory.steps.begin()));
    }
    return marks;
}

} // namespace

StepChoice::StepChoice(QWidget* parent)
    : QWidget(parent)
    , m_slider(new MarkedSlider(this))
    , m_label(new QLabel(this))
{
    m_slider->setAccessibleName(tr("Window"));
    m_slider->setToolTip(
        tr("Selects the window: each position is a step at which memory changed. The right end "
           "follows a running run; a finished run opens at its highest peak. A tick marks an "
           "out-of-memory error, after which micro-batches are smaller."));
    m_slider->setFixedWidth(120);
    m_slider->setPageStep(1);
    m_label->setTextFormat(Qt::PlainText);
    makeRow(this, { m_slider, m_label });
    // The text follows the slider at once; its window arrives with the next look at the log.
    connect(m_slider, &QSlider::valueChanged, this, [this](int index) {
        if (index >= 0 && index < std::ssize(m_steps))
            m_label->setText(validityText(m_steps, static_cast<std::size_t>(index)));
        Q_EMIT chosen(index);
    });
}

void StepChoice::showSteps(const SeriesBatch::Memory& memory, std::size_t index)
{
    // Before the slider moves, because its signal reads the steps.
    m_steps = memory.steps;
    fixWidth();
    // The log has moved the slider, not the user: the chosen step, or none, remains.
    const QSignalBlocker blocker(m_slider);
    const int last = std::max(0, static_cast<int>(m_steps.size()) - 1);
    m_slider->setRange(0, last);
    m_slider->setVisible(last > 0);
    m_slider->setMarks(marksOf(memory));
    m_slider->setValue(static_cast<int>(index));
    m_label->setText(m_steps.empty() ? QString() : validityText(m_steps, index));
}

// The same width for every position of the slider, so that nothing moves during a drag.
void StepChoice::fixWidth()
{
    if (m_steps.empty())
        return;
    const std::int64_t newest = m_steps.back();
    const QFontMetrics metrics = m_label->fontMetrics();
    int width = 0;
    for (const std::size_t form : { 0, 1 })
        width =
            std::max(width, metrics.horizontalAdvance(validityText({ newest, newest + 2 }, form)));
    m_label->setFixedWidth(width + 2); // what QLabel adds
}

} // namespace accrue
