// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "engine/experiment/keys.h"
#include "ui/models/run_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace accrue {

namespace {

class Text {
    Q_DECLARE_TR_FUNCTIONS(RunFilter)
};

// A run's side of a term: a number, a text, or nothing (no value yet).
struct Value {
    std::optional<double> number;
    QString text;
    bool partly = false; // `=` asks whether the text contains it
};

Value number(double value)
{
    return { value, {}, false };
}

Value number(const std::optional<double>& value)
{
    return { value, {}, false };
}

Value text(const std::string& value, bool partly = false)
{
    return { std::nullopt, QString::fromStdString(value), partly };
}

struct ShortKey {
    const char* name;
    const char* help;
    Value (*value)(const RunRecord& run);
};

Value setting(const RunRecord& run, std::string_view key);

const std::array<ShortKey, 27>& shortKeys()
{
    static const std::array<ShortKey, 27> keys { {
        { "b", QT_TRANSLATE_NOOP("RunFilter", "micro-batch"),
            [](const RunRecord& r) { return number(double(planInForce(r).micro)); } },
        { "N", QT_TRANSLATE_NOOP("RunFilter", "accumulation steps"),
            [](const RunRecord& r) { return number(double(planInForce(r).steps)); } },
        { "B", QT_TRANSLATE_NOOP("RunFilter", "effective batch"),
            [](const RunRecord& r) { return number(double(r.plan.effective)); } },
        { "norm", QT_TRANSLATE_NOOP("RunFilter", "none, batch or group"),
            [](const RunRecord& r) { return setting(r, "model.norm"); } },
        { "lr", QT_TRANSLATE_NOOP("RunFilter", "learning rate"),
            [](const RunRecord& r) { return number(r.experiment.optimizer.lr); } },
        { "accuracy", QT_TRANSLATE_NOOP("RunFilter", "best accuracy, 0 to 1 or in %"),
            [](const RunRecord& r) { return number(bestAccuracyOf(r)); } },
        { "loss", QT_TRANSLATE_NOOP("RunFilter", "last test loss"),
            [](const RunRecord& r) { return number(r.finalTestLoss); } },
        { "train_loss", QT_TRANSLATE_NOOP("RunFilter", "training loss of the last epoch"),
            [](const RunRecord& r) { return number(r.finalTrainLoss); } },
        { "train_accuracy", QT_TRANSLATE_NOOP("RunFilter", "training accuracy of the last epoch"),
            [](const RunRecord& r) { return number(r.finalTrainAccuracy); } },
        { "time", QT_TRANSLATE_NOOP("RunFilter", "training time: 90, 90s, 5min, 1h"),
            [](const RunRecord& r) { return number(r.seconds); } },
        { "throughput", QT_TRANSLATE_NOOP("RunFilter", "samples a second"),
            [](const RunRecord& r) { return number(r.throughput); } },
        { "memory", QT_TRANSLATE_NOOP("RunFilter", "peak memory of training: 200MiB, 1.5GiB"),
            [](const RunRecord& r) { return number(double(r.peakBytes)); } },
        { "step", QT_TRANSLATE_NOOP("RunFilter", "updates made"),
            [](const RunRecord& r) { return number(double(r.step)); } },
        { "epoch", QT_TRANSLATE_NOOP("RunFilter", "epoch reached"),
            [](const RunRecord& r) { return number(double(r.epoch)); } },
        { "samples", QT_TRANSLATE_NOOP("RunFilter", "samples seen"),
            [](const RunRecord& r) { return number(double(r.samples)); } },
        { "parameters", QT_TRANSLATE_NOOP("RunFilter", "trainable numbers of the model"),
            [](const RunRecord& r) { return number(double(r.parameters)); } },
        { "id", QT_TRANSLATE_NOOP("RunFilter", "the run's number"),
            [](const RunRecord& r) { return number(double(numberOf(r.id))); } },
        { "state", QT_TRANSLATE_NOOP("RunFilter", "running, paused, finished, interrupted"),
            [](const RunRecord& r) { return text(std::string(nameOf(r.state))); } },
        { "outcome", QT_TRANSLATE_NOOP("RunFilter", "completed, stopped, diverged, failed"),
            [](const RunRecord& r) {
                return Value { {}, r.outcome ? outcomeText(*r.outcome) : QString(), false };
            } },
        { "name", QT_TRANSLATE_NOOP("RunFilter", "part of the name"),
            [](const RunRecord& r) { return text(r.name, true); } },
        { "note", QT_TRANSLATE_NOOP("RunFilter", "part of the note"),
            [](const RunRecord& r) { return text(r.note, true); } },
        { "data", QT_TRANSLATE_NOOP("RunFilter", "data set"),
            [](const RunRecord& r) { return setting(r, "data.name"); } },
        { "model", QT_TRANSLATE_NOOP("RunFilter", "network"),
            [](const RunRecord& r) { return setting(r, "model.name"); } },
        { "optimizer", QT_TRANSLATE_NOOP("RunFilter", "sgd, adam or adamw"),
            [](const RunRecord& r) { return setting(r, "optimizer.name"); } },
        { "seed", QT_TRANSLATE_NOOP("RunFilter", "seed"),
            [](const RunRecord& r) { return number(double(r.experiment.run.seed)); } },
        { "device", QT_TRANSLATE_NOOP("RunFilter", "part of the device's name"),
            [](const RunRecord& r) { return text(r.device + " " + r.deviceName, true); } },
        { "host", QT_TRANSLATE_NOOP("RunFilter", "machine"),
            [](const RunRecord& r) { return text(r.host); } },
    } };
    return keys;
}

// Keys are as they are written; only where no key is spelled so, case is forgiven.
const ShortKey* shortKey(const QString& name)
{
    for (const Qt::CaseSensitivity cs : { Qt::CaseSensitive, Qt::CaseInsensitive })
        for (const ShortKey& key : shortKeys())
            if (name.compare(QLatin1String(key.name), cs) == 0)
                return &key;
    return nullptr;
}

bool isDottedKey(const QString& name)
{
    const auto& keys = experimentKeys();
    return std::any_of(keys.begin(), keys.end(),
        [&](const KeyInfo& info) { return info.key == name.toStdString(); });
}

Value valueOf(const SettingValue& value)
{
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return number(double(*whole));
    if (const auto* real = std::get_if<double>(&value))
        return number(*real);
    return text(settingText(value));
}

Value setting(const RunRecord& run, std::string_view key)
{
    const std::optional<SettingValue> value = settledSetting(run, key);
    return value ? valueOf(*value) : Value {};
}

std::optional<double> quantity(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral("^([+-]?[0-9]*\\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\\s*([A-Za-z%]*)$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    static const std::vector<std::pair<QString, double>> units {
        { QString(), 1 },
        { QStringLiteral("k"), 1e3 },
        { QStringLiteral("M"), 1e6 },
        { QStringLiteral("%"), 0.01 },
        { QStringLiteral("s"), 1 },
        { QStringLiteral("min"), 60 },
        { QStringLiteral("h"), 3600 },
        { QStringLiteral("ms"), 1e-3 },
        { QStringLiteral("KiB"), 1024 },
        { QStringLiteral("MiB"), 1024.0 * 1024 },
        { QStringLiteral("GiB"), 1024.0 * 1024 * 1024 },
        { QStringLiteral("KB"), 1e3 },
        { QStringLiteral("MB"), 1e6 },
        { QStringLiteral("GB"), 1e9 },
    };
    for (const Qt::CaseSensitivity cs : { Qt::CaseSensitive, Qt::CaseInsensitive })
        for (const auto& [unit, factor] : units)
            if (match.captured(2).compare(unit, cs) == 0)
                return match.captured(1).toDouble() * factor;
    return std::nullopt;
}

// Tokens at blanks; quotes hold one together and vanish.
QStringList tokensOf(const QString& text)
{
    QStringList tokens;
    QString token;
    bool quoted = false;
    for (const QChar c : text + QLatin1Char(' ')) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (c.isSpace() && !quoted) {
            if (!token.isEmpty())
                tokens.append(token);
            token.clear();
        } else
            token.append(c);
    }
    if (!token.isEmpty())
        tokens.append(token.trimmed());
    return tokens;
}

