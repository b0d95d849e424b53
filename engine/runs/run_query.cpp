// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/run_query.h"

#include "engine/base/case_folding.h"
#include "engine/base/shown_text.h"
#include "engine/experiment/key_names.h"
#include "engine/runs/settled_settings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

// A query is split into tokens first and parsed afterwards. Quotes only matter for the split: the
// characters that they protect are replaced by control characters, which nobody types, until a term
// has been split at its operator and its commas. A term that cannot be understood is left out and
// reported, so that a list stays useful while somebody is still typing.

namespace accrue {

namespace {

// The characters that have a meaning in a query, and their replacements inside quotes.
constexpr std::string_view kMeaningful = ",=!<>";
constexpr std::string_view kLiteral = "\x1f\x1e\x1d\x1c\x1b";
constexpr std::string_view kSigns = "=!<>";

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// Blanks that keyboards of other scripts produce count as blanks.
std::string withPlainBlanks(std::string_view text)
{
    std::string plain(text);
    for (const std::string_view blank : { "\u00a0", "\u3000" })
        for (std::size_t at = plain.find(blank); at != std::string::npos;
             at = plain.find(blank, at))
            plain.replace(at, blank.size(), " ");
    return plain;
}

char literal(char c)
{
    const std::size_t which = kMeaningful.find(c);
    return which == std::string_view::npos ? c : kLiteral[which];
}

std::string asTyped(std::string_view token)
{
    std::string text(token);
    for (char& c : text)
        if (const std::size_t which = kLiteral.find(c); which != std::string_view::npos)
            c = kMeaningful[which];
    return text;
}

// Splits at blanks, except for those around an operator; quotes hold a token together and are
// removed.
std::vector<std::string> tokensOf(std::string_view given)
{
    const std::string text = withPlainBlanks(given);
    std::vector<std::string> tokens(1);
    bool quoted = false;
    bool isValue = false; // the quoted text follows a key and an operator
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        std::string& token = tokens.back();
        if (c == '"') {
            quoted = !quoted;
            isValue = quoted && !token.empty();
        } else if (quoted || !isBlank(c)) {
            // A quote at the beginning of a token may enclose a whole term, whose operator must
            // remain one.
            token += isValue || (quoted && c == ',') ? literal(c) : c;
            // Blanks around an operator belong to its term: "b <= 32" is one.
        } else if (const std::size_t next = text.find_first_not_of(" \t\n\v\f\r", i);
                   next != std::string::npos && !token.empty()
                   && kSigns.find(token.back()) == std::string_view::npos
                   && kSigns.find(text[next]) == std::string_view::npos) {
            tokens.emplace_back();
        }
    }
    std::erase(tokens, std::string());
    return tokens;
}

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kUnits {
    Unit { "", 1 },
    Unit { "k", 1e3 },
    Unit { "M", 1e6 },
    Unit { "%", 0.01 },
    Unit { "s", 1 },
    Unit { "min", 60 },
    Unit { "h", 3600 },
    Unit { "ms", 1e-3 },
    Unit { "KiB", 1024 },
    Unit { "MiB", 1024.0 * 1024 },
    Unit { "GiB", 1024.0 * 1024 * 1024 },
    Unit { "KB", 1e3 },
    Unit { "MB", 1e6 },
    Unit { "GB", 1e9 },
};

// "m" alone is minutes. Elsewhere it is refused, because M with its case ignored would be millions.
std::optional<double> factorOf(std::string_view unit, bool ofTime)
{
    if (unit == "m")
        return ofTime ? std::optional(60.0) : std::nullopt;
    for (const Unit& known : kUnits)
        if (unit == known.name)
            return known.factor;
    for (const Unit& known : kUnits)
        if (caseFolded(unit) == caseFolded(known.name))
            return known.factor;
    return std::nullopt;
}

std::optional<double> quantity(std::string_view text, bool ofTime)
{
    // People write +1, which from_chars refuses.
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    const std::size_t first = text.find_first_not_of('-');
    if (first == std::string_view::npos
        || std::string_view("0123456789.").find(text[first]) == std::string_view::npos)
        return std::nullopt; // refuses inf and nan
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc())
        return std::nullopt;
    std::string_view unit = text.substr(static_cast<std::size_t>(parsed.ptr - text.data()));
    while (!unit.empty() && isBlank(unit.front()))
        unit.remove_prefix(1);
    const std::optional<double> factor = factorOf(unit, ofTime);
    return factor ? std::optional(value * *factor) : std::nullopt;
}

