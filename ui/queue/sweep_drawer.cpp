// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/sweep_drawer.h"

#include "engine/experiment/key_names.h"
#include "ui/models/format.h"
#include "ui/models/key_words.h"
#include "ui/queue/sweep_axis_row.h"
#include "ui/queue/sweep_runs_model.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QTableView>

#include <algorithm>
#include <chrono>
#include <utility>

namespace accrue {

namespace {

using namespace std::chrono_literals;

constexpr auto kTypingPause = 400ms;
constexpr int kRowHeight = 26; // pixels

QLineEdit* makeCount(const QString& title, const QString& tip, const QString& hint, QWidget* parent)
{
    auto* const edit = new QLineEdit(parent);
    edit->setAccessibleName(title);
    edit->setToolTip(tip);
    edit->setPlaceholderText(hint);
    edit->setFixedWidth(72);
    return edit;
}

// A whole number from 1, or `none` for an empty field; empty: neither.
std::optional<std::int64_t> countIn(const QLineEdit& edit, std::int64_t none)
{
    const QString text = edit.text().trimmed();
    if (text.isEmpty())
        return none;
    bool isNumber = false;
    const qlonglong count = text.toLongLong(&isNumber);
    return isNumber && count >= 1 && count <= kMostSweepRuns ? std::optional<std::int64_t>(count)
                                                             : std::nullopt;
}

QString firstError(const Findings& findings)
{
    for (const Finding& finding : findings)
        if (finding.severity == Finding::Severity::Error)
            return withLabels(finding.message.text());
    return {};
}

} // namespace

SweepDrawer::SweepDrawer(std::function<Places()> places, QWidget* parent)
    : QFrame(parent)
    , m_places(std::move(places))
    , m_planner(new SweepPlanner(this))
    , m_model(new SweepRunsModel(this))
{
    setObjectName(QStringLiteral("sweepDrawer"));
    setProperty("card", true);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kTypingPause);
    connect(&m_pause, &QTimer::timeout, this, &SweepDrawer::plan);
    connect(m_planner, &SweepPlanner::planned, this, &SweepDrawer::showPlan);
    connect(m_planner, &SweepPlanner::failed, this, &SweepDrawer::showProblem);
    auto* const rows = new QWidget(this);
    m_rowsLayout = makeColumn(rows, {}, {}, 6);
    makeTable();
    m_summary = makeLabel("section", {}, this);
    m_summary->setWordWrap(true);
    QVBoxLayout* const column =
        makeColumn(this, { makeHeader(), rows, makeOptions(), m_summary }, { 16, 12, 16, 12 }, 10);
    column->addWidget(m_table, 1);
    column->addWidget(makeFooter());
}

QWidget* SweepDrawer::makeHeader()
{
    auto* const header = new QWidget(this);
    QLabel* const title = makeLabel("title", tr("Sweep"), header);
    m_of = new ElidedLabel(header);
    m_of->setProperty("role", QStringLiteral("muted"));
    m_of->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QHBoxLayout* const row = makeRow(header, { title }, {}, 12);
    row->addWidget(m_of, 1);
    auto* const close = makeFramedButton(QLatin1String("close"), header);
    close->setToolTip(tr("Close (Esc)"));
    close->setAccessibleName(tr("Close the sweep"));
    connect(close, &QToolButton::clicked, this, &SweepDrawer::closed);
    row->addWidget(close);
    return header;
}

