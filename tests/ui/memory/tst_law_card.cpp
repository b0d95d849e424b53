// SPDX-License-Identifier: Apache-2.0
#include "ui/memory/law_card.h"

#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

#include "engine/experiment/batch_plan.h"
#include "engine/experiment/fixes.h"
#include "engine/report/law_store.h"
#include "tests/support/fake_engine.h"
#include "tests/support/memory_fits.h"
#include "tests/support/waiting.h"
#include "ui/charts/metric_chart.h"
#include "ui/memory/law_answers.h"
#include "ui/memory/law_charts.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/reserved_label.h"
#include "ui/widgets/theme.h"

using namespace accrue;
using namespace accrue::test;

namespace {

FakeEngine& engine()
{
    static FakeEngine fake;
    return fake;
}

// 4,000,000 bytes and 72,136 per sample: up to 874 samples.
constexpr Bytes kBudget { std::int64_t { 64 } << 20 };
constexpr std::int64_t kFits = 874;

Experiment experiment(std::optional<Bytes> budget = {})
{
    Experiment experiment;
    experiment.name = "example";
    experiment.memory.budget = budget;
    return experiment;
}

} // namespace

class TestLawCard : public QObject {
    Q_OBJECT
private:
    QString status() const { return m_card->statusLabel()->text(); }
    QString role() const { return m_card->statusLabel()->property("role").toString(); }
    QString button() const { return m_card->measureButton()->text(); }
    bool measures() const { return m_backend->fits.isActive(); }
    MetricChart* chart() const { return m_card->charts()->byMicro(); }
    MetricChart* stepsChart() const { return m_card->charts()->bySteps(); }
    QTableWidget* table() const { return m_card->answers()->table(); }
    QComboBox* cards() const { return m_card->answers()->cardBox(); }
    QToolButton* pictureButton() const
    {
        for (QToolButton* each : m_card->findChildren<QToolButton*>())
            if (each->defaultAction() == m_card->savePictureAction())
                return each;
        return nullptr;
    }
    bool hasLaw() const { return m_card->isVisible() && !chart()->curves().empty(); }
    QString answer(int row) const { return table()->item(row, 1)->text(); }

    void open()
    {
        m_backend = std::make_unique<Backend>(m_folder->path().toStdString() + "/runs.db");
        m_backend->engine.load();
        QTRY_VERIFY(m_backend->engine.state() != EngineHost::State::Loading);
        m_laws = LawCache();
        m_card = std::make_unique<LawCard>(*m_backend);
        connect(m_card.get(), &LawCard::lookRequested, this, [this] {
            m_laws.forget();
            tell();
        });
        connect(&m_backend->fits, &FitController::ended, this,
            [this](const MemoryFit& fit, const QString& notKept) {
                const Experiment& measured = m_backend->fits.experiment();
                m_laws.take(measured, place(measured), fit, notKept.isEmpty());
                tell();
            });
        m_card->resize(960, 520);
        m_card->show();
    }

    void close()
    {
        m_card.reset();
        m_backend.reset();
    }

    LawPlace place(const Experiment& experiment) const
    {
        const EngineHost& host = m_backend->engine;
        return lawPlace(experiment.run.device, host.devices(), host.versions().torch);
    }

    // As the form does.
    void tell()
    {
        m_card->setQuestion(
            { m_shown, solveBatch(m_shown).plan, m_problem, m_laws.of(m_shown, place(m_shown)) });
    }

    void show(const Experiment& shown, const MemoryFit& fit)
    {
        m_card->setQuestion({ shown, solveBatch(shown).plan, {}, fit });
    }

    void show(const Experiment& shown, const QString& problem = {})
    {
        m_shown = shown;
        m_problem = problem;
        tell();
    }

    void measure()
    {
        m_card->measureButton()->click();
        QTRY_VERIFY(!measures());
    }

