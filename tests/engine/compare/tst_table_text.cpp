// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/table_text.h"

#include "tests/engine/compare/seeded_runs.h"

#include <algorithm>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;
using Texts = std::vector<std::string>;

namespace {

const std::string kHostile = R"(a & b %_#${}~^\ | [x] *y* `z` <t>)";

ComparisonTable hostileTable()
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].name = kHostile;
    runs[1].name = "[1]*";
    runs[1].experiment.model.norm = Norm::Group;
    const std::vector<RunSummaries> summaries {
        { RunId { 1 }, { { "test_accuracy", 0.95, 0.95, 10, 0.3, 0.95 } }, {} },
        { RunId { 2 }, { { "test_accuracy", 0.97, 0.97, 20, 0.3, 0.97 } }, {} }
    };
    return comparisonTable(runs, summaries, {}, { .baseline = RunId { 1 } });
}

// What TeX makes of a cell, by its own rules and not by the program's table: the text that a reader
// sees. Fails on whatever TeX would refuse or take as something else.
class TexReader {
public:
    explicit TexReader(std::string text)
        : m_text(std::move(text))
    {
    }

    // Lines of cells between \midrule and \bottomrule, with the line of titles before them.
    std::vector<Texts> lines()
    {
        std::vector<Texts> all { { "" } };
        int depth = 0;
        for (m_at = 0; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '\\') {
                if (!command(all))
                    return {};
            } else if (c == '{') {
                ++depth;
            } else if (c == '}') {
                if (--depth < 0)
                    return {};
            } else if (c == '&') {
                if (depth != 0)
                    return {};
                all.back().emplace_back();
            } else if (c == '$') {
                m_isMath = !m_isMath;
            } else if (c == '%' || c == '#' || c == '^' || c == '_') {
                return {}; // a comment, an argument, a superscript, a subscript
            } else if (c != '\n') {
                all.back().back() += c == '~' ? ' ' : c;
            }
        }
        all.pop_back(); // after the last line's end
        return depth == 0 && !m_isMath ? all : std::vector<Texts> {};
    }

private:
    bool command(std::vector<Texts>& all)
    {
        static const std::vector<std::pair<std::string, std::string>> kWords {
            { "textbackslash", "\\" }, { "textasciitilde", "~" }, { "textasciicircum", "^" },
            { "textless", "<" }, { "textgreater", ">" }, { "textbar", "|" }, { "dag", "†" },
            { "dots", "…" }, { "pm", "±" }, { "times", "×" }, { "textbf", "" }, { "midrule", "" }
        };
        const char next = m_text[++m_at];
        if (next == '\\') {
            // An end of a line takes * and [...] after it, also those in the next line.
            std::size_t after = m_at + 1;
            while (after < m_text.size() && (m_text[after] == '\n' || m_text[after] == ' '))
                ++after;
            if (after < m_text.size() && (m_text[after] == '*' || m_text[after] == '['))
                return false;
            all.push_back({ "" });
            return true;
        }
        if (std::string("&%$#_{}").find(next) != std::string::npos) {
            all.back().back() += next;
            return true;
        }
        if (next == ',') {
            all.back().back() += ' ';
            return true;
        }
        std::size_t end = m_at;
        while (end < m_text.size() && std::isalpha(static_cast<unsigned char>(m_text[end])))
            ++end;
        const std::string word = m_text.substr(m_at, end - m_at);
        const auto known = std::find_if(
            kWords.begin(), kWords.end(), [&](const auto& each) { return each.first == word; });
        if (known == kWords.end())
            return false;
        all.back().back() += known->second;
        m_at = end - 1;
        return true;
    }

    const std::string m_text;
    std::size_t m_at = 0;
    bool m_isMath = false;
};

// Of the tabular, with its frame checked.
std::vector<Texts> readTex(const std::string& text)
{
    const std::size_t begin = text.find("\\toprule\n");
    const std::size_t end = text.find("\\bottomrule\n\\end{tabular}\n");
    if (begin == std::string::npos || end == std::string::npos)
        return {};
    return TexReader(text.substr(begin + 9, end - begin - 9)).lines();
}

std::string trimmed(const std::string& text)
{
    return QString::fromStdString(text).trimmed().toStdString();
}

// Cells of a line of Markdown: | that are not escaped divide them.
Texts readMarkdown(const std::string& line)
{
    Texts cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) {
            cell += line[++i];
        } else if (line[i] == '|') {
            cells.push_back(trimmed(cell));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return cells;
}

} // namespace

