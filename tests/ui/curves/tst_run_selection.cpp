// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/run_selection.h"

#include <QSignalSpy>
#include <QTest>

using namespace accrue;

namespace {

constexpr RunId kOne { 1 };
constexpr RunId kTwo { 2 };
constexpr RunId kThree { 3 };

} // namespace

class TestRunSelection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsHiddenIsToldOnce()
    {
        RunSelection selection;
        selection.setRuns({ kOne, kTwo, kThree });
        QSignalSpy told(&selection, &RunSelection::hiddenChanged);
        selection.setHidden({ kTwo }, true);
        selection.setHidden({ kTwo }, true);
        QCOMPARE(told.size(), 1);
        QVERIFY(selection.isShown(kOne) && !selection.isShown(kTwo));
        selection.showAll();
        QVERIFY(selection.isShown(kTwo));
    }

    void aRunIsShownAloneAndThenAllAgain()
    {
        RunSelection selection;
        selection.setRuns({ kOne, kTwo, kThree });
        selection.showAlone({ kTwo });
        QVERIFY(!selection.isShown(kOne) && selection.isShown(kTwo) && !selection.isShown(kThree));
        selection.showAlone({ kThree });
        QVERIFY(!selection.isShown(kTwo) && selection.isShown(kThree));
        selection.showAlone({ kThree });
        QVERIFY(selection.isShown(kOne) && selection.isShown(kTwo) && selection.isShown(kThree));
    }

    void runsThatLeaveAreForgotten()
    {
        RunSelection selection;
        selection.setRuns({ kOne, kTwo });
        selection.setHidden({ kOne }, true);
        selection.select({ kOne, kTwo });
        selection.pointAt({ kOne });
        selection.setRuns({ kTwo, kThree });
        QCOMPARE(selection.selected(), RunSelection::Runs { kTwo });
        QVERIFY(selection.pointedAt().empty());
        selection.setRuns({ kOne, kTwo });
        QVERIFY(selection.isShown(kOne));
    }
};

QTEST_GUILESS_MAIN(TestRunSelection)
#include "tst_run_selection.moc"
