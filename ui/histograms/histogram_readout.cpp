// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_readout.h"

#include "ui/models/format.h"
#include "ui/widgets/run_delegates.h"
#include "ui/widgets/theme.h"

#include <QGuiApplication>

#include <array>
#include <cmath>
#include <optional>

namespace accrue {

namespace {

constexpr int kDigits = 4;
constexpr int kDot = 12; // pixels

std::optional<double> numberAt(const HistogramColumn& at, int column)
{
    using Readout = HistogramReadout;
    switch (column) {
    case Readout::Mean:
        return at.histogram.mean;
    case Readout::Deviation:
        return at.histogram.deviation;
    case Readout::Least:
        return at.histogram.least;
    case Readout::Below5:
        return at.below5;
    case Readout::Median:
        return at.median;
    case Readout::Below95:
        return at.below95;
    case Readout::Largest:
        return at.histogram.largest;
    default:
        return std::nullopt;
    }
}

QString textAt(const HistogramPanel& panel, const HistogramColumn& at, int column)
{
    if (column == HistogramReadout::Run)
        return panel.title;
    if (column == HistogramReadout::Step)
        return countText(at.step);
    if (column == HistogramReadout::NotFinite)
        return countText(at.histogram.notFinite);
    std::optional<double> number = numberAt(at, column);
    if (number && !std::isfinite(*number))
        number.reset(); // there is no finite number
    return numberText(number, kDigits);
}

} // namespace

void HistogramReadout::show(const HistogramPanels& panels, std::int64_t step)
{
    const bool isSame = panels.size() == m_panels.size();
    if (!isSame)
        beginResetModel();
    m_panels = panels;
    m_step = step;
    if (!isSame)
        endResetModel();
    else if (!m_panels.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int HistogramReadout::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_panels.size());
}

int HistogramReadout::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant HistogramReadout::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const HistogramPanel& panel = m_panels[static_cast<std::size_t>(index.row())];
    const HistogramColumn& at = columnAt(panel, m_step);
    const bool isRun = index.column() == Run;
    switch (role) {
    case Qt::DisplayRole:
        return textAt(panel, at, index.column());
    case Qt::ToolTipRole:
        return isRun ? QVariant(panel.title) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((isRun ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::DecorationRole:
        return isRun ? QVariant(runDot(panel.color, panel.line, kDot, qGuiApp->devicePixelRatio()))
                     : QVariant();
    case Qt::ForegroundRole:
        return index.column() == NotFinite && at.histogram.notFinite > 0
            ? QVariant(themeColors().error)
            : QVariant();
    default:
        return {};
    }
}

QVariant HistogramReadout::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == Run ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const std::array titles { tr("Run"), tr("Step"), tr("Mean"), tr("Deviation"), tr("Least"),
        tr("5 %"), tr("Median"), tr("95 %"), tr("Largest"), tr("Not finite") };
    const std::array tips { QString(), tr("The logged step that is nearest to the chosen one"),
        QString(), tr("Standard deviation"), QString(), tr("5 % of the values are below"),
        QString(), tr("95 % of the values are below"), QString(),
        tr("Values that are NaN or infinite; the other numbers are without them") };
    const auto at = static_cast<std::size_t>(section);
    return role == Qt::DisplayRole ? QVariant(titles.at(at))
        : role == Qt::ToolTipRole  ? QVariant(tips.at(at))
                                   : QVariant();
}

} // namespace accrue