// Two stored doubles that are written alike are equal: 0.1 % of 1 is not worth a surprise.
bool same(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

QString haystack(const RunRecord& run)
{
    QStringList parts { runTitle(run), QString::fromStdString(run.note), stateText(run),
        QString::fromStdString(run.device), QString::fromStdString(run.deviceName) };
    for (const char* key : { "data.name", "model.name", "model.norm", "optimizer.name" })
        parts.append(settingOf(run, key));
    return parts.join(QLatin1Char('\n')).toCaseFolded();
}

} // namespace

RunFilter RunFilter::parse(const QString& text)
{
    // Blanks around an operator are forgiven.
    static const QRegularExpression blanks(QStringLiteral("\\s*(!=|<=|>=|=|<|>)\\s*"));
    QString tight = text;
    tight.replace(blanks, QStringLiteral("\\1"));
    RunFilter filter;
    for (const QString& token : tokensOf(tight))
        filter.add(token);
    return filter;
}

std::optional<RunFilter::Term> RunFilter::parseTerm(const QString& token)
{
    static const QRegularExpression form(
        QStringLiteral("^([A-Za-z_][A-Za-z0-9_.]*)(!=|<=|>=|=|<|>)(.*)$"));
    const auto match = form.match(token);
    if (!match.hasMatch())
        return std::nullopt;
    static const std::vector<std::pair<QString, Compare>> signs {
        { QStringLiteral("="), Compare::Equal },
        { QStringLiteral("!="), Compare::NotEqual },
        { QStringLiteral("<"), Compare::Less },
        { QStringLiteral("<="), Compare::LessOrEqual },
        { QStringLiteral(">"), Compare::Greater },
        { QStringLiteral(">="), Compare::GreaterOrEqual },
    };
    Term term;
    term.key = match.captured(1);
    term.text = match.captured(3);
    term.number = quantity(term.text);
    for (const auto& [sign, compare] : signs)
        if (match.captured(2) == sign)
            term.compare = compare;
    return term;
}

