// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/sentences.h"

#include <QRegularExpression>
#include <QString>

#include <exception>

namespace accrue {

// A sentence of the run log as the window shows it: without the option of the command line, which
// is of no use there, in the words that the languages of resources/translations have around it.
inline QString inWindow(QString sentence)
{
    for (const char* option : { " with --db", "用 --db " })
        sentence.remove(QString::fromUtf8(option));
    return sentence;
}

inline QString inWindow(const std::exception& error)
{
    return inWindow(QString::fromStdString(messageOf(error).text()));
}

// What such a sentence quotes, in the window's quotation marks: “b<many”.
inline QString withWindowQuotes(QString sentence)
{
    static const QRegularExpression quoted(QStringLiteral("\"([^\"]*)\""));
    return sentence.replace(quoted, QStringLiteral("“\\1”"));
}

} // namespace accrue
