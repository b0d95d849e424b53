// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/legend_delegate.h"

#include <QStandardItemModel>
#include <QTest>

#include "ui/models/chosen_runs_model.h"

using namespace accrue;

class TestLegendDelegate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNumberOfARunEndsBeforeItsCross()
    {
        setRow(QStringLiteral("night norm=group, b=32, seed=3 #18"), false);
        const QString still = LegendDelegate::textsAt(m_option, row()).front();
        m_option.state |= QStyle::State_MouseOver;
        const QString underMouse = LegendDelegate::textsAt(m_option, row()).front();
        QVERIFY(still.endsWith(QStringLiteral("#18")));
        QVERIFY2(underMouse.endsWith(QStringLiteral("#18")), qPrintable(underMouse));
        const int cross = 2 * (14 + 2 * 5) + 8; // from the right edge: the eye, the cross
        QVERIFY(m_option.fontMetrics.horizontalAdvance(underMouse) <= 240 - 38 - cross);
        QVERIFY(underMouse.size() < still.size());
    }

    void detailsEndBeforeTheCrossOnAsManyLines()
    {
        setRow(QStringLiteral("digits #1"), false);
        m_model.item(0)->setData(
            QStringLiteral("digits, sgd, lr=0.02, epochs=50, limit_steps=0, seed=1, threads=1"),
            ChosenRunsModel::DetailRole);
        const QStringList still = LegendDelegate::textsAt(m_option, row());
        m_option.state |= QStyle::State_Selected;
        const QStringList selected = LegendDelegate::textsAt(m_option, row());
        QCOMPARE(still.size(), 3);
        QCOMPARE(selected.size(), 3);
        for (const QString& text : selected)
            QVERIFY(m_option.fontMetrics.horizontalAdvance(text) <= 240 - 38 - 56);
    }

    void theEndOfATitleIsSeen()
    {
        setRow(QStringLiteral("/data/cifar, lion, lr = 0.1, batch = 1024, width = 128"), true);
        const QStringList texts = LegendDelegate::textsAt(m_option, row());
        QVERIFY2(texts.at(texts.size() - 2).endsWith(QStringLiteral("128")),
            qPrintable(texts.join(QLatin1Char('|'))));
    }

    void aChineseTitleBreaksWithoutABlank()
    {
        setRow(QStringLiteral("\u7ec4\u5f52\u4e00\u5316\u7ec4\u5f52\u4e00\u5316\u7ec4\u5f52"
                              "\u4e00\u5316\u7ec4\u5f52\u4e00\u5316\uff0cb = 32"),
            true);
        const QStringList texts = LegendDelegate::textsAt(m_option, row());
        QCOMPARE(texts.size(), 3); // two of the title
        QVERIFY2(!texts[0].contains(QChar(0x2026)), "nothing is cut while there is a second line");
        QVERIFY2(texts[1].endsWith(QStringLiteral("b = 32")), qPrintable(texts[1]));
        QCOMPARE(texts[2], QStringLiteral("n = 3"));
    }

private:
    void setRow(const QString& title, bool isGroup)
    {
        m_model.clear();
        auto* const item = new QStandardItem(title);
        item->setData(isGroup, ChosenRunsModel::GroupRole);
        item->setData(QStringLiteral("n = 3"), ChosenRunsModel::DetailRole);
        m_model.appendRow(item);
        m_option = {};
        m_option.rect = { 0, 0, 240, 60 };
        m_option.state = QStyle::State_Enabled;
    }
    QModelIndex row() const { return m_model.index(0, 0); }

    QStandardItemModel m_model;
    QStyleOptionViewItem m_option;
};

QTEST_MAIN(TestLegendDelegate)
#include "tst_legend_delegate.moc"
