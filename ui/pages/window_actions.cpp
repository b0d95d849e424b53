// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/window_actions.h"

#include "ui/pages/action_registry.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/icons.h"
#include "ui/pages/law_card.h"
#include "ui/pages/memory_page.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/train_page.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace accrue {

WindowActions::WindowActions(ActionRegistry& registry, QMainWindow& window)
    : QObject(&window)
    , m_registry(registry)
    , m_window(window)
{
    makePages();
    makeThemes();
    m_openLog = make("log", tr("Open run log…"), QKeySequence(Qt::CTRL | Qt::Key_O),
        tr("Show and write another run log"));
    m_messages = make("messages", tr("Messages"), QKeySequence(Qt::CTRL | Qt::Key_M),
        tr("Show or close all messages"));
    m_messages->setCheckable(true);
    m_palette = make("search", tr("Command palette…"), QKeySequence(Qt::CTRL | Qt::Key_K),
        tr("Find and do anything: an action, a recipe, a run"));
    m_help = make("help", tr("Help and shortcuts"), QKeySequence(Qt::Key_F1),
        tr("What the words mean, and all shortcuts"));
    m_about = make("info", tr("About Accrue"), QKeySequence(Qt::SHIFT | Qt::Key_F1),
        tr("Versions and licence"));
    m_quit =
        make("quit", tr("Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), tr("Close the workbench"));
}

QAction* WindowActions::make(
    const char* icon, const QString& text, const QKeySequence& keys, const QString& tip)
{
    auto* action = new QAction(themedIcon(QLatin1String(icon)), text, &m_window);
    action->setShortcut(keys);
    action->setToolTip(tip);
    return action;
}

void WindowActions::makePages()
{
    const auto add = [this](const char* icon, const QString& title, const QKeySequence& keys) {
        m_pages.push_back(make(icon, title, keys, tr("Go to %1").arg(title)));
    };
    add("train", tr("Train"), QKeySequence(Qt::CTRL | Qt::Key_1));
    add("runs", tr("Runs"), QKeySequence(Qt::CTRL | Qt::Key_2));
    add("compare", tr("Compare"), QKeySequence(Qt::CTRL | Qt::Key_3));
    add("memory", tr("Memory"), QKeySequence(Qt::CTRL | Qt::Key_4));
    add("settings", tr("Settings"), QKeySequence(Qt::CTRL | Qt::Key_Comma));
    auto* group = new QActionGroup(this);
    for (QAction* page : m_pages) {
        page->setCheckable(true);
        group->addAction(page);
    }
}

void WindowActions::makeThemes()
{
    const auto add = [this](const QString& text, Qt::Key key, const QString& tip) {
        m_themes.push_back(make("theme", text, QKeySequence(Qt::CTRL | Qt::SHIFT | key), tip));
    };
    add(tr("Theme as the system"), Qt::Key_Y, tr("Light or dark, as the desktop is"));
    add(tr("Light theme"), Qt::Key_L, tr("Dark on light"));
    add(tr("Dark theme"), Qt::Key_D, tr("Light on dark"));
    auto* group = new QActionGroup(this);
    for (QAction* theme : m_themes) {
        theme->setCheckable(true);
        theme->setIconVisibleInMenu(false); // it would stand in the mark's place
        group->addAction(theme);
    }
}

QMenu* WindowActions::addMenu(const QString& title)
{
    m_menu = m_window.menuBar()->addMenu(title);
    m_menu->setToolTipsVisible(true);
    return m_menu;
}

void WindowActions::add(const char* id, QAction* action, const QString& needs, const QString& title)
{
    m_menu->addAction(action);
    const QString group = m_menu->title().remove(QLatin1Char('&'));
    m_registry.add(QLatin1String(id), group, action, needs, title);
}

void WindowActions::makeMenus(const TrainPage& train, const RunsPage& runs,
    const ComparePage& compare, const MemoryPage& memory, QAction* deleteArchived)
{
    makeFileMenu(train);
    makeEditMenu(train, runs);
    makeTrainMenu(train);
    makeRunsMenu(runs, deleteArchived);
    makeCompareMenu(compare);
    makeMemoryMenu(memory);
    makeViewMenu();
    makeHelpMenu();
}

void WindowActions::makeFileMenu(const TrainPage& train)
{
    const RecipeBar& recipes = train.recipes();
    recipes.openAction()->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    recipes.saveAction()->setShortcut(Qt::CTRL | Qt::Key_S);
    recipes.copyAction()->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    recipes.showAction()->setShortcut(Qt::CTRL | Qt::Key_T);
    addMenu(tr("&File"));
    add("recipe.open", recipes.openAction());
    add("recipe.save", recipes.saveAction());
    add("recipe.copy", recipes.copyAction());
    add("recipe.show", recipes.showAction());
    m_menu->addSeparator();
    add("log.open", m_openLog, tr("Stop the run that is being written first."));
    m_menu->addSeparator();
    add("window.quit", m_quit);
}

void WindowActions::makeEditMenu(const TrainPage& train, const RunsPage& runs)
{
    addMenu(tr("&Edit"));
    add("edit.undo", train.undoAction(), tr("Nothing in the form was changed."), tr("Undo"));
    add("edit.redo", train.redoAction(), tr("Nothing in the form was undone."), tr("Redo"));
    m_menu->addSeparator();
    add("edit.undoArchiving", runs.undoAction()); // its tooltip says why not
}

void WindowActions::makeTrainMenu(const TrainPage& train)
{
    const QString needs = tr("No run of this window trains.");
    addMenu(tr("&Train"));
    add("train.start", train.startAction()); // its tooltip says why not
    add("train.pause", train.pauseAction(), needs, tr("Pause or resume"));
    add("train.stop", train.stopAction(), needs);
    m_menu->addSeparator();
    add("train.learningRate", train.learningRateAction(), needs);
    m_menu->addSeparator();
    // Of the run that is shown; their tooltips say why not.
    add("train.resumeShown", train.resumeAction(), {}, tr("Resume the shown run"));
    add("train.loadSettings", train.loadAction(), {}, tr("Load the shown run's settings"));
    add("train.comparePrevious", train.comparePreviousAction(), {},
        tr("Compare the shown run with the previous one"));
    add("train.showLive", train.showLiveAction());
}

void WindowActions::makeRunsMenu(const RunsPage& runs, QAction* deleteArchived)
{
    const QString one = tr("Select one run on the Runs page first.");
    const QString some = tr("Select or check runs on the Runs page first.");
    addMenu(tr("&Runs"));
    add("runs.search", runs.searchAction());
    add("runs.open", runs.openAction(), one, tr("Open the curves of a run"));
    add("runs.compare", runs.compareAction(), some, tr("Compare the checked runs"));
    add("runs.check", runs.checkAction(), tr("Select runs on the Runs page first."));
    add("runs.resume", runs.resumeAction(), {}, tr("Resume a run")); // its tooltip says why not
    add("runs.duplicate", runs.duplicateAction(), one);
    add("runs.rename", runs.renameAction()); // the tooltips of these four say why not
    add("runs.note", runs.noteAction());
    add("runs.tags", runs.tagsAction(), {}, tr("Change the tags of a run"));
    add("runs.archive", runs.archiveAction(), {}, tr("Archive or unarchive"));
    add("runs.deleteArchived", deleteArchived); // its tooltip says why not
    add("runs.reveal", runs.revealAction(), one);
    m_menu->addSeparator();
    add("runs.showArchived", runs.showArchivedAction());
    add("runs.showDetails", runs.showDetailsAction());
    add("runs.fitColumns", runs.fitColumnsAction());
    add("runs.sortByStart", runs.sortByStartAction());
    m_menu->addSeparator();
    add("runs.export", runs.exportAction(), some, tr("Export series as CSV"));
    add("runs.exportWide", runs.exportWideAction(), some, tr("Export one row a run as CSV"));
}

void WindowActions::makeCompareMenu(const ComparePage& compare)
{
    const QString needs = tr("Choose runs to compare on the Runs page first.");
    addMenu(tr("&Compare"));
    add("compare.exportSeries", compare.exportSeriesAction(), needs);
    add("compare.exportTable", compare.exportTableAction(), needs);
    add("compare.savePicture", compare.savePictureAction(), needs);
    m_menu->addSeparator();
    add("compare.remove", compare.removeAction(),
        tr("Select runs in the list of the Compare page first."));
    add("compare.hideIdentical", compare.hideIdenticalAction());
    m_menu->addSeparator();
    add("compare.logX", compare.logXAction());
    add("compare.logY", compare.logYAction());
    add("compare.wholeChart", compare.wholeChartAction(), tr("The chart is not zoomed."));
}

void WindowActions::makeMemoryMenu(const MemoryPage& memory)
{
    const LawCard& law = memory.law();
    addMenu(tr("&Memory"));
    // Their tooltips say why not.
    add("memory.measure", law.measureAction(), {}, tr("Measure which micro-batch fits"));
    add("memory.use", law.useAction(), {}, tr("Use the micro-batch that fits"));
    add("memory.useFastest", law.useFastestAction(), {}, tr("Use the fastest split"));
    m_menu->addSeparator();
    add("memory.savePicture", memory.savePictureAction());
    add("memory.saveLawPicture", law.savePictureAction(),
        tr("Measure first which micro-batch fits."));
}

void WindowActions::makeViewMenu()
{
    const char* const pages[] = { "view.train", "view.runs", "view.compare", "view.memory",
        "view.settings" };
    const char* const themes[] = { "view.systemTheme", "view.lightTheme", "view.darkTheme" };
    addMenu(tr("&View"));
    add("view.palette", m_palette);
    m_menu->addSeparator();
    for (std::size_t i = 0; i < m_pages.size(); ++i)
        add(pages[i], m_pages[i], {}, tr("Page %1").arg(plainText(*m_pages[i])));
    m_menu->addSeparator();
    add("view.messages", m_messages);
    m_menu->addSeparator();
    for (std::size_t i = 0; i < m_themes.size(); ++i)
        add(themes[i], m_themes[i]);
}

void WindowActions::makeHelpMenu()
{
    addMenu(tr("&Help"));
    add("help.help", m_help);
    add("help.about", m_about);
}

} // namespace accrue
