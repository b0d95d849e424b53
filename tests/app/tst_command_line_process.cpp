// SPDX-License-Identifier: Apache-2.0
#include "engine/runlog/run_log_reader.h"
#include "tests/app/command_line_fixture.h"

#include <csignal>
#include <memory>

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

#include "tests/support/waiting.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace accrue;

namespace {

constexpr int kPatience = 60000; // ms

// One `train --json` of the built-in digits, long enough to be killed in its middle.
struct Training {
    QProcess process;
    QByteArray read; // all that came out so far

    int steps() const { return static_cast<int>(read.count("\"event\":\"step\"")); }

    bool waitForSteps(int count)
    {
        while (steps() < count) {
            if (!process.waitForReadyRead(kPatience))
                return false;
            read += process.readAllStandardOutput();
        }
        return true;
    }

    bool waitForEnd()
    {
        const bool ended = process.waitForFinished(kPatience);
        read += process.readAllStandardOutput();
        return ended;
    }
};

// The reading end of a pipe that is never read.
class StandingStill {
public:
    explicit StandingStill(const char* pipe)
        : m_end(open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    {
        fcntl(m_end, F_SETPIPE_SZ, 4096); // full after a few lines
    }
    ~StandingStill() { close(m_end); }
    StandingStill(const StandingStill&) = delete;
    StandingStill& operator=(const StandingStill&) = delete;

    // Nothing is added any more: the next line does not fit.
    bool isFull() const
    {
        int before = 0;
        int after = 0;
        ioctl(m_end, FIONREAD, &before);
        QTest::qWait(300);
        ioctl(m_end, FIONREAD, &after);
        return after > 3500 && after == before;
    }

private:
    int m_end;
};

double childrensSeconds()
{
    rusage usage {};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

std::vector<double> printedLosses(const QByteArray& lines)
{
    std::vector<double> losses;
    for (const QByteArray& line : lines.split('\n')) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        if (object.value(QLatin1String("event")).toString() == QLatin1String("step"))
            losses.push_back(object.value(QLatin1String("loss")).toDouble());
    }
    return losses;
}

} // namespace

// The real program with the real engine, killed in the middle of a training.
class TestCommandLineProcess : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void init();
    void sigkillLosesNothingThatWasPrinted();
    void sigtermSavesTheModelAndEndsWith143();
    void ctrlCSavesTheModelAndEndsWith130();
    void aSecondCtrlCQuitsAtOnce();
    void aReaderThatGoesAwayDoesNotEndTheTraining();
    void aSignalBeforeTheTrainingIsAnswered();
    void anOutputThatIsClosedIsAnError_data();
    void anOutputThatIsClosedIsAnError();
    void aNetworkBeyondTheMachineIsRefused_data();
    void aNetworkBeyondTheMachineIsRefused();
    void whatDoesNotTrainIsInstant();
    void whatDoesNotTrainWorksWithoutTheEngine();

private:
    QString program() const
    {
        return qEnvironmentVariable("ACCRUE_BIN") + QStringLiteral("/accrue");
    }
    std::unique_ptr<Training> start(const QStringList& more = {}, const QString& output = {});
    CommandResult run(const QStringList& arguments, const QString& engine = {});
    QProcessEnvironment environment() const;

    std::unique_ptr<QTemporaryDir> m_home;
};

void TestCommandLineProcess::initTestCase()
{
    if (!QFileInfo::exists(program()))
        QSKIP("The program is not built.");
    if (!QFileInfo::exists(qEnvironmentVariable("ACCRUE_ENGINE")))
        QSKIP("The engine library is not built.");
}

void TestCommandLineProcess::init()
{
    m_home = std::make_unique<QTemporaryDir>();
}

QProcessEnvironment TestCommandLineProcess::environment() const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), m_home->path());
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home->path());
    return environment;
}

std::unique_ptr<Training> TestCommandLineProcess::start(
    const QStringList& more, const QString& output)
{
    auto training = std::make_unique<Training>();
    if (!output.isEmpty())
        training->process.setStandardOutputFile(output);
    training->process.setProcessEnvironment(environment());
    QStringList arguments { QStringLiteral("train"), QStringLiteral("first-run"),
        QStringLiteral("--json"), QStringLiteral("--set"), QStringLiteral("run.epochs=1000"),
        QStringLiteral("--set"), QStringLiteral("run.threads=1"), QStringLiteral("--db"),
        m_home->filePath(QStringLiteral("runs.db")) };
    training->process.start(program(), arguments + more);
    return training;
}

