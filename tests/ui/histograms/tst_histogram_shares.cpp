// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_shares.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace accrue;

class TestHistogramShares : public QObject {
    Q_OBJECT
private:
    static ParameterHistogram of(double least, double largest, std::vector<std::int64_t> counts)
    {
        ParameterHistogram histogram;
        histogram.least = least;
        histogram.largest = largest;
        histogram.counts = std::move(counts);
        return histogram;
    }

    static ParameterHistogram six() { return of(-0.5, 1.0, { 1, 0, 4, 10, 3, 2 }); }

    static double sumOf(const std::vector<double>& shares)
    {
        return std::accumulate(shares.begin(), shares.end(), 0.0);
    }

private Q_SLOTS:
    void sharesAreThoseOfNumpy()
    {
        // edges = linspace(-0.5, 1, 7); below = concatenate([[0], cumsum(counts)])
        // diff(interp(linspace(-0.7, 1.1, 10), edges, below) / 20)
        const std::vector<double> wanted { 0, 0.04, 0.01, 0.08, 0.22, 0.4, 0.12, 0.09, 0.04 };
        const std::vector<double> shares = sharesIn(six(), -0.7, 1.1, 9);
        QCOMPARE(shares.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(std::abs(shares[i] - wanted[i]) < 1e-12, qPrintable(QString::number(i)));
        QVERIFY(std::abs(sumOf(shares) - 1) < 1e-12);
    }

    // Independent of the cumulated counts: each bin as a thousand numbers that are counted.
    void rebinningKeepsTheArea_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<int>("bins");
        QTest::newRow("finer") << -0.5 << 1.0 << 17;
        QTest::newRow("coarser") << -0.5 << 1.0 << 2;
        QTest::newRow("wider") << -10.0 << 3.0 << 41;
        QTest::newRow("inside") << -0.1 << 0.4 << 5;
    }

    void rebinningKeepsTheArea()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(int, bins);
        const ParameterHistogram histogram = six();
        constexpr int kParts = 10000;
        std::vector<double> counted(static_cast<std::size_t>(bins), 0.0);
        for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin)
            for (int part = 0; part < kParts; ++part) {
                const double value =
                    -0.5 + 0.25 * (static_cast<double>(bin) + (part + 0.5) / kParts);
                const double place = std::floor((value - low) / (high - low) * bins);
                if (place >= 0 && place < bins)
                    counted[static_cast<std::size_t>(place)] +=
                        static_cast<double>(histogram.counts[bin]) / kParts / 20;
            }
        const std::vector<double> shares =
            sharesIn(histogram, low, high, static_cast<std::size_t>(bins));
        for (std::size_t i = 0; i < counted.size(); ++i)
            QVERIFY2(std::abs(shares[i] - counted[i]) < 2e-4, qPrintable(QString::number(i)));
    }

    void ownBinsAreTheirOwnShares()
    {
        const std::vector<double> shares = sharesIn(six(), -0.5, 1.0, 6);
        const std::vector<double> wanted { 0.05, 0, 0.2, 0.5, 0.15, 0.1 };
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY(std::abs(shares[i] - wanted[i]) < 1e-12);
    }

    void quantilesAreThoseOfNumpy()
    {
        QCOMPARE(quantileOf(six(), 0.005), -0.475); // interp(0.1, below, edges)
        QCOMPARE(quantileOf(six(), 0.05), -0.25);
        QCOMPARE(quantileOf(six(), 0.5), 0.375);
        QCOMPARE(quantileOf(six(), 0.95), 0.875);
        QCOMPARE(quantileOf(six(), 0.995), 0.9875);
        QCOMPARE(quantileOf(six(), 0), -0.5);
        QCOMPARE(quantileOf(six(), 1), 1.0);
    }

    void equalNumbersAreInOneBin()
    {
        const ParameterHistogram equal = of(0.25, 0.25, { 7 });
        QCOMPARE(sharesIn(equal, 0, 1, 4), (std::vector<double> { 0, 1, 0, 0 }));
        QCOMPARE(sharesIn(equal, 0, 0.25, 2), (std::vector<double> { 0, 1 })); // the upper edge
        QCOMPARE(sharesIn(equal, 0.5, 1, 2), (std::vector<double> { 0, 0 }));
        QCOMPARE(quantileOf(equal, 0.05), 0.25);
    }

    void withoutFiniteNumbersThereIsNothing()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        ParameterHistogram none = of(nan, nan, {});
        none.notFinite = 9;
        QCOMPARE(sharesIn(none, 0, 1, 3), (std::vector<double> { 0, 0, 0 }));
        QVERIFY(std::isnan(quantileOf(none, 0.5)));
    }

    void theEndsMayBeAsFarApartAsDoublesAllow()
    {
        const double most = std::numeric_limits<double>::max();
        const ParameterHistogram wide = of(-most, most, { 1, 1, 1, 1 });
        const std::vector<double> shares = sharesIn(wide, -most, most, 2);
        QCOMPARE(shares, (std::vector<double> { 0.5, 0.5 }));
        QCOMPARE(quantileOf(wide, 0.5), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestHistogramShares)
#include "tst_histogram_shares.moc"
