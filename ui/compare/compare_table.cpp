// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_table.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTimer>

#include "engine/compare/table_text.h"
#include "ui/actions/make_action.h"
#include "ui/curves/run_selection.h"
#include "ui/run/run_log_follower.h"
#include "ui/table/comparison_table_model.h"
#include "ui/table/group_sentences.h"
#include "ui/table/step_value_reader.h"
#include "ui/table/table_view.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/notice_slot.h"

#include <algorithm>

// The table is made once for all that changes in one event, and only while it is seen.

namespace accrue {

CompareTable::CompareTable(const RunLogFollower& follower, RunSelection& selection, QWidget* parent)
    : CompareTab(parent)
    , m_follower(follower)
    , m_selection(selection)
    , m_model(new ComparisonTableModel(this))
    , m_view(new TableView(*m_model, selection, this))
    , m_sentences(new GroupSentences(this))
    , m_steps(new StepValueReader(this))
    , m_soon(new QTimer(this))
{
    buildBar();
    buildCopies();
    auto* const frame = new QFrame(this);
    frame->setProperty("card", true);
    makeColumn(frame, { m_view }, { 1, 1, 1, 1 });
    layout()->addWidget(frame);
    static_cast<QBoxLayout*>(layout())->setStretchFactor(frame, 1);
    layout()->addWidget(m_sentences);
    m_soon->setSingleShot(true);
    connect(m_soon, &QTimer::timeout, this, &CompareTable::refresh);
    connect(m_view, &TableView::sortRequested, this, &CompareTable::sortBy);
    connect(m_view, &TableView::foldRequested, this, &CompareTable::toggleFold);
    for (const auto change : { &RunSelection::hiddenChanged, &RunSelection::baselineChanged })
        connect(&selection, change, this, &CompareTable::changed);
    connect(m_steps, &StepValueReader::read, this, &CompareTable::changed);
    connect(m_steps, &StepValueReader::failed, this,
        [this](const QString& problem) { NoticeSlot::of(*this).reportProblem(problem); });
}

// ---- building --------------------------------------------------------------------------------

void CompareTable::buildBar()
{
    m_hideIdentical = new QCheckBox(tr("Hide identical settings"), this);
    m_hideIdentical->setChecked(true);
    m_extremes = new QCheckBox(tr("Min and max"), this);
    m_extremes->setToolTip(
        tr("Show the lowest and highest values of all metrics, and the parts of the peak memory"));
    m_transposed = new QCheckBox(tr("Runs as rows"), this);
    m_transposed->setToolTip(tr("Swap rows and columns"));
    for (const QCheckBox* box : { m_hideIdentical, m_extremes, m_transposed })
        connect(box, &QCheckBox::toggled, this, &CompareTable::changed);
    m_step = new QLineEdit(this);
    m_step->setPlaceholderText(tr("none"));
    m_step->setToolTip(tr("A row for each metric with its value at this step, or the last one "
                          "before it"));
    m_step->setFixedWidth(90);
    m_step->setClearButtonEnabled(true);
    connect(m_step, &QLineEdit::editingFinished, this, &CompareTable::takeStep);
    connect(m_step, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            takeStep();
    });
    auto* const at = new QLabel(tr("Values &at step"), this);
    at->setBuddy(m_step);
    m_legend = new ElidedLabel(this); // what there is no room for is in its tooltip
    m_legend->setProperty("role", QStringLiteral("muted"));
    auto* const bar = makeRow(nullptr, { m_hideIdentical, m_extremes, m_transposed }, {}, 12);
    bar->addLayout(makeRow(nullptr, { at, m_step }));
    bar->addWidget(m_legend, 1);
    makeColumn(this, {}, { 0, 12, 0, 0 })->addLayout(bar);
}

void CompareTable::buildCopies()
{
    using Write = std::string (*)(const ComparisonTable& table, bool transposed);
    const auto offer = [this](const ActionLook& look, Write write) {
        m_copies.append(makePageAction(*this, look, [this, write] {
            QGuiApplication::clipboard()->setText(
                QString::fromStdString(write(table(), m_transposed->isChecked())));
            NoticeSlot::of(*this).tell(tr("The table was copied."));
        }));
    };
    offer({ "copy", tr("Copy table as Markdown"), Qt::CTRL | Qt::ALT | Qt::Key_M,
              tr("Copy the table as it is shown, for a page in Markdown") },
        &markdownTable);
    offer({ "copy", tr("Copy table as LaTeX"), Qt::CTRL | Qt::ALT | Qt::Key_P,
              tr("Copy the table as it is shown, for a paper; it needs the package booktabs") },
        &latexTable);
    m_view->offerCopies(m_copies);
}

// ---- what is compared ------------------------------------------------------------------------

void CompareTable::setRuns(const std::vector<RunRecord>& runs, Background background)
{
    m_runs = runs;
    m_model->setLooks(styling(), background);
    for (QAction* action : m_copies)
        action->setEnabled(!runs.empty());
    changed();
}

void CompareTable::setSummaries(const std::vector<RunSummaries>& summaries)
{
    m_summaries = summaries;
    changed();
}

void CompareTable::setGroups(const std::vector<CurveGroup>& /*groups*/)
{
    changed(); // they are made again, with the numbers of their runs
}

void CompareTable::setAsking(bool asking)
{
    m_isAsking = asking;
    if (asking && m_isOld)
        changed();
}

void CompareTable::changed()
{
    m_isOld = true;
    if (m_isAsking)
        m_soon->start(0);
}

