// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/equivalence_card.h"

#include <QVBoxLayout>

#include "ui/models/equivalence_words.h"
#include "ui/widgets/form_widgets.h"

namespace accrue {

namespace {

constexpr int kLines = 4;

} // namespace

EquivalenceCard::EquivalenceCard(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLabel(this))
    , m_why(makeLabel("muted", {}, this))
{
    setProperty("card", true);
    m_text->setObjectName(QStringLiteral("equivalence"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    for (QLabel* label : { m_text, m_why }) {
        setUpSentences(*label);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        layout->addWidget(label);
    }
    layout->addStretch(1);
    // Of a fixed height, so that the chart keeps its own when the answer arrives.
    setFixedHeight(kLines * fontMetrics().lineSpacing() + 2 * 8 + 4);
    hide();
    connect(&m_check, &EquivalenceCheck::answered, this, &EquivalenceCard::showAnswer);
}

// An answer about the same two runs remains until the next one: they may still train.
void EquivalenceCard::setRuns(const std::filesystem::path& log, const std::vector<RunRecord>& runs)
{
    // Also if the runs are the same: this is called when one of them has changed, and an answer
    // that is on its way may be about the earlier steps.
    m_asked = false;
    m_check.forget();
    std::optional<Question> now;
    if (runs.size() == 2)
        now.emplace(log, RunPair { runs.front().id, runs.back().id });
    setVisible(now.has_value());
    if (std::exchange(m_question, now) == now)
        return;
    m_text->setText(tr("Comparing losses…"));
    m_why->clear();
}

void EquivalenceCard::setDistance(EquivalenceCheck::Distance distance)
{
    m_check.setDistance(std::move(distance));
    if (std::exchange(m_asked, false))
        ask();
}

void EquivalenceCard::ask()
{
    // Requested once per state of the runs, and only when the card is visible: the check reads the
    // losses of both runs.
    if (!m_question || std::exchange(m_asked, true))
        return;
    m_check.ask(m_question->first, m_question->second);
}

void EquivalenceCard::showAnswer(const EquivalenceAnswer& answer)
{
    m_text->setText(equivalenceText(answer));
    m_why->setText(equivalenceExplanation(answer));
    for (QLabel* label : { m_text, m_why }) // its space is limited
        label->setToolTip(label->text());
}

} // namespace accrue
