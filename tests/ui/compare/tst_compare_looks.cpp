// SPDX-License-Identifier: Apache-2.0
#include "ui/compare/compare_page.h"

#include <QComboBox>
#include <QFile>
#include <QListView>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_curves.h"
#include "ui/compare/compare_peaks.h"
#include "ui/compare/compared_runs.h"
#include "ui/compare/curve_bar.h"
#include "ui/compare/group_bar.h"
#include "ui/curves/curve_grid.h"
#include "ui/curves/run_selection.h"
#include "ui/curves/style_key_view.h"
#include "ui/models/chosen_runs_model.h"
#include "ui/run/run_log_follower.h"
#include "ui/widgets/theme.h"

#include <memory>

using namespace accrue;

// How compared runs look on the whole page, over a real log.
class TestCompareLooks : public QObject {
    Q_OBJECT
private:
    QString path(const char* name) const { return m_folder->filePath(QString::fromUtf8(name)); }

    static QByteArray contentOf(const QString& file)
    {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }

    void showRuns(const std::vector<Experiment>& experiments)
    {
        std::vector<RunId> runs;
        for (const Experiment& experiment : experiments) {
            writeExampleRun(*m_log, { experiment, 60, 20, 0.01, RunOutcome::Completed, 0 });
            runs.push_back(RunId { std::ssize(runs) + 1 });
        }
        QVERIFY(m_log->flush());
        m_follower->setFile(path("runs.db").toStdString());
        QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == runs.size());
        m_compare->setRuns(runs);
        QTRY_COMPARE(m_compare->curves().chart()->curves().size(), runs.size());
        QTRY_VERIFY(!m_compare->curves().chart()->curves().back().points.empty());
    }

    GroupBar& bar() const { return m_compare->list().bar(); }
    void colorBy(const char* key)
    {
        bar().colorBox()->setCurrentIndex(bar().colorBox()->findData(QString::fromUtf8(key)));
    }
    void lineBy(const char* key)
    {
        bar().lineBox()->setCurrentIndex(bar().lineBox()->findData(QString::fromUtf8(key)));
    }
    QColor rowColor(int row) const
    {
        const auto* rows = m_compare->findChild<QListView*>(QStringLiteral("chosenRuns"))->model();
        return rows->index(row, 0).data(ChosenRunsModel::StyleRole).value<QColor>();
    }

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogWriter> m_log;
    std::unique_ptr<RunLogFollower> m_follower;
    std::unique_ptr<ComparePage> m_compare;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_folder = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<RunLogWriter>(path("runs.db").toStdString());
        m_follower = std::make_unique<RunLogFollower>();
        m_compare = std::make_unique<ComparePage>(*m_follower);
        m_compare->resize(1280, 760);
        m_compare->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_compare.get()));
    }

    void cleanup()
    {
        m_compare.reset();
        m_follower.reset();
        m_log.reset();
    }

    void coloursByAKeyAgreeInEveryView()
    {
        showRuns(exampleExperiments(3)); // b 8, 16, 32
        const auto* view = bar().findChild<StyleKeyView*>();
        QVERIFY(view->isHidden());
        colorBy("b");
        lineBy("b");
        QVERIFY(view->isVisible());
        QCOMPARE(view->accessibleDescription(), QStringLiteral("b = 8; b = 16; b = 32"));
        for (int run = 0; run < 3; ++run) {
            const ChartCurve& curve =
                m_compare->curves().chart()->curves().at(static_cast<std::size_t>(run));
            QCOMPARE(curve.color, seriesColor(run, Background::Light));
            QCOMPARE(curve.line, seriesLine(static_cast<std::size_t>(run)));
            QCOMPARE(rowColor(run), curve.color);
        }
        m_compare->findChild<QTabWidget*>()->setCurrentWidget(&m_compare->peaks());
        const ScatterContent& peaks = m_compare->peaks().chart()->content();
        QCOMPARE(peaks.points.at(1).color, rowColor(1));
        QCOMPARE(peaks.entries.size(), std::size_t { 3 });
        QCOMPARE(peaks.entries[1].title, QStringLiteral("b = 16"));
        colorBy("");
        lineBy("");
        QVERIFY(view->isHidden());
        QCOMPARE(rowColor(1), styleOf(RunId { 2 }, Background::Light).color);
    }

    void keysWithTooManyValuesSayWhyTheyAreNoLines()
    {
        std::vector<Experiment> experiments(5, exampleExperiments(1).front());
        for (std::size_t i = 0; i < experiments.size(); ++i)
            experiments[i].optimizer.lr = 0.01 * static_cast<double>(i + 1);
        showRuns(experiments);
        const auto isOffered = [](const QComboBox& box) {
            const int row = box.findData(QStringLiteral("lr"));
            return row > 0
                && box.model()->flags(box.model()->index(row, 0)).testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(isOffered(*bar().colorBox()));
        QVERIFY(!isOffered(*bar().lineBox()));
        QCOMPARE(bar()
                     .lineBox()
                     ->itemData(bar().lineBox()->findData(QStringLiteral("lr")), Qt::ToolTipRole)
                     .toString(),
            QStringLiteral("It has 5 values, and there are 4 kinds of lines."));
    }

    // Curves have no legend of their own on the screen, where the list is beside them.
    void aSavedChartSaysWhatItsColoursMean()
    {
        showRuns(exampleExperiments(3));
        const auto saved = [this] {
            const QString file = path("colours.svg");
            QFile::remove(file);
            bool written = false;
            m_compare->curves().chart()->savePicture(file, [&written](bool ok) { written = ok; });
            return QTest::qWaitFor([&written] { return written; }) ? contentOf(file) : QByteArray();
        };
        QVERIFY(saved().contains("#2 "));
        colorBy("b");
        const QByteArray byKey = saved();
        QVERIFY(byKey.contains("b = 16") && !byKey.contains("#2 "));
        QVERIFY(byKey.contains(seriesColor(1, Background::Light).name().toLatin1()));
    }

    // Also when another log was open meanwhile: they are kept for each.
    void theChoiceIsKept()
    {
        showRuns(exampleExperiments(3));
        colorBy("b");
        lineBy("norm");
        for (const KeptState& state : m_compare->keptState()) {
            if (state.key != QLatin1String("compare/styles"))
                continue;
            QVERIFY(state.ofLog);
            const QVariant stored = state.take();
            state.giveBack({}); // a log of which nothing is stored
            QVERIFY(m_compare->selection().styleChoice() == StyleChoice());
            state.giveBack(stored);
        }
        QVERIFY((m_compare->selection().styleChoice() == StyleChoice { "b", "norm" }));
        QCOMPARE(bar().colorBox()->currentData().toString(), QStringLiteral("b"));
    }
};

QTEST_MAIN(TestCompareLooks)
#include "tst_compare_looks.moc"
