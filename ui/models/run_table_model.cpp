// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include <QCoreApplication>

#include "engine/experiment/keys.h"
#include "engine/runlog/run_keys.h"
#include "ui/models/format.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace accrue {

namespace {

// Everything of a row that can change after it was written first.
bool unchanged(const RunRecord& a, const RunRecord& b)
{
    const auto exact = [](const RunRecord& run) {
        return std::tie(run.name, run.state, run.outcome, run.attempt, run.endedMs, run.archived,
            run.note, run.tags, run.totalSteps, run.checkpoint, run.message, run.step, run.samples,
            run.epoch, run.seconds, run.throughput, run.peakBytes, run.bestStep, run.deviceName);
    };
    static constexpr std::array results { &RunRecord::finalTrainLoss,
        &RunRecord::finalTrainAccuracy, &RunRecord::finalTestLoss, &RunRecord::finalTestAccuracy,
        &RunRecord::lastLoss, &RunRecord::bestTestAccuracy, &RunRecord::finalValidationLoss,
        &RunRecord::finalValidationAccuracy, &RunRecord::bestValidationAccuracy };
    return exact(a) == exact(b) && std::all_of(results.begin(), results.end(), [&](auto result) {
        return sameValue(a.*result, b.*result);
    });
}

// All that the settings shown beside names follow from.
bool hasSameVariant(const RunRecord& a, const RunRecord& b)
{
    return a.name == b.name && a.archived == b.archived && a.experiment == b.experiment
        && a.threads == b.threads && planInForce(a) == planInForce(b);
}

bool isNumber(int column)
{
    switch (column) {
    case RunTableModel::Id:
    case RunTableModel::MicroBatch:
    case RunTableModel::Steps:
    case RunTableModel::Effective:
    case RunTableModel::LearningRate:
    case RunTableModel::BestAccuracy:
    case RunTableModel::FinalLoss:
    case RunTableModel::Time:
    case RunTableModel::Throughput:
    case RunTableModel::PeakMemory:
    case RunTableModel::Progress:
    case RunTableModel::Seed:
        return true;
    default:
        return false;
    }
}

} // namespace

// Asked for by what is painted: of a thousand runs a few dozen.
QString RunTableModel::variantOf(const Row& row) const
{
    if (row.variant)
        return *row.variant;
    const RunRecord* first = firstOfItsName(m_rows, row.run, &Row::run);
    row.variant = first != nullptr ? variantText(row.run, *first) : QString();
    return *row.variant;
}

// A change of one run can make another one the first of its name, or another first one differ.
void RunTableModel::forgetVariants()
{
    for (const Row& row : m_rows)
        row.variant.reset();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), { VariantRole });
}

const char* RunTableModel::keyOf(int column)
{
    switch (column) {
    case Name:
        return "name";
    case State:
        return "state";
    case BestAccuracy:
        return "accuracy";
    case FinalLoss:
        return "loss";
    case Time:
        return "time";
    case MicroBatch:
        return "b";
    case Steps:
        return "N";
    case Effective:
        return "B";
    case Norm:
        return "norm";
    case LearningRate:
        return "lr";
    case Throughput:
        return "throughput";
    case PeakMemory:
        return "memory";
    case Data:
        return "data";
    case Model:
        return "model";
    case Optimizer:
        return "optimizer";
    case Progress:
        return "step";
    case Seed:
        return "seed";
    case Device:
        return "device";
    case Created:
        return "created";
    case Note:
        return "note";
    default:
        return "id";
    }
}

RunTableModel::Row::Row(const RunRecord& record)
    : run(record)
    , data(settingOf(record, "data.name"))
    , model(settingOf(record, "model.name"))
    , norm(settingOf(record, "model.norm"))
    , optimizer(settingOf(record, "optimizer.name"))
{
}

RunTableModel::RunTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void RunTableModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_asked.clear();
    endResetModel();
    setChecked({});
}

void RunTableModel::setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs)
{
    const bool sameRuns = std::equal(m_rows.begin(), m_rows.end(), runs->begin(), runs->end(),
        [](const Row& row, const RunRecord& run) { return row.run.id == run.id; });
    if (!sameRuns) {
        removeMissing(*runs);
        insertNew(*runs);
    }
    const std::vector<RunId> checks = checksThatStay(*runs);
    const bool variantsChanged = updateRows(*runs);
    if (!sameRuns || variantsChanged)
        forgetVariants();
    setChecked(checks);
}

