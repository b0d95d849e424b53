// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/report_page.h"

#include "engine/base/format.h"
#include "engine/base/language.h"
#include "engine/base/sha.h"
#include "engine/base/shown_text.h"
#include "engine/compare/markup.h"
#include "engine/compare/report_tables.h"
#include "engine/experiment/recipe.h"
#include "engine/runlog/program_version.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace accrue {
namespace {

// A click on a heading sorts its table by that column, a second one the other way round. Cells
// without a number come last in either direction.
constexpr std::string_view kScript = R"js(
"use strict";
function valueOf(row, column) {
  const cell = row.cells[column];
  if (!cell) return null;
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  return cell.classList.contains("number") ? null : cell.textContent;
}
function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}
for (const head of document.querySelectorAll("th")) {
  head.addEventListener("click", () => {
    const table = head.closest("table");
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = Array.from(table.tBodies[0].rows);
    rows.sort((one, other) => {
      const a = valueOf(one, head.cellIndex), b = valueOf(other, head.cellIndex);
      if (a === null || b === null) return (a === null) - (b === null);
      return up ? compare(a, b) : compare(b, a);
    });
    table.tBodies[0].append(...rows);
  });
}
)js";

constexpr std::string_view kStyle = R"css(
:root{--paper:#fff;--ink:#1b1f24;--quiet:#57606a;--rule:#d0d7de;--row:#f6f8fa;--good:#1a7f37;--link:#0969da}
@media (prefers-color-scheme:dark){:root{--paper:#16191d;--ink:#e6e9ec;--quiet:#a1a9b2;--rule:#3a4149;--row:#1d2126;--good:#4ac26b;--link:#4a8fe0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1200px;padding:24px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font-size:24px;margin:0}h2{font-size:18px;margin:32px 0 8px}
.quiet{color:var(--quiet);margin:4px 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:4px 12px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--rule)}
th.number,td.number{text-align:right}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid var(--link)}
th[aria-sort=ascending] button::after{content:" ▲"}th[aria-sort=descending] button::after{content:" ▼"}
tbody tr:hover{background:var(--row)}
td.best{color:var(--good);font-weight:600}
.swatch{margin-right:8px;vertical-align:middle}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:8px}
.legend{display:flex;flex-wrap:wrap;gap:4px 24px;padding:0;list-style:none}
details{border-bottom:1px solid var(--rule);padding:4px 0}summary{cursor:pointer}
pre{overflow-x:auto;background:var(--row);padding:12px;font-size:13px}
li{margin:4px 0}
)css";

std::string base64OfHexadecimal(std::string_view digits)
{
    constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    // Three hexadecimal digits are two letters.
    for (std::size_t i = 0; i < digits.size(); i += 3) {
        std::size_t value = 0;
        for (std::size_t k = i; k < i + 3; ++k)
            value = 16 * value + (k < digits.size() ? kDigits.find(digits[k]) : 0);
        text += kLetters[value / 64];
        text += kLetters[value % 64];
    }
    // 64 digits are 32 bytes: 43 letters and one to fill.
    text.resize(43);
    return text + "=";
}

std::string policy()
{
    return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
        + base64OfHexadecimal(sha256(kScript.data(), kScript.size())) + "'";
}

std::string element(const char* name, const std::string& text, const char* kind = "")
{
    const std::string attribute = *kind == 0 ? "" : std::string(" class=\"") + kind + "\"";
    return std::string("<") + name + attribute + ">" + asMarkup(text) + "</" + name + ">\n";
}

std::string heading(const Message& text)
{
    return element("h2", text.text());
}

// ---- parts -------------------------------------------------------------------------------------

std::string titleOf(const ReportContent& content)
{
    return Message("report.title", { { "count", content.comparison.runs.size() } }).text();
}

std::string head(const ReportContent& content)
{
    std::string id(language().id);
    std::replace(id.begin(), id.end(), '_', '-');
    return "<!DOCTYPE html>\n<html lang=\"" + id
        + "\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
          "content=\""
        + policy()
        + "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + element("title", titleOf(content)) + "<style>" + std::string(kStyle) + chartStyle()
        + "</style>\n</head>\n";
}

std::string introduction(const ReportContent& content)
{
    const std::string made = localTime(content.madeMs / 1000, "%Y-%m-%d %H:%M");
    return element("h1", titleOf(content))
        + element("p",
            Message("report.made",
                { { "version", programVersion() }, { "date", made }, { "file", content.file } })
                .text(),
            "quiet");
}

std::string sentences(const ReportContent& content)
{
    std::string items;
    for (const Message& each : sentencesOf(content.summary))
        items += element("li", each.text());
    std::string html = items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
    if (const Message warning = warningOf(content.summary); !warning.empty())
        html += element("p", warning.text(), "quiet");
    return html;
}

