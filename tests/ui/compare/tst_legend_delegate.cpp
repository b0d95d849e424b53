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
