// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runlog/run_record.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace accrue {

// What the search field says: words, and terms `key op value` with op one of = != < <= > >=, all of
// which must hold. `norm=group b<=32 accuracy>0.98 "two words"`. Keys are the short names of
// filterKeys() and every dotted key of docs/recipes.md; `b` and `B`, `n` and `N` differ as in the
// table. Numbers may carry k, M, %, s, min, h, KiB, MiB or GiB. A word is found anywhere in what a
// person calls the run: name, note, number, state, data, model, norm, optimizer, device.
class RunFilter {
public:
    static RunFilter parse(const QString& text);

    bool matches(const RunRecord& run) const;
    bool isEmpty() const { return m_words.isEmpty() && m_terms.empty(); }
    // What could not be understood, a sentence; such a term is left out. Empty: all well.
    const QString& problem() const { return m_problem; }

private:
    enum class Compare { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Term {
        QString key;
        Compare compare = Compare::Equal;
        QString text;
        std::optional<double> number;
    };

    static std::optional<Term> parseTerm(const QString& token);
    static bool holds(const Term& term, const RunRecord& run);
    void add(const QString& token);

    QStringList m_words; // case-folded
    std::vector<Term> m_terms;
    QString m_problem;
};

// Short names with what they mean, for the search field's help: "b: micro-batch" …
QStringList filterKeys();

} // namespace accrue
