// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/runs_bar.h"

#include <QAction>
#include <QMenu>
#include <QToolButton>

#include "ui/actions/action_registry.h"
#include "ui/runs/group_button.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_search.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

namespace accrue {

// The tab order follows the order of creation.
RunsBar::RunsBar(const RunActions::Actions& runs, const RunExport& files, QAction* find,
    QAction* showDetails, QWidget* parent)
    : QWidget(parent)
    , m_search(new RunSearch(this))
    , m_groups(new GroupButton(this))
{
    auto* layout = makeRow(this);
    const auto showKeys = [this, find] { m_search->showKeys(find->shortcut()); };
    connect(find, &QAction::changed, m_search, showKeys);
    showKeys();
    layout->addWidget(m_search, 1);
    layout->addWidget(m_groups);
    addViews();
    layout->addStretch(0);
    addCompare(runs.compare);
    add(runs.resume, Qt::ToolButtonTextBesideIcon);
    for (QAction* action : { runs.duplicate, runs.rename, runs.note, runs.tags, runs.archive })
        m_icons.push_back(add(action));
    addMore(runs);
    addExport(files);
    add(showDetails);
}

QToolButton* RunsBar::add(QAction* action, Qt::ToolButtonStyle style)
{
    QToolButton* button = makeFramedButton(action, this);
    button->setToolButtonStyle(style);
    layout()->addWidget(button);
    return button;
}

QToolButton* RunsBar::addMenu(Qt::ToolButtonStyle style, const QList<QAction*>& actions)
{
    QToolButton* const button = add(nullptr, style);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    menu->addActions(actions);
    button->setMenu(menu);
    return button;
}

void RunsBar::addViews()
{
    m_views = addMenu(Qt::ToolButtonIconOnly, {});
    m_views->setIcon(themedIcon(QLatin1String("columns")));
    m_views->setToolTip(tr("Columns and saved views of the table"));
    m_views->setAccessibleName(tr("Columns and views"));
}

// With space for the number of checked runs, so that a check moves nothing.
void RunsBar::addCompare(QAction* compare)
{
    QToolButton* const button = add(compare, Qt::ToolButtonTextBesideIcon);
    const QFontMetrics metrics = button->fontMetrics();
    button->setMinimumWidth(button->sizeHint().width()
        + metrics.horizontalAdvance(tr("Compare %1").arg(999))
        - metrics.horizontalAdvance(button->text()));
}

void RunsBar::addMore(const RunActions::Actions& runs)
{
    m_more = addMenu(Qt::ToolButtonIconOnly,
        { runs.addToCompare, runs.baseline, runs.duplicate, runs.rename, runs.note, runs.tags,
            runs.archive, runs.remove });
    m_more->setIcon(themedIcon(QLatin1String("more")));
    m_more->setToolTip(tr("More actions for the selected runs"));
    m_more->setAccessibleName(tr("More"));
    m_more->menu()->setToolTipsVisible(true); // which state why an action is disabled
}

// All exports are enabled at the same times, so the state of one is used for the button.
void RunsBar::addExport(const RunExport& files)
{
    QAction* const series = files.seriesAction();
    QToolButton* const button = addMenu(Qt::ToolButtonTextBesideIcon, files.actions());
    button->setIcon(series->icon());
    button->setText(tr("Export"));
    const auto follow = [button, series] {
        button->setEnabled(series->isEnabled());
        button->setToolTip(tr("Export the chosen runs as CSV, as a report or to TensorBoard")
            + keysInBrackets(series->shortcut()));
    };
    connect(series, &QAction::changed, button, follow);
    follow();
}

// Without space for the icons their actions are in a menu, and the search keeps its width.
void RunsBar::setRoomy(bool roomy)
{
    for (QToolButton* icon : m_icons)
        icon->setVisible(roomy);
    m_more->setVisible(!roomy);
}

} // namespace accrue