    // A memory model of which not every card fits the effective batch of 100,000.
    void showWide()
    {
        engine().setOptions({ .trainSamples = 200'000 });
        Experiment wide = experiment();
        wide.batch.effective = BatchNumber::given(100'000);
        wide.batch.micro = BatchNumber::given(32);
        show(wide);
        measure();
        QTRY_VERIFY(hasLaw());
    }

    void typeCard(const QString& text)
    {
        cards()->setFocus();
        cards()->lineEdit()->selectAll();
        QTest::keyClicks(cards(), text);
        QTest::keyClick(cards(), Qt::Key_Return);
    }

    // A fit that waits before its window number `window`.
    void startHeldFit(std::int64_t window = 2)
    {
        engine().setOptions({ .held = true });
        engine().allowSteps(window - 1);
        m_card->measureButton()->click();
        QTRY_COMPARE(m_backend->fits.progress().windows, static_cast<int>(window - 1));
    }

    Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Backend> m_backend;
    std::unique_ptr<LawCard> m_card;
    LawCache m_laws;
    Experiment m_shown;
    QString m_problem;

private Q_SLOTS:
    void init()
    {
        m_theme.apply(ThemeChoice::Light);
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", m_folder->path().toLocal8Bit());
        engine().setOptions({});
        setEngineForTesting(&engine());
        m_shown = Experiment();
        m_problem.clear();
        open();
    }

    void cleanup() { close(); }

    void withoutALawItExplainsAndOffersToMeasure()
    {
        show(experiment());
        QCOMPARE(m_card->subjectLabel()->fullText(),
            QStringLiteral("the form's LeNet-5, no norm, SGD on cpu"));
        QVERIFY(status().contains(QStringLiteral("linearly")));
        QCOMPARE(button(), QStringLiteral("Measure which micro-batch fits"));
        QVERIFY(m_card->measureButton()->isEnabled());
        QVERIFY(!hasLaw());
        QVERIFY(!m_card->useAction()->isEnabled());
        QVERIFY(m_card->useAction()->toolTip().contains(QStringLiteral("Measure first")));
    }

    void whileItMeasuresItSaysWhatAndCanBeCancelled()
    {
        show(experiment());
        startHeldFit(3);
        QTRY_COMPARE(status(),
            QStringLiteral("Measuring: window 3 of about 4, micro-batch of 128 samples."));
        QCOMPARE(button(), QStringLiteral("Cancel"));
        m_card->measureButton()->setFocus();
        m_card->measureButton()->click();
        QCOMPARE(button(), QStringLiteral("Cancelling…")); // it stops after this window
        m_card->measureButton()->click(); // withdraws the request
        QTRY_VERIFY(!measures());
        QVERIFY(m_card->measureButton()->hasFocus());
        QCOMPARE(button(), QStringLiteral("Measure which micro-batch fits"));
        QVERIFY(m_card->measureButton()->isEnabled());
        QVERIFY(!hasLaw());
        QVERIFY(status().contains(QStringLiteral("linearly")));
    }

    void aLawIsDrawnWithItsPointsBandAndMarks()
    {
        show(experiment(kBudget));
        measure();
        QTRY_VERIFY(hasLaw());
        QCOMPARE(status(),
            QStringLiteral(
                "Micro-batches of up to 874 samples fit the budget of 64.0 MiB: verified "
                "with a real window; one sample more ran out of memory."));
        const auto& curves = chart()->curves();
        const auto measured = std::find_if(curves.begin(), curves.end(),
            [](const ChartCurve& curve) { return curve.title == QLatin1String("measured"); });
        QCOMPARE(measured->points.size(), std::size_t { 4 });
        QCOMPARE(measured->points.front().y, 4'000'000 + 72'136 * 32.0);
        QCOMPARE(chart()->ribbons().size(), std::size_t { 1 });
        QVERIFY(!chart()->ribbons().front().edges.empty());
        QCOMPARE(chart()->levels().front().text, QStringLiteral("budget 64.0 MiB"));
        const auto& markers = chart()->markers();
        QCOMPARE(markers.size(), std::size_t { 2 });
        QCOMPARE(markers[0].x, static_cast<double>(kFits));
        QCOMPARE(markers[0].label, QStringLiteral("b = 874 fits: verified with a real window"));
        QCOMPARE(markers[1].label, QStringLiteral("b = 32 in the form"));
        QCOMPARE(button(), QStringLiteral("Measure again"));
    }

    void withoutABudgetTheDeviceIsTheLimit()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        QVERIFY(chart()->levels().empty()); // far above the drawn range
        QCOMPARE(chart()->markers().front().label, QStringLiteral("b = 128 = B: predicted"));
        QVERIFY(status().contains(QStringLiteral("would fit the 8.00 GiB of cpu")));
    }

    // As on a card with a CUDA context, and with other programs.
    void whatOthersHoldIsToldBesideTheBudget()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        MemoryFit fit = *m_card->fit();
        fit.outsideBytes = 4 << 20;
        show(experiment(Bytes { 16 << 20 }), fit);
        for (const MetricChart* chart :
            { m_card->charts()->byMicro(), m_card->charts()->bySteps() }) {
            QCOMPARE(chart->levels().front().y, static_cast<double>(12 << 20));
            QCOMPARE(chart->levels().front().text,
                QStringLiteral("budget 16.0 MiB, of which 4.00 MiB is used by other programs"));
        }
        fit.totalBytes = 32 << 20;
        show(experiment(), fit);
        QCOMPARE(chart()->levels().front().text,
            QStringLiteral("cpu has 32.0 MiB, of which 4.00 MiB is used by other programs"));
    }

    void aStoredLawIsShownAtOnce()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        const int fits = engine().fits();
        close();
        open();
        show(experiment());
        QTRY_VERIFY(hasLaw());
        QVERIFY(status().endsWith(QStringLiteral("Measured earlier.")));
        QCOMPARE(button(), QStringLiteral("Measure again"));
        QCOMPARE(engine().fits(), fits);
        measure();
        QCOMPARE(engine().fits(), fits + 1);
        QVERIFY(!status().contains(QStringLiteral("Measured earlier.")));
    }

    void anotherModelHasAnotherLaw()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        Experiment other = experiment();
        other.model.name = ModelName::Mlp;
        show(other);
        QVERIFY(!hasLaw());
        show(experiment());
        QTRY_VERIFY(hasLaw());
        Experiment rate = experiment();
        rate.optimizer.lr = 0.5; // has no effect on memory
        show(rate);
        QVERIFY(hasLaw());
    }

