// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_parallel.h"

#include <QComboBox>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>

#include "engine/base/format.h"
#include "ui/curves/run_selection.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/relations/number_axis.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace accrue {

using namespace std::chrono_literals;

namespace {

std::vector<long long> keysOf(const std::vector<RunId>& runs)
{
    std::vector<long long> keys;
    keys.reserve(runs.size());
    for (const RunId run : runs)
        keys.push_back(numberOf(run));
    return keys;
}

// As wide as its axes need, or as the tab.
QScrollArea* scrolledSideways(QWidget* content, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace

CompareParallel::CompareParallel(RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_selection(selection)
    , m_axesButton(makeFramedButton(nullptr, this))
    , m_axesMenu(new QMenu(m_axesButton))
    , m_colour(new FormComboBox(this))
    , m_brushes(new QPushButton(tr("Remove brushes"), this))
    , m_words(new ElidedLabel(this))
    , m_chart(new ParallelChart(this))
{
    m_select.setSingleShot(true);
    m_select.setInterval(40ms);
    connect(&m_select, &QTimer::timeout, this, [this] {
        m_brushed = brushedRuns();
        m_selection.select(m_brushed);
    });
    layOut();
    connectChart();
    connectSelection();
}

void CompareParallel::layOut()
{
    m_axesButton->setText(tr("Axes"));
    m_axesButton->setIcon(themedIcon(QLatin1String("columns")));
    m_axesButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_axesButton->setPopupMode(QToolButton::InstantPopup);
    m_axesButton->setAccessibleName(tr("Axes"));
    m_axesButton->setToolTip(tr("Add and remove axes"));
    m_axesButton->setMenu(m_axesMenu);
    connect(m_axesMenu, &QMenu::aboutToShow, this, &CompareParallel::fillAxesMenu);
    m_colour->setAccessibleName(tr("Colour of the lines"));
    m_colour->setToolTip(tr("Colour each line by its run, or by its value on an axis"));
    m_colour->setMinimumWidth(170);
    m_brushes->setToolTip(tr("Remove the brushes of all axes"));
    m_brushes->setEnabled(false);
    m_chart->setTitle(tr("Parallel axes"));
    m_chart->setEmptyText(tr("All of these runs are hidden."));
    auto* bar = makeRow(nullptr, { m_axesButton, m_colour, m_brushes }, {}, 8);
    bar->addWidget(m_words, 1);
    layOutChart(this, bar, scrolledSideways(m_chart, this));
    connect(m_brushes, &QPushButton::clicked, m_chart, &ParallelChart::clearBrushes);
    connect(m_colour, &QComboBox::activated, this,
        [this] { setColour(m_colour->currentData().toString().toStdString()); });
}

void CompareParallel::connectChart()
{
    connect(m_chart, &ParallelChart::brushesChanged, this, &CompareParallel::takeBrushes);
    connect(m_chart, &ParallelChart::axesEdited, this, &CompareParallel::takeEdit);
    connect(m_chart, &ParallelChart::lineClicked, this, &CompareParallel::click);
    connect(m_chart, &ParallelChart::linePointedAt, this, [this](long long key) {
        m_selection.pointAt(key == 0 ? RunSelection::Runs() : RunSelection::Runs { RunId { key } });
    });
    connect(m_chart, &ParallelChart::removeRequested, this,
        [this](const std::string& name) { setAxisShown(name, false); });
    connect(m_chart, &ParallelChart::colourRequested, this,
        [this](const std::string& name) { setColour(name == m_wishes.colour ? "" : name); });
    connect(m_chart, &ParallelChart::pictureRequested, this, &CompareParallel::pictureRequested);
    connect(m_chart, &ParallelChart::menuOpening, this, &CompareParallel::menuOpening);
}

void CompareParallel::connectSelection()
{
    connect(&m_selection, &RunSelection::hiddenChanged, this, &CompareParallel::draw);
    connect(&m_selection, &RunSelection::selectedChanged, this, &CompareParallel::takeSelection);
    connect(&m_selection, &RunSelection::pointedAtChanged, this,
        [this] { m_chart->pointAt(keysOf(m_selection.pointedAt())); });
}

// ---- runs ------------------------------------------------------------------------------------

void CompareParallel::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_background = background;
    draw();
}

void CompareParallel::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    draw();
}

void CompareParallel::setAsking(bool asking)
{
    m_isAsking = asking;
    if (asking && m_isStale)
        draw();
}

void CompareParallel::reset()
{
    m_chart->clearBrushes();
}

void CompareParallel::draw()
{
    if (m_isAsking)
        m_choices = axisChoices(m_runs, m_summaries);
    drawLines();
}

void CompareParallel::drawLines()
{
    m_isStale = !m_isAsking;
    if (m_isStale)
        return;
    const std::vector<RunStyle> styles = stylesIn(styling(), m_runs, m_background);
    std::vector<ParallelLine> lines;
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        lines.push_back({ numberOf(m_runs[i].id), runTitle(m_runs[i]), styles[i].color,
            styles[i].line, m_selection.isShown(m_runs[i].id) });
    m_chart->setData(std::move(lines), wantedAxes(m_choices, m_wishes));
    m_chart->setColourAxis(m_wishes.colour);
    fillColours();
    m_words->setFullText(words());
    if (m_chart->plot().hasBrushes())
        takeBrushes(); // other runs may be within them now
}

QStringList CompareParallel::missingWords() const
{
    QStringList sentences;
    for (const ParallelPlot::Placed& axis : m_chart->plot().axes())
        if (axis.without > 0)
            sentences.append(countedText(static_cast<std::int64_t>(axis.without),
                tr("1 run has no value: %2."), tr("%1 runs have no value: %2."))
                                 .arg(axis.axis.title));
    return sentences;
}

QString CompareParallel::words() const
{
    QStringList sentences;
    const ParallelPlot& plot = m_chart->plot();
    if (plot.hasBrushes())
        sentences.append(tr("%1 of %2 runs are within the brushes.")
                             .arg(plot.brushed().size())
                             .arg(plot.shownLines()));
    if (m_runs.size() > 1 && std::ranges::none_of(m_choices, [](const AxisChoice& each) {
            return each.kind == NumberColumn::Kind::Setting;
        }))
        sentences.append(tr("These runs differ in no setting."));
    return (sentences + missingWords()).join(QLatin1Char(' '));
}

// ---- axes ------------------------------------------------------------------------------------

void CompareParallel::fillAxesMenu()
{
    m_axesMenu->clear();
    using Kind = NumberColumn::Kind;
    for (const Kind kind : std::array { Kind::Setting, Kind::Result, Kind::Cost, Kind::Progress }) {
        auto* const menu = new QMenu(titleOf(kind), m_axesMenu);
        for (const AxisChoice& choice : m_choices) {
            if (choice.kind != kind)
                continue;
            QAction* const action = menu->addAction(choice.axis.title);
            action->setCheckable(true);
            action->setChecked(isWanted(choice, m_wishes));
            connect(action, &QAction::toggled, this,
                [this, name = choice.axis.name](bool on) { setAxisShown(name, on); });
        }
        if (!menu->isEmpty())
            m_axesMenu->addMenu(menu);
        else
            delete menu;
    }
    m_axesMenu->addSeparator();
    m_axesMenu->addAction(tr("Usual axes"), this, [this] {
        m_wishes = {};
        drawLines();
    });
}

void CompareParallel::setAxisShown(const std::string& name, bool shown)
{
    m_wishes.shown[name] = shown;
    drawLines();
}

void CompareParallel::setColour(const std::string& axis)
{
    m_wishes.colour = axis;
    m_chart->setColourAxis(axis);
    fillColours();
}

void CompareParallel::fillColours()
{
    const QSignalBlocker silent(m_colour);
    m_colour->clear();
    m_colour->addItem(tr("Colour: by run"), QString());
    for (const ParallelPlot::Placed& axis : m_chart->plot().axes())
        m_colour->addItem(
            tr("Colour: %1").arg(axis.axis.title), QString::fromStdString(axis.axis.name));
    m_colour->setCurrentIndex(
        std::max(0, m_colour->findData(QString::fromStdString(m_wishes.colour))));
}

void CompareParallel::takeEdit()
{
    m_wishes.order.clear();
    for (const ParallelPlot::Placed& axis : m_chart->plot().axes()) {
        m_wishes.order.push_back(axis.axis.name);
        m_wishes.inverted[axis.axis.name] = axis.axis.isInverted;
        m_wishes.logarithmic[axis.axis.name] = axis.axis.isLogarithmic;
    }
    fillColours();
}

void CompareParallel::restore(const QJsonObject& state)
{
    m_wishes = axisWishesOf(state);
    draw();
}

// ---- selection -------------------------------------------------------------------------------

std::vector<RunId> CompareParallel::brushedRuns() const
{
    std::vector<RunId> runs;
    for (const long long key : m_chart->brushed())
        runs.push_back(RunId { key });
    return runs;
}

void CompareParallel::takeBrushes()
{
    m_brushes->setEnabled(m_chart->plot().hasBrushes());
    m_words->setFullText(words());
    if (!m_select.isActive())
        m_select.start();
}

// Brushes say why runs are selected: they go when others are.
void CompareParallel::takeSelection()
{
    m_chart->setSelected(keysOf(m_selection.selected()));
    if (!m_chart->plot().hasBrushes() || m_selection.selected() == m_brushed)
        return;
    {
        const QSignalBlocker silent(m_chart);
        m_chart->clearBrushes();
    }
    m_select.stop();
    m_brushes->setEnabled(false);
    m_words->setFullText(words());
}

void CompareParallel::click(long long key, bool adds)
{
    RunSelection::Runs runs = adds ? m_selection.selected() : RunSelection::Runs();
    if (key != 0 && std::erase(runs, RunId { key }) == 0)
        runs.push_back(RunId { key });
    m_selection.select(runs);
}

std::vector<std::vector<std::string>> CompareParallel::drawnNumbers() const
{
    const ParallelPlot& plot = m_chart->plot();
    if (plot.axes().empty())
        return {};
    std::vector<std::string> titles { "run", "name", "selected" };
    for (const ParallelPlot::Placed& axis : plot.axes())
        titles.push_back(axis.axis.name);
    std::vector<std::vector<std::string>> table { titles };
    for (std::size_t i = 0; i < plot.lines().size(); ++i) {
        if (!plot.lines()[i].isShown)
            continue;
        const bool isSelected = plot.isDivided() && plot.isBright(i);
        std::vector<std::string>& line = table.emplace_back(std::vector<std::string> {
            std::to_string(plot.lines()[i].key), m_runs[i].name, isSelected ? "true" : "false" });
        for (std::size_t axis = 0; axis < plot.axes().size(); ++axis) {
            const ParallelAxis& of = plot.axes()[axis].axis;
            const double value = of.values[i];
            line.push_back(!std::isfinite(value) ? std::string()
                    : of.categories.isEmpty()
                    ? exactNumber(value)
                    : of.categories.value(static_cast<int>(std::lround(value))).toStdString());
        }
    }
    return table;
}

} // namespace accrue
