// SPDX-License-Identifier: Apache-2.0
#include "engine/distributed/rank_reports.h"

#include <map>
#include <string>
#include <vector>

#include <QTest>

using namespace accrue;

namespace {

constexpr std::size_t kWait = 5;
constexpr std::size_t kCommunication = 6;

RankReport reportOf(double waited, double inSums)
{
    RankReport report { .step = 1 };
    report.figures[kWait] = waited;
    report.figures[kCommunication] = inSums;
    return report;
}

std::map<std::int64_t, double> valuesOf(const RanksMeasured& event, const std::string& metric)
{
    std::map<std::int64_t, double> values;
    for (const MetricValue& value : event.values)
        if (value.metric == metric)
            values[value.rank] = value.value;
    return values;
}

} // namespace

class TestRankReports : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Sums that begin while a rank computes are also where it waits for one that is slower.
    void whoIsSlowWaitsLeastWhereverTheOthersWait()
    {
        RankReports reports(World::alone());
        const RanksMeasured event =
            reports.collect({ reportOf(5, 30), reportOf(1, 10), reportOf(2, 25) });
        using Values = std::map<std::int64_t, double>;
        QCOMPARE(valuesOf(event, "wait_ms"), (Values { { 0, 25 }, { 1, 1 }, { 2, 17 } }));
        QCOMPARE(valuesOf(event, "communication_ms"), (Values { { 0, 10 }, { 1, 10 }, { 2, 10 } }));
    }
};

QTEST_APPLESS_MAIN(TestRankReports)
#include "tst_rank_reports.moc"
