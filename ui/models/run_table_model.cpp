// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_table_model.h"

#include "engine/runs/run_keys.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/models/run_columns.h"
#include "ui/models/run_comparison.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace accrue {

// A list of all runs arrives five times a second while one trains. So rows are never reset: rows
// that are gone are removed, new ones inserted, and only those that differ are reported as changed,
// which preserves selection, scroll position and an open editor. What the user has changed is shown
// at once, and a list that was read before the log had it must not undo it (RequestedTexts).

namespace {

// Compares everything of a row that can change after it was first written. Not operator==: results
// may be NaN, which equals nothing, and a diverged run would then be painted again with every list.
bool unchanged(const RunRecord& a, const RunRecord& b)
{
    const auto exact = [](const RunRecord& run) {
        return std::tie(run.name, run.state, run.outcome, run.attempt, run.endedMs, run.archived,
            run.note, run.tags, run.totalSteps, run.checkpoint, run.message, run.step, run.samples,
            run.epoch, run.seconds, run.throughput, run.peakBytes, run.bestStep, run.deviceName);
    };
    const auto isSame = [&](const RunResult& result) {
        return sameValue(a.*result.value, b.*result.value);
    };
    return exact(a) == exact(b) && std::all_of(runResults().begin(), runResults().end(), isSame);
}

// All that the settings beside names depend on.
bool hasSameVariant(const RunRecord& a, const RunRecord& b)
{
    return a.name == b.name && a.archived == b.archived && a.experiment == b.experiment
        && a.threads == b.threads && planInForce(a) == planInForce(b);
}

const RunColumn& at(int column)
{
    return runColumns()[static_cast<std::size_t>(column)];
}

QStringList tagsOf(const RunRecord& run)
{
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags.append(QString::fromStdString(tag));
    return tags;
}

QVariant dataOfAnyColumn(const RunRecord& run, int role)
{
    switch (role) {
    case RunTableModel::RunIdRole:
        return static_cast<qlonglong>(numberOf(run.id));
    case RunTableModel::StateRole:
        return static_cast<int>(run.state);
    case RunTableModel::OutcomeRole:
        return run.outcome ? QVariant(static_cast<int>(*run.outcome)) : QVariant();
    case RunTableModel::ArchivedRole:
        return run.archived;
    case RunTableModel::TagsRole:
        return tagsOf(run);
    default:
        return {};
    }
}

QVariant alignment(int column)
{
    return int(Qt::AlignVCenter | (at(column).isNumber ? Qt::AlignRight : Qt::AlignLeft));
}

std::optional<double> baselineValue(const RunTableModel& runs, int column)
{
    const RunRecord* const run = runs.baseline() ? runs.find(*runs.baseline()) : nullptr;
    return run != nullptr ? findRunKey(at(column).key)->value(*run).number : std::nullopt;
}

// A short name of run_keys.h is its own title; a key of a recipe has the label of the form.
QVariant headerOfExtra(const std::string& key, bool isNumber, int role)
{
    const RunKey* const known = findRunKey(key);
    switch (role) {
    case Qt::DisplayRole:
        return known != nullptr ? QString::fromStdString(key) : keyLabel(key);
    case Qt::ToolTipRole:
        return known != nullptr ? QString::fromStdString(known->help.text())
                                : QString::fromStdString(key);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (isNumber ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::InitialSortOrderRole:
        return known != nullptr && known->highestFirst ? Qt::DescendingOrder : Qt::AscendingOrder;
    default:
        return {};
    }
}

} // namespace

// Computed when it is painted: of a thousand runs a few dozen are visible.
QString RunTableModel::variantOf(const Row& row) const
{
    if (row.variant)
        return *row.variant;
    const RunRecord* first = firstOfItsName(m_rows, row.run, &Row::run);
    row.variant = first != nullptr ? variantText(row.run, *first) : QString();
    return *row.variant;
}

// A change of one run can make another run the first of its name, or change the first one's
// settings.
void RunTableModel::forgetVariants()
{
    for (const Row& row : m_rows)
        row.variant.reset();
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Name), index(rowCount() - 1, Name), { VariantRole });
}

void RunTableModel::clear()
{
    beginResetModel();
    m_rows.clear();
    m_rowOf.clear();
    m_requested.clear();
    endResetModel();
    setChecked({});
    Q_EMIT updated();
}