// Not of runs that are gone, nor of those put away now; a run may be checked while it is away.
std::vector<RunId> RunTableModel::checksThatStay(const std::vector<RunRecord>& now) const
{
    std::vector<RunId> stay = m_checked;
    std::erase_if(stay, [this](RunId id) { return find(id) == nullptr; });
    for (const RunRecord& run : now)
        if (run.archived && isChecked(run.id) && !find(run.id)->archived)
            std::erase(stay, run.id);
    return stay;
}

void RunTableModel::removeMissing(const std::vector<RunRecord>& now)
{
    std::set<RunId> present;
    for (const RunRecord& run : now)
        present.insert(run.id);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (present.contains(run(row).id))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
}

void RunTableModel::insertNew(const std::vector<RunRecord>& now)
{
    std::set<RunId> present;
    for (const Row& row : m_rows)
        present.insert(row.run.id);
    std::size_t row = 0;
    while (row < now.size()) {
        std::size_t end = row;
        while (end < now.size() && !present.contains(now[end].id))
            ++end;
        if (end > row) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(end - 1));
            const auto from = now.begin();
            std::vector<Row> added(
                from + static_cast<std::ptrdiff_t>(row), from + static_cast<std::ptrdiff_t>(end));
            m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(row),
                std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
            endInsertRows();
        }
        row = end + 1;
    }
}

bool RunTableModel::updateRows(const std::vector<RunRecord>& now)
{
    bool variantsChanged = false;
    for (std::size_t row = 0; row < now.size(); ++row) {
        const std::optional<RunRecord> asked = withWhatWasAsked(now[row]);
        const RunRecord& shown = asked ? *asked : now[row];
        // Ids never change places in a log; a row that did would show another run's numbers.
        const RunRecord& before = m_rows[row].run;
        if (before.id == shown.id && unchanged(before, shown))
            continue;
        variantsChanged = variantsChanged || !hasSameVariant(before, shown);
        m_rows[row] = Row(shown);
        const int at = static_cast<int>(row);
        Q_EMIT dataChanged(index(at, 0), index(at, ColumnCount - 1));
    }
    return variantsChanged;
}

// A list that was read before the log took the change still has what stood there.
std::optional<RunRecord> RunTableModel::withWhatWasAsked(const RunRecord& told)
{
    std::optional<RunRecord> shown;
    std::erase_if(m_asked, [&](const Asked& asked) {
        if (asked.run != told.id)
            return false;
        if (told.*asked.text != asked.before)
            return true; // the log's own word: this change, or a later one
        if (!shown)
            shown = told;
        *shown.*asked.text = asked.now;
        return false;
    });
    return shown;
}

void RunTableModel::ask(int row, std::string RunRecord::*text, const std::string& now)
{
    RunRecord& run = m_rows[static_cast<std::size_t>(row)].run;
    Asked asked { run.id, text, run.*text, now };
    std::erase_if(m_asked, [&](const Asked& earlier) {
        const bool again = earlier.run == run.id && earlier.text == text;
        if (again)
            asked.before = earlier.before;
        return again;
    });
    m_asked.push_back(std::move(asked));
    run.*text = now;
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    if (text == &RunRecord::name)
        forgetVariants();
}

void RunTableModel::setBackground(Background background)
{
    if (m_background == background)
        return;
    m_background = background;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), { StyleRole });
}

const RunRecord& RunTableModel::run(int row) const
{
    return m_rows.at(static_cast<std::size_t>(row)).run;
}

int RunTableModel::rowOf(RunId id) const
{
    const auto found = std::find_if(
        m_rows.begin(), m_rows.end(), [id](const Row& row) { return row.run.id == id; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

const RunRecord* RunTableModel::find(RunId id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &run(row);
}

std::vector<RunId> RunTableModel::checked() const
{
    return m_checked;
}

bool RunTableModel::isChecked(RunId run) const
{
    return std::find(m_checked.begin(), m_checked.end(), run) != m_checked.end();
}

void RunTableModel::setChecked(const std::vector<RunId>& runs)
{
    if (runs == m_checked)
        return;
    m_checked = runs;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), { Qt::CheckStateRole });
    Q_EMIT checkedChanged();
}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const RunRecord& record = row.run;
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case Qt::EditRole:
        return column == Name ? QVariant(QString::fromStdString(record.name)) : QVariant();
    case Qt::ToolTipRole:
        return tip(record, column);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::CheckStateRole:
        if (column != Name)
            return {};
        return isChecked(record.id) ? Qt::Checked : Qt::Unchecked;
    case RunIdRole:
        return static_cast<qlonglong>(numberOf(record.id));
    case StateRole:
        return static_cast<int>(record.state);
    case OutcomeRole:
        return record.outcome ? QVariant(static_cast<int>(*record.outcome)) : QVariant();
    case UsualTextRole:
        return usualText(column);
    case StyleRole:
        return styleOf(record.id, m_background).color;
    case LineRole:
        return static_cast<int>(styleOf(record.id, m_background).line);
    case LiveRole:
        return isLive(record);
    case ArchivedRole:
        return record.archived;
    case NumberRole:
        return isNumber(column);
    case VariantRole:
        return column == Name ? variantOf(m_rows[static_cast<std::size_t>(index.row())])
                              : QVariant();
    default:
        return {};
    }
}

