// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/reserved_label.h"

#include <QTest>

using namespace accrue;

class TestReservedLabel : public QObject {
    Q_OBJECT
private:
    static int lines(const QLabel& label) { return label.height() / label.fontMetrics().height(); }

private Q_SLOTS:
    void aTextThatComesChangesAndGoesNeedsNoOtherRoom()
    {
        ReservedLabel label(/*characters=*/60);
        label.resize(250, 10);
        label.show();
        const int height = label.height();
        QVERIFY(lines(label) >= 2);
        for (const char* text : { "short", "a text that needs a second line", "" }) {
            label.setText(QString::fromLatin1(text));
            QCOMPARE(label.height(), height);
        }
        label.resize(2000, height);
        QCOMPARE(lines(label), 1);
    }

    void aTextThatIsLongerIsNotCut()
    {
        ReservedLabel label(/*characters=*/10);
        label.resize(100, 10);
        label.show();
        label.setText(QStringLiteral("words of a sentence ").repeated(5));
        QVERIFY(lines(label) >= 3);
        label.resize(2000, label.height());
        QCOMPARE(lines(label), 1);
    }
};

QTEST_MAIN(TestReservedLabel)
#include "tst_reserved_label.moc"
