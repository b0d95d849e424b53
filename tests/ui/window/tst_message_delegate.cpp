// SPDX-License-Identifier: Apache-2.0
#include "ui/window/message_delegate.h"

#include <QTest>

#include "ui/models/message_model.h"
#include "ui/widgets/theme.h"

#include <set>

using namespace accrue;

class TestMessageDelegate : public QObject {
    Q_OBJECT
private:
    QStyleOptionViewItem optionOf(int row, int column) const
    {
        QStyleOptionViewItem option;
        m_delegate.initStyleOption(&option, m_model.index(row, column));
        return option;
    }

    MessageModel m_model;
    MessageDelegate m_delegate;

private Q_SLOTS:
    void initTestCase()
    {
        for (const auto severity : { RunMessage::Severity::Information,
                 RunMessage::Severity::Warning, RunMessage::Severity::Error })
            m_model.say(QStringLiteral("It was so."), severity); // newest first
    }

    void eachSeverityHasASignOfItsOwn()
    {
        std::set<qint64> signs;
        for (const auto severity : { RunMessage::Severity::Information,
                 RunMessage::Severity::Warning, RunMessage::Severity::Error })
            signs.insert(severitySign(severity).cacheKey());
        QCOMPARE(signs.size(), std::size_t { 3 });
        for (int row = 0; row < 3; ++row)
            QVERIFY(!optionOf(row, MessageModel::Text).icon.isNull());
        QVERIFY(optionOf(0, MessageModel::Time).icon.isNull());
    }

    void onlyTheTextOfAProblemIsColoured()
    {
        const auto color = [&](int row, int column) {
            return optionOf(row, column).palette.color(QPalette::Text);
        };
        QCOMPARE(color(0, MessageModel::Text), themeColors().error);
        QCOMPARE(color(1, MessageModel::Text), themeColors().warning);
        QCOMPARE(
            color(2, MessageModel::Text), QStyleOptionViewItem().palette.color(QPalette::Text));
        for (int row = 0; row < 3; ++row)
            QCOMPARE(color(row, MessageModel::Time), themeColors().muted);
    }
};

QTEST_MAIN(TestMessageDelegate)
#include "tst_message_delegate.moc"
