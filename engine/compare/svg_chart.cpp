// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/svg_chart.h"

#include "engine/base/format.h"
#include "engine/compare/chart_scale.h"
#include "engine/compare/markup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace accrue {
namespace {

// Lengths in pixels.
constexpr double kWidth = 380; // of the plot
constexpr double kHeight = 230;
constexpr double kLeft = 96; // for the numbers of y
constexpr double kTop = 34; // for the title
constexpr double kBottom = 26; // for the numbers of x
constexpr double kAxisTitle = 18;
constexpr double kInset = 12; // so that no point is on the edge
constexpr double kLegendLine = 20;

struct Place {
    double x = 0;
    double y = 0;
};

std::string number(double value)
{
    return exactNumber(std::round(10 * value) / 10 + 0.0); // never -0
}

std::string textAt(const Place& place, const char* kind, const std::string& text)
{
    return "<text x=\"" + number(place.x) + "\" y=\"" + number(place.y) + "\" class=\"" + kind
        + "\">" + asMarkup(text) + "</text>\n";
}

std::string stroke(const Place& from, const Place& to, const std::string& kind)
{
    return "<path d=\"M" + number(from.x) + "," + number(from.y) + " L" + number(to.x) + ","
        + number(to.y) + "\" " + kind + "/>\n";
}

std::string hueName(std::size_t hue)
{
    return "hue" + std::to_string(hue);
}

// Many points are noise, of which thick lines make one area.
std::string kindOf(const ChartLine& line)
{
    if (line.isFaint)
        return " thin faint";
    return line.points.size() > 200 ? " thin" : "";
}

std::string styleOf(const RunLook& look, const std::string& more = {})
{
    static constexpr std::array<const char*, kLineKinds> kDashes { "", "6 4", "2 3", "8 3 2 3" };
    const std::string dashes = kDashes.at(static_cast<std::size_t>(look.line));
    return "class=\"line " + hueName(look.hue) + more + "\""
        + (dashes.empty() ? "" : " stroke-dasharray=\"" + dashes + "\"");
}

std::string textOf(const ChartAxis& axis, double value)
{
    return axis.text ? axis.text(value) : formatNumber(value);
}

std::vector<double> valuesOf(const ChartPanel& panel, double SeriesPoint::*axis)
{
    std::vector<double> values;
    for (const ChartLine& line : panel.lines)
        for (const SeriesPoint& point : line.points)
            values.push_back(point.*axis);
    return values;
}

// A panel whose plot begins at a corner.
class Plot {
public:
    Plot(const ChartPanel& panel, Place corner)
        : m_panel(panel)
        , m_corner(corner)
        , m_x(panel.x, valuesOf(panel, &SeriesPoint::x))
        , m_y(panel.y, valuesOf(panel, &SeriesPoint::y))
    {
    }

    std::string drawn() const
    {
        std::string svg = frame();
        for (const ChartLine& line : m_panel.lines)
            svg += drawnBand(line);
        for (const ChartLine& line : m_panel.lines)
            svg += drawnLine(line);
        return svg;
    }

private:
    double xOf(double value) const
    {
        return m_corner.x + kInset + (kWidth - 2 * kInset) * m_x.shareOf(value);
    }
    double yOf(double value) const { return m_corner.y + kHeight * (1 - m_y.shareOf(value)); }
    bool canShow(const SeriesPoint& point) const
    {
        return m_x.canShow(point.x) && m_y.canShow(point.y);
    }
    std::string frame() const;
    std::string drawnBand(const ChartLine& line) const;
    std::string drawnLine(const ChartLine& line) const;
    double yWithin(double value) const;
    std::string pathOf(const ChartLine& line) const;