// Relative tolerance for the rounding of a typed value: 0.1 % need not be the double nearest to
// 0.001.
bool same(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Words as they are compared: neither case nor the sign between two of them matters.
std::string compared(std::string_view word)
{
    std::string text = caseFolded(asTyped(word));
    for (char& c : text)
        c = c == '_' || c == '-' ? ' ' : c;
    return text;
}

bool isOne(const RunValue& value, const std::string& asked)
{
    return std::any_of(value.words.begin(), value.words.end(), [&](const std::string& word) {
        const std::string has = compared(word);
        return value.partly ? has.find(asked) != std::string::npos : has == asked;
    });
}

std::string haystack(const RunRecord& run)
{
    // Line breaks separate the parts, so that no word matches across two of them.
    std::string text = run.name + " #" + std::to_string(numberOf(run.id)) + "\n" + run.note + "\n";
    for (const std::string& tag : run.tags)
        text += tag + "\n";
    text += conditionOf(run) + "\n" + run.device + "\n" + run.deviceName;
    for (const char* key : { key::dataName, key::modelName, key::modelNorm, key::optimizerName })
        if (const auto value = settledSetting(run, key))
            text += "\n" + settingText(*value);
    return caseFolded(text);
}

std::size_t lengthOfKey(std::string_view token)
{
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    if (token.empty() || !isLetter(token.front()))
        return 0;
    std::size_t length = 1;
    while (length < token.size()
        && (isLetter(token[length]) || token[length] == '.'
            || (token[length] >= '0' && token[length] <= '9')))
        ++length;
    return length;
}

bool isTime(std::string_view key)
{
    const RunKey* const known = findRunKey(key);
    return known != nullptr && known->name == kTimeFilter;
}

bool isOneOf(const std::string& token, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), token) != words.end();
}

// "or" in small letters is a word that a note may have, except between two terms.
bool isOr(const std::vector<std::string>& tokens, std::size_t at)
{
    const auto isTerm = [&](std::size_t i) {
        return i < tokens.size() && tokens[i].find_first_of(kSigns) != std::string::npos;
    };
    return isOneOf(tokens[at], { "OR", "||" })
        || (isOneOf(tokens[at], { "or", "Or" }) && at > 0 && isTerm(at - 1) && isTerm(at + 1));
}

// All terms hold anyway.
bool isAnd(const std::string& token)
{
    return isOneOf(token, { "AND", "&&" });
}

bool opensBracket(const std::string& token)
{
    return token.front() == '(' && token.find_first_of(kSigns) != std::string::npos;
}

} // namespace

RunQuery RunQuery::parse(std::string_view text, const std::vector<std::string>& others)
{
    RunQuery query;
    const std::vector<std::string> tokens = tokensOf(text);
    if (std::ranges::any_of(tokens, opensBracket)) {
        query.m_problem = Message("runlog.query_brackets");
        return query;
    }
    bool begins = true; // an alternative
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (isOr(tokens, i)) {
            if (begins || i + 1 == tokens.size())
                query.m_problem = Message("runlog.query_choice", { { "word", tokens[i] } });
            begins = true;
        } else if (!isAnd(tokens[i])) {
            if (std::exchange(begins, false))
                query.m_alternatives.emplace_back();
            query.add(tokens[i], others);
        }
    }
    return query;
}

bool RunQuery::isEmpty() const
{
    return std::ranges::all_of(m_alternatives,
        [](const Alternative& one) { return one.words.empty() && one.terms.empty(); });
}

