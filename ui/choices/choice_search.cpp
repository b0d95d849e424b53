// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/choice_search.h"

#include "ui/models/format.h"

#include <algorithm>

namespace accrue {

namespace {

// A lone slash is part of a name, such as train/loss.
bool isBetweenSlashes(const QString& text)
{
    return text.size() >= 2 && text.startsWith(QLatin1Char('/')) && text.endsWith(QLatin1Char('/'));
}

} // namespace

ChoiceSearch::ChoiceSearch(const QString& text, bool isExpression)
{
    QString wanted = text.trimmed();
    m_isExpression = isExpression || isBetweenSlashes(wanted);
    if (!m_isExpression) {
        m_words = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        return;
    }
    if (isBetweenSlashes(wanted))
        wanted = wanted.mid(1, wanted.size() - 2);
    m_expression = QRegularExpression(wanted, QRegularExpression::CaseInsensitiveOption);
    if (!m_expression.isValid())
        m_problem = Ui::tr("The expression is wrong at character %1: %2.")
                        .arg(m_expression.patternErrorOffset() + 1)
                        .arg(m_expression.errorString());
}

bool ChoiceSearch::matches(const Choice& choice) const
{
    if (!m_problem.isEmpty())
        return false;
    if (m_isExpression)
        return m_expression.match(choice.title).hasMatch()
            || m_expression.match(choice.detail).hasMatch();
    return std::ranges::all_of(m_words, [&](const QString& word) {
        return choice.title.contains(word, Qt::CaseInsensitive)
            || choice.detail.contains(word, Qt::CaseInsensitive);
    });
}

} // namespace accrue