QVariant RunTableModel::display(const Row& row, int column)
{
    const RunRecord& run = row.run;
    const Experiment& asked = run.experiment;
    switch (column) {
    case Name:
        return run.archived ? tr("%1 · archived").arg(runTitle(run)) : runTitle(run);
    case State:
        return stateText(run);
    case Id:
        return runNumber(run.id);
    case Data:
        return row.data;
    case Model:
        return row.model;
    case MicroBatch:
        return countText(planInForce(run).micro);
    case Steps:
        return countText(planInForce(run).steps);
    case Effective:
        return countText(run.plan.effective);
    case Norm:
        return row.norm;
    case Optimizer:
        return row.optimizer;
    case LearningRate:
        return numberText(asked.optimizer.lr);
    case BestAccuracy:
        return percentText(bestAccuracyOf(run));
    case FinalLoss:
        return numberText(run.finalTestLoss);
    case Time:
        return durationText(run.seconds);
    case Throughput:
        return run.throughput > 0 ? rateText(run.throughput) : numberText(std::nullopt);
    case PeakMemory:
        return run.peakBytes > 0 ? bytesText(run.peakBytes) : numberText(std::nullopt);
    case Progress:
        return run.totalSteps > 0
            ? tr("%1 / %2").arg(countText(run.step), countText(run.totalSteps))
            : countText(run.step);
    case Seed:
        return QString::number(asked.run.seed);
    case Device:
        return QString::fromStdString(run.device);
    case Created:
        return timeText(run.createdMs);
    case Note:
        return QString::fromStdString(run.note).simplified();
    default:
        return {};
    }
}

QVariant RunTableModel::tip(const RunRecord& run, int column)
{
    const std::optional<BestEvaluation> best = bestOf(run);
    if (column == BestAccuracy && best)
        return tr("%1 %2, at step %3")
            .arg(bestTitle(*best), percentText(best->value), countText(best->step));
    if (column == FinalLoss)
        return run.finalTestLoss ? tr("Test loss of the last evaluation") : tr("Not evaluated yet");
    if (column == State && !run.message.empty())
        return QString::fromStdString(run.message);
    if (column == State && run.state == RunState::Interrupted)
        return tr(
            "The program that trained this run ended before the run did. Everything up to step "
            "%1 is kept.")
            .arg(countText(run.step));
    if (column == Note && !run.note.empty())
        return QString::fromStdString(run.note);
    if (column == Device)
        return QString::fromStdString(run.deviceName);
    if (column == Name)
        return runTitle(run);
    return {};
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || (index.column() != Name && index.column() != Note))
        return false;
    const RunId id = run(index.row()).id;
    if (role == Qt::CheckStateRole && index.column() == Name) {
        std::vector<RunId> now = m_checked;
        std::erase(now, id);
        if (value.toInt() == Qt::Checked)
            now.push_back(id);
        setChecked(now);
        return true;
    }
    if (role != Qt::EditRole || index.column() != Name)
        return false;
    return setName(index.row(), value.toString().simplified());
}

bool RunTableModel::setName(int row, const QString& name)
{
    if (name.isEmpty() || name == QString::fromStdString(run(row).name))
        return false;
    const RunId id = run(row).id;
    ask(row, &RunRecord::name, name.toStdString());
    Q_EMIT renameRequested(id, name);
    return true;
}

void RunTableModel::showNote(RunId id, const QString& note)
{
    if (const int row = rowOf(id); row >= 0 && run(row).note != note.toStdString())
        ask(row, &RunRecord::note, note.toStdString());
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::DisplayRole)
        return columnTitle(section);
    if (role == Qt::ToolTipRole)
        return columnHelp(section);
    if (role == Qt::InitialSortOrderRole)
        return findRunKey(keyOf(section))->highestFirst ? Qt::DescendingOrder : Qt::AscendingOrder;
    return {};
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    return flags;
}

} // namespace accrue
