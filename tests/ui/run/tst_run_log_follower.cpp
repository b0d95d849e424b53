// SPDX-License-Identifier: Apache-2.0
#include "ui/run/run_log_follower.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "engine/runlog/run_log_reader.h"
#include "tests/support/example_log.h"
#include "tests/support/waiting.h"
#include "ui/run/smoothing.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

using namespace accrue;

namespace {

// Counts the reads of a file by this process, as they happen.
class ReadsOfFile {
public:
    explicit ReadsOfFile(const std::filesystem::path& file)
        : m_inotify(inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        inotify_add_watch(m_inotify, file.c_str(), IN_ACCESS);
    }
    ~ReadsOfFile() { close(m_inotify); }
    ReadsOfFile(const ReadsOfFile&) = delete;
    ReadsOfFile& operator=(const ReadsOfFile&) = delete;

    // Blocks until there was a read; false: not within ten seconds.
    bool wait() const
    {
        pollfd waited { m_inotify, POLLIN, 0 };
        return poll(&waited, 1, 10'000) == 1;
    }

    int count() // so far; the kernel joins those that were not read
    {
        std::array<char, 4096> events {};
        while (read(m_inotify, events.data(), events.size()) > 0)
            ++m_count;
        return m_count;
    }

private:
    int m_inotify;
    int m_count = 0;
};

} // namespace

class TestRunLogFollower : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void findsALogThatAppearsLater();
    void tellsOfRunsNewestFirst();
    void followsARunWhileItIsWritten();
    void givesTheSamePointsLiveAsAfterTheEnd();
    void answersOverEveryAxis_data();
    void answersOverEveryAxis();
    void smoothsAllPointsBeforeThinning();
    void smoothsALiveRunByAnyWeight();
    void bringsSummariesAndMarkers();
    void forgetsWhatAResumedRunSuperseded_data();
    void forgetsWhatAResumedRunSuperseded();
    void dropsAnswersToAnEarlierQuestion();
    void keepsTheQueriesOfSeveralClientsApart();
    void isQuietWhileNothingHappens();
    void repeatsWhatIsKnownWhereItIsAskedTo();
    void saysWhatIsWrongWithAFileAndRecovers();
    void noticesThatTheFileWasDeleted();
    void saysWhatToDoWhenTheFileVanishesUnderARun();
    void movesToAnotherFile();
    void followsARunOfAnotherProcess();
    void endsInTheMiddleOfReadingAndTellsNothingMore();

private:
    std::filesystem::path file(const char* name = "runs.db") const
    {
        return m_folder->filePath(QString::fromUtf8(name)).toStdString();
    }
    // The newest answer to a query; waits until it has `points` points in its first series.
    std::shared_ptr<const SeriesBatch> answer(int query, std::size_t points);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<RunLogFollower> m_follower;
    std::map<int, std::shared_ptr<const SeriesBatch>> m_answers;
};

static ExampleRun example(std::int64_t steps = 100)
{
    return { exampleExperiments(1).front(), steps, 50, 0.01, RunOutcome::Completed, 0 };
}

void TestRunLogFollower::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_follower = std::make_unique<RunLogFollower>();
    m_answers.clear();
    connect(m_follower.get(), &RunLogFollower::seriesChanged, this,
        [this](int query, const std::shared_ptr<const SeriesBatch>& batch) {
            m_answers[query] = batch;
        });
}

void TestRunLogFollower::cleanup()
{
    m_follower.reset();
    m_folder.reset();
}

std::shared_ptr<const SeriesBatch> TestRunLogFollower::answer(int query, std::size_t points)
{
    const bool came = QTest::qWaitFor(
        [&] {
            const auto& batch = m_answers[query];
            return batch && !batch->series.empty() && batch->series[0].points.size() >= points;
        },
        kHangsAfterMs);
    return came ? m_answers[query] : nullptr;
}

void TestRunLogFollower::findsALogThatAppearsLater()
{
    m_follower->setFile(file());
    QTRY_VERIFY(m_follower->runs());
    QVERIFY(m_follower->runs()->empty());
    RunLogWriter log(file());
    writeExampleRun(log, example());
    QTRY_COMPARE(m_follower->runs()->size(), std::size_t { 1 });
}

void TestRunLogFollower::tellsOfRunsNewestFirst()
{
    RunLogWriter log(file());
    const RunId first = writeExampleRun(log, example());
    const RunId second = writeExampleRun(log, example());
    log.setArchived(first, true);
    QVERIFY(log.flush());
    m_follower->setFile(file());
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 2);
    QCOMPARE(m_follower->runs()->at(0).id, second);
    QVERIFY(m_follower->runs()->at(1).archived); // in the list, hidden by the models
}

