// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/sweep_runs_model.h"

#include "engine/experiment/keys.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

const QString kUnknown = QStringLiteral("–");

// As the run has it: a key that has no effect in it is not among its values.
QString valueOf(const SweepRun& run, const std::string& key)
{
    for (const auto& [name, value] : run.values)
        if (name == key)
            return run.resolved ? spelledSetting(run.experiment, key)
                                : QString::fromStdString(settingText(value));
    return kUnknown;
}

QString timeOf(const std::optional<PredictedTime>& time)
{
    return time ? durationText(time->seconds) : kUnknown;
}

} // namespace

QString remarkOn(const SweepRun& run)
{
    QStringList sentences;
    for (const Finding& finding : run.findings) {
        const bool isError = finding.severity == Finding::Severity::Error;
        if (isError == run.canRun() || finding.severity == Finding::Severity::Note)
            continue;
        sentences << withLabels(finding.message.text());
    }
    return sentences.join(QLatin1Char(' '));
}

SweepRunsModel::SweepRunsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void SweepRunsModel::setPlan(std::shared_ptr<const PlannedSweep> plan)
{
    beginResetModel();
    m_plan = std::move(plan);
    m_keys.clear();
    if (m_plan)
        for (const SweepRun& run : m_plan->expanded.runs)
            for (const auto& [key, value] : run.values)
                if (std::find(m_keys.begin(), m_keys.end(), key) == m_keys.end())
                    m_keys.push_back(key);
    endResetModel();
}

QString SweepRunsModel::meaningOfTime()
{
    return tr(
        "From runs of this machine with the same data and model. Without one (–), it is known "
        "when the first has been trained");
}

const SweepRun& SweepRunsModel::runAt(int row) const
{
    return m_plan->expanded.runs.at(static_cast<std::size_t>(row));
}

int SweepRunsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_plan ? 0 : static_cast<int>(m_plan->expanded.runs.size());
}

int SweepRunsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_keys.size()) + FixedCount;
}

bool SweepRunsModel::isNumber(int column) const
{
    const int fixed = fixedAt(column);
    return column == 0 || fixed == Updates || fixed == Peak || fixed == Time;
}

QString SweepRunsModel::textOf(const SweepRun& run, int row, int column) const
{
    if (column == 0)
        return QString::number(row + 1);
    if (fixedAt(column) < 0)
        return valueOf(run, m_keys.at(static_cast<std::size_t>(column - 1)));
    const SweepPrediction& known = run.prediction;
    switch (fixedAt(column)) {
    case Batch:
        return run.canRun() ? batchSumText(run.resolved->plan) : kUnknown;
    case Updates:
        return known.updates ? countText(*known.updates) : kUnknown;
    case Peak:
        return known.peakBytes ? bytesText(*known.peakBytes) : kUnknown;
    case Time:
        return timeOf(known.time);
    default:
        return remarkOn(run);
    }
}

QVariant SweepRunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !m_plan)
        return {};
    const SweepRun& run = runAt(index.row());
    if (role == Qt::DisplayRole)
        return textOf(run, index.row(), index.column());
    if (role == Qt::ToolTipRole) // the whole sentence of a remark that is cut
        return remarkOn(run);
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && !run.canRun() && fixedAt(index.column()) != Remark)
        return QGuiApplication::palette().color(QPalette::Disabled, QPalette::Text);
    return {};
}

QVariant SweepRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && fixedAt(section) == Peak)
        return tr(
            "From the memory model of the network. Without one (–): Measure on the Train page");
    if (role == Qt::ToolTipRole && fixedAt(section) == Time)
        return meaningOfTime();
    if (role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return QStringLiteral("#");
    if (fixedAt(section) < 0)
        return keyLabel(m_keys.at(static_cast<std::size_t>(section - 1)));
    switch (fixedAt(section)) {
    case Batch:
        return tr("Batch");
    case Updates:
        return tr("Updates");
    case Peak:
        return tr("Predicted peak");
    case Time:
        return tr("Predicted time");
    default:
        return tr("Remarks");
    }
}

} // namespace accrue
