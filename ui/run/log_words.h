// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QRegularExpression>
#include <QString>

#include <exception>

namespace accrue {

// A sentence of the run log as the window says it: without the option of the command line, which is
// of no use there.
inline QString inWindow(QString sentence)
{
    for (const char* option : { " with --db", " by --db" })
        sentence.remove(QLatin1String(option));
    return sentence;
}

inline QString inWindow(const std::exception& error)
{
    return inWindow(QString::fromUtf8(error.what()));
}

// What such a sentence quotes, in the window's quotation marks: “b<many”.
inline QString withWindowQuotes(QString sentence)
{
    static const QRegularExpression quoted(QStringLiteral("\"([^\"]*)\""));
    return sentence.replace(quoted, QStringLiteral("“\\1”"));
}

} // namespace accrue
