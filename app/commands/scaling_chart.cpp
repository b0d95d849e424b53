// SPDX-License-Identifier: Apache-2.0
#include "app/commands/scaling_chart.h"

#include "app/commands/scaling_report.h"
#include "app/text_table.h"
#include "engine/base/format.h"
#include "engine/report/comparison_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <tuple>
#include <utility>

namespace accrue {
namespace {

// Lengths in pixels.
constexpr double kWidth = 380;
constexpr double kHeight = 230;
constexpr double kLeft = 96;
constexpr double kTop = 34;
constexpr double kGap = 26; // below a panel, for the numbers of N
constexpr double kLegendLine = 20;
constexpr int kTicks = 4;

// Those of Okabe and Ito, which people who see few colours tell apart.
constexpr std::array<const char*, 7> kColours { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
    "#56b4e9", "#e69f00", "#1b1f24" };

struct Place {
    double x = 0;
    double y = 0;
};

struct Line {
    std::string name;
    std::string colour;
    bool isDashed = false;
    std::vector<const ScaledWindows*> windows {}; // by N
};

struct Panel {
    std::string title;
    std::function<double(const ScaledWindows&)> valueOf;
    std::function<std::string(double)> textOf;
    double base = 10; // of whose powers the axis has a multiple
};

std::string escaped(const std::string& text)
{
    std::string safe;
    for (const char c : printable(text))
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    return safe;
}

std::string number(double value)
{
    return exactNumber(std::round(10 * value) / 10);
}

std::string textAt(const Place& place, const char* kind, const std::string& text)
{
    return "<text x=\"" + number(place.x) + "\" y=\"" + number(place.y) + "\" class=\"" + kind
        + "\">" + escaped(text) + "</text>\n";
}

std::string stroke(const Place& from, const Place& to, const std::string& kind)
{
    return "<path d=\"M" + number(from.x) + "," + number(from.y) + " L" + number(to.x) + ","
        + number(to.y) + "\" " + kind + "/>\n";
}

std::string styleOf(const Line& line)
{
    return "class=\"line\" stroke=\"" + line.colour + "\""
        + (line.isDashed ? " stroke-dasharray=\"6 4\"" : "");
}

// ---- what is drawn -----------------------------------------------------------------------------

std::vector<const ScaledWindows*> drawn(const std::vector<ScaledWindows>& windows)
{
    std::vector<const ScaledWindows*> all;
    std::vector<const ScaledWindows*> plain;
    for (const ScaledWindows& one : windows) {
        all.push_back(&one);
        if (one.point.sharding == Sharding::None)
            plain.push_back(&one);
    }
    return plain.empty() ? all : plain;
}

std::string nameOf(const ScaledWindows& one)
{
    const std::string devices = "W " + formatCount(one.point.ranks);
    return one.point.ranks == 1
        ? devices
        : devices + ", " + one.link + ", " + wayOf(one.point.everyMicroBatch);
}

// Lines of one number of devices and one link have one colour.
std::vector<Line> linesOf(const std::vector<const ScaledWindows*>& windows)
{
    std::vector<Line> lines;
    std::vector<std::pair<std::int64_t, std::string>> places;
    for (const ScaledWindows* one : windows) {
        const std::pair place(one->point.ranks, one->point.ranks == 1 ? "" : one->link);
        const auto found = std::find(places.begin(), places.end(), place);
        const auto index = static_cast<std::size_t>(found - places.begin());
        if (found == places.end())
            places.push_back(place);
        const std::string name = nameOf(*one);
        auto line = std::find_if(
            lines.begin(), lines.end(), [&](const Line& other) { return other.name == name; });
        if (line == lines.end())
            line = lines.insert(lines.end(),
                { name, kColours.at(index % kColours.size()), one->point.everyMicroBatch });
        line->windows.push_back(one);
    }
    for (Line& line : lines)
        std::sort(line.windows.begin(), line.windows.end(),
            [](const auto* a, const auto* b) { return a->point.steps < b->point.steps; });
    return lines;
}

std::vector<std::int64_t> stepsOf(const std::vector<const ScaledWindows*>& windows)
{
    std::vector<std::int64_t> steps;
    steps.reserve(windows.size());
    for (const ScaledWindows* one : windows)
        steps.push_back(one->point.steps);
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    return steps;
}

std::vector<Panel> panelsOf(const std::vector<ScaledWindows>& all)
{
    const auto percent = [](double share) { return formatNumber(100 * share, 3) + " %"; };
    return { { titleOf(infoOf(MetricId::Throughput)).text(),
                 [](const ScaledWindows& one) { return one.samplesPerSecond; }, formatRate },
        { label("Efficiency"), [&](const ScaledWindows& one) { return efficiencyOf(one, all); },
            percent },
        { label("Communication"),
            [](const ScaledWindows& one) {
                return one.communicationMs / (1000 * one.point.windowSeconds);
            },
            percent },
        { label("Bytes sent"), [](const ScaledWindows& one) { return one.bytes; },
            [](double bytes) { return formatBytes(std::llround(bytes)); }, /*base=*/1024 } };
}

// ---- one panel ---------------------------------------------------------------------------------

// The least round multiple of a power of the base that is not below the value, and of which a
// fourth is round, too.
double roundedUp(double value, double base)
{
    const double power = std::pow(base, std::floor(std::log(value) / std::log(base) + 1e-9));
    const double decimal = std::pow(10, std::floor(std::log10(value / power)));
    for (const double factor : { 1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0 })
        if (value <= factor * decimal * power * (1 + 1e-9))
            return factor * decimal * power;
    return 10 * decimal * power;
}

// From values and steps to pixels.
class Axes {
public:
    Axes(Place corner, std::vector<std::int64_t> steps, double highest)
        : m_corner(corner)
        , m_steps(std::move(steps))
        , m_highest(highest)
    {
    }

