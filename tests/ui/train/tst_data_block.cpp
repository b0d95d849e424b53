// SPDX-License-Identifier: Apache-2.0
#include "ui/train/data_block.h"

#include "ui/train/data_download_row.h"

#include <QLabel>
#include <QTest>

using namespace accrue;

class TestDataBlock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itHasWordsOrAButtonInTheSameRoom()
    {
        DataBlock block;
        auto* words = block.findChild<QLabel*>(QStringLiteral("dataWords"));
        block.showData({}, std::nullopt);
        QVERIFY(!words->isHidden());
        const int height = block.height();
        Experiment mnist;
        mnist.data.name = DataName::Mnist;
        DataSetStatus missing;
        missing.name = "mnist";
        missing.problem = Message::plain("No files were found.");
        block.showData(mnist, missing);
        QCOMPARE(words->isHidden(), !block.downloadRow().isHidden());
        QCOMPARE(block.height(), height);
        mnist.data.path = "/mine"; // nothing is put into a folder of the user's
        block.showData(mnist, missing);
        QVERIFY(block.downloadRow().isHidden());
        QCOMPARE(words->toolTip(), QStringLiteral("No files were found."));
    }

    void foldersOfPicturesHaveRoomForMoreWords()
    {
        DataBlock block;
        block.showData({}, std::nullopt);
        const int height = block.height();
        Experiment pictures;
        pictures.data.name = DataName::Images;
        block.showData(pictures, std::nullopt);
        QVERIFY(block.height() > height);
    }
};

QTEST_MAIN(TestDataBlock)
#include "tst_data_block.moc"