std::string groups(const ReportContent& content, const ReportLooks& looks)
{
    if (content.summary.groups.groups.size() < 2)
        return {};
    return heading(Message("report.groups_title")) + groupTable(content, looks).render()
        + sentences(content);
}

std::string equivalence(const ReportContent& content)
{
    const auto& found = content.comparison.equivalence;
    return found && found->verdict != Equivalence::Verdict::NotComparable
        ? element("p", found->sentence.text())
        : "";
}

std::string legendItem(const RunLook& look, const std::string& name)
{
    return "<li>" + svgOfSwatch(look) + asMarkup(name) + "</li>\n";
}

std::string legend(const ReportContent& content, const ReportLooks& looks)
{
    std::string items;
    if (looks.byGroup)
        for (const RunGroup& group : content.summary.groups.groups)
            items += legendItem(looks.ofRuns[group.runs.front()], group.name.text());
    else
        for (std::size_t run = 0; run < looks.ofRuns.size(); ++run) {
            const std::string group = content.summary.groups.groups[looks.groupOf[run]].name.text();
            const std::string name = reportName(content.comparison.runs[run]);
            items += legendItem(looks.ofRuns[run], group.empty() ? name : name + ": " + group);
        }
    std::string html = "<ul class=\"legend\">\n" + items + "</ul>\n";
    if (looks.byGroup)
        html += element("p", Message("report.bands").text(), "quiet");
    return html;
}

// What runs are judged by, and what they cost; everything else is folded.
bool isShownAtFirst(const MetricInfo& metric)
{
    return metric.section == MetricSection::Evaluation || metric.section == MetricSection::Elsewhere
        || metric.id == MetricId::Loss || metric.id == MetricId::Throughput
        || metric.id == MetricId::PeakBytes;
}

std::string charts(const ReportContent& content, const ReportLooks& looks)
{
    std::string first;
    std::string others;
    for (const ReportCurves& curves : content.curves)
        (isShownAtFirst(curves.metric) ? first : others) +=
            "<div>" + svgOfPanel(chartOf(curves, content, looks)) + "</div>\n";
    if (first.empty() && others.empty())
        return {};
    std::string html = heading(Message("report.curves")) + legend(content, looks);
    if (!first.empty())
        html += "<div class=\"charts\">\n" + first + "</div>\n";
    if (!others.empty())
        html += "<details" + std::string(first.empty() ? " open" : "") + ">\n"
            + element("summary", Message("report.more_curves").text()) + "<div class=\"charts\">\n"
            + others + "</div>\n</details>\n";
    return html;
}

std::string importance(const ReportContent& content)
{
    if (content.summary.importance.size() < 2)
        return {};
    return heading(Message("report.importance"))
        + element("p",
            Message("groups.importance", { { "number", content.summary.number.title } }).text(),
            "quiet")
        + importanceTable(content).render() + element("p", content.summary.explained.text());
}

Message programOf(const RunRecord& run)
{
    if (!hasRecipe(run))
        return Message("report.no_recipe");
    return Message("report.program",
        { { "version", run.programVersion }, { "revision", run.codeRevision },
            { "torch", run.torchVersion } });
}

// A line each; a key or a text of another program may have line breaks.
std::string textOfSettings(const Settings& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
        text += madeOneLine(key) + " = " + madeOneLine(settingText(value)) + "\n";
    return text;
}

std::string recipeOf(const RunRecord& run)
{
    std::string html = "<details>\n" + element("summary", reportName(run));
    if (!run.note.empty())
        html += "<p>" + linesAsMarkup(run.note) + "</p>\n";
    html += element("p", programOf(run).text(), "quiet");
    const std::string text =
        hasRecipe(run) ? writeRecipe(run.experiment) : textOfSettings(run.settings);
    return html + "<pre>" + linesAsMarkup(text) + "</pre>\n</details>\n";
}

std::string recipes(const ReportContent& content)
{
    std::string html = heading(Message("report.recipes"));
    for (const RunRecord& run : content.comparison.runs)
        html += recipeOf(run);
    return html;
}

} // namespace

std::string reportPage(const ReportContent& content)
{
    const ReportLooks looks = reportLooks(content);
    return head(content) + "<body>\n" + introduction(content) + groups(content, looks)
        + equivalence(content) + charts(content, looks) + heading(Message("report.runs"))
        + runTable(content, looks).render() + heading(Message("report.results"))
        + resultTable(content, looks).render() + importance(content) + recipes(content) + "<script>"
        + std::string(kScript) + "</script>\n</body>\n</html>\n";
}

} // namespace accrue
