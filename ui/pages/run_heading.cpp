// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_heading.h"

#include "ui/models/run_palette.h"
#include "ui/models/run_words.h"
#include "ui/pages/form_widgets.h"
#include "ui/pages/run_strip.h"
#include "ui/run/run_progress.h"

#include <QAction>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace accrue {

namespace {

constexpr int kWidthForWords = 680; // of the heading; below, the buttons are signs alone

// "2 threads, chosen by auto": what runs of one recipe may differ in.
QString threadsText(const RunRecord& run)
{
    const QString count = run.threads == 1 ? RunHeading::tr("1 thread")
                                           : RunHeading::tr("%1 threads").arg(run.threads);
    return run.experiment.run.threads ? count : RunHeading::tr("%1 (auto)").arg(count);
}

QString standing(const RunRecord& run)
{
    QStringList parts { summaryText(run) };
    if (run.threads > 0)
        parts << threadsText(run);
    parts.removeAll(QString());
    return parts.join(RunHeading::tr(" · "));
}

} // namespace

RunHeading::RunHeading(QAction* sometimes, const QList<QAction*>& actions, QWidget* parent)
    : QWidget(parent)
    , m_dot(new ColorDot(this))
    , m_title(new ElidedLabel(this))
    , m_state(new QLabel(this))
    , m_summary(new ElidedLabel(this))
{
    m_title->setProperty("role", QStringLiteral("section"));
    m_summary->setProperty("role", QStringLiteral("muted"));
    m_state->setSizePolicy(
        QSizePolicy::Preferred, QSizePolicy::Ignored); // the summary has the height
    auto* first = new QHBoxLayout;
    first->setSpacing(8);
    first->addWidget(m_dot);
    first->addWidget(m_title, 1);
    QToolButton* const passing = makeButton(sometimes);
    first->addWidget(passing);
    for (QAction* action : actions)
        first->addWidget(makeButton(action));
    const auto show = [passing, sometimes] { passing->setVisible(sometimes->isEnabled()); };
    connect(sometimes, &QAction::changed, this, show);
    show();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(8);
    second->addWidget(m_state);
    second->addWidget(m_summary, 1);
    layout->addLayout(second);
    showWords(true);
}

QToolButton* RunHeading::makeButton(QAction* action)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setProperty("framed", true);
    button->setFocusPolicy(Qt::StrongFocus);
    m_buttons << button;
    return button;
}

void RunHeading::showWords(bool words)
{
    for (QToolButton* button : m_buttons)
        button->setToolButtonStyle(words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
}

void RunHeading::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showWords(event->size().width() >= kWidthForWords);
}

void RunHeading::showRun(const RunRecord& run, const QString& variant)
{
    m_dot->setColor(styleOf(run.id, backgroundOf(palette())).color);
    const QString title = progressOf(run).title;
    m_title->setFullText(variant.isEmpty() ? title : tr("%1 · %2").arg(title, variant));
    m_state->setText(stateText(run));
    const bool bad = run.outcome
        && (*run.outcome == RunOutcome::Diverged || *run.outcome == RunOutcome::Failed
            || *run.outcome == RunOutcome::OutOfMemory);
    showSummary(bad ? QString::fromStdString(run.message) : standing(run), bad);
}

void RunHeading::showNoRun(const QString& title, const QString& summary, bool isProblem)
{
    m_dot->setColor(Qt::transparent);
    m_state->clear();
    if (!title.isEmpty())
        m_title->setFullText(title);
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