void TestRunLogFollower::followsARunWhileItIsWritten()
{
    RunLogWriter log(file());
    ExampleRunInLog run(log, example(500));
    m_follower->setFile(file());
    const int query = m_follower->addQuery({ { { run.id(), "loss" } }, Axis::Step, 600, 0, {} });
    run.advance(20);
    QVERIFY(answer(query, 20));
    run.advance(30);
    const auto batch = answer(query, 50);
    QVERIFY(batch);
    QCOMPARE(batch->series[0].points.size(), std::size_t { 50 });
    QCOMPARE(batch->series[0].points[49].x, 50.0);
    QCOMPARE(batch->series[0].points[49].y, exampleLoss(example(500), 50));
    QTRY_COMPARE(m_follower->runs()->front().state, RunState::Running);
    run.advance(450);
    run.end();
    QTRY_COMPARE(m_follower->runs()->front().state, RunState::Finished);
    QVERIFY(answer(query, 500));
}

void TestRunLogFollower::givesTheSamePointsLiveAsAfterTheEnd()
{
    RunLogWriter log(file());
    ExampleRunInLog run(log, example(3000));
    m_follower->setFile(file());
    const FollowQuery asked { { { run.id(), "loss" } }, Axis::Seconds, 100, 0, {} };
    const int live = m_follower->addQuery(asked);
    run.advance(1500);
    QVERIFY(answer(live, 150));
    run.advance(1500);
    run.end();
    QTRY_VERIFY(m_follower->runs() && !m_follower->runs()->empty()
        && m_follower->runs()->front().state == RunState::Finished);
    QTRY_VERIFY(m_answers[live] && !m_answers[live]->series[0].points.empty()
        && m_answers[live]->series[0].points.back().x > 29.9);
    RunLogReader reader(file());
    const auto expected = reader.thinned(run.id(), "loss", Axis::Seconds, 100);
    const auto& points = m_answers[live]->series[0].points;
    QCOMPARE(points.size(), expected.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        QCOMPARE(points[i].x, expected[i].x);
        QCOMPARE(points[i].y, expected[i].y);
    }
}

void TestRunLogFollower::answersOverEveryAxis_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<double>("last");
    // 60 steps of b 8 × N 8 in epochs of 50 steps, 10 ms each.
    QTest::newRow("step") << int(Axis::Step) << 60.0;
    QTest::newRow("samples") << int(Axis::Samples) << 60.0 * 64;
    QTest::newRow("micro-batches") << int(Axis::MicroBatches) << 60.0 * 8;
    QTest::newRow("seconds") << int(Axis::Seconds) << 0.6;
}

void TestRunLogFollower::answersOverEveryAxis()
{
    QFETCH(int, axis);
    QFETCH(double, last);
    RunLogWriter log(file());
    ExampleRunInLog run(log, example(100));
    m_follower->setFile(file());
    const int query =
        m_follower->addQuery({ { { run.id(), "loss" } }, static_cast<Axis>(axis), 600, 0, {} });
    run.advance(25);
    QVERIFY(answer(query, 25));
    run.advance(35); // read incrementally
    const auto batch = answer(query, 60);
    QVERIFY(batch);
    QCOMPARE(batch->series[0].points.size(), std::size_t { 60 });
    QCOMPARE(batch->series[0].points.back().x, last);
}

void TestRunLogFollower::smoothsAllPointsBeforeThinning()
{
    RunLogWriter log(file());
    const RunId run = writeExampleRun(log, example(2000));
    QVERIFY(log.flush());
    m_follower->setFile(file());
    const int query = m_follower->addQuery({ { { run, "loss" } }, Axis::Step, 50, 0.9, {} });
    const auto batch = answer(query, 50);
    QVERIFY(batch);
    RunLogReader reader(file());
    const auto expected = thin(smoothed(reader.series(run, "loss", Axis::Step), 0.9), 50);
    QCOMPARE(batch->series[0].smoothed.size(), expected.size());
    QCOMPARE(batch->series[0].smoothed.back().y, expected.back().y);
}

