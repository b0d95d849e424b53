// SPDX-License-Identifier: Apache-2.0
#include "ui/histograms/histogram_feed.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/example_log.h"
#include "tests/ui/histograms/histogram_examples.h"

#include <memory>

using namespace accrue;

class TestHistogramFeed : public QObject {
    Q_OBJECT
private:
    struct Logged {
        std::string parameter;
        HistogramOf of = HistogramOf::Value;
    };

    void log(RunId run, std::int64_t step, const std::vector<Logged>& all)
    {
        HistogramsMeasured measured { .step = step };
        for (const Logged& each : all) {
            measured.histograms.push_back(bellAt(step, 0, 1).histogram);
            measured.histograms.back().parameter = each.parameter;
            measured.histograms.back().of = each.of;
        }
        m_log->sink(run).emitEvent(measured);
    }

    RunId addRun() { return writeExampleRun(*m_log, { exampleExperiments(1).front() }); }

    HistogramFeed::Question question(const std::vector<RunId>& runs, std::int64_t end = 100)
    {
        HistogramFeed::Question question { m_file, {}, {}, HistogramOf::Value };
        for (const RunId run : runs)
            question.runs.push_back({ run, end, RunState::Finished });
        return question;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_file;
    std::unique_ptr<RunLogWriter> m_log;

private Q_SLOTS:
    void init()
    {
        m_log.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("runs.db")).toStdString();
        m_log = std::make_unique<RunLogWriter>(m_file);
    }

    void theFirstParameterIsReadUnlessAnotherIsAsked()
    {
        const RunId a = addRun();
        const RunId b = addRun();
        const RunId none = addRun();
        log(a, 10, { { "conv1.weight" }, { "fc.weight" } });
        log(b, 20, { { "fc.weight" }, { "norm.weight" } });
        QVERIFY(m_log->flush());
        HistogramFeed feed;
        QSignalSpy read(&feed, &HistogramFeed::read);
        feed.ask(question({ a, b, none }));
        QTRY_COMPARE(read.size(), 1);
        QCOMPARE(feed.answer().parameters,
            (std::vector<std::string> { "conv1.weight", "fc.weight", "norm.weight" }));
        QCOMPARE(feed.answer().parameter, std::string("conv1.weight"));
        QVERIFY(!feed.answer().hasGradients);
        QCOMPARE(feed.answer().runs[0]->columns.size(), std::size_t { 1 });
        QVERIFY(feed.answer().runs[1]->columns.empty());
        QVERIFY(feed.answer().runs[2]->names.parameters.empty());
        HistogramFeed::Question other = question({ a, b, none });
        other.parameter = "fc.weight";
        feed.ask(other);
        feed.ask(other); // it is being read
        QTRY_COMPARE(read.size(), 2);
        QCOMPARE(feed.answer().runs[1]->columns.front().step, 20);
        feed.ask(other); // it is known
        QTest::qWait(50);
        QCOMPARE(read.size(), 2);
    }

    void onlyARunThatHasGrownIsReadAgain()
    {
        const RunId ended = addRun();
        const RunId live = addRun();
        for (const RunId run : { ended, live })
            log(run, 10, { { "w" } });
        QVERIFY(m_log->flush());
        HistogramFeed feed;
        QSignalSpy read(&feed, &HistogramFeed::read);
        feed.ask(question({ ended, live }));
        QTRY_COMPARE(read.size(), 1);
        const auto before = feed.answer().runs;
        log(live, 20, { { "w" } });
        QVERIFY(m_log->flush());
        HistogramFeed::Question grown = question({ ended, live });
        grown.runs[1].end = 120;
        feed.ask(grown);
        QTRY_COMPARE(read.size(), 2);
        QCOMPARE(feed.answer().runs[0], before[0]);
        QCOMPARE(feed.answer().runs[1]->columns.size(), std::size_t { 2 });
    }

    // Otherwise a run that grows faster than it is read would never be shown.
    void aRunThatGrowsDoesNotEndTheReading()
    {
        const RunId live = addRun();
        log(live, 10, { { "w" } });
        QVERIFY(m_log->flush());
        HistogramFeed feed;
        QSignalSpy read(&feed, &HistogramFeed::read);
        for (std::int64_t end = 100; end < 130; ++end)
            feed.ask(question({ live }, end));
        QTRY_VERIFY(!read.isEmpty() && feed.answer().asked.runs.front().end == 129);
        QCOMPARE(read.size(), 2); // the first one, and the last one
    }

    void gradientsAreAskedForByThemselves()
    {
        const RunId run = addRun();
        log(run, 10, { { "w" }, { "w", HistogramOf::Gradient } });
        QVERIFY(m_log->flush());
        HistogramFeed feed;
        HistogramFeed::Question asked = question({ run });
        asked.of = HistogramOf::Gradient;
        feed.ask(asked);
        QTRY_COMPARE(feed.answer().runs.size(), std::size_t { 1 });
        QVERIFY(feed.answer().hasGradients);
        QCOMPARE(feed.answer().runs[0]->columns.front().histogram.of, HistogramOf::Gradient);
    }

    void aLogThatCannotBeReadIsAProblem()
    {
        HistogramFeed feed;
        QSignalSpy failed(&feed, &HistogramFeed::failed);
        feed.ask({ "/nowhere/runs.db", { { RunId { 1 } } }, {}, HistogramOf::Value });
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!failed.first().first().toString().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestHistogramFeed)
#include "tst_histogram_feed.moc"
