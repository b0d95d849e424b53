// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/sweep_drawer.h"

#include "ui/choices/choice_panel.h"
#include "ui/choices/searched_box.h"
#include "ui/queue/sweep_axis_row.h"
#include "ui/queue/sweep_runs_model.h"
#include "ui/widgets/form_widgets.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace accrue;

class TestSweepDrawer : public QObject {
    Q_OBJECT
private:
    static Experiment base()
    {
        Experiment experiment;
        experiment.name = "first";
        experiment.run.limitSteps = 60;
        return experiment;
    }
    QString cell(int row, const QString& title) const
    {
        const SweepRunsModel& model = m_drawer->model();
        for (int column = 0; column < model.columnCount(); ++column)
            if (model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() == title)
                return model.index(row, column).data().toString();
        return QStringLiteral("no column ") + title;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SweepDrawer> m_drawer;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toUtf8());
        const std::filesystem::path folder = m_folder->path().toStdString();
        m_drawer = std::make_unique<SweepDrawer>([folder] {
            return SweepDrawer::Places { folder / "runs.db", { folder } };
        });
        m_drawer->resize(1000, 600);
        m_drawer->show();
    }
    void cleanup() { m_drawer.reset(); }

    void beginsWithAKeyAndValuesAroundTheForms()
    {
        m_drawer->setBase(base());
        QCOMPARE(m_drawer->rows().size(), 1U);
        QCOMPARE(m_drawer->rows()[0]->key(), std::string("batch.micro"));
        QCOMPARE(m_drawer->rows()[0]->values(), QStringLiteral("16, 32, 64"));
        QTRY_COMPARE(m_drawer->model().rowCount(), 3);
        QVERIFY2(m_drawer->summary().startsWith(QStringLiteral("3 runs")),
            qPrintable(m_drawer->summary()));
        QCOMPARE(m_drawer->addButton()->text(), QStringLiteral("Add 3 runs to queue"));
        QVERIFY(m_drawer->addButton()->isEnabled());
    }

    void multipliesKeysAndSeeds()
    {
        m_drawer->setBase(base());
        m_drawer->addRow("model.norm", QStringLiteral("batch, group"));
        m_drawer->seedsEdit()->setText(QStringLiteral("5"));
        QTRY_COMPARE(m_drawer->model().rowCount(), 30);
        QCOMPARE(cell(0, QStringLiteral("Micro-batch b")), QStringLiteral("16"));
        QCOMPARE(cell(0, QStringLiteral("Updates")), QStringLiteral("60"));
    }

    void keepsTheEffectiveBatch()
    {
        m_drawer->setBase(base());
        m_drawer->keepBox()->setChecked(true);
        QTRY_COMPARE(cell(0, QStringLiteral("Batch")), QStringLiteral("128 = 16 × 8"));
        QCOMPARE(cell(2, QStringLiteral("Batch")), QStringLiteral("128 = 64 × 2"));
    }

    void namesRunsThatAreImpossible()
    {
        Experiment grouped = base();
        grouped.model.norm = Norm::Group;
        m_drawer->setBase(grouped);
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("32"));
        m_drawer->addRow("model.groups", QStringLiteral("2, 7")); // LeNet-5 has 6 and 16 channels
        QTRY_COMPARE(m_drawer->model().rowCount(), 2);
        QVERIFY(m_drawer->summary().contains(QStringLiteral("1 impossible")));
        QVERIFY(!cell(1, QStringLiteral("Remarks")).isEmpty());
        QCOMPARE(m_drawer->addButton()->text(), QStringLiteral("Add 1 run to queue"));
    }

    void marksValuesThatAreWrong()
    {
        m_drawer->setBase(base());
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("8, abc"));
        QTRY_VERIFY(m_drawer->rows()[0]->valuesEdit()->property("wrong").toBool());
        QVERIFY(m_drawer->summary().contains(QStringLiteral("abc")));
        QVERIFY(!m_drawer->addButton()->isEnabled());
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("8, 16"));
        QTRY_VERIFY(m_drawer->addButton()->isEnabled());
        QVERIFY(!m_drawer->rows()[0]->valuesEdit()->property("wrong").toBool());
    }

    void refusesTooManyRunsBeforeTheyAreMade()
    {
        m_drawer->setBase(base());
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("1..9999"));
        m_drawer->addRow("optimizer.lr", QStringLiteral("0.001..1:9999log"));
        QTRY_VERIFY(!m_drawer->summary().isEmpty());
        QTRY_VERIFY(!m_drawer->addButton()->isEnabled());
        QCOMPARE(m_drawer->model().rowCount(), 0);
    }

    void refusesACountThatIsNone()
    {
        m_drawer->setBase(base());
        m_drawer->seedsEdit()->setText(QStringLiteral("-3"));
        QTRY_VERIFY(m_drawer->seedsEdit()->property("wrong").toBool());
        QVERIFY(m_drawer->summary().contains(QStringLiteral("Seeds")));
    }

    void drawsRandomCombinations()
    {
        m_drawer->setBase(base());
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("8, 16, 32, 64"));
        m_drawer->addRow("optimizer.lr", QStringLiteral("0.001..1:log"));
        m_drawer->randomEdit()->setText(QStringLiteral("7"));
        QTRY_COMPARE(m_drawer->model().rowCount(), 7);
    }

    void theTitlesOfColumnsAreWholeWhateverIsWrong()
    {
        m_drawer->setBase(base());
        m_drawer->addRow("model.norm", QStringLiteral("batch, group"));
        QTRY_COMPARE(m_drawer->model().rowCount(), 6);
        m_drawer->rows()[0]->valuesEdit()->setText(QStringLiteral("abc"));
        QTRY_COMPARE(m_drawer->model().rowCount(), 0);
        const QHeaderView& header = *m_drawer->findChild<QTableView*>()->horizontalHeader();
        for (int column = 0; column < header.count(); ++column)
            QVERIFY2(header.sectionSize(column) >= header.sectionSizeHint(column),
                qPrintable(QString::number(column)));
    }

    void aKeyIsFoundByTyping()
    {
        m_drawer->setBase(base());
        SearchedBox& box = *m_drawer->rows()[0]->keyBox();
        box.showPopup();
        ChoicePanel& panel = *box.panel();
        panel.field()->setText(QStringLiteral("optimizer.weight_decay"));
        QTest::keyClick(panel.field(), Qt::Key_Return);
        QTRY_COMPARE(m_drawer->rows()[0]->key(), std::string("optimizer.weight_decay"));
    }

    void saysWhyATimeIsUnknown()
    {
        m_drawer->setBase(base());
        QTRY_COMPARE(m_drawer->model().rowCount(), 3);
        QCOMPARE(cell(0, QStringLiteral("Predicted time")), QStringLiteral("–"));
        QString tips;
        for (int column = 0; column < m_drawer->model().columnCount(); ++column)
            tips +=
                m_drawer->model().headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        QVERIFY(tips.contains(QStringLiteral("it is known when the first has been trained")));
        QVERIFY(tips.contains(QStringLiteral("Measure on the Train page")));
    }

    void addsAndRemovesKeys()
    {
        m_drawer->setBase(base());
        m_drawer->addKeyButton()->click();
        QCOMPARE(m_drawer->rows().size(), 2U);
        QCOMPARE(m_drawer->rows()[1]->key(), std::string("model.norm"));
        QTRY_VERIFY(m_drawer->model().rowCount() > 3);
        m_drawer->rows()[1]->removeButton()->click();
        QCOMPARE(m_drawer->rows().size(), 1U);
        QTRY_COMPARE(m_drawer->model().rowCount(), 3);
    }

    void handsOverWhatIsShown()
    {
        QSignalSpy added(m_drawer.get(), &SweepDrawer::addRequested);
        m_drawer->setBase(base());
        QTRY_VERIFY(m_drawer->addButton()->isEnabled());
        m_drawer->addButton()->click();
        QCOMPARE(added.size(), 1);
        const auto sweep = added[0][0].value<std::shared_ptr<const PlannedSweep>>();
        QCOMPARE(sweep->expanded.runs.size(), 3U);
        QCOMPARE(sweep->definition.base.name, std::string("first"));
    }

    void cannotAddToALogThatCannotBeWritten()
    {
        m_drawer->setBase(base());
        m_drawer->setWhyNotWrite(QStringLiteral("The log is read-only."));
        QTRY_COMPARE(m_drawer->model().rowCount(), 3);
        QVERIFY(!m_drawer->addButton()->isEnabled());
        QCOMPARE(m_drawer->addButton()->toolTip(), QStringLiteral("The log is read-only."));
    }

    void escapeClosesIt()
    {
        QSignalSpy closed(m_drawer.get(), &SweepDrawer::closed);
        QTest::keyClick(m_drawer.get(), Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
    }
};

QTEST_MAIN(TestSweepDrawer)
#include "tst_sweep_drawer.moc"