void RunFilter::add(const QString& token)
{
    const auto term = parseTerm(token);
    if (!term) {
        m_words.append(token.toCaseFolded());
        return;
    }
    const bool ordered = term->compare != Compare::Equal && term->compare != Compare::NotEqual;
    if (!shortKey(term->key) && !isDottedKey(term->key))
        m_problem =
            Text::tr("There is no key “%1”. Try b, N, B, norm, lr, accuracy, loss, time, state, "
                     "or a recipe key such as optimizer.momentum.")
                .arg(term->key);
    else if (term->text.isEmpty())
        m_problem = Text::tr("“%1” needs a value, for example norm=group or b<=32.").arg(token);
    else if (ordered && !term->number)
        m_problem =
            Text::tr("“%1” compares with a number, but “%2” is none.").arg(token, term->text);
    else
        m_terms.push_back(*term);
}

bool RunFilter::matches(const RunRecord& run) const
{
    const bool termsHold = std::all_of(
        m_terms.begin(), m_terms.end(), [&](const Term& term) { return holds(term, run); });
    if (!termsHold || m_words.isEmpty())
        return termsHold;
    const QString all = haystack(run);
    return std::all_of(
        m_words.begin(), m_words.end(), [&](const QString& word) { return all.contains(word); });
}

bool RunFilter::holds(const Term& term, const RunRecord& run)
{
    const ShortKey* known = shortKey(term.key);
    const Value value = known ? known->value(run) : setting(run, term.key.toStdString());
    const bool differs = term.compare == Compare::NotEqual;
    if (!value.number) {
        if (value.text.isEmpty() && term.compare != Compare::Equal)
            return differs;
        const bool equal = value.partly ? value.text.contains(term.text, Qt::CaseInsensitive)
                                        : value.text.compare(term.text, Qt::CaseInsensitive) == 0;
        const bool asksText = differs || term.compare == Compare::Equal;
        return asksText && equal != differs;
    }
    if (!term.number)
        return differs;
    const double a = *value.number;
    const double b = *term.number;
    switch (term.compare) {
    case Compare::Equal:
        return same(a, b);
    case Compare::NotEqual:
        return !same(a, b);
    case Compare::Less:
        return a < b && !same(a, b);
    case Compare::LessOrEqual:
        return a < b || same(a, b);
    case Compare::Greater:
        return a > b && !same(a, b);
    case Compare::GreaterOrEqual:
        return a > b || same(a, b);
    }
    return false;
}

QStringList filterKeys()
{
    QStringList lines;
    for (const ShortKey& key : shortKeys())
        lines.append(QStringLiteral("%1: %2").arg(QLatin1String(key.name), Text::tr(key.help)));
    return lines;
}

} // namespace accrue