CommandResult TestCommandLineProcess::run(const QStringList& arguments, const QString& engine)
{
    QProcess process;
    QProcessEnvironment variables = environment();
    if (!engine.isEmpty())
        variables.insert(QStringLiteral("ACCRUE_ENGINE"), engine);
    process.setProcessEnvironment(variables);
    process.start(program(), arguments);
    process.waitForFinished(kPatience);
    return { process.exitCode(), process.readAllStandardOutput().toStdString(),
        process.readAllStandardError().toStdString() };
}

void TestCommandLineProcess::sigkillLosesNothingThatWasPrinted()
{
    const auto training = start();
    QVERIFY2(training->waitForSteps(30), training->process.readAllStandardError().constData());
    kill(static_cast<pid_t>(training->process.processId()), SIGKILL);
    QVERIFY(training->waitForEnd());
    const std::vector<double> printed = printedLosses(training->read);
    QVERIFY(printed.size() >= 30);
    RunLogReader log(pathOf(*m_home, "runs.db"));
    const auto logged = log.series(RunId { 1 }, "loss", Axis::Step);
    QVERIFY(logged.size() >= printed.size());
    for (std::size_t i = 0; i < printed.size(); ++i)
        QCOMPARE(logged[i].y, printed[i]);
    QVERIFY(log.run(RunId { 1 }).state == RunState::Interrupted);
}

void TestCommandLineProcess::sigtermSavesTheModelAndEndsWith143()
{
    const auto training = start();
    QVERIFY(training->waitForSteps(5));
    training->process.terminate();
    QVERIFY(training->waitForEnd());
    QCOMPARE(training->process.exitCode(), 143);
    RunLogReader log(pathOf(*m_home, "runs.db"));
    const RunRecord run = log.run(RunId { 1 });
    QVERIFY(run.outcome == RunOutcome::Stopped);
    QVERIFY(std::filesystem::exists(std::filesystem::path(run.checkpoint) / "model.safetensors"));
}

void TestCommandLineProcess::ctrlCSavesTheModelAndEndsWith130()
{
    const auto training = start();
    QVERIFY(training->waitForSteps(5));
    kill(static_cast<pid_t>(training->process.processId()), SIGINT);
    QVERIFY(training->waitForEnd());
    QCOMPARE(training->process.exitCode(), 130);
    QVERIFY(training->process.readAllStandardError().contains("Stopping and saving"));
    QVERIFY(training->read.contains("\"outcome\":\"stopped\""));
}

// Its reader does not read, so that the first signal alone cannot end it.
void TestCommandLineProcess::aSecondCtrlCQuitsAtOnce()
{
    const QByteArray pipe = m_home->filePath(QStringLiteral("pipe")).toLocal8Bit();
    QCOMPARE(mkfifo(pipe.constData(), 0600), 0);
    const StandingStill reader(pipe.constData());
    // Without the long lines about memory, one of which would leave a good part of the pipe empty.
    const auto training = start({ QStringLiteral("--set"), QStringLiteral("memory.metering=off") },
        QString::fromLocal8Bit(pipe));
    QTRY_VERIFY_WITH_TIMEOUT(reader.isFull(), kPatience);
    const auto pid = static_cast<pid_t>(training->process.processId());
    kill(pid, SIGINT);
    QVERIFY(!training->process.waitForFinished(500));
    kill(pid, SIGTERM); // a second signal of the same kind could be merged with the first
    QVERIFY(training->process.waitForFinished(5000));
    QCOMPARE(training->process.exitCode(), 143);
    const QByteArray said = training->process.readAllStandardError();
    QVERIFY2(said.contains("Quitting at once: the model is not saved"), said.constData());
}

void TestCommandLineProcess::aReaderThatGoesAwayDoesNotEndTheTraining()
{
    const QString shell = QStringLiteral("'%1' train first-run --json --set run.limit_steps=40 "
                                         "--db '%2' | head -n 3 >/dev/null; exit ${PIPESTATUS[0]}")
                              .arg(program(), m_home->filePath(QStringLiteral("runs.db")));
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(QStringLiteral("bash"), { QStringLiteral("-c"), shell });
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 0);
    RunLogReader log(pathOf(*m_home, "runs.db"));
    QCOMPARE(log.run(RunId { 1 }).step, std::int64_t { 40 });
}

