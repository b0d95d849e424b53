// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/group_button.h"

#include "engine/experiment/key_names.h"
#include "engine/runs/run_keys.h"
#include "ui/models/key_words.h"
#include "ui/models/run_words.h"
#include "ui/run/log_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/notice_slot.h"
#include "ui/widgets/questions.h"

#include <QMenu>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr int kMostText = 18; // characters of the choice
constexpr std::size_t kMostOthers = 12; // keys of other programs that are listed

} // namespace

GroupButton::GroupButton(QWidget* parent)
    : QToolButton(parent)
{
    setProperty("framed", true);
    setIcon(themedIcon(QLatin1String("group")));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &GroupButton::fill);
    setAccessibleName(tr("Group runs"));
    setText(tr("Group"));
    setToolTip(tr("Fold runs into groups with their mean and interval"));
}

void GroupButton::setGrouping(const RunGrouping& grouping)
{
    if (grouping.text() == m_grouping.text())
        return;
    m_grouping = grouping;
    const QString text = grouping.isBySeeds() ? tr("seeds") : grouping.text();
    QString shown = grouping.isOn() ? tr("By %1").arg(text) : tr("Group");
    if (shown.size() > kMostText)
        shown = shown.left(kMostText - 1) + QStringLiteral("…");
    setText(shown);
    setToolTip(grouping.isOn() ? tr("Grouped by %1").arg(text)
                               : tr("Fold runs into groups with their mean and interval"));
    Q_EMIT chosen(m_grouping);
}

void GroupButton::setOtherKeys(std::vector<std::string> keys)
{
    m_others = std::move(keys);
}

void GroupButton::addGrouping(const QString& title, const QString& text)
{
    QAction* const action = menu()->addAction(title);
    action->setCheckable(true);
    action->setChecked(m_grouping.text() == text);
    connect(
        action, &QAction::triggered, this, [this, text] { setGrouping(RunGrouping::of(text)); });
}

void GroupButton::addKey(const QString& title, const std::string& key)
{
    if (!readingOf(key, m_others))
        return;
    QAction* const action = menu()->addAction(title);
    action->setCheckable(true);
    action->setChecked(m_grouping.has(key));
    connect(action, &QAction::triggered, this, [this, key] { toggle(key); });
}

// Made anew each time, because the checks follow the choice.
void GroupButton::fill()
{
    menu()->clear();
    addGrouping(tr("No groups"), {});
    addGrouping(tr("Seeds: all settings but the seed"), QLatin1String(RunGrouping::kSeeds));
    menu()->addSeparator();
    addKey(tr("Sweep"), "sweep");
    addKey(tr("Name"), "name");
    addKey(tr("Tags"), "tag");
    for (const KeyInfo& key : experimentKeys())
        if (!key.filter.empty() && key.key != key::runSeed)
            addKey(keyLabel(key.key), key.filter);
    addKey(tr("State"), "state");
    for (std::size_t i = 0; i < std::min(m_others.size(), kMostOthers); ++i)
        addKey(QString::fromStdString(m_others[i]), m_others[i]);
    menu()->addSeparator();
    connect(menu()->addAction(tr("Other keys…")), &QAction::triggered, this, &GroupButton::askKeys);
    menu()->addSeparator();
    for (const bool folded : { false, true }) {
        QAction* const action =
            menu()->addAction(folded ? tr("Fold all groups") : tr("Unfold all groups"));
        action->setEnabled(m_grouping.isOn());
        connect(
            action, &QAction::triggered, this, [this, folded] { Q_EMIT foldRequested(folded); });
    }
}

// Several keys together: a run is in the group of all its values.
void GroupButton::toggle(const std::string& key)
{
    std::vector<std::string> keys = m_grouping.keys();
    if (std::erase(keys, key) == 0)
        keys.push_back(key);
    QStringList line;
    for (const std::string& one : keys)
        line.append(QString::fromStdString(one));
    setGrouping(RunGrouping::of(line.join(QStringLiteral(", ")), keys));
}

void GroupButton::askKeys()
{
    askLine(*this,
        { tr("Group runs"),
            tr("Keys of the search or of a recipe, such as norm, optimizer.momentum:"),
            m_grouping.isBySeeds() ? QString() : m_grouping.text(), tr("Group") },
        [this](const QString& line) {
            for (const std::string& key : tagsInLine(line))
                if (!readingOf(key, m_others))
                    return NoticeSlot::of(*this).reportProblem(
                        withWindowQuotes(QString::fromStdString(unknownRunKey(key).text())));
            setGrouping(RunGrouping::of(line, m_others));
        });
}

} // namespace accrue
