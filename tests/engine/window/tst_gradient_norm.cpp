// SPDX-License-Identifier: Apache-2.0
#include "engine/window/gradient_norm.h"

#include <cmath>
#include <limits>

#include <QTest>

#include <ATen/ATen.h>

#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

class TestGradientNorm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThatOfDoubles_data()
    {
        QTest::addColumn<qint64>("values");
        QTest::newRow("none") << qint64(0);
        QTest::newRow("one") << qint64(1);
        QTest::newRow("a row") << qint64(4096);
        QTest::newRow("whole rows") << qint64(8192);
        QTest::newRow("rows and a rest") << qint64(3 * 4096 + 17);
        QTest::newRow("as many as LeNet-5 has") << qint64(61'706);
        QTest::newRow("as many as ResNet-18 has") << qint64(11'173'962);
    }

    void isThatOfDoubles()
    {
        QFETCH(qint64, values);
        const at::Tensor gradient = noise(values, 7).mul_(1e-3);
        const double expected = gradient.norm().item<double>();
        const double norm = gradientNorm(gradient.to(at::kFloat)).item<double>();
        QVERIFY2(std::abs(norm - expected) <= 1e-6 * expected, qPrintable(QString::number(norm)));
        const double inDouble = gradientNorm(gradient).item<double>();
        QVERIFY(std::abs(inDouble - expected) <= 1e-12 * expected);
    }

    void whatIsNotFiniteStaysSo()
    {
        at::Tensor gradient = at::ones({ 20'000 });
        gradient[4097] = std::numeric_limits<double>::infinity();
        QVERIFY(std::isinf(gradientNorm(gradient).item<double>()));
        gradient[19'999] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(gradientNorm(gradient).item<double>()));
    }
};

QTEST_GUILESS_MAIN(TestGradientNorm)
#include "tst_gradient_norm.moc"
