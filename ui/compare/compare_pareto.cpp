// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_pareto.h"

#include <QCheckBox>
#include <QPushButton>
#include <QToolButton>

#include "engine/runs/run_keys.h"
#include "ui/charts/plot_look.h"
#include "ui/curves/run_selection.h"
#include "ui/models/run_words.h"
#include "ui/relations/number_axis.h"
#include "ui/relations/number_box.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

namespace accrue {

namespace {

constexpr const char* kNone = "none"; // no third number
constexpr std::array kStateKeys { "y", "x", "color" };

} // namespace

ComparePareto::ComparePareto(RunSelection& selection, QWidget* parent)
    : PointsTab(selection, parent)
    , m_logX(new QCheckBox(tr("log x"), this))
    , m_logY(new QCheckBox(tr("log y"), this))
    , m_select(new QPushButton(tr("Select the front"), this))
{
    build(m_goals[0], tr("Number on the vertical axis"));
    build(m_goals[1], tr("Number on the horizontal axis"));
    build(m_goals[2], tr("A third number, as colour"));
    m_goals[0].number->setUsual({ kAccuracyFilter, kLossFilter });
    m_goals[1].number->setUsual({ kMemoryFilter, kTimeFilter });
    m_goals[2].number->setUsual({ kNone });
    m_select->setToolTip(tr("Select the runs on the front in every view"));
    chart()->setTitle(tr("Pareto")); // until there are numbers
    layOut();
    connect(m_select, &QPushButton::clicked, this,
        [this] { this->selection().select(m_picture.front); });
    for (const QCheckBox* box : { m_logX, m_logY })
        connect(box, &QCheckBox::toggled, this, &ComparePareto::redraw);
    // The chart's own menu switches its axis, too.
    connect(chart(), &ScatterChart::logYChanged, m_logY, &QCheckBox::setChecked);
}

void ComparePareto::build(Goal& goal, const QString& purpose)
{
    goal.number = new NumberBox(purpose, this);
    goal.direction = makeFramedButton(nullptr, this);
    goal.direction->setAccessibleName(tr("Direction")); // also while there is no number
    connect(goal.number, &NumberBox::changed, this, [this, &goal] {
        goal.chosen.reset();
        redraw();
    });
    connect(goal.direction, &QToolButton::clicked, this, [this, &goal] {
        goal.chosen = goal.better == Better::Higher ? Better::Lower : Better::Higher;
        redraw();
    });
}

void ComparePareto::layOut()
{
    auto* const first = makeRow(nullptr);
    for (const Goal& goal : m_goals) {
        first->addWidget(goal.number);
        first->addWidget(goal.direction);
        first->addSpacing(8);
    }
    first->addStretch(1);
    auto* const second = makeRow(nullptr, { m_logX, m_logY, frameButton(), m_select }, {}, 12);
    second->addWidget(notes(), 1);
    auto* const bar = makeColumn(nullptr);
    bar->addLayout(first);
    bar->addLayout(second);
    layOutChart(this, bar, chart());
}

// ---- choices ---------------------------------------------------------------------------------

const NumberColumn* ComparePareto::shown(const Goal& goal) const
{
    return findNumber(numbers(), goal.number->shown());
}

void ComparePareto::offer()
{
    m_goals[0].number->offer(numbers());
    m_goals[1].number->offer(numbers());
    m_goals[2].number->offer(numbers(), { { kNone, tr("no third number") } });
    for (Goal& goal : m_goals)
        showDirection(goal);
}

void ComparePareto::showDirection(Goal& goal)
{
    const NumberColumn* const number = shown(goal);
    goal.direction->setVisible(number != nullptr);
    if (number == nullptr)
        return;
    goal.better = goal.chosen.value_or(usualDirection(*number));
    const bool isHigher = goal.better == Better::Higher;
    const QString words =
        isHigher ? tr("Higher is better; click to change") : tr("Lower is better; click to change");
    goal.direction->setText(isHigher ? tr("max") : tr("min"));
    goal.direction->setToolTip(words);
    goal.direction->setAccessibleName(words);
}

std::vector<ParetoGoal> ComparePareto::goals() const
{
    std::vector<ParetoGoal> goals;
    for (const std::size_t each : { 1, 0, 2 }) {
        const Goal& goal = m_goals.at(each);
        if (const NumberColumn* const number = shown(goal))
            goals.push_back({ number, goal.better });
        else if (each != 2)
            return {};
    }
    return goals;
}

QJsonObject ComparePareto::state() const
{
    QJsonObject state { { QStringLiteral("logX"), m_logX->isChecked() },
        { QStringLiteral("logY"), m_logY->isChecked() } };
    for (std::size_t i = 0; i < kGoals; ++i) {
        QJsonObject goal { { QStringLiteral("number"),
            QString::fromStdString(m_goals.at(i).number->chosen()) } };
        if (m_goals.at(i).chosen)
            goal.insert(QStringLiteral("higher"), m_goals.at(i).chosen == Better::Higher);
        state.insert(QLatin1String(kStateKeys.at(i)), goal);
    }
    return state;
}

void ComparePareto::restore(const QJsonObject& state)
{
    for (std::size_t i = 0; i < kGoals; ++i) {
        const QJsonObject stored = state[QLatin1String(kStateKeys.at(i))].toObject();
        Goal& goal = m_goals.at(i);
        goal.number->choose(stored[QLatin1String("number")].toString().toStdString());
        goal.chosen.reset();
        if (const QJsonValue higher = stored[QLatin1String("higher")]; higher.isBool())
            goal.chosen = higher.toBool() ? Better::Higher : Better::Lower;
    }
    m_logX->setChecked(state[QLatin1String("logX")].toBool());
    m_logY->setChecked(state[QLatin1String("logY")].toBool());
    redraw();
}

// ---- drawing ---------------------------------------------------------------------------------

void ComparePareto::draw()
{
    offer();
    const std::vector<ParetoGoal> wanted = goals();
    m_picture = {};
    if (wanted.empty()) {
        setEmptyText(textWithoutNumbers());
        chart()->setContent({});
        return describe(wanted);
    }
    const NumberColumn& x = *wanted[0].number;
    const NumberColumn& y = *wanted[1].number;
    setEmptyText(tr("None of these runs has both %1 and %2.").arg(titleOf(y), titleOf(x)));
    setAxes(x, y);
    chart()->setLogX(m_logX->isChecked());
    chart()->setLogY(m_logY->isChecked());
    m_picture = paretoPicture(runs(), wanted, PlotLook(*this).muted(0.75));
    const std::string by = wanted.size() == kGoals ? wanted[2].number->number.name : std::string();
    if (std::exchange(m_coloredBy, by) != by)
        m_colorRange.reset();
    const PointColors colors =
        by.empty() ? colorsOfRuns(runs()) : colorsOfNumber(runs(), *wanted[2].number, m_colorRange);
    ScatterContent content { pointsOf(runs(), x, y, colors), {}, colors.entries, colors.scale };
    for (ScatterPoint& point : content.points) {
        point.isPale = !m_picture.isOnFront(RunId { point.key });
        point.label = point.isPale ? QString() : runNumber(RunId { point.key });
        if (!point.isPale)
            point.notes.append(tr("on the front"));
    }
    if (m_picture.line)
        content.lines.push_back(*m_picture.line);
    chart()->setContent(std::move(content));
    describe(wanted);
}

void ComparePareto::describe(const std::vector<ParetoGoal>& goals)
{
    std::vector<const NumberColumn*> needed;
    needed.reserve(goals.size());
    for (const ParetoGoal& goal : goals)
        needed.push_back(goal.number);
    QStringList sentences = missing(needed);
    if (const QString front = frontSentence(m_picture); !front.isEmpty())
        sentences.prepend(front);
    notes()->setFullText(sentences.join(tr("; ")));
    m_select->setEnabled(!m_picture.front.empty());
}

std::vector<std::vector<std::string>> ComparePareto::drawnNumbers() const
{
    std::vector<const NumberColumn*> columns;
    for (const Goal& goal : m_goals)
        if (const NumberColumn* const number = shown(goal))
            columns.push_back(number);
    std::vector<std::vector<std::string>> lines = tableOf(columns);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].push_back(i == 0                                             ? "on_front"
                : m_picture.isOnFront(RunId { std::stoll(lines[i].front()) }) ? "1"
                                                                              : "0");
    return lines;
}

} // namespace accrue
