// SPDX-License-Identifier: Apache-2.0
#include "ui/train/run_heading.h"

#include "ui/models/key_words.h"
#include "ui/models/run_palette.h"
#include "ui/models/run_progress.h"
#include "ui/models/run_words.h"
#include "ui/widgets/color_dot.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QResizeEvent>
#include <QToolButton>

namespace accrue {

namespace {

constexpr int kWidthForWords = 680; // of the heading; below, the buttons are signs alone

// "2 threads, chosen by auto": settings in which runs of one recipe may differ.
QString threadsText(const RunRecord& run)
{
    const QString count = run.threads == 1 ? RunHeading::tr("1 thread")
                                           : RunHeading::tr("%1 threads").arg(run.threads);
    return run.experiment.run.threads ? count : RunHeading::tr("%1 (auto)").arg(count);
}

QString standing(const RunRecord& run)
{
    QStringList parts { summaryText(run) };
    if (run.plan.devices > 1)
        parts << RunHeading::tr("%1 devices").arg(run.plan.devices);
    if (run.threads > 0)
        parts << threadsText(run);
    if (run.early != EarlyEnd::None) // last, because it is long; the tip has all of it
        parts << withLabels(run.message.text());
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
    QToolButton* const passing = makeButton(sometimes);
    QHBoxLayout* first = makeRow(nullptr, { m_dot, m_title, passing });
    first->setStretchFactor(m_title, 1);
    for (QAction* action : actions)
        first->addWidget(makeButton(action));
    // Hidden while it is disabled, unlike the others, which would move.
    const auto show = [passing, sometimes] { passing->setVisible(sometimes->isEnabled()); };
    connect(sometimes, &QAction::changed, this, show);
    show();
    QHBoxLayout* second = makeRow(nullptr, { m_state, m_summary });
    second->setStretchFactor(m_summary, 1);
    QVBoxLayout* layout = makeColumn(this, {}, { 4, 0, 0, 0 }, 4);
    layout->addLayout(first);
    layout->addLayout(second);
    showWords(true);
}

QToolButton* RunHeading::makeButton(QAction* action)
{
    QToolButton* button = makeFramedButton(action, this);
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
    // Icons alone rather than a title of three letters; their tooltips have the text.
    showWords(event->size().width() >= kWidthForWords);
}

void RunHeading::showRun(const RunRecord& run, const QString& variant)
{
    const RunStyle look = styleOf(run.id, backgroundOf(palette()));
    m_dot->setLook(look.color, look.line);
    const QString title = runTitle(run);
    m_title->setFullText(variant.isEmpty() ? title : tr("%1 · %2").arg(title, variant));
    m_state->setText(stateText(run));
    showSummary(standing(run), false);
}

void RunHeading::showNoRun(const QString& title, const QString& summary, bool isProblem)
{
    m_dot->setLook(Qt::transparent);
    m_state->clear();
    if (!title.isEmpty())
        m_title->setFullText(title);
    showSummary(summary, isProblem);
}

void RunHeading::showSummary(const QString& text, bool isProblem)
{
    m_summary->setFullText(text);
    setStyleProperty(m_summary, "role", QLatin1String(isProblem ? "error" : "muted"));
}

} // namespace accrue
