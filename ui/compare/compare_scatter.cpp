// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_scatter.h"

#include <QCheckBox>
#include <QToolButton>

#include "engine/experiment/key_names.h"
#include "engine/runs/run_keys.h"
#include "ui/charts/plot_look.h"
#include "ui/models/key_values.h"
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
    chart()->setTitle(tr("Scatter")); // until there are numbers
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
    for (const NumberBox* box : { m_x, m_y, m_color })
        connect(box, &NumberBox::changed, this, &CompareScatter::redraw);
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
    return findNumber(numbers(), box.shown());
}

// Settings with few values, of which some are words.
void CompareScatter::findKeys()
{
    std::vector<RunComparison::Setting> settings = compareRuns(runs().runs, {}).settings;
    std::erase_if(settings, [](const auto& setting) { return !setting.differs(); });
    m_keys = groupKeysOf(settings);
    for (std::size_t i = 0; i < m_keys.size(); ++i)
        m_keys[i].name = settings[i].key;
    std::erase_if(m_keys, [](const RunGroupKey& key) {
        return isNumeric(key) || categoriesOf(key) > kMostCategories;
    });
}

void CompareScatter::offer()
{
    findKeys();
    m_x->offer(numbers());
    m_y->offer(numbers());
    NumberBox::Choices choices { { kByRun, tr("each run") } };
    for (const RunGroupKey& key : m_keys)
        choices.emplace_back(kKeyPrefix + key.name, keyLabel(key.name));
    m_color->offer(numbers(), choices);
    chooseScale(*m_x, *m_logX, m_scaledX);
    chooseScale(*m_y, *m_logY, m_scaledY);
}

// Of another number than before: batch numbers double, and learning rates differ by factors, so
// that their points would be in one corner.
void CompareScatter::chooseScale(const NumberBox& box, QCheckBox& logarithmic, std::string& scaled)
{
    const NumberColumn* const number = shown(box);
    if (number != nullptr && std::exchange(scaled, box.shown()) != box.shown())
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
    std::swap(m_scaledX, m_scaledY);
    redraw();
}

QJsonObject CompareScatter::state() const
{
    const auto chosen = [](const NumberBox& box) { return QString::fromStdString(box.chosen()); };
    return { { QStringLiteral("x"), chosen(*m_x) }, { QStringLiteral("y"), chosen(*m_y) },
        { QStringLiteral("color"), chosen(*m_color) },
        { QStringLiteral("trend"), m_trend->isChecked() },
        { QStringLiteral("logX"), m_logX->isChecked() },
        { QStringLiteral("logY"), m_logY->isChecked() },
        { QStringLiteral("scaledX"), QString::fromStdString(m_scaledX) },
        { QStringLiteral("scaledY"), QString::fromStdString(m_scaledY) } };
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
    m_scaledX = text("scaledX");
    m_scaledY = text("scaledY");
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
    const NumberColumn* const number = findNumber(numbers(), by);
    return number != nullptr ? colorsOfNumber(runs(), *number, m_colorRange) : colorsOfRuns(runs());
}

void CompareScatter::draw()
{
    offer();
    const NumberColumn* const x = shown(*m_x);
    const NumberColumn* const y = shown(*m_y);
    if (x == nullptr || y == nullptr) {
        setEmptyText(textWithoutNumbers());
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
