// SPDX-License-Identifier: Apache-2.0
#include "engine/report/launch_mark.h"

#include <filesystem>

#include <QTemporaryDir>
#include <QTest>

using namespace accrue;

class TestLaunchMark : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsThatOfItsLaunchAlone()
    {
        const QTemporaryDir folder;
        const std::filesystem::path run =
            std::filesystem::path(folder.path().toStdString()) / "run-1";
        QVERIFY(!isOfLaunch(run, "first"));
        QVERIFY(!isOfLaunch(run, ""));
        markLaunch(run, "first");
        QVERIFY(isOfLaunch(run, "first"));
        QVERIFY(!isOfLaunch(run, "fir"));
        QVERIFY(!isOfLaunch(run, "second"));
    }
};

QTEST_APPLESS_MAIN(TestLaunchMark)
#include "tst_launch_mark.moc"