void RunTableModel::setRuns(const std::shared_ptr<const std::vector<RunRecord>>& runs)
{
    const bool sameRuns = std::equal(m_rows.begin(), m_rows.end(), runs->begin(), runs->end(),
        [](const Row& row, const RunRecord& run) { return row.run.id == run.id; });
    if (!sameRuns) {
        // Removed before inserted: insertNew() expects that each remaining row is also in the list.
        removeMissing(*runs);
        insertNew(*runs);
    }
    // Computed before the rows are updated, because it needs what was archived until now; set at
    // the end, when all rows exist.
    const std::vector<RunId> checks = checksThatStay(*runs);
    const bool variantsChanged = updateRows(*runs);
    if (!sameRuns || variantsChanged)
        forgetVariants();
    setChecked(checks);
    Q_EMIT updated();
}

// Runs that are gone, or that have been archived just now, lose their check; an archived run may be
// checked later.
std::vector<RunId> RunTableModel::checksThatStay(const std::vector<RunRecord>& now) const
{
    std::vector<RunId> stay = m_checked;
    std::erase_if(stay, [this](RunId id) { return find(id) == nullptr; });
    for (const RunRecord& run : now)
        if (run.archived && isChecked(run.id) && !find(run.id)->archived)
            std::erase(stay, run.id);
    return stay;
}

// From the last row, so that the numbers of the rows before it stay valid.
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
        m_rowOf.clear();
        endRemoveRows();
    }
}

void RunTableModel::insertNew(const std::vector<RunRecord>& now)
{
    std::set<RunId> present;
    for (const Row& row : m_rows)
        present.insert(row.run.id);
    std::size_t row = 0;
    // In blocks of adjacent new runs, so that the first list of a log is one insertion.
    while (row < now.size()) {
        std::size_t end = row;
        while (end < now.size() && !present.contains(now[end].id))
            ++end;
        if (end > row) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(end - 1));
            std::vector<Row> added;
            for (std::size_t i = row; i < end; ++i)
                added.push_back({ now[i] });
            m_rowOf.clear();
            m_rows.insert(
                m_rows.begin() + static_cast<std::ptrdiff_t>(row), added.begin(), added.end());
            endInsertRows();
        }
        row = end + 1;
    }
}

bool RunTableModel::updateRows(const std::vector<RunRecord>& now)
{
    bool variantsChanged = false;
    for (std::size_t row = 0; row < now.size(); ++row) {
        const std::optional<RunRecord> requested = m_requested.appliedTo(now[row]);
        const RunRecord& shown = requested ? *requested : now[row];
        // Ids never change places in a log; the comparison guards against a row that shows another
        // run's numbers.
        const RunRecord& before = m_rows[row].run;
        if (before.id == shown.id && unchanged(before, shown))
            continue;
        variantsChanged = variantsChanged || !hasSameVariant(before, shown);
        m_rows[row] = Row { shown };
        const int at = static_cast<int>(row);
        Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
    }
    return variantsChanged;
}

void RunTableModel::request(int row, RequestedTexts::Text text, const std::string& now)
{
    RunRecord& run = m_rows[static_cast<std::size_t>(row)].run;
    m_requested.add(run, text, now);
    run.*text = now;
    Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    if (text == &RunRecord::name)
        forgetVariants();
    Q_EMIT updated();
}

// ---- the baseline ----------------------------------------------------------------------------

void RunTableModel::setBaseline(std::optional<RunId> run)
{
    if (run == m_baseline)
        return;
    m_baseline = run;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT updated();
}

QString RunTableModel::changeText(int column, std::optional<double> value) const
{
    const std::optional<double> before = baselineValue(*this, column);
    return value && before ? at(column).change(*value, *before) : QString();
}

bool RunTableModel::isBetter(int column, std::optional<double> value) const
{
    const std::optional<double> before = baselineValue(*this, column);
    if (!value || !before)
        return false;
    return findRunKey(at(column).key)->highestFirst ? *value > *before : *value < *before;
}

QVariant RunTableModel::dataOfChange(const RunRecord& run, int column, int role) const
{
    const std::optional<double> value = findRunKey(at(column).key)->value(run).number;
    return role == BetterRole ? QVariant(isBetter(column, value))
                              : QVariant(changeText(column, value));
}

// ---- columns of other keys -------------------------------------------------------------------

void RunTableModel::setExtraKeys(const std::vector<std::string>& keys)
{
    if (keys == extraKeys())
        return;
    if (!m_extras.empty()) {
        beginRemoveColumns({}, ColumnCount, columnCount() - 1);
        m_extras.clear();
        endRemoveColumns();
    }
    std::vector<Extra> extras;
    for (const std::string& key : keys)
        if (const RunReading reading = readingOf(key, keys)) // also of other programs
            extras.push_back({ key, reading, !mayBeWord(key, "a word") });
    if (extras.empty())
        return;
    beginInsertColumns({}, ColumnCount, ColumnCount + static_cast<int>(extras.size()) - 1);
    m_extras = std::move(extras);
    endInsertColumns();
}