void TestRunLogFollower::smoothsALiveRunByAnyWeight()
{
    RunLogWriter log(file());
    ExampleRunInLog run(log, example(500));
    m_follower->setFile(file());
    FollowQuery asked { { { run.id(), "loss" } }, Axis::Samples, 600, 0, {} };
    const int query = m_follower->addQuery(asked);
    run.advance(40);
    QVERIFY(answer(query, 40));
    for (const double weight : { 0.9, 0.5 }) { // changed while it runs, then grown
        asked.smoothing = weight;
        m_follower->setQuery(query, asked);
        QTRY_COMPARE(
            m_answers[query]->series[0].smoothed.size(), static_cast<std::size_t>(run.step()));
        run.advance(30);
        const auto batch = answer(query, static_cast<std::size_t>(run.step()));
        QVERIFY(batch);
        RunLogReader reader(file());
        QCOMPARE(batch->series[0].smoothed,
            smoothed(reader.series(run.id(), "loss", Axis::Samples), weight));
    }
    run.end();
}

void TestRunLogFollower::bringsSummariesAndMarkers()
{
    RunLogWriter log(file());
    const RunId run = writeExampleRun(log, example());
    QVERIFY(log.flush());
    m_follower->setFile(file());
    const int query = m_follower->addQuery({ { { run, "loss" } }, Axis::Step, 600, 0, { run } });
    const auto batch = answer(query, 100);
    QVERIFY(batch);
    QCOMPARE(batch->summaries.size(), std::size_t { 1 });
    QVERIFY(!batch->summaries[0].metrics.empty());
    QVERIFY(!batch->markers.empty());
    QCOMPARE(batch->markers.back().kind, RunMarker::Kind::Ended);
}

void TestRunLogFollower::forgetsWhatAResumedRunSuperseded_data()
{
    QTest::addColumn<bool>("ended");
    QTest::addColumn<double>("smoothing");
    QTest::addColumn<int>("from");
    QTest::newRow("died, followed as it grew") << false << 0.0 << 40;
    QTest::newRow("died, smoothed") << false << 0.9 << 40;
    QTest::newRow("died before its first checkpoint") << false << 0.0 << 0;
    QTest::newRow("stopped, read as a whole") << true << 0.0 << 40;
    QTest::newRow("stopped, smoothed") << true << 0.9 << 40;
}

// The points that are stored for the next answer are no longer those of the run.
void TestRunLogFollower::forgetsWhatAResumedRunSuperseded()
{
    QFETCH(bool, ended);
    QFETCH(double, smoothing);
    QFETCH(int, from);
    auto log = std::make_unique<RunLogWriter>(file());
    ExampleRun before = example(200);
    before.outcome = RunOutcome::Stopped;
    ExampleRunInLog first(*log, before);
    const RunId id = first.id();
    m_follower->setFile(file());
    const int query =
        m_follower->addQuery({ { { id, "loss" } }, Axis::Seconds, 600, smoothing, { id } });
    first.advance(70);
    QVERIFY(answer(query, 70));
    if (ended)
        first.end();
    log = nullptr; // with the run's lock
    QTRY_VERIFY(
        m_follower->runs()->front().state == (ended ? RunState::Finished : RunState::Interrupted));

    log = std::make_unique<RunLogWriter>(file());
    ExampleRun after = example(200);
    after.experiment.run.seed = 77; // the superseded steps had other values
    ExampleRunInLog second(*log, after, id, from);
    QTRY_COMPARE(m_answers[query]->series[0].points.size(), static_cast<std::size_t>(from));
    second.advance(80);
    const auto live = answer(query, static_cast<std::size_t>(from) + 80);
    QVERIFY(live);
    RunLogReader reader(file());
    const auto expected = reader.series(id, "loss", Axis::Seconds);
    QCOMPARE(expected.size(), static_cast<std::size_t>(from) + 80);
    QCOMPARE(live->series[0].points, expected);
    if (smoothing > 0)
        QCOMPARE(live->series[0].smoothed, smoothed(expected, smoothing));
    QCOMPARE(m_follower->runs()->front().attempt, 2);
    QCOMPARE(live->summaries[0].metrics[0].final, exampleLoss(after, from + 80));
    second.end();
    QTRY_COMPARE(m_follower->runs()->front().state, RunState::Finished);
    QCOMPARE(m_answers[query]->series[0].points, expected);
}

