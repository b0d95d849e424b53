// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_keys.h"
#include "engine/runs/run_record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accrue {

// The query of the search field and of `accrue list --filter`: words, and terms `key op value` with
// op one of = != < <= > >=, all of which must hold; OR separates alternatives, one of which must.
// `norm=group b<=32 lr=0.05,0.02 accuracy>0.98 "two words" OR tag=baseline`. The keys are those of
// run_keys.h; after = and !=, a list of values means any of them; "tag:baseline" is "tag=baseline".
// Numbers may have k, M, %, s, min, h, KiB, MiB or GiB, a time also m for minutes. In words, case
// does not matter, nor - and _ in place of blanks. A word by itself is searched for in everything
// that identifies the run to a person: name, note, tags, number, state, data, model, norm,
// optimizer, device. A value; pure.
class RunQuery {
public:
    // `others`: the keys of runs without a recipe (keysOfOthers).
    static RunQuery parse(std::string_view text, const std::vector<std::string>& others = {});

    bool matches(const RunRecord& run) const;
    bool isEmpty() const;
    // What could not be understood; such a term is left out. Empty: everything was understood.
    const Message& problem() const { return m_problem; }

private:
    struct Operator {
        std::string_view sign;
        bool isOrdered; // a limit of numbers
        bool holdsForEqual;
        bool holdsBelow; // of ordered ones; otherwise above
    };
    struct Operand {
        std::string text; // as typed
        std::string word; // as compared
        std::optional<double> number;
        bool beginsWithSign = false; // with one that is not quoted
    };
    struct Term {
        std::string key;
        RunReading reading; // of the key; empty: unknown key
        Operator compare {};
        std::vector<Operand> operands; // more than one only with = and !=
    };

    struct Alternative {
        std::vector<std::string> words; // case-folded
        std::vector<Term> terms;
    };

    static std::optional<Term> parseTerm(
        std::string_view token, const std::vector<std::string>& others);
    static Message problemOf(const Term& term, std::string_view token);
    static bool holds(const Term& term, const RunRecord& run);
    static bool holds(const Alternative& all, const RunRecord& run);
    void add(std::string_view token, const std::vector<std::string>& others);

    std::vector<Alternative> m_alternatives; // none: every run matches
    Message m_problem;
};

} // namespace accrue
