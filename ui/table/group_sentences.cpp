// SPDX-License-Identifier: Apache-2.0
#include "ui/table/group_sentences.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>

#include "engine/compare/number_columns.h"
#include "ui/models/format.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <algorithm>

namespace accrue {

namespace {

constexpr int kMostLines = 4; // before it scrolls

} // namespace

GroupSentences::GroupSentences(QWidget* parent)
    : QFrame(parent)
    , m_number(new FormComboBox(this))
    , m_text(new QLabel(this))
{
    setProperty("card", true);
    m_number->setAccessibleName(tr("Number by which groups are compared"));
    m_number->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* const title = new QLabel(tr("&Differences in"), this);
    title->setBuddy(m_number);
    auto* const first = makeRow(nullptr, { title, m_number });
    first->addStretch(1);
    setUpSentences(*m_text);
    m_text->setObjectName(QStringLiteral("groupSentences"));
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* const area = new QScrollArea(this);
    area->setAccessibleName(tr("Differences between the groups"));
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setWidget(m_text);
    for (QWidget* ground : { area->viewport(), static_cast<QWidget*>(m_text) })
        ground->setAutoFillBackground(false); // the card's is behind it
    area->setFixedHeight(kMostLines * fontMetrics().lineSpacing() + 4);
    auto* const column = makeColumn(this, {}, { 12, 8, 12, 8 });
    column->addLayout(first);
    column->addWidget(area);
    hide();
    connect(m_number, &QComboBox::currentIndexChanged, this, [this] {
        if (m_isFilling)
            return;
        m_chosen = m_number->currentData().toString().toStdString();
        say();
    });
}

void GroupSentences::show(const std::vector<RunRecord>& runs,
    const std::vector<RunSummaries>& summaries, const SummaryRequest& request, bool isGrouped)
{
    setVisible(isGrouped);
    if (!isGrouped)
        return;
    m_runs = runs;
    m_summaries = summaries;
    m_request = request;
    offerNumbers();
    say();
}

// What runs are judged by, and what they cost.
void GroupSentences::offerNumbers()
{
    m_isFilling = true;
    m_number->clear();
    for (const NumberColumn& column : numbersOf(m_runs, m_summaries))
        if (column.kind == NumberColumn::Kind::Result || column.kind == NumberColumn::Kind::Cost)
            m_number->addItem(
                messageText(column.number.title), QString::fromStdString(column.number.name));
    const int chosen = m_number->findData(QString::fromStdString(m_chosen));
    m_number->setCurrentIndex(std::max(chosen, 0));
    m_isFilling = false;
}

void GroupSentences::say()
{
    if (m_number->count() == 0) {
        m_text->setText(tr("These runs have no results yet."));
        return;
    }
    m_request.number = m_number->currentData().toString().toStdString();
    const GroupSummary summary = summarize(m_runs, m_summaries, m_request);
    QStringList lines;
    for (const Message& sentence : sentencesOf(summary))
        lines.append(messageText(sentence));
    if (const Message warning = warningOf(summary); !warning.empty())
        lines.append(messageText(warning));
    m_text->setText(lines.isEmpty() ? tr("There is only one group, so there is nothing to compare.")
                                    : lines.join(QLatin1Char('\n')));
}

QString GroupSentences::text() const
{
    return m_text->text();
}

} // namespace accrue