QWidget* SweepDrawer::makeOptions()
{
    auto* const options = new QWidget(this);
    m_addKey = new QPushButton(themedIcon(QLatin1String("add")), tr("Add a key"), options);
    m_seeds = makeCount(tr("Seeds"),
        tr("Each combination is trained with so many seeds: the one of the form, and those after "
           "it"),
        QStringLiteral("1"), options);
    m_random = makeCount(tr("Random combinations"),
        tr("Draws so many combinations instead of training all of them; a range without a count is "
           "drawn from continuously"),
        tr("all"), options);
    m_keep = new QCheckBox(tr("Keep the effective batch"), options);
    m_keep->setToolTip(tr("Solves the accumulation steps for each micro-batch, and the other way "
                          "round, so that all runs make updates of the same size"));
    m_order = new FormComboBox(options);
    m_order->setAccessibleName(tr("Order"));
    m_order->addItem(tr("In the order of the keys"), int(SweepOrder::Given));
    m_order->addItem(tr("Least memory first"), int(SweepOrder::Memory));
    m_order->addItem(tr("Shortest first"), int(SweepOrder::Time));
    m_order->setMinimumWidth(220);
    m_halving = new FormComboBox(options);
    m_halving->setMinimumWidth(260);
    m_halving->setAccessibleName(tr("Successive halving"));
    m_halving->addItem(tr("Train all to their end"), 0);
    for (const int factor : { 2, 3, 4 })
        m_halving->addItem(tr("Stop early, keep the best 1 in %1").arg(factor), factor);
    m_halving->setToolTip(
        tr("Successive halving: all runs are trained for a part of their length, "
           "the best share of them for longer, and so on; the others are stopped"));
    // Two lines, which fit the smallest window in every language.
    auto* const first = new QWidget(options);
    makeRow(first,
        { m_addKey, makeLabel("muted", tr("Seeds"), first), m_seeds,
            makeLabel("muted", tr("Random"), first), m_random, m_keep })
        ->addStretch(1);
    auto* const second = new QWidget(options);
    makeRow(second, { m_order, m_halving })->addStretch(1);
    makeColumn(options, { first, second }, {}, 8);
    connect(m_addKey, &QPushButton::clicked, this, &SweepDrawer::addKey);
    for (QLineEdit* const edit : { m_seeds, m_random })
        connect(edit, &QLineEdit::textChanged, this, &SweepDrawer::changed);
    connect(m_keep, &QCheckBox::toggled, this, &SweepDrawer::changed);
    for (FormComboBox* const box : { m_order, m_halving })
        connect(box, &QComboBox::currentIndexChanged, this, &SweepDrawer::changed);
    return options;
}

void SweepDrawer::makeTable()
{
    m_table = new QTableView(this);
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Runs of the sweep"));
    setUpRows(*m_table, kRowHeight);
    m_table->setStyleSheet(QStringLiteral("QTableView::item { padding: 0 7px; border: none; }"));
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setMinimumHeight(90);
}

QWidget* SweepDrawer::makeFooter()
{
    auto* const footer = new QWidget(this);
    auto* const cancel = new QPushButton(tr("Cancel"), footer);
    m_add = new QPushButton(footer);
    m_add->setProperty("primary", true);
    connect(cancel, &QPushButton::clicked, this, &SweepDrawer::closed);
    connect(m_add, &QPushButton::clicked, this, [this] {
        if (m_plan)
            Q_EMIT addRequested(m_plan);
    });
    QHBoxLayout* const row = makeRow(footer);
    row->addStretch(1);
    row->addWidget(cancel);
    row->addWidget(m_add);
    return footer;
}

// ---- the form ---------------------------------------------------------------------------------

void SweepDrawer::setBase(const Experiment& base)
{
    m_base = base;
    m_of->setFullText(tr("of %1").arg(QString::fromStdString(base.name)));
    if (m_rows.empty())
        addKey();
    changed();
}

SweepAxisRow* SweepDrawer::addRow(const std::string& key, const QString& values)
{
    auto* const row = new SweepAxisRow(key, values, this);
    m_rows.push_back(row);
    m_rowsLayout->addWidget(row);
    connect(row, &SweepAxisRow::edited, this, &SweepDrawer::changed);
    connect(row, &SweepAxisRow::keyChosen, this, [this, row] { row->suggestFor(m_base); });
    connect(row, &SweepAxisRow::removed, this, [this, row] { remove(row); });
    changed();
    return row;
}

// The first one that a person is likely to vary and that does not vary yet.
void SweepDrawer::addKey()
{
    static const std::vector<std::string> kLikely { key::batchMicro, key::modelNorm,
        key::optimizerLr, key::batchSteps, key::optimizerName };
    const auto varies = [this](const std::string& key) {
        return std::any_of(m_rows.begin(), m_rows.end(),
            [&](const SweepAxisRow* row) { return row->key() == key; });
    };
    const auto next = std::find_if_not(kLikely.begin(), kLikely.end(), varies);
    SweepAxisRow* const row = addRow(next == kLikely.end() ? kLikely.front() : *next, {});
    row->suggestFor(m_base);
    row->valuesEdit()->setFocus(Qt::OtherFocusReason);
    row->valuesEdit()->selectAll();
}

void SweepDrawer::remove(SweepAxisRow* row)
{
    std::erase(m_rows, row);
    row->hide(); // at once: it is deleted later, because it is the caller
    row->deleteLater();
    m_addKey->setFocus(Qt::OtherFocusReason);
    changed();
}

