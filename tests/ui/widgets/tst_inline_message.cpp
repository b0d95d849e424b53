// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/inline_message.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "tests/support/waiting.h"

#include <algorithm>

using namespace accrue;

class TestInlineMessage : public QObject {
    Q_OBJECT
private:
    static QTimer& timer(const InlineMessage& message) { return *message.findChild<QTimer*>(); }
    static QToolButton& cross(const InlineMessage& message)
    {
        return *message.findChild<QToolButton*>();
    }
    static QProgressBar& bar(const InlineMessage& message)
    {
        return *message.findChild<QProgressBar*>();
    }

private Q_SLOTS:
    void isNotThereUntilThereIsSomethingToSay()
    {
        InlineMessage message;
        QVERIFY(message.isHidden());
        QVERIFY(message.text().isEmpty());
        message.tell(QStringLiteral("Archived one."));
        QVERIFY(message.isVisible());
        QCOMPARE(message.text(), QStringLiteral("Archived one."));
        QVERIFY(message.button()->isHidden()); // nothing can be done about it
        cross(message).click();
        QVERIFY(message.isHidden());
        QVERIFY(message.text().isEmpty());
    }

    void aNoteGoesByItself()
    {
        InlineMessage message;
        message.tell(QStringLiteral("Archived one."));
        QVERIFY(timer(message).isActive());
        timer(message).start(0);
        QTRY_VERIFY(message.isHidden());
    }

    void aProblemStaysAlsoInThePlaceOfANote()
    {
        InlineMessage message;
        message.tell(QStringLiteral("Archived one."));
        message.reportProblem(QStringLiteral("The log cannot be written."));
        QVERIFY(message.isVisible());
        QVERIFY(!timer(message).isActive());
        QVERIFY(!cross(message).isHidden());
    }

    void itsButtonActsOnceAndTheMessageGoes()
    {
        InlineMessage message;
        int undone = 0;
        message.tell(
            QStringLiteral("Archived one."), QStringLiteral("Undo"), [&undone] { ++undone; });
        QVERIFY(!message.button()->isHidden());
        QCOMPARE(message.button()->text(), QStringLiteral("Undo"));
        message.button()->click();
        message.button()->click();
        QCOMPARE(undone, 1);
        QVERIFY(message.isHidden());
    }

    void itsButtonMaySayTheNextMessage()
    {
        InlineMessage message;
        message.tell(QStringLiteral("Archived one."), QStringLiteral("Undo"),
            [&message] { message.reportProblem(QStringLiteral("The log cannot be written.")); });
        message.button()->click();
        QCOMPARE(message.text(), QStringLiteral("The log cannot be written."));
        QVERIFY(message.button()->isHidden());
    }

    void longWorkShowsItsProgressAndCanOnlyBeCancelled()
    {
        InlineMessage message;
        bool cancelled = false;
        message.tellProgress(QStringLiteral("Exporting…"), [&cancelled] { cancelled = true; });
        QVERIFY(!bar(message).isHidden());
        QVERIFY(cross(message).isHidden());
        QVERIFY(!timer(message).isActive());
        message.setProgress(0.25);
        QCOMPARE(bar(message).value(), bar(message).maximum() / 4);
        message.button()->click();
        QVERIFY(cancelled);
        message.tell(QStringLiteral("The export was cancelled."));
        QVERIFY(bar(message).isHidden());
        message.tellProgress(QStringLiteral("Exporting…"), {});
        QCOMPARE(bar(message).value(), 0); // not that of the last one
    }

    void aNameIsNotTakenForMarkup()
    {
        InlineMessage message;
        const QString text = QStringLiteral("Archived <b>one</b>.");
        message.tell(text);
        const auto labels = message.findChildren<QLabel*>();
        QCOMPARE(std::count_if(labels.begin(), labels.end(),
                     [&text](const QLabel* label) {
                         return label->text() == text && label->textFormat() == Qt::PlainText;
                     }),
            1);
    }
};

QTEST_MAIN(TestInlineMessage)
#include "tst_inline_message.moc"
