// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/sentences.h"

#include <QRegularExpression>
#include <QString>

#include <exception>

namespace accrue {

// A sentence of the run log as the window shows it: without the command-line option, which is of no
// use there, in the wording that the languages of resources/translations have around it.
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

// Such a sentence with the window's quotation marks: “b<many”.
inline QString withWindowQuotes(QString sentence)
{
    static const QRegularExpression quoted(QStringLiteral("\"([^\"]*)\""));
    return sentence.replace(quoted, QStringLiteral("“\\1”"));
}

} // namespace accrue
