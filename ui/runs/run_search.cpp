// SPDX-License-Identifier: Apache-2.0
#include "ui/runs/run_search.h"

#include <QKeyEvent>
#include <QRegularExpression>
#include <QTimer>

#include "engine/runs/run_keys.h"
#include "ui/actions/action_registry.h"
#include "ui/run/log_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"

#include <chrono>
#include <utility>

namespace accrue {

namespace {

constexpr int kLeastWidth = 260;
constexpr int kMostWidth = 560;
constexpr std::chrono::milliseconds kNextLetter { 80 };

// Short names with what they mean, a line each: "b: micro-batch" …
QString keyLines()
{
    QStringList lines;
    for (const RunKey& key : runKeys())
        lines.append(QStringLiteral("%1: %2").arg(
            QString::fromStdString(key.name), QString::fromStdString(key.help.text())));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

RunSearch::RunSearch(QWidget* parent)
    : QLineEdit(parent)
    , m_typing(new QTimer(this))
    , m_help(new ElidedLabel(parent))
{
    m_help->setObjectName(QStringLiteral("searchHelp"));
    setClearButtonEnabled(true);
    addAction(themedIcon(QLatin1String("search")), QLineEdit::LeadingPosition);
    setPlaceholderText(tr("Search by words and conditions"));
    setAccessibleName(tr("Search runs"));
    setMinimumWidth(kLeastWidth);
    setMaximumWidth(kMostWidth);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kNextLetter);
    connect(m_typing, &QTimer::timeout, this, &RunSearch::apply);
    connect(this, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
}

void RunSearch::showKeys(const QKeySequence& keys)
{
    setToolTip(tr("Words, and conditions with = != < <= > >=; OR for alternatives%1. Keys:\n%2\n"
                  "and every key of a recipe, for example optimizer.momentum.")
                   .arg(keysInBrackets(keys), keyLines()));
}

void RunSearch::search(const QString& text)
{
    setText(text);
    apply();
}

// A term with characters that have a meaning in a search is quoted.
void RunSearch::toggleTerm(const QString& term)
{
    static const QRegularExpression meaningful(QStringLiteral("[=!<>\"]"));
    const qsizetype value = term.indexOf(QLatin1Char('=')) + 1;
    QString wanted = term;
    if (term.mid(value).contains(meaningful))
        wanted = QStringLiteral("%1\"%2\"")
                     .arg(term.left(value), term.mid(value).remove(QLatin1Char('"')));
    QStringList terms = text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (terms.removeAll(wanted) == 0)
        terms.append(wanted);
    search(terms.join(QLatin1Char(' ')));
}

// A term whose key was unknown may now be one.
void RunSearch::setOtherKeys(std::vector<std::string> keys)
{
    if (std::exchange(m_otherKeys, std::move(keys)) != m_otherKeys && !text().isEmpty())
        apply();
}

void RunSearch::apply()
{
    // The text is applied now: a pending timer would filter a second time.
    m_typing->stop();
    const RunQuery filter = RunQuery::parse(text().toStdString(), m_otherKeys);
    const bool wrong = !filter.problem().empty();
    m_help->setFullText(wrong
            ? withWindowQuotes(QString::fromStdString(filter.problem().text()))
            : tr("Examples: state=completed, norm=group b<=32, accuracy>0.98, lr=0.05"));
    setStyleProperty(m_help, "role", QLatin1String(wrong ? "error" : "muted"));
    Q_EMIT searched(filter);
}

void RunSearch::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    // Escape clears the text; in an empty field it is passed on.
    if (key == Qt::Key_Escape && !text().isEmpty())
        return search({});
    if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Down)
        return QLineEdit::keyPressEvent(event);
    apply();
    Q_EMIT left();
}

} // namespace accrue
