// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/run_styling.h"

#include "engine/compare/run_looks.h"
#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/models/key_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace accrue {

namespace {

using Value = RunGroupKey::Value;

constexpr std::size_t kHues = kSeriesHues.size();
constexpr Qt::PenStyle kMixedLine = Qt::DashDotDotLine; // of a group whose runs differ

std::size_t countOf(const std::vector<Value>& values)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [](const Value& value) { return !value.text.empty(); }));
}

// What a run or group has of a key: a value, or several.
using Seen = std::optional<Value>;

// A key as colours.
class KeyColors {
public:
    KeyColors(const RunGroupKey& key, Background background)
        : m_background(background)
        , m_values(distinctValues(key))
        , m_isScale(countOf(m_values) > kHues)
    {
        if (!m_isScale)
            return;
        std::vector<double> numbers;
        for (const Value& value : m_values)
            if (value.number)
                numbers.push_back(*value.number);
        const auto [low, high] = std::ranges::minmax(numbers);
        m_scale = { low, high, areFarApart(low, high) };
    }

    QColor of(const Seen& seen) const
    {
        if (!seen || seen->text.empty())
            return kNoValueColor;
        return m_isScale ? shareColor(m_scale.shareOf(*seen->number), m_background)
                         : valueColor(m_values, *seen, m_background);
    }

    void describe(StyleKey& key, const QString& title) const
    {
        if (m_isScale)
            key.scale = ScatterScale { m_scale.isLogarithmic ? Ui::tr("%1 (logarithmic)").arg(title)
                                                             : title,
                numberText(m_scale.low), numberText(m_scale.high), scaleColors(m_background) };
        for (const Value& value : m_values)
            if (!m_isScale || value.text.empty())
                key.colors.push_back({ valueText(value), of(value) });
    }

private:
    Background m_background;
    std::vector<Value> m_values;
    bool m_isScale;
    ValueScale m_scale;
};

// A key as kinds of lines.
class KeyLines {
public:
    explicit KeyLines(const RunGroupKey& key)
        : m_values(distinctValues(key))
    {
    }

    Qt::PenStyle of(const Seen& seen) const
    {
        if (!seen)
            return kMixedLine;
        const auto at = std::ranges::find(m_values, *seen) - m_values.begin();
        return seriesLine(static_cast<std::size_t>(at));
    }

    void describe(StyleKey& key, Background background) const
    {
        const QColor plain = QColor::fromRgb(background == Background::Dark ? 0xc8ccd2 : 0x4a5058);
        for (const Value& value : m_values)
            key.lines.push_back({ valueText(value), plain, of(value) });
    }

private:
    std::vector<Value> m_values;
};

const RunGroupKey* keyNamed(const std::vector<RunGroupKey>& keys, const std::string& name)
{
    const auto found = std::ranges::find(keys, name, &RunGroupKey::name);
    return found != keys.end() ? &*found : nullptr;
}

Seen seenIn(const CurveGroup& group, const RunGroupKey& key)
{
    const Value& first = key.values[group.runs.front()];
    const bool areAlike =
        std::ranges::all_of(group.runs, [&](std::size_t run) { return key.values[run] == first; });
    return areAlike ? Seen(first) : std::nullopt;
}

// The styles of one comparison, while they are made.
class Styling {
public:
    Styling(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups,
        const StyleChoice& choice, Background background)
        : m_groups(groups)
        , m_background(background)
        , m_keys(stylingKeys(runs))
    {
        const RunGroupKey* const color = keyNamed(m_keys, choice.colorBy);
        const RunGroupKey* const line = keyNamed(m_keys, choice.lineBy);
        m_color = color != nullptr && colorProblem(*color).isEmpty() ? color : nullptr;
        m_line = line != nullptr && lineProblem(*line).isEmpty() ? line : nullptr;
        m_styling.ofRuns = stylesOf(runs, background);
        m_styling.groupOf.resize(runs.size());
        for (const CurveGroup& group : groups) {
            for (const std::size_t run : group.runs)
                m_styling.groupOf[run] = m_styling.ofGroups.size();
            m_styling.ofGroups.push_back(m_styling.ofRuns[group.runs.front()]);
        }
    }

