// SPDX-License-Identifier: Apache-2.0
// run.stop_when and run.patience.
#include "engine/session/session.h"

#include <cmath>

#include <QTemporaryDir>
#include <QTest>

#include "engine/base/format.h"
#include "engine/checkpoint/checkpoint.h"
#include "tests/engine/session/training_fixture.h"

using namespace accrue;
using namespace accrue::test;

namespace {

struct Trained {
    RunEnded ended;
    EventList events;

    std::vector<Evaluated> evaluations() const { return events.all<Evaluated>(); }
    std::int64_t steps() const { return std::ssize(events.all<StepDone>()); }
};

} // namespace

class TestEarlyEnd : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_experiment = {};
        m_experiment.data.name = DataName::Idx;
        m_experiment.data.path = writtenPictures(folder() / "data", 96, 40).string();
        m_experiment.run.device = "cpu";
        m_experiment.run.threads = 1;
        m_experiment.run.epochs = 8;
        m_experiment.batch.micro = BatchNumber::given(8);
        m_experiment.batch.steps = BatchNumber::given(4);
        m_experiment.optimizer.lr = 0.001; // the accuracy rises for six epochs
        m_experiment.model.name = ModelName::Mlp;
        m_experiment.model.widths = { 32 };
    }

    void aMetRuleEndsTheRunAsCompleted()
    {
        const Trained whole = trained("whole");
        QCOMPARE(whole.ended.early, EarlyEnd::None);
        const Evaluated& first = firstBest(whole);
        const Trained run = trained("rule", ruleOf(first));
        QCOMPARE(run.ended.outcome, RunOutcome::Completed);
        QCOMPARE(run.ended.early, EarlyEnd::Rule);
        QCOMPARE(run.ended.step, first.step);
        QCOMPARE(run.steps(), first.step);
        QCOMPARE(run.evaluations().back().step, first.step);
        QCOMPARE(run.ended.message.english(),
            "Ended early at step " + std::to_string(first.step) + ", because run.stop_when ("
                + ruleOf(first) + ") is met: test_accuracy = " + formatNumber(first.testAccuracy)
                + ".");
        QCOMPARE(run.events.all<RunEnded>().size(), 1U);
        QCOMPARE(run.events.all<RunEnded>().front().early, EarlyEnd::Rule);
        // Until then nothing differs.
        const std::vector<double> losses = whole.events.losses();
        QCOMPARE(
            run.events.losses(), std::vector<double>(losses.begin(), losses.begin() + first.step));
    }

    void aRuleThatIsNeverMetChangesNothing()
    {
        const Trained run = trained("never", "test_accuracy > 1");
        QCOMPARE(run.ended.early, EarlyEnd::None);
        QCOMPARE(run.steps(), 24);
        QVERIFY(run.ended.message.empty());
    }

    void allConditionsMustHold()
    {
        const Trained whole = trained("whole");
        const std::vector<EpochDone> epochs = whole.events.all<EpochDone>();
        const double loss = epochs.at(5).trainLoss;
        QVERIFY(loss < epochs.at(4).trainLoss);
        const Trained run =
            trained("both", "test_accuracy >= 0 and train_loss <= " + exactNumber(loss));
        QCOMPARE(run.ended.early, EarlyEnd::Rule);
        QCOMPARE(run.ended.step, 18); // the end of epoch 6
    }

    // Like every completed run, it ends with an evaluation, although none is due.
    void aRunThatEndsEarlyIsEvaluatedAtItsEnd()
    {
        m_experiment.run.evaluateEvery = { 100, Span::Unit::Steps };
        const Trained run = trained("evaluated", "train_loss < 1000");
        QCOMPARE(run.ended.step, 3);
        QCOMPARE(run.evaluations().size(), 1U);
        QCOMPARE(run.evaluations().front().step, 3);
    }

    void aRunWithoutProgressEndsByItsPatience()
    {
        m_experiment.optimizer.lr = 1e-12;
        m_experiment.run.patience = 3;
        const Trained run = trained("patience");
        QCOMPARE(run.ended.outcome, RunOutcome::Completed);
        QCOMPARE(run.ended.early, EarlyEnd::Patience);
        QCOMPARE(run.evaluations().size(), 4U); // the first one is the best so far
        QCOMPARE(run.ended.step, 12);
        QVERIFY2(QString::fromStdString(run.ended.message.english())
                     .startsWith("Ended early at step 12, because the last 3 evaluations were no "
                                 "better than the best accuracy"),
            run.ended.message.english().c_str());
    }

    void aNewBestStartsPatienceAgain()
    {
        m_experiment.run.patience = 2;
        QCOMPARE(trained("patient").ended.early, EarlyEnd::None);
    }

    void theLastStepOfARunIsNoEarlyEnd()
    {
        m_experiment.run.epochs = 1;
        const Trained run = trained("last", "train_loss < 1000");
        QCOMPARE(run.ended.early, EarlyEnd::None);
        QVERIFY(run.ended.message.empty());
    }

    void aResumedRunEndsWhereItWouldHave_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("patience");
        QTest::newRow("rule") << QStringLiteral("test_accuracy >= 0 and train_loss < %1") << 0;
        QTest::newRow("patience") << QString() << 5;
    }
    void aResumedRunEndsWhereItWouldHave()
    {
        QFETCH(QString, rule);
        QFETCH(int, patience);
        m_experiment.run.patience = patience;
        if (patience > 0)
            m_experiment.optimizer.lr = 1e-12;
        else
            rule = rule.arg(
                trained("whole").events.all<EpochDone>().at(5).trainLoss * 1.0001, 0, 'g', 17);
        const Trained straight = trained("straight", rule.toStdString());
        QCOMPARE(straight.ended.step, 18);
        // In the middle of an epoch, and after the last epoch before the end.
        for (const std::int64_t after : { 7, 15, 17 }) {
            const std::string name = "stopped " + std::to_string(after);
            const Trained stopped = trained(name, rule.toStdString(), {}, after);
            QCOMPARE(stopped.ended.outcome, RunOutcome::Stopped);
            const Trained resumed = trained(name, rule.toStdString(), stopped.ended.checkpoint);
            QCOMPARE(resumed.ended.step, 18);
            QCOMPARE(resumed.ended.early, straight.ended.early);
            QCOMPARE(resumed.ended.message.english(), straight.ended.message.english());
            QCOMPARE(resumed.evaluations().back().testLoss, straight.evaluations().back().testLoss);
        }
    }

    // It was killed between its last checkpoint and its end.
    void aRuleThatWasMetEndsAResumedRunAtOnce()
    {
        const Trained stopped = trained("met", "", {}, 6);
        QCOMPARE(stopped.ended.step, 6);
        const Trained resumed = trained("met", "train_loss < 1000", stopped.ended.checkpoint);
        QCOMPARE(resumed.ended.early, EarlyEnd::Rule);
        QCOMPARE(resumed.steps(), 0);
        QCOMPARE(resumed.ended.step, 6);
    }

    void aCheckpointWithoutTheseFiguresIsRead()
    {
        const Trained stopped = trained("older", "", {}, 6);
        const Checkpoint checkpoint = readCheckpoint(stopped.ended.checkpoint);
        NamedTensors figures = figuresOf(checkpoint.state);
        std::erase_if(figures, [](const auto& figure) {
            return figure.first.starts_with("run.rule.")
                || figure.first == "run.evaluations_since_best";
        });
        RunState state;
        setFigures(state, figures);
        QCOMPARE(state.best, checkpoint.state.best);
        QCOMPARE(state.evaluationsSinceBest, 0);
        QVERIFY(std::isnan(state.ruleValues.last.front()));
        QVERIFY(!std::isnan(checkpoint.state.ruleValues.last.front()));
    }

private:
    std::filesystem::path folder() const { return m_folder->path().toStdString(); }

    Trained trained(const std::string& name, const std::string& rule = {},
        const std::filesystem::path& from = {}, std::int64_t stopAfter = 0) const
    {
        OpenRequest request { .experiment = m_experiment,
            .dataDirectories = {},
            .checkpointFolder = folder() / name,
            .resumeFrom = from,
            .stopAfter = stopAfter };
        request.experiment.run.stopWhen = rule;
        Trained run;
        RunControl control;
        run.ended = Session(request, control, run.events).run();
        return run;
    }

    // The first evaluation that is better than the first one of all, and not the last.
    static Evaluated firstBest(const Trained& whole)
    {
        const std::vector<Evaluated> all = whole.evaluations();
        for (const Evaluated& evaluation : all)
            if (evaluation.testAccuracy > all.front().testAccuracy
                && evaluation.step < all.back().step)
                return evaluation;
        qFatal("the accuracy never rose");
    }

    static std::string ruleOf(const Evaluated& evaluation)
    {
        return "test_accuracy >= " + exactNumber(evaluation.testAccuracy);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    Experiment m_experiment;
};

QTEST_GUILESS_MAIN(TestEarlyEnd)
#include "tst_early_end.moc"