void TestRunLogFollower::dropsAnswersToAnEarlierQuestion()
{
    RunLogWriter log(file());
    const RunId run = writeExampleRun(log, example());
    QVERIFY(log.flush());
    m_follower->setFile(file());
    const int query = m_follower->addQuery({ { { run, "loss" } }, Axis::Step, 600, 0, {} });
    std::vector<std::string> told;
    connect(m_follower.get(), &RunLogFollower::seriesChanged, this,
        [&](int, const std::shared_ptr<const SeriesBatch>& batch) {
            told.push_back(batch->series.front().metric);
        });
    for (const char* metric : { "step_ms", "gradient_norm", "learning_rate" })
        m_follower->setQuery(query, { { { run, metric } }, Axis::Step, 600, 0, {} });
    QTRY_VERIFY(!told.empty());
    QCOMPARE(told, std::vector<std::string> { "learning_rate" });
}

void TestRunLogFollower::keepsTheQueriesOfSeveralClientsApart()
{
    RunLogWriter log(file());
    const RunId run = writeExampleRun(log, example());
    QVERIFY(log.flush());
    m_follower->setFile(file());
    const int steps = m_follower->addQuery({ { { run, "loss" } }, Axis::Step, 600, 0, {} });
    const int epochs =
        m_follower->addQuery({ { { run, "test_accuracy" } }, Axis::Epoch, 600, 0, {} });
    QVERIFY(answer(steps, 100));
    const auto batch = answer(epochs, 2);
    QVERIFY(batch);
    QCOMPARE(batch->series[0].metric, std::string("test_accuracy"));
    QCOMPARE(batch->series[0].points.size(), std::size_t { 2 });
    m_answers.clear();
    m_follower->removeQuery(epochs);
    writeExampleRun(log, example());
    QTRY_COMPARE(m_follower->runs()->size(), std::size_t { 2 });
    QVERIFY(!m_answers.contains(epochs));
}

void TestRunLogFollower::isQuietWhileNothingHappens()
{
    RunLogWriter log(file());
    const RunId run = writeExampleRun(log, example());
    QVERIFY(log.flush());
    m_follower->setFile(file());
    const int query = m_follower->addQuery({ { { run, "loss" } }, Axis::Step, 600, 0, {} });
    QVERIFY(answer(query, 100));
    QTRY_VERIFY(m_follower->runs()->front().state == RunState::Finished);
    QTest::qWait(500); // answers that were still on their way
    QSignalSpy runs(m_follower.get(), &RunLogFollower::runsChanged);
    QSignalSpy series(m_follower.get(), &RunLogFollower::seriesChanged);
    QTest::qWait(700);
    QCOMPARE(runs.size(), 0);
    QCOMPARE(series.size(), 0);
}

// A window that is made anew has seen nothing of a log that was read long ago.
void TestRunLogFollower::repeatsWhatIsKnownWhereItIsAskedTo()
{
    QSignalSpy runs(m_follower.get(), &RunLogFollower::runsChanged);
    QSignalSpy markers(m_follower.get(), &RunLogFollower::markersChanged);
    m_follower->setFile(file()); // which is not there yet
    QTRY_COMPARE(runs.size(), 1);
    m_follower->refresh();
    QTRY_COMPARE(runs.size(), 2);
    {
        RunLogWriter log(file());
        writeExampleRun(log, example());
        QVERIFY(log.flush());
    }
    QTRY_VERIFY(
        !m_follower->runs()->empty() && m_follower->runs()->front().state == RunState::Finished);
    QTest::qWait(500); // what was still on its way
    runs.clear();
    markers.clear();
    m_follower->refresh();
    QTRY_COMPARE(runs.size(), 1);
    QTRY_COMPARE(markers.size(), 1);
}

void TestRunLogFollower::saysWhatIsWrongWithAFileAndRecovers()
{
    QFile text(QString::fromStdString(file().string()));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write(QByteArray(4096, 'x'));
    text.close();
    QSignalSpy failed(m_follower.get(), &RunLogFollower::failed);
    QSignalSpy recovered(m_follower.get(), &RunLogFollower::recovered);
    m_follower->setFile(file());
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY2(failed.first().first().toString().contains(QStringLiteral("runs.db")),
        qPrintable(failed.first().first().toString()));
    QTest::qWait(500);
    QCOMPARE(failed.size(), 1); // emitted once
    QCOMPARE(m_follower->problem(), failed.first().first().toString());
    QVERIFY(QFile::remove(text.fileName()));
    RunLogWriter log(file());
    writeExampleRun(log, example());
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 1);
    QVERIFY(!recovered.isEmpty());
    QCOMPARE(m_follower->problem(), QString());
}