    Place at(std::int64_t steps, double value) const
    {
        return { xOf(steps), m_corner.y + kHeight * (1 - value / m_highest) };
    }
    std::string drawn(const Panel& panel) const;

private:
    // By the logarithm of N.
    double xOf(std::int64_t steps) const
    {
        constexpr double kInset = 12; // so that no point is on the edge
        const double first = std::log2(m_steps.front());
        const double range = std::max(1e-9, std::log2(m_steps.back()) - first);
        return m_corner.x + kInset + (kWidth - 2 * kInset) * (std::log2(steps) - first) / range;
    }

    Place m_corner; // the upper left
    std::vector<std::int64_t> m_steps;
    double m_highest;
};

std::string Axes::drawn(const Panel& panel) const
{
    std::string svg = textAt({ m_corner.x + kWidth / 2, m_corner.y - 12 }, "title", panel.title);
    for (int tick = 0; tick <= kTicks; ++tick) {
        const double value = m_highest * tick / kTicks;
        const double y = at(m_steps.front(), value).y;
        svg += stroke({ m_corner.x, y }, { m_corner.x + kWidth, y }, "class=\"grid\"");
        svg += textAt({ m_corner.x - 6, y + 4 }, "value", panel.textOf(value));
    }
    for (const std::int64_t steps : m_steps)
        svg += textAt({ xOf(steps), m_corner.y + kHeight + 16 }, "step", "N " + formatCount(steps));
    return svg;
}

std::string drawnLine(const Line& line, const Panel& panel, const Axes& axes)
{
    std::string path;
    std::string dots;
    for (const ScaledWindows* one : line.windows) {
        const double value = panel.valueOf(*one);
        if (!std::isfinite(value))
            continue;
        const Place place = axes.at(one->point.steps, value);
        path += (path.empty() ? "M" : " L") + number(place.x) + "," + number(place.y);
        dots += "<circle cx=\"" + number(place.x) + "\" cy=\"" + number(place.y)
            + "\" r=\"3\" fill=\"" + line.colour + "\"/>\n";
    }
    return path.empty() ? path : "<path d=\"" + path + "\" " + styleOf(line) + "/>\n" + dots;
}

double highestOf(const std::vector<Line>& lines, const Panel& panel)
{
    double most = 0;
    for (const Line& line : lines)
        for (const ScaledWindows* one : line.windows)
            if (const double value = panel.valueOf(*one); std::isfinite(value))
                most = std::max(most, value);
    return most > 0 ? roundedUp(most, panel.base) : 1;
}

std::string legend(const std::vector<Line>& lines, double top)
{
    std::string svg;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double x = kLeft + (i % 2 == 0 ? 0 : kWidth + kLeft);
        const std::size_t row = i / 2;
        const double y = top + kLegendLine * static_cast<double>(row);
        svg += stroke({ x, y }, { x + 34, y }, styleOf(lines[i]));
        svg += textAt({ x + 42, y + 4 }, "name", lines[i].name);
    }
    return svg;
}

std::string framed(const std::string& content, double height)
{
    const std::string size = number(2 * (kLeft + kWidth) + kGap) + "\" height=\"" + number(height);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size
        + "\" font-family=\"sans-serif\" font-size=\"12\">\n"
          "<!-- Made by accrue scale. -->\n"
          "<style>text{fill:#1b1f24}.title{font-size:14px;text-anchor:middle}"
          ".value{text-anchor:end;fill:#57606a}.step{text-anchor:middle;fill:#57606a}"
          ".grid{stroke:#d0d7de}.line{fill:none;stroke-width:2}</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        + content + "</svg>\n";
}

} // namespace

std::string scalingChart(const std::vector<ScaledWindows>& windows)
{
    const std::vector<const ScaledWindows*> some = drawn(windows);
    const std::vector<Line> lines = linesOf(some);
    const std::vector<Panel> panels = panelsOf(windows);
    std::string svg;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const Place corner { kLeft + (i % 2 == 0 ? 0 : kWidth + kLeft),
            kTop + (i < 2 ? 0 : kHeight + kGap + kTop) };
        const Axes axes(corner, stepsOf(some), highestOf(lines, panels[i]));
        svg += axes.drawn(panels[i]);
        for (const Line& line : lines)
            svg += drawnLine(line, panels[i], axes);
    }
    const double top = 2 * (kTop + kHeight + kGap) + kLegendLine;
    const double rows = std::ceil(static_cast<double>(lines.size()) / 2);
    return framed(svg + legend(lines, top), top + kLegendLine * rows);
}

} // namespace accrue
