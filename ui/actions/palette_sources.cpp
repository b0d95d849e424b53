// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/palette_sources.h"

#include "engine/base/places.h"
#include "engine/experiment/recipe.h"
#include "ui/actions/action_registry.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QDir>

namespace accrue {

namespace {

// Older runs are found by the search of the Runs page, which knows more than their titles.
constexpr std::size_t kMostRuns = 50;

QString detailOf(const ActionRegistry::Entry& entry)
{
    if (entry.action->isEnabled())
        return entry.group;
    return entry.needs.isEmpty() ? plainTip(*entry.action) : entry.needs;
}

} // namespace

std::vector<PaletteEntry> actionEntries(const ActionRegistry& registry)
{
    std::vector<PaletteEntry> entries;
    for (const ActionRegistry::Entry& each : registry.entries())
        entries.push_back(
            { each.action->isEnabled() ? plainText(*each.action) : each.title, detailOf(each),
                each.action->shortcut().toString(QKeySequence::NativeText), each.action->icon(),
                each.action->isEnabled(), [action = each.action] { action->trigger(); } });
    return entries;
}

std::vector<PaletteEntry> recipeEntries(const std::function<void(const QString&)>& open)
{
    std::vector<PaletteEntry> entries;
    const auto add = [&](const QString& title, const QString& nameOrPath) {
        entries.push_back({ title, Ui::tr("Recipe"), {}, themedIcon(QLatin1String("open")), true,
            [open, nameOrPath] { open(nameOrPath); } });
    };
    for (const ShippedRecipe& recipe : shippedRecipes()) {
        const QString name = QString::fromStdString(recipe.name);
        add(name, name);
    }
    const QDir folder(QString::fromStdString(userRecipeDirectory().string()));
    for (const QFileInfo& file :
        folder.entryInfoList({ QStringLiteral("*.toml") }, QDir::Files, QDir::Name))
        add(file.completeBaseName(), file.absoluteFilePath());
    return entries;
}

std::vector<PaletteEntry> runEntries(
    const std::vector<RunRecord>& newestFirst, const std::function<void(RunId)>& show)
{
    std::vector<PaletteEntry> entries;
    for (const RunRecord& run : newestFirst)
        if (!run.archived && entries.size() < kMostRuns)
            entries.push_back({ runTitle(run), Ui::tr("Run · %1").arg(stateText(run)), {},
                themedIcon(QLatin1String("runs")), true, [show, id = run.id] { show(id); } });
    return entries;
}

} // namespace accrue
