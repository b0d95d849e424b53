// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// What is asked of runs, by the search field and by `accrue list --filter`: words, and terms
// `key op value` with op one of = != < <= > >=, all of which must hold.
// `norm=group b<=32 lr=0.05,0.02 accuracy>0.98 "two words"`. Keys are those of run_keys.h; behind =
// and != a list of values says that any of them will do. Numbers may carry k, M, %, s, min, h, KiB,
// MiB or GiB, a time also m for minutes; of words neither case nor - and _ in place of blanks
// matter. A word by itself is found anywhere in what a person calls the run: name, note, tags,
// number, state, data, model, norm, optimizer, device. A value; pure.
class RunQuery {
public:
    static RunQuery parse(std::string_view text);

    bool matches(const RunRecord& run) const;
    bool isEmpty() const { return m_words.empty() && m_terms.empty(); }
    // What could not be understood; such a term is left out. Empty: all well.
    const Message& problem() const { return m_problem; }

private:
    struct Operator {
        std::string_view sign;
        bool isOrdered; // a limit of numbers
        bool holdsForEqual;
        bool holdsBelow; // of ordered ones; otherwise above
    };
    struct Operand {
        std::string text; // as it is written
        std::string word; // as it is compared
        std::optional<double> number;
        bool beginsWithSign = false; // that is not quoted
    };
    struct Term {
        std::string key;
        RunReading reading; // of the key; empty: there is no such key
        Operator compare {};
        std::vector<Operand> operands; // more than one only of = and !=
    };

    static std::optional<Term> parseTerm(std::string_view token);
    static Message problemOf(const Term& term, std::string_view token);
    static bool holds(const Term& term, const RunRecord& run);
    void add(std::string_view token);

    std::vector<std::string> m_words; // case-folded
    std::vector<Term> m_terms;
    Message m_problem;
};

} // namespace accrue
