// SPDX-License-Identifier: Apache-2.0
#include "engine/model/named_tensors.h"

#include <QTest>

#include <ATen/ATen.h>

#include "engine/base/error.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

NamedTensors state(double value)
{
    return { { "scale", at::scalar_tensor(value, at::kDouble) },
        { "weight", at::full({ 2, 3 }, value, at::kFloat) } };
}

} // namespace

static const Message kOwner("test.state", "The state");

class TestNamedTensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesComeBackByNameInAnyOrder()
    {
        const NamedTensors into = state(1);
        NamedTensors from = state(7);
        std::swap(from.front(), from.back());
        restoreTensors(into, from, kOwner);
        QVERIFY(sameTensors(into, state(7)));
        from.front().second.fill_(9);
        QVERIFY(sameTensors(into, state(7))); // a copy
    }

    void whatDoesNotFitIsRefusedWithNothingTouched_data()
    {
        QTest::addColumn<QString>("sentence");
        QTest::newRow("missing") << QStringLiteral("The state lacks weight.");
        QTest::newRow("more") << QStringLiteral("The state has bias, which this run does not use.");
        QTest::newRow("twice") << QStringLiteral("The state has weight twice.");
        QTest::newRow("shape") << QStringLiteral(
            "The state has weight as Float [3, 2], but this run needs Float [2, 3].");
        QTest::newRow("type") << QStringLiteral(
            "The state has weight as Double [2, 3], but this run needs Float [2, 3].");
    }

    void whatDoesNotFitIsRefusedWithNothingTouched()
    {
        QFETCH(QString, sentence);
        const QString wrong = QString::fromLatin1(QTest::currentDataTag());
        NamedTensors from = state(7);
        at::Tensor& weight = from.back().second;
        if (wrong == QLatin1String("missing"))
            from.pop_back();
        else if (wrong == QLatin1String("more"))
            from.emplace_back("bias", at::zeros({ 1 }));
        else if (wrong == QLatin1String("twice"))
            from.push_back(from.back());
        else
            weight = wrong == QLatin1String("shape") ? weight.t() : weight.to(at::kDouble);

        const NamedTensors into = state(1);
        QVERIFY_THROWS_EXCEPTION(Error, restoreTensors(into, from, kOwner));
        QCOMPARE(QString::fromStdString(sentenceOf([&] { restoreTensors(into, from, kOwner); })),
            sentence);
        QVERIFY(sameTensors(into, state(1)));
    }
};

QTEST_GUILESS_MAIN(TestNamedTensors)
#include "tst_named_tensors.moc"