void TestRunLogFollower::noticesThatTheFileWasDeleted()
{
    {
        RunLogWriter log(file());
        writeExampleRun(log, example());
    }
    m_follower->setFile(file());
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 1);
    QSignalSpy failed(m_follower.get(), &RunLogFollower::failed);
    std::filesystem::remove(file());
    QTRY_VERIFY(m_follower->runs()->empty());
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(failed.first().first().toString().endsWith(
        QStringLiteral("Open another log, or start a run to create it again.")));
}

void TestRunLogFollower::saysWhatToDoWhenTheFileVanishesUnderARun()
{
    RunLogWriter log(file());
    ExampleRunInLog run(log, example());
    run.advance(5);
    QVERIFY(log.flush());
    m_follower->setFile(file());
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 1);
    QSignalSpy failed(m_follower.get(), &RunLogFollower::failed);
    QSignalSpy recovered(m_follower.get(), &RunLogFollower::recovered);
    std::filesystem::remove(file());
    QTRY_COMPARE(failed.size(), 1);
    const QString sentence = failed.first().first().toString();
    QVERIFY2(sentence.contains(QStringLiteral("the run restores it")), qPrintable(sentence));
    QVERIFY2(!sentence.contains(QStringLiteral("start a run")), qPrintable(sentence));
    run.advance(1);
    QTRY_COMPARE(recovered.size(), 1);
    QTRY_COMPARE(m_follower->runs()->size(), std::size_t { 1 });
    run.end();
}

void TestRunLogFollower::movesToAnotherFile()
{
    {
        RunLogWriter first(file("first.db"));
        writeExampleRun(first, example());
        RunLogWriter second(file("second.db"));
        writeExampleRun(second, example());
        writeExampleRun(second, example());
    }
    QSignalSpy changed(m_follower.get(), &RunLogFollower::fileChanged);
    m_follower->setFile(file("first.db"));
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 1);
    m_follower->setFile(file("second.db"));
    QVERIFY(!m_follower->runs()); // nothing of the first file is emitted any more
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 2);
    QCOMPARE(changed.size(), 2);
}

void TestRunLogFollower::followsARunOfAnotherProcess()
{
    const QString program =
        QString::fromUtf8(qgetenv("ACCRUE_BIN")) + QStringLiteral("/example_log");
    if (!QFile::exists(program))
        QSKIP("example_log was not built");
    m_follower->setFile(file());
    QProcess other;
    other.start(program,
        { QString::fromStdString(file().string()), QStringLiteral("1"), QStringLiteral("40"),
            QStringLiteral("2") });
    QVERIFY(other.waitForStarted());
    QTRY_VERIFY(m_follower->runs() && m_follower->runs()->size() == 2);
    const RunId live = m_follower->runs()->front().id;
    const int query = m_follower->addQuery({ { { live, "loss" } }, Axis::Step, 600, 0, {} });
    const auto early = answer(query, 1);
    QVERIFY(early);
    QVERIFY(answer(query, early->series[0].points.size() + 20)); // it moves by itself
    QVERIFY(other.waitForFinished(20'000));
    QCOMPARE(other.exitCode(), 0);
    QTRY_COMPARE(m_follower->runs()->front().state, RunState::Finished);
}

void TestRunLogFollower::endsInTheMiddleOfReadingAndTellsNothingMore()
{
    m_follower.reset();
    FollowQuery everything;
    {
        RunLogWriter log(file());
        for (int i = 0; i < 10; ++i)
            for (const RunId run = writeExampleRun(log, example(500));
                 const char* metric : { "loss", "step_ms", "gradient_norm", "throughput" })
                everything.series.push_back({ run, metric });
    }
    int ended = 0; // while it read
    for (int attempt = 0; attempt < 100 && ended < 5; ++attempt) {
        ReadsOfFile reads(file());
        int told = 0;
        auto follower = std::make_unique<RunLogFollower>();
        connect(follower.get(), &RunLogFollower::runsChanged, this, [&told] { ++told; });
        connect(follower.get(), &RunLogFollower::seriesChanged, this, [&told] { ++told; });
        follower->addQuery(everything);
        follower->setFile(file());
        QVERIFY(reads.wait());
        const int before = reads.count();
        follower.reset();
        ended += reads.count() > before ? 1 : 0;
        QCoreApplication::processEvents();
        QCOMPARE(told, 0);
    }
    QCOMPARE(ended, 5);
}

QTEST_GUILESS_MAIN(TestRunLogFollower)
#include "tst_run_log_follower.moc"
