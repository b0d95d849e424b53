// SPDX-License-Identifier: Apache-2.0
// What the main window remembers from one start to the next.
#include "ui/pages/main_window.h"

#include "engine/experiment/recipe.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/experiment_form.h"
#include "ui/pages/file_dialogs.h"
#include "ui/pages/memory_page.h"
#include "ui/pages/message_panel.h"
#include "ui/pages/message_splitter.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/train_page.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace accrue {

namespace {

QVariantList numbersOf(const std::vector<RunId>& runs)
{
    QVariantList numbers;
    for (const RunId run : runs)
        numbers << QVariant::fromValue(qint64 { numberOf(run) });
    return numbers;
}

std::vector<RunId> runsOf(const QVariant& numbers)
{
    std::vector<RunId> runs;
    for (const QVariant& number : numbers.toList())
        runs.push_back(RunId { number.toLongLong() });
    return runs;
}

} // namespace

void MainWindow::keepState()
{
    m_memory.keep(
        QStringLiteral("window/place"), [this] { return placeOf(*this); },
        [this](const QVariant& place) { putBack(*this, place); });
    m_memory.keep(
        QStringLiteral("window/messagesOpen"), [this] { return m_panel->isOpen(); },
        [this](const QVariant& open) { m_panel->setOpen(open.toBool()); });
    m_memory.keep(
        QStringLiteral("window/messagesHeight"), [this] { return m_splitter->openHeight(); },
        [this](const QVariant& height) { m_splitter->setOpenHeight(height.toInt()); });
    m_memory.keep(
        QStringLiteral("window/saveFolder"), [] { return saveFolder(); },
        [](const QVariant& folder) { setSaveFolder(folder.toString()); });
    keepPages();
    keepRuns();
    m_memory.keep(
        QStringLiteral("window/page"), [this] { return static_cast<int>(page()); },
        [this](const QVariant& last) { showPage(choiceOf(last, Page::Preferences)); });
}

void MainWindow::keepPages()
{
    m_memory.keep(
        QStringLiteral("train/splitter"), [this] { return m_train->saveState(); },
        [this](const QVariant& state) { m_train->restoreState(state.toByteArray()); });
    m_memory.keep(
        QStringLiteral("train/openParts"), [this] { return m_train->form().openParts(); },
        [this](const QVariant& parts) { m_train->form().setOpenParts(parts.toStringList()); });
    m_memory.keep(
        QStringLiteral("train/recipe"),
        [this] { return QString::fromStdString(writeRecipe(m_train->form().experiment())); },
        [this](const QVariant& toml) {
            m_train->beginWith(parseRecipe(toml.toString().toStdString(), "last form").experiment);
        });
    m_memory.keep(
        QStringLiteral("train/origin"), [this] { return m_train->recipes().origin(); },
        [this](const QVariant& title) { m_train->recipes().setOrigin(title.toString()); });
    m_memory.keep(
        QStringLiteral("train/recipeName"), [this] { return m_train->recipes().shown(); },
        [this](const QVariant& name) { m_train->recipes().showIfUnchanged(name.toString()); });
    m_memory.keep(
        QStringLiteral("runs/state"), [this] { return m_runs->saveState(); },
        [this](const QVariant& state) { m_runs->restoreState(state.toByteArray()); });
    m_memory.keep(
        QStringLiteral("compare/state"), [this] { return m_compare->saveState(); },
        [this](const QVariant& state) { m_compare->restoreState(state.toByteArray()); });
    m_memory.keep(
        QStringLiteral("memory/splitter"), [this] { return m_memoryPage->saveState(); },
        [this](const QVariant& state) { m_memoryPage->restoreState(state.toByteArray()); });
}

// Numbers of runs mean something in their log only; the table knows runs once the log is read.
void MainWindow::keepRuns()
{
    using Runs = std::vector<RunId>;
    const auto keep = [&](const char* key, auto take, auto giveBack) {
        m_memory.keepForLog(
            QString::fromLatin1(key), [take] { return numbersOf(take()); },
            [giveBack](const QVariant& numbers) { giveBack(runsOf(numbers)); });
    };
    // Unless another log is open by then.
    const auto whenRead = [this](std::function<void()> act) {
        connect(
            &m_backend.follower, &RunLogFollower::runsChanged, this,
            [this, act = std::move(act), log = m_backend.follower.file()] {
                if (log == m_backend.follower.file())
                    act();
            },
            Qt::SingleShotConnection);
    };
    keep(
        "compare/runs", [this] { return m_compare->runs(); },
        [this](const Runs& runs) { m_compare->setRuns(runs); });
    keep(
        "compare/selected", [this] { return m_compare->selectedRuns(); },
        [this, whenRead](
            const Runs& runs) { whenRead([this, runs] { m_compare->selectRuns(runs); }); });
    keep(
        "train/run",
        [this] {
            const std::optional<RunId>& run = m_train->shownRun();
            return run ? Runs { *run } : Runs();
        },
        [this, whenRead](
            const Runs& runs) { whenRead([this, runs] { m_train->showFirst(runs); }); });
    keep(
        "runs/checked", [this] { return m_runs->checkedRuns(); },
        [this, whenRead](
            const Runs& runs) { whenRead([this, runs] { m_runs->model().setChecked(runs); }); });
    keep(
        "runs/selected", [this] { return m_runs->selectedRuns(); },
        [this, whenRead](const Runs& runs) {
            if (!runs.empty())
                whenRead([this, run = runs.front()] { m_runs->selectRun(run); });
        });
}

} // namespace accrue
