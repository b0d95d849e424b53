// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include "engine/runlog/run_keys.h"
#include "ui/run/log_words.h"

namespace accrue {

RunFilter RunFilter::parse(const QString& text)
{
    RunFilter filter;
    filter.m_query = RunQuery::parse(text.toStdString());
    return filter;
}

QString RunFilter::problem() const
{
    return withWindowQuotes(QString::fromStdString(m_query.problem()));
}

QStringList filterKeys()
{
    QStringList lines;
    for (const RunKey& key : runKeys())
        lines.append(
            QStringLiteral("%1: %2").arg(QLatin1String(key.name), QLatin1String(key.help)));
    return lines;
}

} // namespace accrue
