// SPDX-License-Identifier: Apache-2.0
#include "ui/train/next_run_column.h"

#include "engine/experiment/key_names.h"
#include "ui/draft/experiment_draft.h"
#include "ui/train/data_download_row.h"
#include "ui/train/experiment_form.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/run_start.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QAction>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>

#include <utility>

namespace accrue {

namespace {
constexpr int kLeastWidth = 320;
} // namespace

NextRunColumn::NextRunColumn(
    ExperimentDraft& draft, RunStart& start, const Actions& actions, QWidget* parent)
    : QFrame(parent)
    , m_draft(draft)
    , m_start(start)
    , m_actions(actions)
{
    setObjectName(QStringLiteral("formColumn"));
    setMinimumWidth(kLeastWidth);
    QVBoxLayout* layout = makeColumn(this, { makeHeader(), makeSettings(), makeFooter() }, {}, 0);
    layout->setStretch(1, 5);
    layout->setStretch(2, 1);
    connectForm();
}

QWidget* NextRunColumn::makeHeader()
{
    auto* header = new QFrame(this);
    header->setObjectName(QStringLiteral("formHeader"));
    m_recipes = new RecipeBar(m_draft, header);
    makeColumn(
        header, { makeLabel("section", tr("Next run"), header), m_recipes }, { 16, 8, 16, 10 }, 6);
    return header;
}

QWidget* NextRunColumn::makeSettings()
{
    m_settings = new QScrollArea(this);
    m_settings->setWidgetResizable(true);
    m_settings->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always there, so that the fields do not move when a sentence makes the form longer.
    m_settings->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_form = new ExperimentForm(m_draft, m_settings);
    m_settings->setWidget(m_form);
    m_settings->setAccessibleName(tr("Settings of the run"));
    return m_settings;
}

// The checks are beside Start, which they can disable.
QWidget* NextRunColumn::makeFooter()
{
    auto* footer = new QFrame(this);
    footer->setObjectName(QStringLiteral("formFooter"));
    m_checks = new ChecksPanel(footer);
    m_startButton = new QPushButton(footer);
    m_startButton->setProperty("primary", true);
    m_startButton->setAccessibleName(tr("Start"));
    m_sweepButton = new QPushButton(m_actions.sweep.text(), footer);
    m_sweepButton->setToolTip(m_actions.sweep.toolTip());
    auto* buttons = new QWidget(footer);
    makeRow(buttons, { m_startButton, m_sweepButton })->setStretch(0, 1);
    makeColumn(footer, { m_checks, buttons }, { 16, 8, 16, 12 })->setStretch(0, 1);
    connect(m_startButton, &QPushButton::clicked, &m_actions.start, &QAction::trigger);
    connect(m_sweepButton, &QPushButton::clicked, &m_actions.sweep, &QAction::trigger);
    connect(&m_actions.start, &QAction::changed, this, &NextRunColumn::showStart);
    showStart();
    return footer;
}

void NextRunColumn::connectForm()
{
    connect(m_checks, &ChecksPanel::fixAsked, &m_draft, &ExperimentDraft::applyFix);
    connect(m_checks, &ChecksPanel::fieldAsked, m_form, &ExperimentForm::showField);
    connect(m_form, &ExperimentForm::fieldShown, this, [this](QWidget* row) {
        // Queued, because a row that was just unfolded has no place yet.
        QTimer::singleShot(0, row, [this, row] { m_settings->ensureWidgetVisible(row, 0, 24); });
    });
    DataDownloadRow& download = m_form->dataDownload();
    connect(download.action(), &QAction::changed, this, &NextRunColumn::showChecks);
    connect(&download, &DataDownloadRow::ended, &m_start.surroundings(),
        &DraftSurroundings::lookForData);
}

void NextRunColumn::showChecks()
{
    std::vector<ChecksPanel::Line> lines = linesOf(m_draft.check(), m_draft.experiment());
    offerData(lines);
    // A reason against any training precedes the findings about this one.
    if (m_start.queues())
        lines.insert(lines.begin(),
            { ChecksPanel::Sign::Note, tr("A run is in progress. The next one is queued.") });
    else if (const QString why = m_start.whyNotTrain(); !why.isEmpty())
        lines.insert(lines.begin(),
            { m_start.isBroken() ? ChecksPanel::Sign::Error : ChecksPanel::Sign::Note, why });
    m_checks->setLines(std::move(lines));
}

// A missing data set can be downloaded by a button beside that error. The result of the last
// attempt is appended to it.
void NextRunColumn::offerData(std::vector<ChecksPanel::Line>& lines) const
{
    const DataDownloadRow& download = m_form->dataDownload();
    if (!download.action()->isEnabled())
        return;
    const QString failed = download.words();
    for (ChecksPanel::Line& line : lines)
        if (line.key == key::dataName && line.sign == ChecksPanel::Sign::Error) {
            line.action = download.action();
            if (!failed.isEmpty())
                line.text += QLatin1Char(' ') + failed;
        }
}

void NextRunColumn::focusMainPart()
{
    // The window opens before the engine is loaded, and Start may be disabled until then: it
    // receives the focus as soon as it is enabled, unless the user has moved the focus.
    m_startWaits = !m_startButton->isEnabled();
    QWidget* const to = m_startWaits ? static_cast<QWidget*>(m_settings) : m_startButton;
    to->setFocus(Qt::OtherFocusReason);
}

void NextRunColumn::focusSettings()
{
    m_startWaits = false;
    m_settings->setFocus(Qt::OtherFocusReason);
}

// The button shows the action, with its shortcut.
void NextRunColumn::showStart()
{
    m_startButton->setEnabled(m_actions.start.isEnabled());
    m_startButton->setToolTip(m_actions.start.toolTip());
    m_startButton->setText(QStringList {
        m_actions.start.text(), m_actions.start.shortcut().toString(QKeySequence::NativeText) }
                               .join(QStringLiteral("   "))
                               .trimmed());
    if (!m_actions.start.isEnabled() || !std::exchange(m_startWaits, false))
        return;
    if (m_settings->hasFocus()) // the user has not moved the focus meanwhile
        focusMainPart();
}

} // namespace accrue