std::optional<RunQuery::Term> RunQuery::parseTerm(
    std::string_view token, const std::vector<std::string>& others)
{
    // Signs of two characters first: "<" would match the beginning of "<=".
    static constexpr std::array<Operator, 6> kOperators { {
        { "!=", false, false, false },
        { "<=", true, true, true },
        { ">=", true, true, false },
        { "=", false, true, false },
        { "<", true, false, true },
        { ">", true, false, false },
    } };
    const std::size_t key = lengthOfKey(token);
    const std::string_view name = token.substr(0, key);
    const auto termOf = [&](const Operator& compare, std::size_t width) {
        Term term { std::string(name), readingOf(name, others), compare, {} };
        std::string_view rest = token.substr(key + width);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            const std::string_view one = rest.substr(0, end);
            term.operands.push_back({ asTyped(one), compared(one), quantity(one, isTime(name)),
                one.find_first_of(kSigns) == 0 });
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return term;
    };
    for (const Operator& compare : kOperators)
        if (key > 0 && token.substr(key).starts_with(compare.sign))
            return termOf(compare, compare.sign.size());
    // As other programs have it: "tag:baseline". A name or note may have a colon as well, so what
    // is no condition is a word.
    if (key > 0 && token.substr(key).starts_with(':'))
        if (Term term = termOf(kOperators[3], 1); problemOf(term, token).empty())
            return term;
    return std::nullopt;
}

Message RunQuery::problemOf(const Term& term, std::string_view token)
{
    const bool ordered = term.compare.isOrdered;
    const std::string typed = shortened(asTyped(token));
    if (!term.reading)
        return unknownRunKey(term.key);
    if (term.operands.empty())
        return Message("runlog.query_needs_value", { { "term", typed } });
    if (ordered && term.operands.size() > 1)
        return Message("runlog.query_list", { { "term", typed } });
    for (const Operand& operand : term.operands) {
        if (operand.beginsWithSign)
            return Message("runlog.query_signs", { { "term", typed } });
        if (!operand.number && (ordered || !mayBeWord(term.key, operand.text)))
            return Message("runlog.query_no_number",
                { { "term", typed }, { "value", shortened(operand.text) } });
    }
    return {};
}

void RunQuery::add(std::string_view token, const std::vector<std::string>& others)
{
    Alternative& all = m_alternatives.back();
    const auto term = parseTerm(token, others);
    if (!term)
        all.words.push_back(caseFolded(asTyped(token)));
    else if (const Message problem = problemOf(*term, token); !problem.empty())
        m_problem = problem;
    else
        all.terms.push_back(*term);
}

bool RunQuery::matches(const RunRecord& run) const
{
    return m_alternatives.empty()
        || std::ranges::any_of(
            m_alternatives, [&](const Alternative& one) { return holds(one, run); });
}

bool RunQuery::holds(const Alternative& all, const RunRecord& run)
{
    const bool termsHold = std::all_of(
        all.terms.begin(), all.terms.end(), [&](const Term& term) { return holds(term, run); });
    if (!termsHold || all.words.empty())
        return termsHold;
    // Last, because it costs most.
    const std::string text = haystack(run);
    return std::all_of(all.words.begin(), all.words.end(),
        [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

bool RunQuery::holds(const Term& term, const RunRecord& run)
{
    const RunValue value = term.reading(run);
    const auto isValue = [&](const Operand& operand) {
        return value.number ? operand.number && same(*value.number, *operand.number)
                            : isOne(value, operand.word);
    };
    // One match in a list is enough; with != none may match.
    const bool equal = std::any_of(term.operands.begin(), term.operands.end(), isValue);
    if (!term.compare.isOrdered)
        return equal == term.compare.holdsForEqual;
    // A run without the value is neither below nor above a limit.
    if (!value.number)
        return false;
    const bool isBelow = *value.number < *term.operands.front().number;
    return equal ? term.compare.holdsForEqual : isBelow == term.compare.holdsBelow;
}

} // namespace accrue
