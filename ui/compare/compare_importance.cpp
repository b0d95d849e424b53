// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_importance.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>

#include "engine/base/format.h"
#include "engine/compare/group_summary.h"
#include "engine/runs/run_keys.h"
#include "ui/curves/curve_groups.h"
#include "ui/curves/run_selection.h"
#include "ui/models/format.h"
#include "ui/relations/number_box.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <cmath>
#include <utility>

// All numbers and sentences come from engine/compare/key_effects.h, as those of `accrue summary`
// and of reports do.

namespace accrue {

namespace {

QString lineOf(const std::string& text)
{
    return QString::fromStdString(text);
}

QString shareOf(double share)
{
    return lineOf(shareText(share, 2));
}

// "η² 66 % (42 % to 78 %), n 24, groups: 3"
QString detailOf(const OneWayEffect& effect)
{
    const QString counts =
        Ui::tr("n %1, groups: %2").arg(countText(effect.count), countText(effect.groups));
    if (!std::isfinite(effect.omega))
        return counts;
    return Ui::tr("η² %1 (%2 to %3), %4")
        .arg(shareOf(effect.eta), shareOf(effect.low), shareOf(effect.high), counts);
}

} // namespace

CompareImportance::CompareImportance(RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_selection(selection)
    , m_number(new NumberBox(tr("Number that is explained"), this))
    , m_group(new QPushButton(tr("Group by this key"), this))
    , m_axis(new QPushButton(tr("Add as parallel axis"), this))
    , m_sentence(new QLabel(this))
    , m_chart(new IntervalChart(this))
{
    layOut();
    connect(m_number, &NumberBox::changed, this, &CompareImportance::draw);
    connect(m_chart, &IntervalChart::rowChosen, this, [this](std::size_t row) {
        m_key = m_effects->keys[row].key;
        showPanels();
    });
    connect(m_chart, &IntervalChart::pictureRequested, this, &CompareImportance::pictureRequested);
    connect(m_chart, &IntervalChart::menuOpening, this, &CompareImportance::menuOpening);
    connect(
        m_group, &QPushButton::clicked, this, [this] { m_selection.setGroupBy(chosen()->key); });
    connect(m_axis, &QPushButton::clicked, this, [this] { Q_EMIT axisRequested(dottedKey()); });
    connect(&m_selection, &RunSelection::hiddenChanged, this, &CompareImportance::draw);
}

void CompareImportance::layOut()
{
    m_number->setUsual({ kAccuracyFilter });
    m_group->setToolTip(tr("Group the runs of the list, and the curves, by the chosen key"));
    m_axis->setToolTip(tr("Show the chosen key on the tab of parallel axes"));
    setUpSentences(*m_sentence);
    m_chart->setTitle(tr("Importance of keys"));
    m_chart->setEmptyText(
        tr("Compare runs that differ in a setting, several with each value, such as seeds."));
    auto* bar = makeRow(nullptr, { m_number, m_group, m_axis }, {}, 8);
    bar->addStretch(1);
    auto* rows = makeColumn(nullptr, {}, {}, 8);
    rows->addLayout(bar);
    rows->addWidget(m_sentence);
    auto* area = new QScrollArea(this);
    area->setWidget(m_chart);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    layOutChart(this, rows, area);
}

// ---- runs ------------------------------------------------------------------------------------

void CompareImportance::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    draw();
}

void CompareImportance::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    draw();
}

void CompareImportance::setAsking(bool asking)
{
    m_isAsking = asking;
    if (asking && m_isStale)
        draw();
}

void CompareImportance::reset()
{
    m_key.clear();
    draw();
}

void CompareImportance::draw()
{
    m_isStale = !m_isAsking;
    if (!m_isStale)
        explain();
}

void CompareImportance::explain()
{
    std::vector<RunRecord> shown = m_runs;
    std::erase_if(shown, [this](const RunRecord& run) { return !m_selection.isShown(run.id); });
    std::vector<NumberColumn> numbers = numbersOf(shown, m_summaries);
    std::erase_if(numbers, [](const NumberColumn& each) {
        return each.kind == NumberColumn::Kind::Setting
            || each.kind == NumberColumn::Kind::Progress;
    });
    m_number->offer(numbers);
    m_number->setEnabled(m_number->count() > 0);
    // Of values that are all equal, which no box offers, there is something to say, too.
    const NumberColumn* number = findNumber(numbers, m_number->shown());
    if (number == nullptr)
        number = findNumber(numbers, kAccuracyFilter);
    m_effects.reset();
    if (number != nullptr)
        m_effects = keyEffects(shown, number->values, number->number);
    m_sentence->setText(sentence());
    showPanels();
}