    void aBudgetThatChangesMovesTheLimitOfTheSameLaw()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        show(experiment(kBudget));
        QCOMPARE(chart()->levels().front().text, QStringLiteral("budget 64.0 MiB"));
        QVERIFY(status().endsWith(QStringLiteral("predicted."))); // it was not proved for it
    }

    void theAxesAreThoseOfWhatIsDrawn()
    {
        show(experiment(Bytes { 30 << 20 }));
        measure();
        QTRY_VERIFY(hasLaw());
        const QRectF fresh = chart()->visibleRange();
        show(experiment(kBudget));
        QVERIFY(chart()->visibleRange() != fresh);
        show(experiment(Bytes { 30 << 20 }));
        QCOMPARE(chart()->visibleRange(), fresh);
    }

    void aZoomStaysWhileNothingElseIsDrawn()
    {
        show(experiment(kBudget));
        measure();
        QTRY_VERIFY(hasLaw());
        QWidget* canvas = chart();
        const QPoint from(canvas->width() / 3, canvas->height() / 3);
        const QPoint to(2 * from.x(), 2 * from.y());
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, (from + to) / 2);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        QVERIFY(chart()->isZoomed());
        Experiment rate = experiment(kBudget);
        rate.optimizer.lr = 0.5;
        show(rate);
        startHeldFit();
        QVERIFY(chart()->isZoomed());
        m_card->measureButton()->click();
        QTRY_VERIFY(!measures());
        QVERIFY(chart()->isZoomed());
        show(experiment(Bytes { 30 << 20 }));
        QVERIFY(!chart()->isZoomed());
    }

    void aProblemStandsInTheCard()
    {
        engine().setOptions({ .failToStart = true });
        show(experiment());
        measure();
        QTRY_COMPARE(status(), QStringLiteral("The fake engine was told not to measure."));
        QCOMPARE(role(), QStringLiteral("error"));
        QVERIFY(!hasLaw());
        QVERIFY(m_card->measureButton()->isEnabled()); // again
        show(experiment(kBudget)); // another question
        QVERIFY(role() != QStringLiteral("error"));
    }

    void aProblemOfAnotherQuestionIsToldElsewhere_data()
    {
        QTest::addColumn<bool>("otherModel");
        QTest::newRow("another budget") << false;
        QTest::newRow("another model") << true;
    }
    void aProblemOfAnotherQuestionIsToldElsewhere()
    {
        QFETCH(bool, otherModel);
        show(experiment(Bytes { 1'000'000 }));
        startHeldFit();
        m_card->hide();
        Experiment now = experiment(otherModel ? Bytes { 1'000'000 } : kBudget);
        now.model.name = otherModel ? ModelName::Mlp : now.model.name;
        show(now);
        QSignalSpy said(m_card.get(), &LawCard::reported);
        engine().setOptions({});
        QTRY_VERIFY(!measures());
        m_card->show();
        QCOMPARE(said.count(), 1);
        QCOMPARE(said.at(0).at(0).toString(),
            QStringLiteral("LeNet-5, no norm, SGD on cpu: Not one sample fits the budget."));
        QVERIFY(!status().contains(QStringLiteral("Not one sample fits the budget")));
        QVERIFY(role() != QStringLiteral("error"));
        QCOMPARE(m_card->fit().has_value(), !otherModel);
    }

    void aProblemStaysWhileItsQuestionDoes()
    {
        Experiment asked = experiment(Bytes { 1'000'000 });
        show(asked);
        measure();
        QTRY_COMPARE(role(), QStringLiteral("error"));
        asked.optimizer.lr = 0.5; // has no effect on memory
        show(asked);
        QCOMPARE(status(), QStringLiteral("Not one sample fits the budget."));
        show(experiment(kBudget));
        QVERIFY(role() != QStringLiteral("error"));
    }

    void aBudgetTooSmallIsAProblemThatTheLawExplains()
    {
        show(experiment(Bytes { 1'000'000 }));
        measure();
        QTRY_COMPARE(status(), QStringLiteral("Not one sample fits the budget."));
        QVERIFY(hasLaw());
        QVERIFY(!m_card->useAction()->isEnabled());
        QCOMPARE(m_card->useAction()->toolTip(), QStringLiteral("No micro-batch fits."));
    }

    void aLawThatCannotBeKeptIsShownAllTheSame()
    {
        QFile file(m_folder->filePath(QStringLiteral("accrue/memory")));
        QVERIFY(QDir().mkpath(m_folder->filePath(QStringLiteral("accrue"))));
        QVERIFY(file.open(QIODevice::WriteOnly)); // where the folder would be
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        QVERIFY(status().startsWith(QStringLiteral("The whole effective batch, ")));
        QVERIFY(status().contains(QStringLiteral(" The memory model could not be stored: ")));
        QCOMPARE(role(), QStringLiteral("warning"));
        show(experiment(kBudget)); // the same memory model
        QVERIFY(status().contains(QStringLiteral("would fit the budget of 64.0 MiB")));
        QVERIFY(status().contains(QStringLiteral("could not be stored")));
        Experiment other = experiment();
        other.model.name = ModelName::Mlp;
        show(other);
        QVERIFY(!status().contains(QStringLiteral("could not be stored")));
    }

    void whatCannotBeMeasuredSaysWhy()
    {
        show(experiment(), QStringLiteral("model.groups is 7, which does not divide 6."));
        QVERIFY(!m_card->measureButton()->isEnabled());
        QCOMPARE(m_card->measureButton()->toolTip(),
            QStringLiteral("model.groups is 7, which does not divide 6."));
        QCOMPARE(status(), m_card->measureButton()->toolTip());
        QCOMPARE(role(), QStringLiteral("error"));
        show(experiment());
        QVERIFY(role() != QStringLiteral("error"));
    }

    void whileARunTrainsNothingIsMeasured()
    {
        engine().setOptions({ .held = true });
        show(experiment());
        m_backend->controller.start(requireResolved(experiment()), {});
        QVERIFY(!m_card->measureButton()->isEnabled());
        QCOMPARE(m_card->measureButton()->toolTip(),
            QStringLiteral("A run is in progress. Stop it or wait for it to finish."));
        m_backend->controller.stop();
        QTRY_VERIFY(!m_backend->controller.isActive());
        QVERIFY(m_card->measureButton()->isEnabled());
    }

    void aMissingEngineIsTheReason()
    {
        close();
        setEngineForTesting(nullptr);
        qputenv("ACCRUE_ENGINE", "/nowhere/libaccrue_engine.so");
        open();
        qunsetenv("ACCRUE_ENGINE");
        show(experiment());
        QVERIFY(!m_card->measureButton()->isEnabled());
        QCOMPARE(m_card->measureButton()->toolTip(), m_backend->engine.problem());
    }

    // B 128 in as few and as even micro-batches as fit.
    void theMicroBatchThatFitsIsAskedForTheForm()
    {
        Experiment wide = experiment(Bytes { 10 << 20 }); // 89 samples
        show(wide);
        measure();
        QTRY_VERIFY(hasLaw());
        QCOMPARE(m_card->useButton()->text(), QStringLiteral("Use b = 64 (largest)"));
        QSignalSpy asked(m_card.get(), &LawCard::useMicroRequested);
        m_card->useButton()->click();
        QCOMPARE(asked.count(), 1);
        const Fix fix = asked.at(0).at(0).value<Fix>();
        QCOMPARE(QString::fromStdString(fix.label.text()), QStringLiteral("use micro-batch 64"));
        QVERIFY(applyFix(wide, fix).empty());
        QCOMPARE(solveBatch(wide).plan.value().effective, std::int64_t { 128 });
        QCOMPARE(solveBatch(wide).plan.value().micro, std::int64_t { 64 });
        show(wide);
        QVERIFY(!m_card->useButton()->isEnabled());
        QCOMPARE(m_card->useButton()->toolTip().section(QLatin1Char('('), 0, 0).trimmed(),
            QStringLiteral("The form already has this micro-batch."));
    }

    void aMicroBatchThatWouldLeaveAnErrorIsNotOffered()
    {
        MemoryFit fit = fitOfSamples(1000);
        fit.smallestMicro = 2;
        Experiment odd = experiment(Bytes { 2000 });
        odd.model.name = ModelName::Mlp;
        odd.model.norm = Norm::Batch; // of one sample it has no statistics
        odd.batch.effective = BatchNumber::given(3);
        odd.batch.micro = BatchNumber::given(3);
        show(odd, fit);
        QVERIFY(!m_card->useAction()->isEnabled());
        QVERIFY(m_card->useAction()->toolTip().startsWith(
            QStringLiteral("Micro-batches of up to 2 samples fit, but B cannot be split")));
    }

    void aScheduleOfStepsLeavesTheChoiceToTheForm()
    {
        Experiment scheduled = experiment();
        scheduled.batch.schedule = { { StepsFrom::Unit::Epoch, 0, 2 },
            { StepsFrom::Unit::Epoch, 3, 4 } };
        show(scheduled);
        measure();
        QTRY_VERIFY(hasLaw());
        QVERIFY(!m_card->useButton()->isEnabled());
        QVERIFY(m_card->useButton()->toolTip().contains(QStringLiteral("batch.schedule")));
    }

    void aCardIsEmulatedThroughTheForm()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        std::vector<std::optional<Bytes>> asked;
        connect(m_card.get(), &LawCard::emulateRequested, this,
            [&](const std::optional<Bytes>& budget) { asked.push_back(budget); });
        QComboBox* const cards = m_card->answers()->cardBox();
        QCOMPARE(cards->currentText(), QStringLiteral("none"));
        cards->setFocus();
        QTest::keyClick(cards, Qt::Key_Down); // as the keyboard chooses
        QCOMPARE(asked.size(), std::size_t { 1 });
        QCOMPARE(asked.back(), std::optional(Bytes { std::int64_t { 4 } << 30 }));
        show(experiment(asked.back()));
        QCOMPARE(cards->currentText(), QStringLiteral("4 GiB"));
        QCOMPARE(table()->item(0, 0)->text(), QStringLiteral("4 GiB, emulated"));
        QTest::keyClick(cards, Qt::Key_Up);
        QVERIFY(!asked.back());
        show(experiment(kBudget)); // one that no card has
        QCOMPARE(cards->currentText(), QStringLiteral("64MiB"));
    }

    void theTableMarksTheCardThatIsEmulatedAndEmulatesOthers()
    {
        showWide();
        QTableWidget* const table = m_card->answers()->table();
        const auto marked = [table] {
            QList<int> rows;
            for (const QModelIndex& index : table->selectionModel()->selectedRows())
                rows.append(index.row());
            return rows;
        };
        QCOMPARE(marked(), QList<int>());
        QSignalSpy asked(m_card.get(), &LawCard::emulateRequested);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(marked(), QList<int>()); // moving the focus does not choose a card
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        const auto six = asked.at(0).at(0).value<std::optional<Bytes>>();
        QCOMPARE(six, std::optional(Bytes { std::int64_t { 6 } << 30 }));
        Experiment emulating = m_shown;
        emulating.memory.budget = six;
        show(emulating);
        QCOMPARE(marked(), QList<int>({ 1 }));
        const QPoint twelve = table->visualItemRect(table->item(3, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, twelve);
        QCOMPARE(marked(), QList<int>({ 1 }));
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, twelve);
        QCOMPARE(asked.count(), 2);
        show(experiment(kBudget)); // one that no card has
        QCOMPARE(marked(), QList<int>());
    }

    void eachCardHasItsLargestMicroBatch()
    {
        showWide();
        QCOMPARE(table()->rowCount(), 6);
        QVERIFY(table()->isVisible() && m_card->answers()->sentenceLabel()->text().isEmpty());
        QCOMPARE(answer(0).remove(QChar(0x202f)), QStringLiteral("58316")); // with its margin
        QCOMPARE(answer(5).remove(QChar(0x202f)), QStringLiteral("100000, all of B"));
        for (int row = 0; row < 6; ++row)
            QVERIFY(!table()->item(row, 0)->text().isEmpty());
        QVERIFY(m_card->answers()->noteLabel()->text().startsWith(
            QStringLiteral("Computed from the CPU's memory; a GPU also needs")));
    }

    void cardsThatAllTakeEverythingAreOneSentence()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        QVERIFY(!table()->isVisible());
        QVERIFY(m_card->answers()->sentenceLabel()->text().contains(
            QStringLiteral("fits a card of 4 GiB")));
        QVERIFY(m_card->answers()->noteLabel()->text().startsWith(
            QStringLiteral("Computed from the CPU's")));
    }

    void aSizeOfACardCanBeTyped()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        std::vector<std::optional<Bytes>> asked;
        connect(m_card.get(), &LawCard::emulateRequested, this,
            [&](const std::optional<Bytes>& budget) { asked.push_back(budget); });
        typeCard(QStringLiteral("128MiB"));
        QCOMPARE(asked.size(), std::size_t { 1 });
        QCOMPARE(asked.back(), std::optional(Bytes { std::int64_t { 128 } << 20 }));
        show(experiment(asked.back()));
        QCOMPARE(cards()->currentText(), QStringLiteral("128MiB"));
        typeCard(QStringLiteral("4 GiB")); // as the list spells it
        show(experiment(asked.back()));
        QCOMPARE(cards()->currentText(), QStringLiteral("4 GiB"));
        typeCard(QStringLiteral("none"));
        QCOMPARE(asked.size(), std::size_t { 3 });
        QVERIFY(!asked.back());
    }

    void aSizeThatIsNoneSaysWhyAndStays()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        QSignalSpy asked(m_card.get(), &LawCard::emulateRequested);
        typeCard(QStringLiteral("128"));
        QCOMPARE(asked.count(), 0);
        QVERIFY2(m_card->answers()->noteLabel()->text().contains(QStringLiteral("memory.budget")),
            qPrintable(m_card->answers()->noteLabel()->text()));
        QVERIFY(cards()->property("wrong").toBool());
        show(experiment()); // the form has other settings
        QCOMPARE(cards()->currentText(), QStringLiteral("128"));
        typeCard(QStringLiteral("128MiB"));
        QCOMPARE(asked.count(), 1);
        QVERIFY(!cards()->property("wrong").toBool());
        QVERIFY(m_card->answers()->noteLabel()->text().startsWith(QStringLiteral("Computed from")));
    }

    void theFastestSplitIsNamedAndAskedForTheForm()
    {
        Experiment wide = experiment();
        show(wide); // b 32, B 128
        QVERIFY(!m_card->useFastestAction()->isEnabled());
        measure();
        QTRY_VERIFY(hasLaw());
        QVERIFY2(m_card->fastestLabel()->text().startsWith(
                     QStringLiteral("Fastest measured split of B = 128: b = 128 × N 1, ")),
            qPrintable(m_card->fastestLabel()->text()));
        QCOMPARE(m_card->fastestButton()->text(), QStringLiteral("Use b = 128 × N 1 (fastest)"));
        QSignalSpy asked(m_card.get(), &LawCard::useMicroRequested);
        m_card->fastestButton()->click();
        const Fix fix = asked.at(0).at(0).value<Fix>();
        QVERIFY(applyFix(wide, fix).empty());
        QCOMPARE(solveBatch(wide).plan.value().micro, std::int64_t { 128 });
        QCOMPARE(solveBatch(wide).plan.value().effective, std::int64_t { 128 });
        show(wide);
        QVERIFY(!m_card->fastestButton()->isEnabled());
        QVERIFY(m_card->fastestButton()->toolTip().contains(QStringLiteral("has this")));
        show(experiment(Bytes { 10 << 20 })); // 64 fit
        QCOMPARE(m_card->fastestButton()->text(), QStringLiteral("Use b = 64 × N 2 (fastest)"));
    }

    void aLawWithoutSpeedsSaysSo()
    {
        show(experiment());
        MemoryFit fit = fitOfSamples(1000);
        fit.totalBytes = 1 << 30;
        show(experiment(), fit);
        QVERIFY(
            m_card->fastestLabel()->text().startsWith(QStringLiteral("Speed was not measured")));
        QVERIFY(!m_card->fastestButton()->isEnabled());
    }

    void cardsTooSmallSayNo()
    {
        MemoryFit fit;
        fit.law = fitMemoryLaw({ { MemoryPhase::Backward, 1, std::int64_t { 5 } << 30 },
                                   { MemoryPhase::Backward, 2, std::int64_t { 7 } << 30 },
                                   { MemoryPhase::Backward, 3, std::int64_t { 9 } << 30 } },
            64);
        fit.trainSamples = 1000;
        fit.totalBytes = std::int64_t { 24 } << 30;
        fit.device = "cpu";
        fit.deviceName = "Fake CPU";
        fit.torchVersion = fakeVersions().torch;
        m_card->hide(); // hidden while another process measures
        storeFit(lawDirectory(), experiment(), fit);
        show(experiment());
        m_card->show();
        QTRY_VERIFY(hasLaw());
        QStringList answers;
        for (int row = 0; row < 6; ++row)
            answers.append(answer(row));
        QCOMPARE(answers,
            QStringList({ QStringLiteral("no"), QStringLiteral("1"), QStringLiteral("2"),
                QStringLiteral("4"), QStringLiteral("6"), QStringLiteral("10") }));
        m_card->charts()->setCurrentIndex(1);
        QVERIFY(stepsChart()->curves().front().points.empty()); // was measured without N
    }

    void whatTakesTheKeyboardHasAName()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        int walked = 0;
        for (QWidget* widget : m_card->findChildren<QWidget*>()) {
            const bool takesKeys = (widget->focusPolicy() & Qt::TabFocus) != 0
                && widget->focusProxy() == nullptr && widget->isVisible();
            if (!takesKeys)
                continue;
            ++walked;
            QVERIFY2(
                !QAccessible::queryAccessibleInterface(widget)->text(QAccessible::Name).isEmpty(),
                widget->metaObject()->className());
        }
        QVERIFY(walked >= 6); // two buttons, tabs, chart, table, box
    }

    void theKeyboardGoesDownTheCard()
    {
        QPushButton below(m_card.get()); // made before the memory model is shown
        below.show();
        showWide();
        std::vector<QWidget*> reached;
        for (QWidget* next = m_card->measureButton(); next != &below;
             next = next->nextInFocusChain())
            if ((next->focusPolicy() & Qt::TabFocus) != 0 && next->focusProxy() == nullptr
                && next->isVisible())
                reached.push_back(next);
        QCOMPARE(reached,
            std::vector<QWidget*>({ m_card->measureButton(), pictureButton(), m_card->useButton(),
                m_card->fastestButton(), m_card->charts()->tabBar(), chart(), cards(), table() }));
    }

    void theTablesRowsAreReachedByTheKeyboard()
    {
        showWide();
        QTableWidget* const table = m_card->answers()->table();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(table->currentRow(), 1);
        QTest::keyClick(table, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(table->currentRow(), 5);
        QTest::keyClick(table, Qt::Key_Tab); // leaves it
        QVERIFY(!table->hasFocus());
    }

    void thePeakOfNStepsIsMeasuredAndTheOtherComputed()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        m_card->charts()->setCurrentIndex(1);
        const auto& curves = stepsChart()->curves();
        QCOMPARE(curves.size(), std::size_t { 2 });
        QCOMPARE(curves[0].title, QStringLiteral("measured: N micro-batches of 32 samples"));
        QCOMPARE(curves[0].points.size(), std::size_t { 6 });
        QCOMPARE(curves[0].points.front().y, curves[0].points.back().y);
        QCOMPARE(curves[0].points.back().x, 32.0);
        QVERIFY(curves[1].title.startsWith(QStringLiteral("computed: one micro-batch")));
        QCOMPARE(curves[1].points.back().y,
            static_cast<double>(peakWithoutAccumulation(*m_card->fit(), 32 * 32)));
    }

    void theChartInSightBecomesAPicture()
    {
        show(experiment());
        QVERIFY(!m_card->savePictureAction()->isEnabled());
        measure();
        QTRY_VERIFY(hasLaw());
        for (const char* expected : { "in the form", "one micro-batch of" }) {
            const QString path = m_folder->filePath(QStringLiteral("chart.svg"));
            QFile::remove(path);
            m_card->savePictureAction()->trigger();
            Q_EMIT m_card->findChildren<QFileDialog*>().last()->fileSelected(path);
            QTRY_VERIFY(QFile::exists(path));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readAll().contains(expected), expected);
            m_card->charts()->setCurrentIndex(1);
        }
    }

    void coloursFollowTheTheme()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        const QColor light = chart()->curves().front().color;
        m_theme.apply(ThemeChoice::Dark);
        QTRY_VERIFY(chart()->curves().front().color != light);
    }

    // Its actions are in the menu, too.
    void aHiddenCardIsAboutTheForm()
    {
        show(experiment());
        measure();
        QTRY_VERIFY(hasLaw());
        m_card->hide();
        Experiment other = experiment();
        other.model.name = ModelName::Mlp;
        show(other);
        QVERIFY(!m_card->fit());
        QVERIFY(!m_card->useAction()->isEnabled());
        show(experiment());
        QVERIFY(m_card->useAction()->isEnabled());
    }
};

QTEST_MAIN(TestLawCard)
#include "tst_law_card.moc"
