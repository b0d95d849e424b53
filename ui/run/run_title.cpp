// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_title.h"

#include <QList>

#include <algorithm>

namespace accrue {

namespace {

constexpr std::size_t kMostInName = 4;
constexpr QChar kFirstStrongIsolate(0x2068);
constexpr QChar kPopIsolate(0x2069);

// By its letters, or by the invisible marks that Unicode has for it.
bool turnsDirection(char32_t character)
{
    switch (QChar::direction(character)) {
    case QChar::DirR:
    case QChar::DirAL:
    case QChar::DirAN:
    case QChar::DirRLE:
    case QChar::DirRLO:
    case QChar::DirRLI:
    case QChar::DirLRE:
    case QChar::DirLRO:
    case QChar::DirLRI:
    case QChar::DirFSI:
        return true;
    default:
        return false;
    }
}

QString isolated(const QString& name)
{
    const QList<uint> characters = name.toUcs4();
    const bool turns = std::any_of(characters.begin(), characters.end(), turnsDirection);
    return turns ? kFirstStrongIsolate + name + kPopIsolate : name;
}

} // namespace

QString runNumber(RunId id)
{
    return QStringLiteral("#%1").arg(numberOf(id));
}

QString runTitle(const std::string& name, RunId id)
{
    return isolated(QString::fromStdString(name)) + QLatin1Char(' ') + runNumber(id);
}

QString fileNameOf(const std::vector<RunId>& runs)
{
    if (runs.size() > kMostInName)
        return QStringLiteral("%1-runs").arg(runs.size());
    QString name = runs.size() == 1 ? QStringLiteral("run") : QStringLiteral("runs");
    for (const RunId run : runs)
        name += QStringLiteral("-%1").arg(numberOf(run));
    return name;
}

QString quotedRunTitle(const std::string& name, RunId id)
{
    return QStringLiteral("“%1” %2").arg(isolated(QString::fromStdString(name)), runNumber(id));
}

} // namespace accrue