    const ChartPanel& m_panel;
    Place m_corner; // the upper left
    ChartScale m_x;
    ChartScale m_y;
};

std::string Plot::frame() const
{
    const double right = m_corner.x + kWidth;
    const double bottom = m_corner.y + kHeight;
    std::string svg = textAt({ m_corner.x + kWidth / 2, m_corner.y - 12 }, "title", m_panel.title);
    for (const double tick : m_y.ticks()) {
        const double y = yOf(tick);
        svg += stroke({ m_corner.x, y }, { right, y }, "class=\"grid\"");
        svg += textAt({ m_corner.x - 6, y + 4 }, "value", textOf(m_panel.y, tick));
    }
    for (const double tick : m_x.ticks())
        svg += textAt({ xOf(tick), bottom + 16 }, "step", textOf(m_panel.x, tick));
    if (!m_panel.x.title.empty())
        svg +=
            textAt({ m_corner.x + kWidth / 2, bottom + 16 + kAxisTitle }, "step", m_panel.x.title);
    return svg;
}

// A point between two that cannot be shown is a dash of no length, which round ends make visible.
std::string Plot::pathOf(const ChartLine& line) const
{
    std::string path;
    bool isBroken = true;
    for (const SeriesPoint& point : line.points) {
        if (!canShow(point)) {
            isBroken = true;
            continue;
        }
        const std::string place = number(xOf(point.x)) + "," + number(yOf(point.y));
        path += isBroken ? (path.empty() ? "M" : " M") + place + " L" + place : " L" + place;
        isBroken = false;
    }
    return path;
}

// What a logarithmic axis cannot show is below it.
double Plot::yWithin(double value) const
{
    const double bottom = m_corner.y + kHeight;
    return m_y.canShow(value) ? std::clamp(yOf(value), m_corner.y, bottom) : bottom;
}

std::string Plot::drawnBand(const ChartLine& line) const
{
    std::string there;
    std::string back;
    for (const ChartInterval& at : line.band)
        if (m_x.canShow(at.x) && !std::isnan(at.low) && !std::isnan(at.high)) {
            const std::string x = number(xOf(at.x)) + ",";
            there += (there.empty() ? "M" : " L") + x + number(yWithin(at.low));
            back = " L" + x + number(yWithin(at.high)) + back;
        }
    return there.empty()
        ? there
        : "<path d=\"" + there + back + " Z\" class=\"band " + hueName(line.look.hue) + "\"/>\n";
}

std::string Plot::drawnLine(const ChartLine& line) const
{
    const std::string path = pathOf(line);
    if (path.empty())
        return path;
    std::string svg = "<path d=\"" + path + "\" " + styleOf(line.look, kindOf(line)) + "><title>"
        + asMarkup(line.name) + "</title></path>\n";
    if (line.hasDots)
        for (const SeriesPoint& point : line.points)
            if (canShow(point))
                svg += "<circle cx=\"" + number(xOf(point.x)) + "\" cy=\"" + number(yOf(point.y))
                    + "\" r=\"3\" class=\"dot " + hueName(line.look.hue) + "\"/>\n";
    return svg;
}

std::string legendOf(const std::vector<ChartLine>& lines, double top)
{
    std::string svg;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const double x = kLeft + (i % 2 == 0 ? 0 : kWidth + kLeft);
        const std::size_t row = i / 2;
        const double y = top + kLegendLine * static_cast<double>(row);
        svg += stroke({ x, y }, { x + 34, y }, styleOf(lines[i].look));
        svg += textAt({ x + 42, y + 4 }, "name", lines[i].name);
    }
    return svg;
}

// Colours without variables, which few programs but browsers know.
struct Ink {
    const char* paper;
    const char* text;
    const char* quiet;
    const char* rule;
    std::uint32_t SeriesHue::*hue;
};
constexpr Ink kLight { "#ffffff", "#1b1f24", "#57606a", "#d0d7de", &SeriesHue::onLight };
constexpr Ink kDark { "#16191d", "#e6e9ec", "#a1a9b2", "#3a4149", &SeriesHue::onDark };

std::string coloursOf(const Ink& ink)
{
    std::string rules = std::string("svg text{fill:") + ink.text + "}svg .value,svg .step{fill:"
        + ink.quiet + "}svg .grid{stroke:" + ink.rule + "}svg .paper{fill:" + ink.paper + "}";
    for (std::size_t i = 0; i < kSeriesHues.size(); ++i) {
        const std::string colour = cssColour(kSeriesHues.at(i).*ink.hue);
        rules += "svg .line." + hueName(i) + "{stroke:" + colour + "}svg .dot." + hueName(i)
            + ",svg .band." + hueName(i) + "{fill:" + colour + "}";
    }
    return rules + "\n";
}

} // namespace

std::string chartStyle()
{
    return "svg text{font-family:sans-serif;font-size:12px}"
           "svg .title{font-size:14px;text-anchor:middle}"
           "svg .value{text-anchor:end}svg .step{text-anchor:middle}"
           "svg .line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
           "svg .thin{stroke-width:1}svg .faint{opacity:0.4}svg .band{opacity:0.18}\n"
        + coloursOf(kLight) + "@media (prefers-color-scheme:dark){" + coloursOf(kDark) + "}";
}

std::string svgOfPanel(const ChartPanel& panel)
{
    const double height = kTop + kHeight + kBottom + (panel.x.title.empty() ? 0 : kAxisTitle);
    const std::string size = number(kLeft + kWidth + kInset) + " " + number(height);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + "\" role=\"img\" "
        + "aria-label=\"" + asMarkup(panel.title) + "\">\n" + Plot(panel, { kLeft, kTop }).drawn()
        + "</svg>\n";
}

std::string svgOfSwatch(const RunLook& look)
{
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"swatch\" width=\"36\" height=\"10\" "
           "aria-hidden=\"true\">"
        + stroke({ 1, 5 }, { 35, 5 }, styleOf(look)) + "</svg>";
}

std::string svgFile(const std::vector<ChartPanel>& panels, const std::vector<ChartLine>& legend,
    const std::string& madeBy)
{
    std::string drawn;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const std::size_t row = i / 2;
        drawn += Plot(panels[i],
            { kLeft + (i % 2 == 0 ? 0 : kWidth + kLeft),
                kTop + static_cast<double>(row) * (kHeight + kBottom + kTop) })
                     .drawn();
    }
    const double rows = std::ceil(static_cast<double>(panels.size()) / 2);
    const double top = rows * (kTop + kHeight + kBottom) + kLegendLine;
    const double height = top + kLegendLine * std::ceil(static_cast<double>(legend.size()) / 2);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
        + number(2 * (kLeft + kWidth) + kBottom) + "\" height=\"" + number(height) + "\">\n<desc>"
        + asMarkup(madeBy) + "</desc>\n<style>" + chartStyle()
        + "</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n" + drawn
        + legendOf(legend, top) + "</svg>\n";
}

} // namespace accrue
