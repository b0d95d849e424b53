// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/queue_model.h"

#include "engine/report/queue_outlook.h"
#include "ui/models/batch_words.h"
#include "ui/models/format.h"
#include "ui/models/queue_words.h"
#include "ui/models/run_words.h"

#include <QDataStream>
#include <QFont>
#include <QGuiApplication>
#include <QIODevice>
#include <QMimeData>
#include <QPalette>

#include <algorithm>

namespace accrue {

namespace {

const QString kRuns = QStringLiteral("application/x-accrue-queued-runs");

bool sameRuns(const std::vector<RunRecord>& a, const std::vector<RunRecord>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
        [](const RunRecord& one, const RunRecord& other) { return one.id == other.id; });
}

bool isNumber(int column)
{
    return column == QueueModel::Position || column == QueueModel::Peak
        || column == QueueModel::TimeLeft;
}

} // namespace

QueueModel::QueueModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

// The same runs in the same order are only painted again, so that a selection or a drag goes on.
void QueueModel::setRuns(const std::vector<RunRecord>& runs)
{
    std::vector<RunRecord> queue = queueOf(runs);
    if (!sameRuns(queue, m_queue)) {
        beginResetModel();
        m_queue = std::move(queue);
        endResetModel();
    } else if (!queue.empty()) {
        m_queue = std::move(queue);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    }
}

RunId QueueModel::runAt(int row) const
{
    return m_queue.at(static_cast<std::size_t>(row)).id;
}

int QueueModel::rowOf(RunId run) const
{
    const auto found = std::find_if(
        m_queue.begin(), m_queue.end(), [&](const RunRecord& each) { return each.id == run; });
    return found == m_queue.end() ? -1 : static_cast<int>(found - m_queue.begin());
}

bool QueueModel::hasPeaks() const
{
    return std::any_of(m_queue.begin(), m_queue.end(),
        [](const RunRecord& run) { return run.queue->predictedBytes.has_value(); });
}

int QueueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_queue.size());
}

int QueueModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString QueueModel::textOf(const RunRecord& run, int row, int column) const
{
    switch (column) {
    case Position:
        return QString::number(row + 1);
    case Name:
        return runTitle(run);
    case Batch:
        return batchSumText(planInForce(run));
    case Peak:
        return run.queue->predictedBytes
            ? bytesText(static_cast<std::int64_t>(*run.queue->predictedBytes))
            : QStringLiteral("–");
    case TimeLeft: {
        const std::optional<double> left = secondsLeftOf(run);
        return left ? durationText(*left) : QStringLiteral("–");
    }
    default:
        return queueStateText(run, m_queue);
    }
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunRecord& run = m_queue.at(static_cast<std::size_t>(index.row()));
    if (role == Qt::DisplayRole)
        return textOf(run, index.row(), index.column());
    if (role == Qt::ToolTipRole && index.column() == Name)
        return QString::fromStdString(run.name);
    if (role == Qt::ToolTipRole && index.column() == State)
        return queueStateMeaning(run, m_queue);
    if (role == Qt::TextAlignmentRole && isNumber(index.column()))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && run.queue->held && !isLive(run))
        return QGuiApplication::palette().color(QPalette::Disabled, QPalette::Text);
    if (role == Qt::FontRole && isLive(run)) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    return {};
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Position:
        return QStringLiteral("#");
    case Name:
        return tr("Run");
    case Batch:
        return tr("Batch");
    case Peak:
        return tr("Predicted peak");
    case TimeLeft:
        return tr("Time left");
    default:
        return tr("State");
    }
}

// ---- dragging ---------------------------------------------------------------------------------

Qt::ItemFlags QueueModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::ItemIsDropEnabled; // between two rows
    const RunRecord& run = m_queue.at(static_cast<std::size_t>(index.row()));
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    if (!isLive(run))
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QStringList QueueModel::mimeTypes() const
{
    return { kRuns };
}

QMimeData* QueueModel::mimeData(const QModelIndexList& indexes) const
{
    std::vector<int> rows;
    for (const QModelIndex& index : indexes)
        if (std::find(rows.begin(), rows.end(), index.row()) == rows.end())
            rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    for (const int row : rows)
        stream << qint64(numberOf(runAt(row)));
    auto* const data = new QMimeData;
    data->setData(kRuns, bytes);
    return data;
}

// Returns false, although the rows will move: the view would remove those that were dragged.
bool QueueModel::dropMimeData(
    const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent)
{
    const int before = parent.isValid() ? parent.row() : row;
    QByteArray bytes = data->data(kRuns);
    QDataStream stream(&bytes, QIODevice::ReadOnly);
    std::vector<RunId> runs;
    while (!stream.atEnd()) {
        qint64 number = 0;
        stream >> number;
        runs.push_back(RunId { number });
    }
    if (!runs.empty())
        Q_EMIT moveRequested(
            runs, before >= 0 && before < rowCount() ? std::optional(runAt(before)) : std::nullopt);
    return false;
}

} // namespace accrue