TableRequest CompareTable::request() const
{
    TableRequest request = m_chosen;
    request.identicalHidden = m_hideIdentical->isChecked();
    request.allUnfolded = m_extremes->isChecked();
    request.transposed = m_transposed->isChecked();
    request.baseline = m_selection.baseline();
    const std::string by = groupingOf(m_runs, m_selection.groupBy());
    request.isGrouped = by != grouping::kNone;
    request.keys = groupKeysFor(by);
    for (const RunRecord& run : m_runs)
        if (!m_selection.isShown(run.id))
            request.hidden.push_back(run.id);
    return request;
}

const ComparisonTable& CompareTable::table()
{
    if (m_isOld)
        refresh();
    return m_model->table();
}

void CompareTable::refresh()
{
    m_soon->stop();
    m_isOld = false;
    askForStep();
    const TableRequest asked = request();
    m_model->setTransposed(asked.transposed);
    m_model->setTable(comparisonTable(m_runs, m_summaries, m_steps->values(), asked), m_runs);
    const ComparisonTable& shown = m_model->table();
    const bool hasGroups = std::ranges::any_of(
        shown.columns, [](const TableColumn& column) { return column.runs.size() > 1; });
    m_sentences->show(m_runs, m_summaries,
        { .keys = asked.keys, .baselineRun = asked.baseline, .hidden = asked.hidden }, hasGroups);
    QStringList legend { tr("Green: best. Grey: worst.") };
    if (m_model->hasDifferences())
        legend.append(tr("Differences: green is better than the baseline, red is worse."));
    if (shown.hasEarly)
        legend.append(tr("†: some of its runs ended early."));
    m_legend->setFullText(legend.join(QLatin1Char(' ')));
}

// ---- what is chosen here ---------------------------------------------------------------------

void CompareTable::sortBy(const std::string& row)
{
    const bool isSame = m_chosen.sortedBy == row;
    if (isSame && m_chosen.reversed)
        m_chosen.sortedBy.clear();
    else
        m_chosen.sortedBy = row;
    m_chosen.reversed = isSame && !m_chosen.reversed;
    changed();
}

void CompareTable::toggleFold(const std::string& metric)
{
    if (m_extremes->isChecked()) { // all but this one from now on
        for (const TableRow& row : m_model->table().rows)
            if (row.canUnfold)
                m_chosen.unfolded.insert(row.key);
        m_extremes->setChecked(false);
    }
    if (m_chosen.unfolded.erase(metric) == 0)
        m_chosen.unfolded.insert(metric);
    changed();
}

void CompareTable::takeStep()
{
    bool isNumber = false;
    // As it is shown elsewhere, with a gap for the thousands.
    const QString digits = m_step->text().remove(QLatin1Char(' ')).remove(QChar(0x202f));
    const qint64 step = digits.toLongLong(&isNumber);
    const bool isWrong = !digits.isEmpty() && (!isNumber || step < 1);
    setStyleProperty(m_step, "wrong", isWrong);
    if (isWrong)
        return NoticeSlot::of(*this).reportProblem(
            tr("“%1” is not a step. Write a whole number from 1, such as 500.")
                .arg(m_step->text()));
    const auto wanted = digits.isEmpty() ? std::nullopt : std::optional<std::int64_t>(step);
    if (wanted == m_chosen.step)
        return;
    m_chosen.step = wanted;
    m_steps->forget();
    changed();
}

void CompareTable::setStep(std::optional<std::int64_t> step)
{
    m_step->setText(step ? QString::number(*step) : QString());
    takeStep();
}

void CompareTable::askForStep()
{
    if (!m_chosen.step)
        return;
    StepValueReader::Question question { m_follower.file(), {}, *m_chosen.step, {} };
    for (const RunRecord& run : m_runs) {
        question.runs.push_back(run.id);
        question.ends.push_back(std::min(run.step, *m_chosen.step)); // then nothing changes
    }
    m_steps->ask(question);
}

// ---- memory ----------------------------------------------------------------------------------

QJsonObject CompareTable::state() const
{
    QJsonObject state { { QStringLiteral("hide_identical"), m_hideIdentical->isChecked() },
        { QStringLiteral("extremes"), m_extremes->isChecked() },
        { QStringLiteral("transposed"), m_transposed->isChecked() },
        { QStringLiteral("sorted_by"), QString::fromStdString(m_chosen.sortedBy) },
        { QStringLiteral("reversed"), m_chosen.reversed },
        { QStringLiteral("number"), QString::fromStdString(m_sentences->number()) } };
    if (m_chosen.step)
        state.insert(QStringLiteral("step"), static_cast<qint64>(*m_chosen.step));
    return state;
}

void CompareTable::restore(const QJsonObject& state)
{
    m_hideIdentical->setChecked(state[QLatin1String("hide_identical")].toBool(true));
    m_extremes->setChecked(state[QLatin1String("extremes")].toBool());
    m_transposed->setChecked(state[QLatin1String("transposed")].toBool());
    m_chosen.sortedBy = state[QLatin1String("sorted_by")].toString().toStdString();
    m_chosen.reversed = state[QLatin1String("reversed")].toBool();
    m_sentences->setNumber(state[QLatin1String("number")].toString().toStdString());
    const qint64 step = state[QLatin1String("step")].toInteger();
    setStep(step > 0 ? std::optional<std::int64_t>(step) : std::nullopt);
}

} // namespace accrue