// While the engine is loaded, which takes most of this time.
void TestCommandLineProcess::aSignalBeforeTheTrainingIsAnswered()
{
    const auto training = start();
    QVERIFY(training->process.waitForStarted());
    QTest::qWait(150);
    training->process.terminate();
    QVERIFY(training->waitForEnd());
    QCOMPARE(training->process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(training->process.exitCode(), 143);
    const QByteArray said = training->process.readAllStandardError();
    QVERIFY2(said.contains("Ended as requested") || said.contains("Stopping and saving"),
        said.constData());
}

void TestCommandLineProcess::anOutputThatIsClosedIsAnError_data()
{
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("output");
    QTest::addColumn<QByteArray>("says");
    const QByteArray closed = "The output could not be written: Bad file descriptor.";
    const QByteArray full = "The output could not be written: No space left on device.";
    QTest::newRow("closed") << QString() << QStringLiteral("&-") << closed;
    QTest::newRow("closed, JSON") << QStringLiteral("--json") << QStringLiteral("&-") << closed;
    QTest::newRow("full, JSON") << QStringLiteral("--json") << QStringLiteral("/dev/full") << full;
}

void TestCommandLineProcess::anOutputThatIsClosedIsAnError()
{
    QFETCH(QString, option);
    QFETCH(QString, output);
    QFETCH(QByteArray, says);
    const QString shell =
        QStringLiteral("'%1' train first-run %2 --set run.limit_steps=3 --db '%3' >%4")
            .arg(program(), option, m_home->filePath(QStringLiteral("runs.db")), output);
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(QStringLiteral("bash"), { QStringLiteral("-c"), shell });
    QVERIFY(process.waitForFinished(kPatience));
    const QByteArray said = process.readAllStandardError();
    QVERIFY2(said.contains(says), said.constData());
    QVERIFY2(!said.contains("has gone away"), said.constData());
    QCOMPARE(process.exitCode(), 1);
    QCOMPARE(RunLogReader(pathOf(*m_home, "runs.db")).run(RunId { 1 }).step, std::int64_t { 3 });
}

void TestCommandLineProcess::aNetworkBeyondTheMachineIsRefused_data()
{
    QTest::addColumn<QString>("widths");
    QStringList most;
    for (int layer = 0; layer < 32; ++layer)
        most << QStringLiteral("65536");
    QTest::newRow("the most that can be asked for") << most.join(QLatin1Char(','));
}

void TestCommandLineProcess::aNetworkBeyondTheMachineIsRefused()
{
    QFETCH(QString, widths);
    for (const char* command : { "train", "explain", "fit" }) {
        const CommandResult result = run({ QString::fromLatin1(command),
            QStringLiteral("first-run"), QStringLiteral("--set"), QStringLiteral("model.name=mlp"),
            QStringLiteral("--set"), QStringLiteral("model.widths=") + widths });
        QCOMPARE(result.code, 2);
        QVERIFY2(
            result.err.find("choose a smaller network") != std::string::npos, result.err.c_str());
    }
    QVERIFY(!QFileInfo::exists(m_home->filePath(QStringLiteral("accrue/runs.db"))));
}

void TestCommandLineProcess::whatDoesNotTrainIsInstant()
{
    const double before = childrensSeconds();
    QCOMPARE(run({ QStringLiteral("list") }).code, 0);
    QCOMPARE(run({ QStringLiteral("--help") }).code, 0);
    // The processor's time, because a busy machine lets them wait. Loading the engine alone takes
    // 0.4 s of it each.
    const double seconds = childrensSeconds() - before;
    QVERIFY2(seconds < 0.2, qPrintable(QString::number(seconds)));
}

void TestCommandLineProcess::whatDoesNotTrainWorksWithoutTheEngine()
{
    const QString nowhere = QStringLiteral("/no/such/libaccrue_engine.so");
    for (const char* command : { "list", "recipes", "data", "--version" })
        QCOMPARE(run({ QString::fromLatin1(command) }, nowhere).code, 0);
    const CommandResult doctor = run({ QStringLiteral("doctor") }, nowhere);
    QCOMPARE(doctor.code, 1);
    QVERIFY2(doctor.out.find("cannot be loaded") != std::string::npos, doctor.out.c_str());
}

QTEST_GUILESS_MAIN(TestCommandLineProcess)
#include "tst_command_line_process.moc"
