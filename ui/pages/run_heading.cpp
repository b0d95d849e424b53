// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_heading.h"

#include "ui/models/run_palette.h"
#include "ui/models/run_words.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/run_strip.h"
#include "ui/run/run_progress.h"

#include <QHBoxLayout>

namespace accrue {

namespace {

constexpr int kWidestTitle = 320; // a long name must not widen the window

} // namespace

RunHeading::RunHeading(QWidget* parent)
    : QWidget(parent)
    , m_dot(new ColorDot(this))
    , m_title(makeSectionLabel({}, this))
    , m_state(new QLabel(this))
    , m_summary(new ElidedLabel(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 4, 0);
    layout->setSpacing(8);
    m_summary->setProperty("role", QStringLiteral("muted"));
    for (QWidget* widget : std::initializer_list<QWidget*> { m_dot, m_title, m_state })
        layout->addWidget(widget);
    layout->addWidget(m_summary, 1);
}

void RunHeading::showRun(const RunRecord& run)
{
    m_dot->show();
    m_state->show();
    m_dot->setColor(styleOf(run.id, backgroundOf(palette())).color);
    const QString title = progressOf(run).title;
    m_title->setText(m_title->fontMetrics().elidedText(title, Qt::ElideMiddle, kWidestTitle));
    m_title->setToolTip(title);
    m_state->setText(stateText(run));
    const bool bad = run.outcome
        && (*run.outcome == RunOutcome::Diverged || *run.outcome == RunOutcome::Failed
            || *run.outcome == RunOutcome::OutOfMemory);
    showSummary(bad ? QString::fromStdString(run.message) : summaryText(run), bad);
}

void RunHeading::showNoRun(const QString& title, const QString& summary, bool isProblem)
{
    m_dot->hide();
    m_state->hide();
    if (!title.isEmpty()) {
        m_title->setText(title);
        m_title->setToolTip({});
    }
    showSummary(summary, isProblem);
}

void RunHeading::showSummary(const QString& text, bool isProblem)
{
    m_summary->setFullText(text);
    const QString role = isProblem ? QStringLiteral("error") : QStringLiteral("muted");
    if (m_summary->property("role").toString() != role)
        setStyleProperty(m_summary, "role", role);
}

} // namespace accrue