    RunStyling take()
    {
        if (m_color != nullptr)
            useColors();
        if (m_line != nullptr)
            useLines();
        if (m_color != nullptr && m_line == nullptr)
            separateByLines();
        if (m_line != nullptr && m_color == nullptr)
            separateByColors();
        return std::move(m_styling);
    }

private:
    void useColors()
    {
        const KeyColors colors(*m_color, m_background);
        for (std::size_t run = 0; run < m_styling.ofRuns.size(); ++run)
            m_styling.ofRuns[run].color = colors.of(m_color->values[run]);
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            m_styling.ofGroups[i].color = colors.of(seenIn(m_groups[i], *m_color));
        colors.describe(m_styling.key, groupingLabel(m_color->name));
        if (hasMixed(*m_color))
            m_styling.key.colors.push_back({ Ui::tr("several values"), kNoValueColor });
    }

    void useLines()
    {
        const KeyLines lines(*m_line);
        for (std::size_t run = 0; run < m_styling.ofRuns.size(); ++run)
            m_styling.ofRuns[run].line = lines.of(m_line->values[run]);
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            m_styling.ofGroups[i].line = lines.of(seenIn(m_groups[i], *m_line));
        lines.describe(m_styling.key, m_background);
        if (hasMixed(*m_line))
            m_styling.key.lines.push_back(
                { Ui::tr("several values"), m_styling.key.lines.front().color, kMixedLine });
        if (m_line == m_color)
            joinEntries();
    }

    // One key has both: an entry for each value.
    void joinEntries()
    {
        StyleKey& key = m_styling.key;
        for (std::size_t i = 0; i < key.colors.size() && i < key.lines.size(); ++i)
            key.colors[i].line = key.lines[i].line;
        key.lines.clear();
    }

    bool hasMixed(const RunGroupKey& key) const
    {
        return std::ranges::any_of(
            m_groups, [&](const CurveGroup& group) { return !seenIn(group, key); });
    }

    // In the order of the list, within a colour.
    void separateByLines()
    {
        std::map<QRgb, std::size_t> used;
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            m_styling.ofGroups[i].line = seriesLine(used[m_styling.ofGroups[i].color.rgb()]++);
        for (std::size_t i = 0; i < m_groups.size(); ++i)
            for (const std::size_t run : m_groups[i].runs)
                m_styling.ofRuns[run].line = m_styling.ofGroups[i].line;
    }

    // Their own hue if it is free, within a kind of line.
    void separateByColors()
    {
        std::map<Qt::PenStyle, std::vector<QRgb>> used;
        for (std::size_t i = 0; i < m_groups.size(); ++i) {
            RunStyle& style = m_styling.ofGroups[i];
            std::vector<QRgb>& taken = used[style.line];
            const auto isTaken = [&](const QColor& color) {
                return std::ranges::find(taken, color.rgb()) != taken.end();
            };
            for (std::size_t hue = 0; hue < kHues && isTaken(style.color); ++hue)
                style.color = seriesColor(static_cast<int>(hue), m_background);
            taken.push_back(style.color.rgb());
            for (const std::size_t run : m_groups[i].runs)
                m_styling.ofRuns[run].color = style.color;
        }
    }

    const std::vector<CurveGroup>& m_groups;
    Background m_background;
    std::vector<RunGroupKey> m_keys;
    const RunGroupKey* m_color = nullptr; // of m_keys; null: each its own
    const RunGroupKey* m_line = nullptr;
    RunStyling m_styling;
};

} // namespace

std::vector<RunGroupKey> stylingKeys(const std::vector<RunRecord>& runs)
{
    std::vector<RunGroupKey> keys = differingKeys(runs);
    std::vector<RunComparison::Setting> settings = compareRuns(runs, {}).settings;
    std::erase_if(settings, [](const RunComparison::Setting& setting) {
        return setting.key != key::runSeed || !setting.differs();
    });
    for (RunGroupKey& seed : groupKeysOf(settings))
        keys.push_back(std::move(seed));
    return keys;
}

QString colorProblem(const RunGroupKey& key)
{
    const std::size_t count = countOf(distinctValues(key));
    return count > kHues && !isNumeric(key)
        ? Ui::tr("It has %1 values, and there are %2 colours.").arg(count).arg(kHues)
        : QString();
}

QString lineProblem(const RunGroupKey& key)
{
    const std::size_t count = distinctValues(key).size();
    return count > kLineKinds
        ? Ui::tr("It has %1 values, and there are %2 kinds of lines.").arg(count).arg(kLineKinds)
        : QString();
}

RunStyling stylingOf(const std::vector<RunRecord>& runs, const std::vector<CurveGroup>& groups,
    const StyleChoice& choice, Background background)
{
    return Styling(runs, groups, choice, background).take();
}

std::vector<RunStyle> stylesIn(
    const RunStyling& styling, const std::vector<RunRecord>& runs, Background background)
{
    return styling.ofRuns.size() == runs.size() ? styling.ofRuns : stylesOf(runs, background);
}

} // namespace accrue
