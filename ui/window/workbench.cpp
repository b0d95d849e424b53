// SPDX-License-Identifier: Apache-2.0
#include "ui/window/workbench.h"

#include "engine/base/places.h"
#include "engine/logfile/log_file.h"
#include "engine/runlog/program_version.h"
#include "ui/models/format.h"
#include "ui/train/next_run_column.h"
#include "ui/train/recipe_bar.h"
#include "ui/train/train_page.h"
#include "ui/window/device_loss.h"
#include "ui/window/interface_size.h"
#include "ui/window/main_window.h"
#include "ui/window/shutdown_signals.h"
#include "ui/window/window_closing.h"
#include "ui/window/window_host.h"
#include "ui/window/window_memory.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <QSessionManager>
#include <QSettings>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

// Order of construction: signals first, so that none is missed while the application is made; then
// what works (Backend), then what shows it (WindowHost). They end in reverse order, and the program
// restarts itself only when all of them are destroyed.

namespace accrue {

namespace {

struct Options {
    std::filesystem::path runLog;
    std::optional<std::filesystem::path> dataDirectory;
    QString recipe; // empty: the last one, or the first-run recipe
    std::optional<RunId> resume;
};

std::filesystem::path absolute(const QString& path)
{
    return QFileInfo(path).absoluteFilePath().toStdString();
}

void printError(const QString& problem)
{
    std::fprintf(stderr, "accrue-workbench: %s\n", qUtf8Printable(problem));
}

[[noreturn]] void endWith(const QString& problem)
{
    printError(problem);
    std::exit(2);
}

// Ends the program if it is not a number.
RunId runNumbered(const QString& typed)
{
    bool isNumber = false;
    const qint64 number = typed.toLongLong(&isNumber);
    if (isNumber && number > 0)
        return RunId { number };
    endWith(Ui::tr("--resume is %1, but needs the number of a run, such as 12.").arg(typed));
}

// A file as a file manager passes it: a run log, otherwise a recipe.
void takeFile(Options& options, const QString& file, bool logIsNamed)
{
    if (!isDatabase(file.toStdString())) {
        options.recipe = file;
        return;
    }
    if (logIsNamed)
        endWith(
            Ui::tr("%1 is a run log, and --db names one, too. Name only one of them.").arg(file));
    options.runLog = absolute(file);
}

Options readOptions()
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        Ui::tr("The Accrue workbench: train with gradient accumulation, watch and compare runs."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption log(
        QStringLiteral("db"), Ui::tr("Run log (an SQLite file)."), QStringLiteral("file"));
    const QCommandLineOption data(QStringLiteral("data"),
        Ui::tr("Folder to search first for data sets."), QStringLiteral("folder"));
    const QCommandLineOption resume(
        QStringLiteral("resume"), Ui::tr("Resume this run of the log."), QStringLiteral("run"));
    parser.addOptions({ log, data, resume });
    parser.addPositionalArgument(QStringLiteral("file"),
        Ui::tr("A recipe (name or file) to open in the form, or a run log."),
        QStringLiteral("[file]"));
    parser.process(*qApp);
    Options options;
    options.runLog = parser.isSet(log) ? absolute(parser.value(log)) : defaultRunLog();
    if (parser.isSet(data))
        options.dataDirectory = absolute(parser.value(data));
    takeFile(options, parser.positionalArguments().value(0), parser.isSet(log));
    if (parser.isSet(resume))
        options.resume = runNumbered(parser.value(resume));
    return options;
}

// The arguments that restore the program's state beyond what its settings store. `given` are the
// arguments of its command line; Qt removes those for Qt, such as -platform and its value.
QStringList argumentsOf(const QStringList& given, const std::filesystem::path& runLog,
    const Options& options, const std::optional<RunId>& lost)
{
    QStringList forQt = given;
    for (const QString& word : QApplication::arguments())
        forQt.removeOne(word);
    QStringList arguments = QStringList(given.first()) + forQt;
    arguments << QStringLiteral("--db") << QString::fromStdString(runLog.string());
    if (options.dataDirectory)
        arguments << QStringLiteral("--data")
                  << QString::fromStdString(options.dataDirectory->string());
    if (lost)
        arguments << QStringLiteral("--resume") << QString::number(numberOf(*lost));
    return arguments;
}

// Replaces the process by this program, with the same environment and these arguments, the name of
// the program among them: a lost device stays lost for the process that lost it. Everything is
// saved and closed by now. Returns 1, and only if that fails.
int startAgain(const QStringList& arguments)
{
    std::vector<QByteArray> words;
    for (const QString& argument : arguments)
        words.push_back(argument.toLocal8Bit());
    std::vector<char*> pointers;
    for (QByteArray& word : words)
        pointers.push_back(word.data());
    // execv reads the arguments up to a null pointer.
    pointers.push_back(nullptr);
    // Whatever libraries have opened, including a failed device, ends with this process image.
    ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execv("/proc/self/exe", pointers.data());
    printError(Ui::tr("Accrue cannot be started again: %1.")
                   .arg(QString::fromLocal8Bit(std::strerror(errno))));
    return 1;
}

void introduceApplication()
{
    QApplication::setApplicationName(QStringLiteral("accrue-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Accrue"));
    QApplication::setDesktopFileName(QStringLiteral("accrue"));
    QApplication::setApplicationVersion(QString::fromStdString(programVersion()));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/accrue/accrue.svg")));
}

void endWithTheSession(QApplication& application, ShutdownSignals& shutdown, WindowHost& host)
{
    QObject::connect(&shutdown, &ShutdownSignals::shutdownRequested, &host,
        [&host] { host.window().closing().stopAndClose(); });
    // Direct, because the session continues to end as soon as the signal has returned.
    QObject::connect(
        &application, &QGuiApplication::commitDataRequest, &host,
        [&host](QSessionManager&) { host.window().stopAndWait(); }, Qt::DirectConnection);
    shutdown.listen();
}

// `again` is set if the program is to be restarted once everything here is closed.
int run(int argc, char** argv, QStringList& again)
{
    QStringList given; // before QApplication removes the arguments for Qt
    for (int word = 0; word < argc; ++word)
        given << QString::fromLocal8Bit(argv[word]);
    ShutdownSignals shutdown;
    applyInterfaceSize(QSettings(windowMemoryFile(), QSettings::IniFormat));
    QApplication application(argc, argv);
    introduceApplication();
    const std::unique_ptr<QTranslator> translator = installLanguage(); // --help has texts, too
    const Options options = readOptions();

    Theme theme;
    Backend backend(options.runLog);
    WindowHost host(backend, theme, options.dataDirectory);
    // After the window has restored its last form, which a recipe of the command line replaces.
    if (!options.recipe.isEmpty())
        host.window().train().nextRun().recipes().openRecipe(options.recipe);
    endWithTheSession(application, shutdown, host);
    host.window().show();
    // After show(), so that a question about the run has a visible window behind it.
    if (options.resume)
        host.window().resume(*options.resume);
    const int code = QApplication::exec();
    // Read now, because window and log are destroyed when this function returns.
    if (const DeviceLoss& loss = host.window().deviceLoss(); loss.restarts())
        again = argumentsOf(given, backend.log.file(), options, loss.run());
    return code;
}

} // namespace

int runWorkbench(int argc, char** argv)
{
    QStringList again;
    const int code = run(argc, argv, again);
    return again.isEmpty() ? code : startAgain(again);
}

} // namespace accrue
