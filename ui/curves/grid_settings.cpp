// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/grid_settings.h"

#include "engine/events/metrics.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace accrue {

namespace {

constexpr int kMostSmoothing = 99;
constexpr std::string_view kRange = "range";

QString text(std::string_view of)
{
    return QString::fromUtf8(of.data(), static_cast<qsizetype>(of.size()));
}

QJsonObject jsonOfTile(const TileSettings& tile)
{
    QJsonObject json { { QStringLiteral("metric"), text(tile.metric) },
        { QStringLiteral("log_y"), tile.logY },
        { QStringLiteral("ignore_outliers"), tile.ignoresOutliers } };
    if (tile.smoothing)
        json.insert(QStringLiteral("smoothing"), *tile.smoothing);
    return json;
}

int smoothingIn(const QJsonValue& value)
{
    return std::clamp(value.toInt(), 0, kMostSmoothing);
}

TileSettings tileOf(const QJsonObject& json)
{
    TileSettings tile { json[QLatin1String("metric")].toString().toStdString() };
    tile.logY = json[QLatin1String("log_y")].toBool();
    tile.ignoresOutliers = json[QLatin1String("ignore_outliers")].toBool();
    if (json.contains(QLatin1String("smoothing")))
        tile.smoothing = smoothingIn(json[QLatin1String("smoothing")]);
    return tile;
}

} // namespace

GridSettings GridSettings::usual()
{
    GridSettings settings;
    for (const MetricId metric :
        { MetricId::Loss, MetricId::TestAccuracy, MetricId::PeakBytes, MetricId::Throughput })
        settings.tiles.push_back({ nameOf(metric) });
    return settings;
}

double smoothingWeight(int slider)
{
    const double share = static_cast<double>(slider) / (kMostSmoothing + 1);
    return share <= 0 ? 0 : 1 - std::pow(1 - share, 1.5);
}

QJsonObject jsonOf(const GridSettings& settings)
{
    QJsonArray tiles;
    for (const TileSettings& tile : settings.tiles)
        tiles.append(jsonOfTile(tile));
    return { { QStringLiteral("charts"), tiles },
        { QStringLiteral("x"), text(nameOf(settings.x.axis)) },
        { QStringLiteral("x_metric"), text(settings.x.metric) },
        { QStringLiteral("log_x"), settings.logX },
        { QStringLiteral("smoothing"), settings.smoothing },
        { QStringLiteral("band"),
            settings.band == MeanBand::Range ? text(kRange) : QStringLiteral("interval") } };
}

std::optional<GridSettings> gridSettingsOf(const QJsonObject& json)
{
    const QJsonArray tiles = json[QLatin1String("charts")].toArray();
    GridSettings settings;
    for (qsizetype i = 0; i < std::min<qsizetype>(tiles.size(), GridSettings::kMostTiles); ++i)
        if (TileSettings tile = tileOf(tiles[i].toObject()); !tile.metric.empty())
            settings.tiles.push_back(std::move(tile));
    if (settings.tiles.empty())
        return std::nullopt;
    const std::string axis = json[QLatin1String("x")].toString().toStdString();
    settings.x.axis = enumNamed(axis, Axis::Seconds).value_or(Axis::Step);
    settings.x.metric = json[QLatin1String("x_metric")].toString().toStdString();
    settings.logX = json[QLatin1String("log_x")].toBool();
    settings.smoothing = smoothingIn(json[QLatin1String("smoothing")]);
    settings.band = json[QLatin1String("band")].toString() == text(kRange) ? MeanBand::Range
                                                                           : MeanBand::Interval;
    return settings;
}

QJsonObject jsonOf(const CurveView& view)
{
    QJsonObject json = jsonOf(view.grid);
    if (view.runs) {
        json.insert(QStringLiteral("group_by"), text(view.runs->groupBy));
        json.insert(QStringLiteral("color_by"), text(view.runs->style.colorBy));
        json.insert(QStringLiteral("line_by"), text(view.runs->style.lineBy));
    }
    return json;
}

std::optional<CurveView> curveViewOf(const QJsonObject& json)
{
    std::optional<GridSettings> grid = gridSettingsOf(json);
    if (!grid)
        return std::nullopt;
    CurveView view { std::move(*grid) };
    const auto named = [&](const char* name) {
        return json[QLatin1String(name)].toString().toStdString();
    };
    if (json.contains(QLatin1String("group_by")))
        view.runs = { named("group_by"), { named("color_by"), named("line_by") } };
    return view;
}

} // namespace accrue
