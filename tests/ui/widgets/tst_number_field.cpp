// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/number_field.h"

#include <QSignalSpy>
#include <QTest>

using namespace accrue;

class TestNumberField : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anArrowIsAStep_data()
    {
        using Kind = NumberField::Kind;
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("up");
        QTest::addColumn<QString>("down");
        const auto row = [](Kind kind, const char* text, const char* up, const char* down) {
            QTest::newRow(text) << kind << QString::fromLatin1(text) << QString::fromLatin1(up)
                                << QString::fromLatin1(down);
        };
        row(Kind::Whole, "32", "33", "31");
        row(Kind::Whole, "0", "1", "0");
        row(Kind::Whole, "99999999999", "100000000000", "99999999998");
        row(Kind::Whole, "9223372036854775807", "9223372036854775807", "9223372036854775806");
        row(Kind::Whole, "-9223372036854775808", "-9223372036854775807", "0");
        row(Kind::Whole, "", "", "");
        row(Kind::Whole, "auto", "auto", "auto");
        row(Kind::Whole, "0.5", "0.6", "0.4"); // a share, where a count is expected
        row(Kind::Decimal, "0.05", "0.06", "0.04");
        row(Kind::Decimal, "0.1", "0.2", "0.09");
        row(Kind::Decimal, "0.09", "0.1", "0.08");
        row(Kind::Decimal, "1", "2", "0.9");
        row(Kind::Decimal, "1e-3", "0.002", "0.0009");
        row(Kind::Decimal, "-0.2", "-0.1", "-0.3");
        row(Kind::Decimal, "-0.1", "-0.09", "-0.2");
        row(Kind::Decimal, "0.0123", "0.0223", "0.0023");
        row(Kind::Decimal, "0.2", "0.3", "0.1");
        row(Kind::Decimal, "0", "0", "0");
        row(Kind::Decimal, "fast", "fast", "fast");
        row(Kind::Decimal, "inf", "inf", "inf");
    }

    void anArrowIsAStep()
    {
        QFETCH(NumberField::Kind, kind);
        QFETCH(QString, text);
        QFETCH(QString, up);
        QFETCH(QString, down);
        QCOMPARE(steppedNumber(text, true, kind), up);
        QCOMPARE(steppedNumber(text, false, kind), down);
    }

    void arrowsCountAsTypedAndLeaveAReadOnlyFieldAlone()
    {
        NumberField field(NumberField::Kind::Whole);
        QSignalSpy edited(&field, &QLineEdit::textEdited);
        field.setText(QStringLiteral("32"));
        QTest::keyClick(&field, Qt::Key_Up);
        QCOMPARE(field.text(), QStringLiteral("33"));
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited.first().first().toString(), QStringLiteral("33"));
        field.setReadOnly(true);
        QTest::keyClick(&field, Qt::Key_Down);
        QCOMPARE(field.text(), QStringLiteral("33"));
    }

    void anEmptyFieldStepsFromWhatItStandsFor()
    {
        NumberField field(NumberField::Kind::Whole);
        QTest::keyClick(&field, Qt::Key_Up);
        QCOMPARE(field.text(), QString());
        field.setUnset(QStringLiteral("0"));
        QTest::keyClick(&field, Qt::Key_Down);
        QCOMPARE(field.text(), QString());
        QTest::keyClick(&field, Qt::Key_Up);
        QCOMPARE(field.text(), QStringLiteral("1"));
    }

    void aDoubleClickSelectsTheWholeNumber()
    {
        NumberField field(NumberField::Kind::Decimal);
        field.resize(200, 28);
        field.setText(QStringLiteral("0.05"));
        field.show();
        const QPoint within(field.width() - 40, field.height() / 2);
        QTest::mouseDClick(&field, Qt::LeftButton, {}, within);
        QCOMPARE(field.selectedText(), QStringLiteral("0.05"));
        QTest::keyClicks(&field, QStringLiteral("1e-2"));
        QCOMPARE(field.text(), QStringLiteral("1e-2"));
    }
};

QTEST_MAIN(TestNumberField)
#include "tst_number_field.moc"
