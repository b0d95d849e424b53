// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/group_bar.h"

#include <QComboBox>
#include <QFormLayout>
#include <QStandardItemModel>

#include "ui/curves/run_selection.h"
#include "ui/curves/style_key_view.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/widgets/form_widgets.h"

#include <algorithm>

namespace accrue {

GroupBar::GroupBar(RunSelection& selection, QWidget* parent)
    : QWidget(parent)
    , m_selection(selection)
    , m_group(makeBox(tr("Group by"), tr("Runs that are shown as one: by their mean")))
    , m_color(makeBox(tr("Colour by"), tr("What the colours of the runs show, in every tab")))
    , m_line(makeBox(
          tr("Line by"), tr("What the kinds of lines and the shapes of points show, in every tab")))
    , m_key(new StyleKeyView(this))
    , m_baseline(makeBox(tr("Baseline"),
          tr("The run or group that the others are compared with; the Runs page pins the same "
             "one")))
{
    auto* const rows = new QFormLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(6);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows->addRow(tr("&Group by"), m_group);
    rows->addRow(tr("Co&lour by"), m_color);
    rows->addRow(tr("Li&ne by"), m_line);
    rows->addRow(m_key);
    rows->addRow(tr("&Baseline"), m_baseline);
    connect(m_group, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling)
            m_selection.setGroupBy(m_group->currentData().toString().toStdString());
    });
    connect(m_color, &QComboBox::currentIndexChanged, this,
        [this] { takeStyle(&StyleChoice::colorBy, *m_color); });
    connect(m_line, &QComboBox::currentIndexChanged, this,
        [this] { takeStyle(&StyleChoice::lineBy, *m_line); });
    connect(m_baseline, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (m_isFilling)
            return;
        m_selection.setBaseline(index <= 0
                ? std::nullopt
                : std::optional(m_baselines[static_cast<std::size_t>(index - 1)].front()));
    });
    connect(&m_selection, &RunSelection::baselineChanged, this, &GroupBar::showBaseline);
}

QComboBox* GroupBar::makeBox(const QString& name, const QString& tip)
{
    auto* const box = new FormComboBox(this);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    // As wide as the list above, whatever the choices.
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    return box;
}

void GroupBar::offer(
    const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups, const StyleKey& key)
{
    m_isFilling = true;
    offerGroupings(runs);
    offerStyles(runs);
    m_key->setKey(key);
    offerBaselines(runs, groups);
    m_isFilling = false;
    showBaseline();
}

void GroupBar::offerGroupings(const std::vector<RunRecord>& runs)
{
    m_group->clear();
    m_group->addItem(tr("no groups"), QString::fromLatin1(grouping::kNone));
    m_group->addItem(tr("seeds together"), QString::fromLatin1(grouping::kSeeds));
    for (const std::string& key : groupingKeys(runs))
        m_group->addItem(groupingLabel(key), QString::fromStdString(key));
    m_group->setCurrentIndex(std::max(
        0, m_group->findData(QString::fromStdString(groupingOf(runs, m_selection.groupBy())))));
}

namespace {

// Keys with too many values are listed, too, and say why they cannot be chosen.
void fillStyles(QComboBox& box, const std::vector<RunGroupKey>& keys,
    QString (*problem)(const RunGroupKey&), const std::string& chosen)
{
    box.clear();
    box.addItem(Ui::tr("run"), QString());
    for (const RunGroupKey& key : keys) {
        box.addItem(groupingLabel(key.name), QString::fromStdString(key.name));
        const QString why = problem(key);
        QStandardItem* const item =
            qobject_cast<QStandardItemModel*>(box.model())->item(box.count() - 1);
        item->setEnabled(why.isEmpty());
        item->setToolTip(why);
    }
    const int index = box.findData(QString::fromStdString(chosen));
    const bool isPossible =
        index >= 0 && box.model()->flags(box.model()->index(index, 0)).testFlag(Qt::ItemIsEnabled);
    box.setCurrentIndex(isPossible ? index : 0);
}

} // namespace

void GroupBar::offerStyles(const std::vector<RunRecord>& runs)
{
    const std::vector<RunGroupKey> keys = stylingKeys(runs);
    fillStyles(*m_color, keys, &colorProblem, m_selection.styleChoice().colorBy);
    fillStyles(*m_line, keys, &lineProblem, m_selection.styleChoice().lineBy);
}

// One of them: the other box shows "run" where these runs do not allow what is chosen, which stays.
void GroupBar::takeStyle(std::string StyleChoice::*by, const QComboBox& box)
{
    if (m_isFilling)
        return;
    StyleChoice choice = m_selection.styleChoice();
    choice.*by = box.currentData().toString().toStdString();
    m_selection.setStyleChoice(choice);
}

void GroupBar::offerBaselines(
    const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups)
{
    m_baseline->clear();
    m_baselines.clear();
    m_baseline->addItem(tr("none"));
    for (const CurveGroup& group : groups) {
        std::vector<RunId>& members = m_baselines.emplace_back();
        for (const std::size_t run : group.runs)
            members.push_back(runs[run].id);
        m_baseline->addItem(
            group.runs.size() > 1 ? group.title : runTitle(runs[group.runs.front()]));
    }
}

// A run that is pinned elsewhere and not compared is no choice here.
void GroupBar::showBaseline()
{
    const auto found = std::ranges::find_if(m_baselines, [this](const auto& runs) {
        return m_selection.baseline()
            && std::ranges::find(runs, *m_selection.baseline()) != runs.end();
    });
    m_isFilling = true;
    m_baseline->setCurrentIndex(
        found == m_baselines.end() ? 0 : static_cast<int>(found - m_baselines.begin()) + 1);
    m_isFilling = false;
}

} // namespace accrue
