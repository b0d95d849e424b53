// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <vector>

namespace accrue {

// A row that can be found: by its title or by its detail.
struct Choice {
    QString id; // unique
    QString title;
    QString detail {}; // beside it, "test_accuracy"; may be empty
    QString section {}; // its heading; those of one section are one after the other
    QString problem {}; // why it cannot be chosen; empty: it can
    bool isMarked = false; // it is chosen already
    friend bool operator==(const Choice&, const Choice&) = default;
};
using Choices = std::vector<Choice>;

// What a person has typed: words that all occur, upper and lower case alike, or a regular
// expression, likewise, between slashes or where the caller says that it is one. Pure.
class ChoiceSearch {
public:
    explicit ChoiceSearch(const QString& text = {}, bool isExpression = false);

    bool matches(const Choice& choice) const; // nothing, if there is a problem
    // One sentence: what is wrong with the expression, and where.
    const QString& problem() const { return m_problem; }

private:
    bool m_isExpression = false;
    QStringList m_words;
    QRegularExpression m_expression;
    QString m_problem;
};

} // namespace accrue
