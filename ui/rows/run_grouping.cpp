// SPDX-License-Identifier: Apache-2.0
#include "ui/rows/run_grouping.h"

#include "engine/base/format.h"
#include "engine/compare/run_groups.h"
#include "engine/experiment/key_names.h"
#include "engine/runs/settled_settings.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"

#include <QRegularExpression>

#include <algorithm>

namespace accrue {

namespace {

constexpr char kBetween = '\x1f'; // in no value

// Neither a name nor the threads, which the machine chooses, make an experiment another one.
bool tellsSeedsApart(std::string_view key)
{
    return key == "name" || key == key::runSeed || key == key::runThreads;
}

std::string settingsBesideTheSeed(const RunRecord& run)
{
    std::string text;
    for (const auto& [key, value] : settledSettings(run))
        if (!tellsSeedsApart(key))
            text += settingText(value) + kBetween;
    return text;
}

// "digits norm=group, seed=3" is one of a group: without the part that names its seed.
QString nameBesideTheSeed(const RunRecord& run)
{
    const QString name = QString::fromStdString(run.name);
    const std::optional<double> seed = readingOf(key::runSeed)(run).number;
    if (!seed)
        return name;
    const QRegularExpression part(QStringLiteral("[,\\s]*\\bseed[ =]*%1(?![\\w.])")
                                      .arg(QString::fromStdString(exactNumber(*seed))));
    QString rest = name;
    rest.remove(part);
    static const QRegularExpression separators(QStringLiteral("^[,\\s]+"));
    rest.remove(separators);
    return rest.isEmpty() ? name : rest;
}

// A key of other programs that this run does not have is no key of it at all.
RunGroupKey::Value valueOf(const RunRecord& run, const std::string& key)
{
    if (readingOf(key, keysOfOthers({ run })))
        return runGroupKey({ run }, key).values.front();
    return { {}, Message::plain(key + " = –") };
}

// All words: runs of one group have the same tags.
std::string exactly(const RunValue& value)
{
    std::string text = value.number ? exactNumber(*value.number) : std::string();
    for (const std::string& word : value.words)
        text += word + ' ';
    return text;
}

} // namespace

RunGrouping RunGrouping::of(const QString& text, const std::vector<std::string>& others)
{
    RunGrouping grouping;
    grouping.m_bySeeds = text.trimmed() == QLatin1String(kSeeds);
    if (grouping.m_bySeeds)
        return grouping;
    for (const std::string& key : tagsInLine(text)) // split as a line of tags
        if (const RunReading reading = readingOf(key, others); reading && !grouping.has(key))
            grouping.m_keys.emplace_back(key, reading);
    return grouping;
}

bool RunGrouping::has(const std::string& key) const
{
    return std::any_of(
        m_keys.begin(), m_keys.end(), [&](const auto& one) { return one.first == key; });
}

std::vector<std::string> RunGrouping::keys() const
{
    std::vector<std::string> keys;
    for (const auto& [key, reading] : m_keys)
        keys.push_back(key);
    return keys;
}

QString RunGrouping::text() const
{
    if (m_bySeeds)
        return QLatin1String(kSeeds);
    QStringList keys;
    for (const auto& [key, reading] : m_keys)
        keys.append(QString::fromStdString(key));
    return keys.join(QStringLiteral(", "));
}

std::string RunGrouping::groupOf(const RunRecord& run) const
{
    if (m_bySeeds)
        return settingsBesideTheSeed(run);
    std::string text;
    for (const auto& [key, reading] : m_keys)
        text += exactly(reading(run)) + kBetween;
    return text;
}

QString RunGrouping::titleOf(const RunRecord& run) const
{
    if (m_bySeeds)
        return nameBesideTheSeed(run);
    std::vector<RunGroupKey::Value> values;
    for (const auto& [key, reading] : m_keys)
        values.push_back(valueOf(run, key));
    return messageText(nameOfValues(values));
}

} // namespace accrue