QString CompareImportance::sentence() const
{
    if (!m_effects)
        return tr("These runs have no numbers yet.");
    QStringList sentences;
    for (const Message& each : sentencesOf(*m_effects))
        sentences.append(messageText(each));
    return sentences.join(QLatin1Char(' '));
}

// ---- the chosen key --------------------------------------------------------------------------

void CompareImportance::choose(const std::string& key)
{
    m_key = key;
    showPanels();
}

const KeyImportance* CompareImportance::chosen() const
{
    if (!m_effects || m_effects->keys.empty())
        return nullptr;
    const auto found = std::ranges::find(m_effects->keys, m_key, &KeyImportance::key);
    return found != m_effects->keys.end() ? &*found : &m_effects->keys.front();
}

std::string CompareImportance::dottedKey() const
{
    const KeyImportance* const key = chosen();
    if (key == nullptr)
        return {};
    for (const KeyInfo& info : experimentKeys())
        if (!info.filter.empty() && info.filter == key->key)
            return info.key;
    return key->key;
}

void CompareImportance::showPanels()
{
    std::vector<IntervalPanel> panels;
    const KeyImportance* const key = chosen();
    if (key != nullptr) {
        panels.push_back(panelOfKeys());
        panels.push_back(panelOfGroups());
    }
    m_chart->setPanels(std::move(panels));
    if (key != nullptr)
        m_chart->setChosen(static_cast<std::size_t>(key - m_effects->keys.data()));
    // A seed repeats a run, so that nothing is grouped by it.
    m_group->setEnabled(key != nullptr && !groupingOf(m_runs, key->key).empty());
    m_axis->setEnabled(key != nullptr);
}

IntervalPanel CompareImportance::panelOfKeys() const
{
    IntervalPanel panel;
    panel.title =
        messageText(Message("groups.importance", { { "number", m_effects->number.title } }));
    panel.hasBars = true;
    panel.axis.high = 1; // shares; low is 0
    panel.axis.text = [](double share) { return shareOf(share); };
    for (const KeyImportance& each : m_effects->keys) {
        IntervalRow& row = panel.rows.emplace_back();
        row.title = lineOf(each.key);
        row.value = each.effect.omega;
        row.low = each.effect.low;
        row.high = each.effect.high;
        if (std::isfinite(each.effect.eta))
            row.mark = each.effect.eta;
        row.text = shareOf(each.effect.omega);
        row.detail = detailOf(each.effect);
        row.warning = messageText(confoundingOf(each));
        row.color = seriesColor(0, m_background);
    }
    return panel;
}

IntervalPanel CompareImportance::panelOfGroups() const
{
    const RunNumber& number = m_effects->number;
    IntervalPanel panel;
    panel.title = tr("Groups of %1: mean of %2 with its 95 % interval")
                      .arg(lineOf(chosen()->key), messageText(number.title));
    panel.axis.low = panel.axis.high = 0; // of the rows
    panel.axis.text = [number](double value) { return lineOf(numberText(number, value)); };
    if (number.shownAs.format == MetricFormat::Bytes)
        panel.axis.ticks = PlotAxis::Ticks::Bytes;
    for (const KeyGroup& group : groupsOf(*m_effects, *chosen())) {
        const MeanInterval& mean = group.numbers.mean;
        IntervalRow& row = panel.rows.emplace_back();
        row.title = group.name.empty() ? QStringLiteral("–") : lineOf(group.name);
        row.value = mean.mean;
        row.low = mean.low;
        row.high = mean.high;
        row.text = lineOf(intervalText(number, mean));
        row.detail = tr("n %1").arg(countText(mean.count));
        row.warning = messageText(notesOf(group.numbers));
        row.color = seriesColor(1, m_background);
    }
    return panel;
}

std::vector<std::vector<std::string>> CompareImportance::drawnNumbers() const
{
    return m_effects ? effectTable(*m_effects, chosen()) : std::vector<std::vector<std::string>>();
}

QJsonObject CompareImportance::state() const
{
    return { { QStringLiteral("number"), lineOf(m_number->chosen()) } };
}

void CompareImportance::restore(const QJsonObject& state)
{
    m_number->choose(state[QLatin1String("number")].toString().toStdString());
    draw();
}

} // namespace accrue
