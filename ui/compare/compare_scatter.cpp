// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_scatter.h"

#include <QCheckBox>
#include <QToolButton>

#include "engine/experiment/key_names.h"
#include "engine/runs/run_keys.h"
#include "ui/charts/plot_look.h"
#include "ui/models/key_words.h"
#include "ui/relations/number_axis.h"
#include "ui/relations/number_box.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr const char* kByRun = "run"; // each run in its own colour
constexpr const char* kKeyPrefix = "key:"; // a setting whose values are words

} // namespace

CompareScatter::CompareScatter(RunSelection& selection, QWidget* parent)
    : PointsTab(selection, parent)
    , m_y(new NumberBox(tr("Number on the vertical axis"), this))
    , m_x(new NumberBox(tr("Number on the horizontal axis"), this))
    , m_swap(makeFramedButton(QLatin1String("swap"), this))
    , m_color(new NumberBox(tr("What the colours show"), this))
    , m_logX(new QCheckBox(tr("log x"), this))
    , m_logY(new QCheckBox(tr("log y"), this))
    , m_trend(new QCheckBox(tr("Trend line"), this))
{
    m_y->setUsual({ kAccuracyFilter, kLossFilter });
    m_x->setUsual({ key::batchMicro, key::optimizerLr, kTimeFilter, kMemoryFilter });
    m_color->setUsual({ kByRun });
    m_swap->setAccessibleName(tr("Swap the axes"));
    m_swap->setToolTip(tr("Swap the axes"));
    m_trend->setToolTip(tr("The straight line through the points with the least squares of errors, "
                           "and its 95 % interval"));
    layOut();
    connectParts();
}

void CompareScatter::layOut()
{
    auto* const first = makeRow(nullptr,
        { m_y, makeLabel("muted", tr("over"), this), m_x, m_swap,
            makeLabel("muted", tr("colour"), this), m_color });
    first->addStretch(1);
    auto* const second = makeRow(nullptr, { m_logX, m_logY, m_trend, frameButton() }, {}, 12);
    second->addWidget(notes(), 1);
    auto* const bar = makeColumn(nullptr);
    bar->addLayout(first);
    bar->addLayout(second);
    layOutChart(this, bar, chart());
}

void CompareScatter::connectParts()
{
    connect(m_x, &NumberBox::changed, this, [this] {
        chooseScale(*m_x, *m_logX);
        redraw();
    });
    connect(m_y, &NumberBox::changed, this, [this] {
        chooseScale(*m_y, *m_logY);
        redraw();
    });
    connect(m_color, &NumberBox::changed, this, &CompareScatter::redraw);
    connect(m_swap, &QToolButton::clicked, this, &CompareScatter::swapAxes);
    connect(m_trend, &QCheckBox::toggled, this, &CompareScatter::redraw);
    for (const QCheckBox* box : { m_logX, m_logY })
        connect(box, &QCheckBox::toggled, this, [this] {
            if (!m_isChoosing)
                redraw();
        });
    // The chart's own menu switches its axis, too.
    connect(chart(), &ScatterChart::logYChanged, m_logY, &QCheckBox::setChecked);
}

// ---- choices ---------------------------------------------------------------------------------

const NumberColumn* CompareScatter::shown(const NumberBox& box) const
{
    return findNumber(m_offered, box.shown());
}

void CompareScatter::offer()
{
    m_offered = numbers();
    m_keys = runs().runs.empty() ? std::vector<RunGroupKey> {} : differingKeys(runs().runs);
    std::erase_if(m_keys, [](const RunGroupKey& key) {
        const bool isNumber = std::ranges::all_of(
            key.values, [](const auto& value) { return value.number || value.text.empty(); });
        return isNumber || categoriesOf(key) > kMostCategories;
    });
    m_x->offer(m_offered);
    m_y->offer(m_offered);
    NumberBox::Choices choices { { kByRun, tr("each run") } };
    for (const RunGroupKey& key : m_keys)
        choices.emplace_back(kKeyPrefix + key.name, QString::fromStdString(key.name));
    m_color->offer(m_offered, choices);
    if (!m_hasScales && !m_offered.empty()) {
        m_hasScales = true;
        chooseScale(*m_x, *m_logX);
        chooseScale(*m_y, *m_logY);
    }
}

