// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/number_box.h"

#include "tests/ui/models/run_records.h"

#include <QSignalSpy>
#include <QTest>

using namespace accrue;

namespace {

std::vector<NumberColumn> numbersOfTwo(double secondRate)
{
    std::vector<RunRecord> runs { recordOf(1), recordOf(2) };
    runs[0].seconds = 10;
    runs[1].experiment.optimizer.lr = secondRate;
    return numbersOf(runs, {});
}

QStringList textsOf(const NumberBox& box)
{
    QStringList texts;
    for (int i = 0; i < box.count(); ++i)
        texts.append(box.itemText(i));
    return texts;
}

} // namespace

class TestNumberBox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersThatDifferAreListedByKind()
    {
        NumberBox box(QStringLiteral("Number"));
        box.offer(numbersOfTwo(0.5), { { "none", QStringLiteral("no number") } });
        QCOMPARE(textsOf(box),
            (QStringList { QStringLiteral("no number"), QStringLiteral("Cost"),
                QStringLiteral("Time"), QStringLiteral("Progress"), QStringLiteral("Run"),
                QStringLiteral("Settings"), QStringLiteral("Learning rate") }));
        QVERIFY(!(box.model()->flags(box.model()->index(1, 0)) & Qt::ItemIsEnabled));
    }

    void theUsualNumberIsShownUntilAnotherIsChosen()
    {
        NumberBox box(QStringLiteral("Number"));
        QSignalSpy changed(&box, &NumberBox::changed);
        box.setUsual({ "accuracy", "optimizer.lr" }); // the accuracies are equal
        box.offer(numbersOfTwo(0.5));
        QCOMPARE(box.shown(), std::string("optimizer.lr"));
        QVERIFY(box.chosen().empty());
        QCOMPARE(changed.size(), 0);
        QTest::keyClick(&box, Qt::Key_Home);
        QCOMPARE(box.shown(), std::string("time")); // past the heading
        QCOMPARE(box.chosen(), std::string("time"));
        QCOMPARE(changed.size(), 1);
    }

    void whatTheRunsDoNotHaveIsRemembered()
    {
        NumberBox box(QStringLiteral("Number"));
        box.choose("test_accuracy:best");
        box.offer(numbersOfTwo(0.5));
        QCOMPARE(box.shown(), std::string("time"));
        QCOMPARE(box.chosen(), std::string("test_accuracy:best"));
        box.choose("optimizer.lr");
        box.offer(numbersOfTwo(recordOf(1).experiment.optimizer.lr)); // in which they are equal now
        QCOMPARE(box.shown(), std::string("optimizer.lr"));
    }

    void nothingIsShownOfNoRuns()
    {
        NumberBox box(QStringLiteral("Number"));
        box.offer({});
        QVERIFY(box.shown().empty());
        QVERIFY(!box.isEnabled());
    }
};

QTEST_MAIN(TestNumberBox)
#include "tst_number_box.moc"