class TestTableText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void latexSaysTheSameWhateverANameContains()
    {
        const std::string text = latexTable(hostileTable(), false);
        QVERIFY(text.find("\\begin{tabular}{lrr}\n\\toprule\n") != std::string::npos);
        const auto lines = readTex(text);
        const TextLines shown = shownLines(hostileTable(), false);
        QCOMPARE(lines.size(), shown.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            QCOMPARE(lines[i].size(), std::size_t { 3 });
            for (std::size_t column = 0; column < 3; ++column) {
                std::string wanted = shown[i][column];
                for (const auto& [sign, plain] :
                    { std::pair<std::string, std::string> { "−", "-" }, { "–", "--" } })
                    if (const auto at = wanted.find(sign); at != std::string::npos)
                        wanted.replace(at, sign.size(), plain);
                QCOMPARE(trimmed(lines[i][column]), wanted);
            }
        }
        QVERIFY(text.find("\\textbf{97.00 \\% at 20 (+2.00)}") != std::string::npos);
    }

    void aTransposedTableHasALineForEachRun()
    {
        const auto lines = readTex(latexTable(hostileTable(), true));
        QCOMPARE(lines.size(), std::size_t { 3 });
        QCOMPARE(trimmed(lines[2][0]), std::string("[1]* #2"));
        QCOMPARE(lines[1].size(), hostileTable().rows.size() + 1);
    }

    void markdownKeepsItsColumns()
    {
        const QStringList lines = QString::fromStdString(markdownTable(hostileTable(), false))
                                      .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines[1], QStringLiteral("|---|--:|--:|"));
        QCOMPARE(readMarkdown(lines[0].toStdString()), (Texts { "", kHostile + " #1", "[1]* #2" }));
        for (const QString& line : lines)
            QCOMPARE(readMarkdown(line.toStdString()).size(), std::size_t { 3 });
        QVERIFY(
            lines.join(QLatin1Char('\n')).contains(QStringLiteral("**97.00 % at 20 (+2.00)** |")));
    }

    void exactLinesHaveKeysNumbersAndDifferences()
    {
        const TextLines lines = exactLines(hostileTable(), false);
        QCOMPARE(lines[0], (Texts { "key", kHostile + " #1", "[1]* #2" }));
        const auto lineOf = [&](const std::string& title) {
            const auto found = std::find_if(lines.begin(), lines.end(),
                [&](const Texts& line) { return line.front() == title; });
            return found != lines.end() ? *found : Texts {};
        };
        QCOMPARE(lineOf("model.norm"), (Texts { "model.norm", "none", "group" }));
        QCOMPARE(lineOf("Test accuracy, best"), (Texts { "Test accuracy, best", "0.95", "0.97" }));
        QCOMPARE(lineOf("Test accuracy, best, step"),
            (Texts { "Test accuracy, best, step", "10", "20" }));
        const Texts difference = lineOf("Test accuracy, best, difference to the baseline");
        QCOMPARE(difference.size(), std::size_t { 3 });
        QCOMPARE(difference[1], std::string());
        QVERIFY(std::abs(std::stod(difference[2]) - 0.02) < 1e-12);
        QCOMPARE(exactLines(hostileTable(), true)[0].size(), lines.size());
    }

    void exactLinesOfGroupsHaveIntervalsAndCounts()
    {
        const std::vector<RunRecord> runs = seededRuns();
        std::vector<RunSummaries> summaries;
        summaries.reserve(runs.size());
        for (const RunRecord& run : runs)
            summaries.push_back(
                { run.id, { { "loss", 1 - *run.bestTestAccuracy, 0.5, 1, 0.5, 1 } }, {} });
        const TextLines lines = exactLines(
            comparisonTable(runs, summaries, {}, { .isGrouped = true, .keys = { "norm" } }), false);
        QCOMPARE(lines[0], (Texts { "key", "BatchNorm (n = 10)", "GroupNorm (n = 10)" }));
        const auto has = [&](const std::string& title) {
            return std::any_of(lines.begin(), lines.end(),
                [&](const Texts& line) { return line.front() == title && !line[1].empty(); });
        };
        QVERIFY(has("Loss, final, half of the 95 % interval"));
        QVERIFY(has("Loss, final, n"));
    }

    void tabsAndLineBreaksWithinACellAreBlanks()
    {
        QCOMPARE(tabSeparated({ { "a\tb", "c\nd" }, { "", "e" } }), std::string("a b\tc d\n\te\n"));
    }
};

QTEST_GUILESS_MAIN(TestTableText)
#include "tst_table_text.moc"