std::optional<SweepDefinition> SweepDrawer::definition()
{
    SweepDefinition sweep;
    sweep.base = m_base;
    sweep.keepsEffective = m_keep->isChecked();
    sweep.order = static_cast<SweepOrder>(m_order->currentData().toInt());
    sweep.halving = m_halving->currentData().toInt();
    QString problem;
    const auto read = [&](QLineEdit& edit, std::int64_t none, std::int64_t& count) {
        const std::optional<std::int64_t> value = countIn(edit, none);
        setStyleProperty(&edit, "wrong", !value);
        if (value)
            count = *value;
        else
            problem = tr("%1: whole number from 1 to %2.")
                          .arg(edit.accessibleName(), countText(kMostSweepRuns));
    };
    read(*m_seeds, 1, sweep.seeds);
    read(*m_random, 0, sweep.random);
    for (SweepAxisRow* const row : m_rows) {
        ParsedAxis parsed = parseAxis(row->key() + "=" + row->values().toStdString());
        const QString wrong = firstError(parsed.problems);
        row->showProblem(wrong);
        if (problem.isEmpty())
            problem = wrong;
        if (parsed.axis)
            sweep.axes.push_back(*std::move(parsed.axis));
    }
    if (problem.isEmpty())
        problem = firstError(checkSweep(sweep));
    if (!problem.isEmpty()) {
        showProblem(problem);
        return std::nullopt;
    }
    return sweep;
}

// ---- the plan ---------------------------------------------------------------------------------

void SweepDrawer::changed()
{
    m_plan.reset();
    showAdd();
    m_pause.start();
}

void SweepDrawer::plan()
{
    m_planner->drop();
    const std::optional<SweepDefinition> sweep = definition();
    if (!sweep)
        return;
    const Places places = m_places();
    m_planner->plan(*sweep, places.log, places.data);
}

void SweepDrawer::showPlan(const std::shared_ptr<const PlannedSweep>& plan)
{
    m_plan = plan;
    m_problem.clear();
    m_model->setPlan(plan);
    fitColumns();
    const SweepTotals& totals = plan->totals;
    QStringList parts { countedText(totals.runs, tr("1 run"), tr("%1 runs")) };
    const auto impossible = static_cast<std::int64_t>(plan->expanded.runs.size()) - totals.runs;
    if (impossible > 0)
        parts << countedText(impossible, tr("1 impossible"), tr("%1 impossible"));
    if (totals.runs > totals.withoutTime) {
        QString time = durationText(totals.time.seconds);
        if (totals.time.low && totals.time.high)
            time += tr(" (%1 to %2)")
                        .arg(durationText(*totals.time.low), durationText(*totals.time.high));
        parts << time;
    }
    if (totals.withoutTime > 0)
        parts << countedText(
            totals.withoutTime, tr("1 of unknown length"), tr("%1 of unknown length"));
    m_summary->setToolTip(totals.withoutTime > 0 ? SweepRunsModel::meaningOfTime() : QString());
    if (totals.peakBytes)
        parts << tr("peak %1").arg(bytesText(*totals.peakBytes));
    m_summary->setText(parts.join(QStringLiteral(" · ")));
    setStyleProperty(m_summary, "role", QStringLiteral("section"));
    showAdd();
}

void SweepDrawer::fitColumns()
{
    // With the stretch, the last column would keep the width of its header.
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->resizeColumnsToContents();
    m_table->horizontalHeader()->setStretchLastSection(true);
}

QString SweepDrawer::summary() const
{
    return m_summary->text();
}

void SweepDrawer::showProblem(const QString& problem)
{
    m_plan.reset();
    m_problem = problem;
    m_model->setPlan(nullptr);
    fitColumns();
    m_summary->setText(problem);
    setStyleProperty(m_summary, "role", QStringLiteral("error"));
    showAdd();
}

void SweepDrawer::showAdd()
{
    const std::int64_t runs = m_plan ? m_plan->totals.runs : 0;
    m_add->setText(runs == 0
            ? tr("Add to queue")
            : countedText(runs, tr("Add 1 run to queue"), tr("Add %1 runs to queue")));
    m_add->setEnabled(runs > 0 && m_whyNotWrite.isEmpty());
    m_add->setToolTip(m_whyNotWrite);
}

void SweepDrawer::setWhyNotWrite(const QString& why)
{
    m_whyNotWrite = why;
    showAdd();
}

void SweepDrawer::focusFirst()
{
    if (m_rows.empty())
        return m_addKey->setFocus(Qt::OtherFocusReason);
    m_rows.front()->valuesEdit()->setFocus(Qt::OtherFocusReason);
    m_rows.front()->valuesEdit()->selectAll();
}

void SweepDrawer::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        m_add->click(); // if it is enabled
    else
        QFrame::keyPressEvent(event);
}

} // namespace accrue