std::vector<std::string> RunTableModel::extraKeys() const
{
    std::vector<std::string> keys;
    for (const Extra& extra : m_extras)
        keys.push_back(extra.key);
    return keys;
}

const RunTableModel::Extra* RunTableModel::extraAt(int column) const
{
    return column < ColumnCount ? nullptr
                                : &m_extras.at(static_cast<std::size_t>(column - ColumnCount));
}

std::string RunTableModel::sortKey(int column) const
{
    const Extra* const extra = extraAt(column);
    return extra != nullptr ? extra->key : at(column).key;
}

QVariant RunTableModel::dataOfExtra(const Extra& extra, const RunRecord& run, int role) const
{
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (extra.isNumber ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return dataOfAnyColumn(run, role);
    if (findKey(extra.key) != nullptr)
        return settingOf(run, extra.key);
    const RunValue value = extra.reading(run);
    if (value.number)
        return numberText(value.number, 6);
    return value.words.empty() ? numberText(std::nullopt)
                               : QString::fromStdString(value.words.front());
}

int RunTableModel::rowOf(RunId id) const
{
    if (m_rowOf.size() != m_rows.size())
        for (int row = 0; row < rowCount(); ++row)
            m_rowOf[run(row).id] = row;
    const auto found = m_rowOf.find(id);
    return found == m_rowOf.end() ? -1 : found->second;
}

const RunRecord* RunTableModel::find(RunId id) const
{
    const int row = rowOf(id);
    return row < 0 ? nullptr : &run(row);
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
    return parent.isValid() ? 0 : ColumnCount + static_cast<int>(m_extras.size());
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const RunRecord& record = run(index.row());
    if (const Extra* extra = extraAt(index.column()))
        return dataOfExtra(*extra, record, role);
    const RunColumn& column = at(index.column());
    if (column.change != nullptr && (role == Qt::DisplayRole || role == BetterRole))
        return dataOfChange(record, index.column(), role);
    switch (role) {
    case Qt::DisplayRole:
        return column.text(record);
    case BaselineRole:
        return record.id == m_baseline;
    case Qt::AccessibleTextRole: // of a picture
        return index.column() == LossCurve || index.column() == AccuracyCurve
            ? QVariant(column.tip(record))
            : QVariant();
    case Qt::ToolTipRole:
        return column.tip != nullptr ? column.tip(record) : QVariant();
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    case UsualTextRole:
        return column.longest != nullptr ? column.longest() : QString();
    case Qt::EditRole:
    case Qt::CheckStateRole:
    case VariantRole:
        return index.column() == Name ? dataOfName(index.row(), role) : QVariant();
    default:
        return dataOfAnyColumn(record, role);
    }
}

QVariant RunTableModel::dataOfName(int row, int role) const
{
    if (role == Qt::EditRole)
        return QString::fromStdString(run(row).name);
    if (role == Qt::CheckStateRole)
        return isChecked(run(row).id) ? Qt::Checked : Qt::Unchecked;
    const QString variant = variantOf(m_rows[static_cast<std::size_t>(row)]);
    if (run(row).id != m_baseline)
        return variant;
    return variant.isEmpty() ? Ui::tr("baseline") : Ui::tr("baseline · %1").arg(variant);
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || (index.column() != Name && index.column() != Note))
        return false;
    const RunId id = run(index.row()).id;
    if (role == Qt::CheckStateRole && index.column() == Name) {
        std::vector<RunId> now = m_checked;
        // Removed first, so that a run that is checked already is not listed twice.
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
    request(row, &RunRecord::name, name.toStdString());
    Q_EMIT renameRequested(id, name);
    return true;
}

void RunTableModel::showNote(RunId id, const QString& note)
{
    if (const int row = rowOf(id); row >= 0 && run(row).note != note.toStdString())
        request(row, &RunRecord::note, note.toStdString());
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (const Extra* extra = extraAt(section))
        return headerOfExtra(extra->key, extra->isNumber, role);
    const RunColumn& column = at(section);
    switch (role) {
    case Qt::TextAlignmentRole:
        return alignment(section);
    case Qt::DisplayRole:
        return column.title();
    case Qt::ToolTipRole:
        return column.help != nullptr ? column.help() : column.title();
    // The first click on a column shows the best runs first: the highest accuracy, the lowest loss.
    case Qt::InitialSortOrderRole:
        return findRunKey(column.key)->highestFirst ? Qt::DescendingOrder : Qt::AscendingOrder;
    default:
        return {};
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Name)
        flags |= Qt::ItemIsUserCheckable | Qt::ItemIsEditable;
    return flags;
}

} // namespace accrue
