// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/window_drawing.h"

#include "ui/models/format.h"
#include "ui/models/memory_words.h"
#include "ui/widgets/phase_color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

// sawToothOf() (ui/models) computes what was live at each point. Here it gets the titles, colours
// and places of a chart, the same for every window, so that two windows can be compared by eye.

namespace accrue {

namespace {

// The colour that the phase has on the Train page.
QColor colorOf(MemoryPhase phase)
{
    constexpr std::array kPhases { Phase::Data, Phase::Forward, Phase::Backward, Phase::Optimizer,
        Phase::Evaluation }; // by MemoryPhase
    return phaseColor(kPhases.at(static_cast<std::size_t>(phase)));
}

// A band has the width 1, whatever time its phase took: an evaluation of seconds would leave no
// pixel for the forward passes of milliseconds.
std::vector<ChartBand> bandsOf(const MemoryMeasured& window)
{
    std::vector<ChartBand> bands;
    bands.reserve(window.phases.size());
    double x = 0;
    for (const PhaseMemory& phase : window.phases) {
        const auto [title, letter] = phaseWords(phase.phase);
        bands.push_back({ x, x + 1, title, letter, colorOf(phase.phase) });
        x += 1;
    }
    return bands;
}

template <typename Bytes> std::vector<double> valuesOf(const SawTooth& curve, Bytes bytes)
{
    std::vector<double> values;
    values.reserve(curve.size());
    for (const SawToothPoint& point : curve)
        values.push_back(static_cast<double>(bytes(point)));
    return values;
}

// The areas of a window, in bytes.
std::vector<ChartArea> areasOf(const SawTooth& curve, Background background)
{
    std::vector<ChartArea> areas;
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        areas.push_back({ categoryTitle(category), categoryMeaning(category),
            categoryColor(category, background), /*faint=*/false,
            valuesOf(curve, [i](const SawToothPoint& point) { return point.bytes.at(i); }) });
    }
    // On top and faint: neither is live memory of the run, but both reduce what the device has
    // left.
    areas.push_back({ Ui::tr("Cached"),
        Ui::tr("Cached: device memory that the allocator holds for reuse but does not use now; it "
               "adds to the live memory."),
        categoryColor(MemoryCategory::Workspace, background), /*faint=*/true,
        valuesOf(curve, [](const SawToothPoint& point) { return point.cachedBytes; }) });
    areas.push_back({ Ui::tr("Others"),
        Ui::tr("Others: device memory used by CUDA itself and by other programs; it is not "
               "available to this run."),
        categoryColor(MemoryCategory::DataSet, background), /*faint=*/true,
        valuesOf(curve, [](const SawToothPoint& point) { return point.otherBytes; }) });
    return areas;
}

bool isConstant(const ChartArea& area)
{
    return std::all_of(area.values.begin(), area.values.end(),
        [&](double value) { return value == area.values.front(); });
}

// Removes the areas that are the same throughout, and returns their bytes.
std::int64_t leaveOutConstant(std::vector<ChartArea>& areas)
{
    // Faint areas do not count: the caption states what is left out of the sum, and they are not
    // part of it.
    double bytes = 0;
    for (const ChartArea& area : areas)
        if (isConstant(area) && !area.values.empty() && !area.faint)
            bytes += area.values.front();
    std::erase_if(areas, isConstant);
    return std::llround(bytes);
}

// A curve has three points for each phase (SawTooth).
std::vector<AreaContent::Point> pointsOf(const SawTooth& curve, const MemoryMeasured& window)
{
    const std::array places { Ui::tr("begin"), Ui::tr("peak"), Ui::tr("end") };
    std::vector<AreaContent::Point> points;
    for (std::size_t i = 0; i < curve.size(); ++i)
        points.push_back({ curve[i].x,
            Ui::tr("%1: %2").arg(
                phaseText(window.phases.at(i / places.size())), places.at(i % places.size())) });
    return points;
}

} // namespace

WindowDrawing drawingOf(const MemoryMeasured& window, bool onlyChanging, Background background)
{
    const SawTooth curve = sawToothOf(window);
    WindowDrawing drawing;
    AreaContent& content = drawing.content;
    content.points = pointsOf(curve, window);
    content.bands = bandsOf(window);
    content.areas = areasOf(curve, background);
    drawing.leftOutBytes = onlyChanging ? leaveOutConstant(content.areas) : 0;
    return drawing;
}

} // namespace accrue
