// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/fuzzy_match.h"

#include <QStringList>

namespace accrue {

namespace {

// What each word of the query adds. The sum is multiplied by kLength before the length of the text
// is subtracted, so that the length only decides between texts with the same sum.
constexpr int kBeginning = 100; // of a word
constexpr int kPart = 50;
constexpr int kLetters = 10;
constexpr int kFirst = 5; // the text's very beginning
constexpr int kLength = 1000; // a word more outweighs this many letters

bool beginsWord(const QString& text, qsizetype position)
{
    return position == 0 || !text[position - 1].isLetterOrNumber();
}

bool lettersFollow(const QString& word, const QString& text, qsizetype from)
{
    for (const QChar letter : word) {
        from = text.indexOf(letter, from);
        if (from < 0)
            return false;
        ++from;
    }
    return true;
}

std::optional<int> scoreOfWord(const QString& word, const QString& text)
{
    std::optional<int> best;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (beginsWord(text, at))
            return kBeginning + (at == 0 ? kFirst : 0);
        best = kPart;
    }
    // Only from the beginning of a word: "lrt" is in too many texts otherwise.
    for (qsizetype at = text.indexOf(word[0]); !best && at >= 0; at = text.indexOf(word[0], at + 1))
        if (beginsWord(text, at) && lettersFollow(word, text, at))
            best = kLetters;
    return best;
}

} // namespace

std::optional<int> matchScore(const QString& query, const QString& text)
{
    const QString folded = text.toCaseFolded();
    int sum = 0;
    for (const QString& word :
        query.toCaseFolded().simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const std::optional<int> score = scoreOfWord(word, folded);
        if (!score)
            return std::nullopt;
        sum += *score;
    }
    return sum > 0 ? kLength * sum - static_cast<int>(text.size()) : 0;
}

} // namespace accrue
