// SPDX-License-Identifier: Apache-2.0
#include "run_log_fixture.h"

#include "engine/runlog/log_connection.h"
#include "engine/runs/run_log_error.h"

#include <fstream>
#include <iterator>

#include <QElapsedTimer>
#include <QProcess>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

namespace accrue {

namespace {

void executeFile(const std::filesystem::path& log, const char* name)
{
    std::ifstream sql(qgetenv("ACCRUE_SOURCE").toStdString() + "/tests/data/" + name);
    execute(log, { std::istreambuf_iterator<char>(sql), {} });
}

} // namespace

Experiment experimentNamed(const std::string& name)
{
    Experiment experiment;
    experiment.name = name;
    return experiment;
}

RunStarted startOf(const Experiment& experiment)
{
    RunStarted started;
    started.experiment = experiment;
    started.epoch = { .samples = 1280, .windows = 10, .tailSamples = 0, .microBatches = 40 };
    started.totalSteps = 100;
    started.trainSamples = 1280;
    started.testSamples = 256;
    started.parameters = 61706;
    started.dataDescription = Message("tst.data", "made-up data, {n}", { { "n", 1280 } });
    started.device = "cpu";
    started.deviceName = "Test CPU";
    started.threads = 2;
    started.torchVersion = "2.11.0";
    return started;
}

StepDone stepAt(std::int64_t step)
{
    const auto x = static_cast<double>(step);
    return { .step = step,
        .epoch = 1 + (step - 1) / 10,
        .samples = step * 128,
        .microBatches = step * 4,
        .seconds = x * 0.01,
        .windowSamples = 128,
        .loss = 1 / x,
        .learningRate = 0.04,
        .gradientNorm = x,
        .stepMs = 10,
        .dataMs = 1,
        .forwardMs = 3,
        .backwardMs = 5,
        .optimizerMs = 1,
        .peakBytes = 1000 + step };
}

EpochDone epochAt(std::int64_t epoch, std::int64_t step, double loss, double accuracy)
{
    return { .epoch = epoch,
        .step = step,
        .samples = step * 128,
        .microBatches = step * 4,
        .seconds = static_cast<double>(step) * 0.01,
        .trainLoss = loss,
        .trainAccuracy = accuracy };
}

Evaluated evaluationAt(std::int64_t step, double loss, double accuracy)
{
    return { .epoch = step / 10,
        .step = step,
        .samples = step * 128,
        .microBatches = step * 4,
        .seconds = static_cast<double>(step) * 0.01,
        .testLoss = loss,
        .testAccuracy = accuracy,
        .evaluationMs = 7 };
}

Evaluated validated(Evaluated evaluation, double loss, double accuracy)
{
    evaluation.validationLoss = loss;
    evaluation.validationAccuracy = accuracy;
    return evaluation;
}

RunEnded endAt(std::int64_t step, RunOutcome outcome)
{
    RunEnded ended;
    ended.outcome = outcome;
    ended.step = step;
    ended.samples = step * 128;
    ended.microBatches = step * 4;
    ended.epoch = 1 + (step - 1) / 10;
    ended.seconds = static_cast<double>(step) * 0.01;
    return ended;
}

ResumePoint pointAfter(std::int64_t step)
{
    if (step == 0)
        return {};
    const StepDone done = stepAt(step);
    return { .epoch = done.epoch,
        .step = step,
        .samples = done.samples,
        .microBatches = done.microBatches,
        .seconds = done.seconds };
}

RunId writeRun(RunLogWriter& log, const std::string& name, std::int64_t steps, bool ended)
{
    const Experiment experiment = experimentNamed(name);
    const RunId run = log.beginRun(requireResolved(experiment));
    EventSink& sink = log.sink(run);
    sink.emitEvent(startOf(experiment));
    for (std::int64_t step = 1; step <= steps; ++step)
        sink.emitEvent(stepAt(step));
    if (ended)
        sink.emitEvent(endAt(steps));
    log.flush();
    return run;
}

std::int64_t integerIn(const std::filesystem::path& log, const std::string& sql)
{
    SQLite::Database database(log.string(), SQLite::OPEN_READONLY, 2000);
    return database.execAndGet(sql).getInt64();
}

std::string textIn(const std::filesystem::path& log, const std::string& sql)
{
    SQLite::Database database(log.string(), SQLite::OPEN_READONLY, 2000);
    return database.execAndGet(sql).getString();
}

void execute(const std::filesystem::path& file, const std::string& sql)
{
    SQLite::Database database(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, 2000);
    database.exec(sql);
}

void changeRuns(const std::filesystem::path& log, const std::string& sql)
{
    LogConnection connection(log);
    connection.tryTransaction(LogConnection::Durability::Process, [&] {
        SQLite::Database& database = connection.database();
        database.exec(sql);
        SQLite::Statement select(database, "SELECT id FROM runs");
        while (select.executeStep())
            connection.seals().touch(RunId { select.getColumn(0).getInt64() }, CheckedTable::Runs);
    });
}

void makeLogOfFormat1(const std::filesystem::path& file)
{
    executeFile(file, "run_log_v1.sql");
}

void makeLogOfFormat5(const std::filesystem::path& file)
{
    executeFile(file, "run_log_v5.sql");
}

std::string messageOf(const std::function<void()>& work)
{
    try {
        work();
    } catch (const RunLogError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

std::optional<RunLogError::Kind> kindOf(const std::function<void()>& work)
{
    try {
        work();
    } catch (const RunLogError& error) {
        return error.kind();
    }
    return std::nullopt;
}

FileSizeLimit::FileSizeLimit(rlim_t bytes)
    : m_handler(signal(SIGXFSZ, SIG_IGN))
{
    getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit limited = m_before;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limited);
}

FileSizeLimit::~FileSizeLimit()
{
    setrlimit(RLIMIT_FSIZE, &m_before);
    signal(SIGXFSZ, m_handler);
}

void startChild(QProcess& child, const QStringList& arguments)
{
    child.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    child.start(QStringLiteral(RUN_LOG_CHILD), arguments);
    child.waitForStarted();
}

QByteArray nextLine(QProcess& child)
{
    QElapsedTimer timer;
    timer.start();
    while (!child.canReadLine() && timer.elapsed() < 60'000)
        if (!child.waitForReadyRead(1000) && child.state() == QProcess::NotRunning)
            break;
    return child.readLine().trimmed();
}

} // namespace accrue
