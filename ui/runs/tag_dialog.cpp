// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/tag_dialog.h"

#include "engine/runs/run_tags.h"
#include "ui/models/format.h"
#include "ui/models/run_words.h"
#include "ui/rows/tag_colors.h"
#include "ui/run/log_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>

// The completer of a line completes the whole line. Here it gets only the word at the end, and its
// choice replaces that word.

namespace accrue {

namespace {

constexpr int kWidth = 380; // pixels
constexpr int kMostListHeight = 220;
constexpr int kBefore = Qt::UserRole + 1; // the state that a tag had when the dialog was opened

QString lastWordOf(const QString& line)
{
    const qsizetype at =
        std::max(line.lastIndexOf(QLatin1Char(',')), line.lastIndexOf(QLatin1Char(' ')));
    return line.mid(at + 1);
}

} // namespace

TagDialog::TagDialog(QWidget& window, const QString& what, const std::vector<Tag>& tags)
    : QDialog(&window)
    , m_line(new QLineEdit(this))
    , m_problem(makeLabel("error", {}, this))
    , m_list(new QListWidget(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Tags"));
    m_line->setPlaceholderText(tr("baseline, paper"));
    m_line->setAccessibleName(tr("Tags to add"));
    setUpSentences(*m_problem);
    m_problem->hide();
    m_list->setAccessibleName(tr("Tags of this log"));
    fill(tags);
    const int rows = m_list->sizeHintForRow(0) * m_list->count() + 2 * m_list->frameWidth() + 4;
    m_list->setFixedHeight(std::clamp(rows, 0, kMostListHeight));
    complete(tags);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* ok = buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    ok->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &TagDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_line, &QLineEdit::textEdited, m_problem, &QWidget::hide);

    QLabel* add = makeLabel("", tr("Add to %1, separated by blanks or commas:").arg(what), this);
    setUpSentences(*add);
    makeColumn(this, { add, m_line, m_problem, m_list, buttons }, { 16, 16, 16, 12 });
    resize(kWidth, sizeHint().height());
    m_line->setFocus();
}

void TagDialog::fill(const std::vector<Tag>& tags)
{
    m_list->setVisible(!tags.empty());
    for (const Tag& tag : tags) {
        const QString name = QString::fromStdString(tag.name);
        auto* item = new QListWidgetItem(
            QStringLiteral("%1   %2").arg(name, countedText(tag.used, tr("1 run"), tr("%1 runs"))),
            m_list);
        item->setData(Qt::UserRole, name);
        item->setData(kBefore, tag.state);
        item->setForeground(tagColor(name));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(tag.state);
    }
}

void TagDialog::complete(const std::vector<Tag>& tags)
{
    QStringList names;
    for (const Tag& tag : tags)
        names.append(QString::fromStdString(tag.name));
    auto* completer = new QCompleter(names, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setWidget(m_line); // not setCompleter, which would complete the whole line
    connect(m_line, &QLineEdit::textEdited, completer, [completer](const QString& line) {
        const QString word = lastWordOf(line);
        completer->setCompletionPrefix(word);
        const bool isWhole =
            completer->completionCount() == 1 && completer->currentCompletion() == word;
        if (word.isEmpty() || completer->completionCount() == 0 || isWhole)
            completer->popup()->hide();
        else
            completer->complete();
    });
    connect(completer, qOverload<const QString&>(&QCompleter::activated), this,
        [this](const QString& tag) {
            const QString line = m_line->text();
            m_line->setText(line.chopped(lastWordOf(line).size()) + tag + QStringLiteral(", "));
        });
}

// What cannot be a tag stays in the line, to be corrected and not typed again.
void TagDialog::save()
{
    std::vector<std::string> added = tagsInLine(m_line->text());
    for (const std::string& tag : added)
        if (const Message problem = problemOfTag(tag); !problem.empty()) {
            m_problem->setText(withWindowQuotes(QString::fromStdString(problem.text())));
            m_problem->show();
            m_line->setFocus();
            return;
        }
    std::vector<std::string> removed;
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem* item = m_list->item(row);
        if (item->checkState() == item->data(kBefore).toInt())
            continue;
        (item->checkState() == Qt::Checked ? added : removed)
            .push_back(item->data(Qt::UserRole).toString().toStdString());
    }
    // A tag that is typed wins over one that is unchecked.
    std::erase_if(removed, [&added](const std::string& tag) {
        return std::find(added.begin(), added.end(), tag) != added.end();
    });
    if (!added.empty() || !removed.empty())
        Q_EMIT saved(added, removed);
    accept();
}

} // namespace accrue
