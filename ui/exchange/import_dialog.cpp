// SPDX-License-Identifier: Apache-2.0
#include "ui/exchange/import_dialog.h"

#include "engine/base/error.h"
#include "ui/exchange/column_map.h"
#include "ui/models/format.h"
#include "ui/run/log_words.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QTreeWidget>

#include <algorithm>
#include <utility>

namespace accrue {

namespace {

constexpr QSize kFirstSize { 780, 560 };
constexpr std::size_t kMostRows = 2000; // that are listed; more are only counted
constexpr std::size_t kMostProblems = 4; // that are shown; all are told after the import

QString textOf(const Message& message)
{
    return inWindow(QString::fromStdString(message.text()));
}

// What it is, and what happens to it.
QString sentenceOn(const ImportPlan& plan)
{
    const auto known = std::count_if(
        plan.runs.begin(), plan.runs.end(), [](const PlannedRun& run) { return run.isKnown; });
    const auto all = static_cast<std::int64_t>(plan.runs.size());
    QString text;
    if (known == 0)
        text = countedText(all, ImportDialog::tr("1 run, new to this log."),
            ImportDialog::tr("%1 runs, all new to this log."));
    else if (known == all)
        text = countedText(all,
            ImportDialog::tr("1 run, which this log has already; it is brought up to date."),
            ImportDialog::tr("%1 runs, which this log has already; they are brought up to date."));
    else
        text = ImportDialog::tr(
            "%1 runs, of which this log has %2 already; those are brought up to date.")
                   .arg(countText(all), countText(known));
    if (plan.waiting > 0)
        text += QLatin1Char(' ')
            + countedText(plan.waiting,
                ImportDialog::tr("1 more waits in its queue and is not imported."),
                ImportDialog::tr("%1 more wait in its queue and are not imported."));
    return text;
}

QString whyNothing(const ImportPlan& plan)
{
    if (!plan.whyNot.empty())
        return textOf(plan.whyNot);
    if (plan.waiting > 0)
        return ImportDialog::tr(
            "All runs of this log wait in its queue. There is nothing to import yet.");
    return ImportDialog::tr("This log has no runs. There is nothing to import.");
}

QString problemsOf(const ImportPlan& plan)
{
    QStringList lines;
    for (const Message& problem : plan.problems)
        if (lines.size() < std::ssize(plan.problems) && std::size_t(lines.size()) < kMostProblems)
            lines << textOf(problem);
    if (const auto more = plan.problems.size() - static_cast<std::size_t>(lines.size()); more > 0)
        lines << countedText(static_cast<std::int64_t>(more),
            ImportDialog::tr("1 more problem of this kind."),
            ImportDialog::tr("%1 more problems of this kind."));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ImportDialog::ImportDialog(QWidget& window, std::filesystem::path log, Task& task)
    : QDialog(&window)
    , m_log(std::move(log))
    , m_task(task)
    , m_columns(new ColumnMap(this))
    , m_runs(new QTreeWidget(this))
    , m_summary(makeLabel("section", {}, this))
    , m_problems(makeLabel("warning", {}, this))
    , m_checkpoints(new QCheckBox(tr("Copy their checkpoints, too"), this))
    , m_reading(new QProgressBar(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Import runs"));
    makeRuns();
    for (QLabel* const label : { m_summary, m_problems })
        setUpSentences(*label);
    m_reading->setRange(0, 0); // nobody knows how long it takes
    m_reading->setTextVisible(false);
    m_reading->setAccessibleName(tr("Reading"));
    QWidget* const place = makePlace();
    QVBoxLayout* const layout =
        makeColumn(this, { place, m_summary, m_problems, m_reading }, { 16, 16, 16, 12 }, 10);
    layout->addWidget(m_columns, 3);
    layout->addWidget(m_runs, 2);
    layout->addStretch(0);
    layout->addWidget(m_checkpoints);
    layout->addWidget(makeButtons());
    connect(m_columns, &ColumnMap::changed, this, [this] { read(m_columns->layoutOfFile()); });
    connect(this, &QDialog::accepted, this, &ImportDialog::chosen);
    resize(kFirstSize);
    fail({});
    showSentence(tr("Choose a run log, a CSV file, or an event file or folder of TensorBoard, or "
                    "drop it on the window."),
        "muted");
}

ImportDialog::~ImportDialog()
{
    m_task.drop();
}

QWidget* ImportDialog::makePlace()
{
    auto* const line = new QWidget(this);
    m_place = new ElidedLabel(line);
    m_place->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QHBoxLayout* const row = makeRow(line);
    row->addWidget(m_place, 1);
    const auto add = [&](const QString& text, const QString& tip, auto ask) {
        auto* const button = new QPushButton(text, line);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, ask);
    };
    const auto take = [this](const QString& path) { look(path.toStdString()); };
    add(tr("File…"), tr("Choose a run log, a CSV file or an event file"), [this, take] {
        askOpen(*this, tr("Import runs"), saveFolder(),
            tr("Runs (*.db *.csv *.tsv *tfevents*);;All files (*)"), take);
    });
    add(tr("Folder…"), tr("Choose a folder with event files of TensorBoard"),
        [this, take] { askFolder(*this, tr("Import runs"), saveFolder(), take); });
    return line;
}

void ImportDialog::makeRuns()
{
    m_runs->setAccessibleName(tr("Runs to import"));
    m_runs->setStyleSheet(QStringLiteral("QTreeView::item { padding: 4px 7px; border: none; }"));
    m_runs->setRootIsDecorated(false);
    m_runs->setUniformRowHeights(true);
    m_runs->setSelectionMode(QAbstractItemView::NoSelection);
    m_runs->setColumnCount(3);
    m_runs->header()->setStretchLastSection(false);
    m_runs->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_runs->header()->setSectionResizeMode(0, QHeaderView::Stretch);
}

QWidget* ImportDialog::makeButtons()
{
    auto* const buttons = new QDialogButtonBox(this);
    m_import = buttons->addButton(tr("Import"), QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    m_import->setDefault(true);
    setStyleProperty(m_import, "primary", true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    return buttons;
}

// ---- looking ----------------------------------------------------------------------------------

void ImportDialog::look(const std::filesystem::path& path)
{
    m_path = path;
    m_place->setFullText(QString::fromStdString(path.string()));
    read(std::nullopt);
}

// With the roles that the user has chosen the columns stay as they are.
void ImportDialog::read(const std::optional<CsvLayout>& layout)
{
    m_plan.reset();
    m_task.start(
        [this, path = m_path, log = m_log, layout](const Task::Job& job) -> Task::News {
            const auto plan =
                std::make_shared<const ImportPlan>(planImport(path, log, layout, job.stopToken()));
            return [this, plan] { showPlan(plan); };
        },
        [this](const Message& problem) { fail(textOf(problem)); });
    if (!layout) {
        m_columns->setLayoutOfFile({});
        showSentence(tr("Reading what is there …"), "muted");
    }
    m_import->setEnabled(false);
    m_reading->show();
}

void ImportDialog::fail(const QString& problem)
{
    showSentence(problem, "error");
    for (QWidget* const part : std::initializer_list<QWidget*> { m_columns, m_runs, m_checkpoints })
        part->hide();
}

void ImportDialog::showPlan(const std::shared_ptr<const ImportPlan>& plan)
{
    const bool can = !plan->runs.empty();
    m_plan = can ? plan : nullptr;
    showSentence(can ? sentenceOn(*plan) : whyNothing(*plan), can ? "section" : "error");
    m_problems->setText(problemsOf(*plan));
    m_problems->setVisible(!plan->problems.empty());
    m_columns->setVisible(plan->layout.has_value());
    if (plan->layout && m_columns->rowCount() == 0)
        m_columns->setLayoutOfFile(*plan->layout);
    m_checkpoints->setVisible(can && plan->kind == ImportKind::RunLog);
    showRuns(*plan);
    m_import->setEnabled(can);
}

void ImportDialog::showRuns(const ImportPlan& plan)
{
    m_runs->clear();
    m_runs->setVisible(!plan.runs.empty());
    m_runs->setHeaderLabels({ tr("Run"),
        plan.kind == ImportKind::RunLog ? tr("Steps") : tr("Values"), tr("This log") });
    QList<QTreeWidgetItem*> items;
    for (const PlannedRun& run : plan.runs) {
        if (static_cast<std::size_t>(items.size()) == kMostRows)
            break;
        items << new QTreeWidgetItem({ QString::fromStdString(run.name), countText(run.length),
            run.isKnown ? tr("has it") : tr("new") });
        items.back()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_runs->addTopLevelItems(items);
}

void ImportDialog::showSentence(const QString& sentence, const char* role)
{
    m_summary->setText(sentence);
    setStyleProperty(m_summary, "role", QString::fromLatin1(role));
    m_reading->hide();
    m_problems->hide();
    m_import->setEnabled(false);
}

QString ImportDialog::summary() const
{
    return m_summary->text();
}

} // namespace accrue