// Batch numbers double, and learning rates differ by factors: points would be in one corner.
void CompareScatter::chooseScale(const NumberBox& box, QCheckBox& logarithmic)
{
    if (const NumberColumn* const number = shown(box))
        setScale(logarithmic, isSpreadByFactors(*number));
}

// Without a drawing: others may follow.
void CompareScatter::setScale(QCheckBox& logarithmic, bool on)
{
    m_isChoosing = true;
    logarithmic.setChecked(on);
    m_isChoosing = false;
}

void CompareScatter::swapAxes()
{
    const std::string x = m_x->shown();
    const bool logX = m_logX->isChecked();
    m_x->choose(m_y->shown());
    m_y->choose(x);
    setScale(*m_logX, m_logY->isChecked());
    setScale(*m_logY, logX);
    redraw();
}

QJsonObject CompareScatter::state() const
{
    const auto chosen = [](const NumberBox& box) { return QString::fromStdString(box.chosen()); };
    QJsonObject state { { QStringLiteral("x"), chosen(*m_x) },
        { QStringLiteral("y"), chosen(*m_y) }, { QStringLiteral("color"), chosen(*m_color) },
        { QStringLiteral("trend"), m_trend->isChecked() } };
    if (m_hasScales) {
        state.insert(QStringLiteral("logX"), m_logX->isChecked());
        state.insert(QStringLiteral("logY"), m_logY->isChecked());
    }
    return state;
}

void CompareScatter::restore(const QJsonObject& state)
{
    const auto text = [&](const char* key) {
        return state[QLatin1String(key)].toString().toStdString();
    };
    m_x->choose(text("x"));
    m_y->choose(text("y"));
    m_color->choose(text("color"));
    m_trend->setChecked(state[QLatin1String("trend")].toBool());
    m_hasScales = state.contains(QLatin1String("logX"));
    setScale(*m_logX, state[QLatin1String("logX")].toBool());
    setScale(*m_logY, state[QLatin1String("logY")].toBool());
    redraw();
}

// ---- drawing ---------------------------------------------------------------------------------

PointColors CompareScatter::colors()
{
    const std::string by = m_color->shown();
    if (std::exchange(m_coloredBy, by) != by)
        m_colorRange.reset();
    const auto key = std::ranges::find_if(
        m_keys, [&](const RunGroupKey& each) { return kKeyPrefix + each.name == by; });
    if (key != m_keys.end())
        return colorsOfKey(runs(), *key);
    const NumberColumn* const number = findNumber(m_offered, by);
    return number != nullptr ? colorsOfNumber(runs(), *number, m_colorRange) : colorsOfRuns(runs());
}

void CompareScatter::draw()
{
    offer();
    const NumberColumn* const x = shown(*m_x);
    const NumberColumn* const y = shown(*m_y);
    if (x == nullptr || y == nullptr) {
        setEmptyText(tr("None of these runs has numbers in which they differ yet."));
        chart()->setContent({});
        return notes()->setFullText({});
    }
    setEmptyText(tr("None of these runs has both %1 and %2.").arg(titleOf(*y), titleOf(*x)));
    setAxes(*x, *y);
    chart()->setLogX(m_logX->isChecked());
    chart()->setLogY(m_logY->isChecked());
    const PointColors colored = colors();
    ScatterContent content { pointsOf(runs(), *x, *y, colored), {}, colored.entries,
        colored.scale };
    QString refusal;
    if (m_trend->isChecked() && !content.points.empty()) {
        TrendPicture trend = trendPicture(content.points, m_logX->isChecked(), m_logY->isChecked(),
            titleOf(*x), PlotLook(*this).muted(0.75));
        if (trend.line)
            content.lines.push_back(std::move(*trend.line));
        refusal = trend.refusal;
    }
    chart()->setContent(std::move(content));
    QStringList sentences = missing({ x, y });
    if (!refusal.isEmpty())
        sentences.prepend(refusal);
    notes()->setFullText(sentences.join(QLatin1Char(' ')));
}

std::vector<std::vector<std::string>> CompareScatter::drawnNumbers() const
{
    std::vector<const NumberColumn*> columns;
    for (const NumberBox* box : { m_x, m_y, m_color })
        if (const NumberColumn* const number = shown(*box))
            columns.push_back(number);
    return tableOf(columns);
}

} // namespace accrue
