// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_peaks.h"

#include <QCheckBox>
#include <QComboBox>

#include "engine/runs/run_keys.h"
#include "ui/models/run_words.h"
#include "ui/relations/number_axis.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <limits>
#include <utility>

namespace accrue {

ComparePeaks::ComparePeaks(RunSelection& selection, QWidget* parent)
    : PointsTab(selection, parent)
    , m_setting(new QComboBox(this))
    , m_logY(new QCheckBox(tr("log y"), this))
{
    for (const PeakSetting each : { PeakSetting::Micro, PeakSetting::Steps, PeakSetting::Norm })
        m_setting->addItem(tr("over %1").arg(settingTitle(each)), static_cast<int>(each));
    m_setting->setAccessibleName(tr("Setting"));
    m_setting->setToolTip(tr("Quantity on the horizontal axis"));
    m_peaks.number = runNumber(kMemoryFilter);
    chart()->setTitle(titleOf(m_peaks));
    chart()->setValueFormatter(formatterOf(m_peaks), PlotAxis::Ticks::Bytes);
    chart()->setXGrowth(Grow::HighOnly); // runs do not change their settings
    chart()->setEmptyText(tr("None of these runs has logged its memory yet."));
    auto* bar = makeRow(nullptr, { m_setting, m_logY, frameButton() }, {}, 12);
    bar->addWidget(notes(), 1);
    layOutChart(this, bar, chart());
    connect(m_setting, &QComboBox::currentIndexChanged, this, &ComparePeaks::reset);
    connect(m_logY, &QCheckBox::toggled, chart(), &ScatterChart::setLogY);
    // The chart's own menu switches its axis, too.
    connect(chart(), &ScatterChart::logYChanged, m_logY, &QCheckBox::setChecked);
    reset();
}

QJsonObject ComparePeaks::state() const
{
    return { { QStringLiteral("over"), m_setting->currentIndex() } };
}

void ComparePeaks::restore(const QJsonObject& state)
{
    m_setting->setCurrentIndex(state[QLatin1String("over")].toInt());
}

PeakSetting ComparePeaks::setting() const
{
    return static_cast<PeakSetting>(m_setting->currentData().toInt());
}

void ComparePeaks::reset()
{
    const PeakSetting over = setting();
    m_places.number.name = settingTitle(over).toStdString();
    // The old points are removed first: their x is not on the new axis.
    chart()->setContent({});
    chart()->setAxisTitles(settingTitle(over), {});
    chart()->setXFormatter([over](double value) { return settingValueText(over, value); },
        isCounted(over) ? PlotAxis::Ticks::Doubling : PlotAxis::Ticks::Round);
    chart()->setLogX(isCounted(over));
    chart()->resetAxes();
    // From 0: the height of a point is compared with another's, and should be in proportion.
    chart()->setYRangeHint(0, std::numeric_limits<double>::quiet_NaN());
    redraw();
}

void ComparePeaks::draw()
{
    m_places.values.clear();
    m_peaks.values.clear();
    for (const RunRecord& run : runs().runs) {
        const std::optional<SeriesPoint> peak = peakOver(setting(), run);
        m_places.values.push_back(peak ? std::optional(peak->x) : std::nullopt);
        m_peaks.values.push_back(peak ? std::optional(peak->y) : std::nullopt);
    }
    const PointColors colors = colorsOfRuns(runs());
    ScatterContent content { pointsOf(runs(), m_places, m_peaks, colors), {}, colors.entries, {} };
    placeBesideEachOther(content.points);
    chart()->setContent(std::move(content));
    notes()->setFullText(missing({ &m_peaks }).join(QLatin1Char(' ')));
}

// Runs with the same setting and nearly the same peak would hide each other. They are moved by
// pixels and not by values, so that axes and hover box remain true.
void ComparePeaks::placeBesideEachOther(std::vector<ScatterPoint>& points)
{
    std::vector<SeriesPoint> places;
    places.reserve(points.size());
    for (const ScatterPoint& point : points)
        places.push_back({ point.x, point.y });
    const std::vector<double> shifts = shiftsOf(places);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].shift = shifts[i];
    // Leaves space beside the outermost points: runs without norm layers would be on the edge of
    // the plot.
    const PeakRange range = rangeOf(setting(), places);
    chart()->setXRangeHint(range.low, range.high);
}

std::vector<std::vector<std::string>> ComparePeaks::drawnNumbers() const
{
    return tableOf({ &m_places, &m_peaks });
}

} // namespace accrue
