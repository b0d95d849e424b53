// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include "engine/runlog/run_keys.h"

namespace accrue {

RunFilter RunFilter::parse(const QString& text)
{
    RunFilter filter;
    filter.m_query = RunQuery::parse(text.toStdString());
    return filter;
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
