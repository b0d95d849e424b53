// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/law_answers.h"

#include "engine/experiment/finding.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/recipe.h"
#include "ui/models/key_words.h"
#include "ui/models/law_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/reserved_label.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>

namespace accrue {

namespace {

constexpr int kWidth = 288;
constexpr int kRowHeight = 22;

QString writtenBytes(const std::optional<Bytes>& budget)
{
    Experiment experiment;
    experiment.memory.budget = budget;
    return spelledSetting(experiment, key::memoryBudget);
}

// A card by its name, another size as a recipe spells it, which can be edited.
QString budgetText(const std::optional<Bytes>& budget)
{
    if (budget)
        for (const std::int64_t bytes : cardSizes())
            if (bytes == budget->count)
                return cardTitle(bytes);
    return writtenBytes(budget);
}

} // namespace

LawAnswers::LawAnswers(QWidget* parent)
    : QWidget(parent)
    , m_cards(new FormComboBox(this))
    , m_table(new QTableWidget(static_cast<int>(cardSizes().size()), 2, this))
    , m_sentence(new ReservedLabel(/*characters=*/200, this))
    , m_either(new QStackedWidget(this))
    , m_note(new ReservedLabel(/*characters=*/190, this))
{
    setFixedWidth(kWidth);
    buildCards();
    buildTable();
    m_note->setProperty("role", QLatin1String("muted"));
    auto* sentence = new QWidget(m_either);
    makeColumn(sentence, { m_sentence }, { 0, 4, 0, 0 })->addStretch(1);
    m_either->addWidget(m_table);
    m_either->addWidget(sentence);
    // Table and sentence alternate in one place of a fixed height: the result of a measurement must
    // not move anything.
    m_either->setFixedHeight(m_table->height());
    auto* title = new QLabel(tr("&Emulate a card with"), this);
    title->setBuddy(m_cards);
    auto* emulate = makeRow(nullptr, { title, m_cards });
    emulate->setStretch(1, 1);
    auto* layout = makeColumn(this, { m_either, m_note });
    layout->insertLayout(0, emulate);
    layout->addStretch(1);
}

// ---- building --------------------------------------------------------------------------------

void LawAnswers::buildCards()
{
    m_cards->setEditable(true);
    // A typed size is not a card: it must not become an entry of the list.
    m_cards->setInsertPolicy(QComboBox::NoInsert);
    m_cards->setAccessibleName(tr("Emulate a card"));
    m_cards->setToolTip(
        tr("Sets memory.budget in the form: training uses no more memory than such a card has. "
           "Choose a card or type a size, such as 128MiB or 1.5GiB; none: the whole device. "
           "Measure verifies the limit with real windows."));
    m_cards->addItem(writtenBytes({}));
    for (const std::int64_t bytes : cardSizes())
        m_cards->addItem(cardTitle(bytes));
    connect(m_cards, &QComboBox::activated, this, &LawAnswers::takeText);
    // editingFinished is also emitted with every loss of the focus, so only typed text counts.
    connect(m_cards->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        if (m_cards->lineEdit()->isModified())
            takeText();
    });
}

void LawAnswers::buildTable()
{
    m_table->setObjectName(QStringLiteral("cardSizes"));
    m_table->setAccessibleName(tr("Cards it would run on"));
    m_table->setHorizontalHeaderLabels({ tr("Runs on"), tr("Largest b") });
    m_table->setToolTip(tr("The largest micro-batch that fits a card of this size. Double-click or "
                           "press Enter to emulate the card."));
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setUpRows(*m_table, kRowHeight);
    // The selected row is the emulated card, not the row with the focus.
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < 2; ++column) {
            auto* item = new QTableWidgetItem;
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    m_table->setCurrentCell(0, 0);
    const int header = m_table->horizontalHeader()->sizeHint().height();
    m_table->setFixedHeight(header + m_table->rowCount() * kRowHeight + 2 * m_table->frameWidth());
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) {
        Q_EMIT emulateRequested(Bytes { cardSizes().at(static_cast<std::size_t>(row)) });
    });
}

// ---- what is typed ---------------------------------------------------------------------------

// Read as `accrue fit --budget` reads it.
void LawAnswers::takeText()
{
    Experiment asked;
    // By the parser of recipes, so that a size means the same here, in a recipe and in a terminal,
    // and has the same message if it is wrong.
    const Findings findings = applySetting(
        asked, key::assignment(key::memoryBudget, m_cards->currentText().trimmed().toStdString()));
    m_cards->lineEdit()->setModified(hasErrors(findings)); // remains until it is corrected
    setStyleProperty(m_cards, "wrong", hasErrors(findings));
    if (hasErrors(findings)) {
        showNote(QString::fromStdString(findings.front().message.text()), /*isProblem=*/true);
        return;
    }
    showNote(m_source, /*isProblem=*/false);
    if (asked.memory.budget != m_budget)
        Q_EMIT emulateRequested(asked.memory.budget);
    else
        m_cards->setEditText(budgetText(m_budget));
}

// ---- showing ---------------------------------------------------------------------------------

void LawAnswers::showAnswers(const LawQuestion& question)
{
    m_source = question.law ? cardsSource(*question.law) : QString();
    showCards(question.experiment);
    showTable(question.law, question.plan);
    // The note states the error of the typed text until that is corrected.
    if (!m_cards->property("wrong").toBool())
        showNote(m_source, /*isProblem=*/false);
}

// Text that is being typed is not replaced.
void LawAnswers::showCards(const Experiment& experiment)
{
    m_budget = experiment.memory.budget;
    if (m_cards->lineEdit()->isModified())
        return;
    const QSignalBlocker blocker(m_cards);
    const QString text = budgetText(m_budget);
    m_cards->setCurrentIndex(m_cards->findText(text));
    m_cards->setEditText(text);
}

void LawAnswers::showTable(
    const std::optional<MemoryFit>& fit, const std::optional<BatchPlan>& plan)
{
    const QString sentence = fit ? cardsSentence(*fit, plan) : QString();
    m_sentence->setText(sentence);
    m_either->setCurrentIndex(sentence.isEmpty() ? 0 : 1);
    // The emulated card may be none of the table's, and then no row is selected.
    m_table->clearSelection();
    m_table->setEnabled(fit.has_value());
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const std::int64_t bytes = cardSizes()[static_cast<std::size_t>(row)];
        const bool emulated = m_budget && m_budget->count == bytes;
        m_table->item(row, 0)->setText(
            emulated ? tr("%1, emulated").arg(cardTitle(bytes)) : cardTitle(bytes));
        m_table->item(row, 1)->setText(
            fit ? cardAnswerText(answerFor(*fit, plan, bytes)) : QStringLiteral("–"));
        m_table->setRangeSelected({ row, 0, row, 1 }, emulated);
    }
}

void LawAnswers::showNote(const QString& text, bool isProblem)
{
    m_note->setText(text);
    setStyleProperty(m_note, "role", QLatin1String(isProblem ? "error" : "muted"));
}

} // namespace accrue
