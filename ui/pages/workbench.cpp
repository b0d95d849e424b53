// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/workbench.h"

#include "engine/experiment/places.h"
#include "engine/runlog/log_file.h"
#include "engine/runlog/program_version.h"
#include "ui/pages/device_loss.h"
#include "ui/pages/main_window.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/restart.h"
#include "ui/pages/shutdown_signals.h"
#include "ui/pages/train_page.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <QSessionManager>

#include <cstdio>
#include <cstdlib>

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

// Ends the program where it is no number.
RunId runNumbered(const QString& typed)
{
    bool isNumber = false;
    const qint64 number = typed.toLongLong(&isNumber);
    if (isNumber && number > 0)
        return RunId { number };
    std::fprintf(stderr,
        "accrue-workbench: --resume is %s; it takes the number of a run, such as 12.\n",
        qUtf8Printable(typed));
    std::exit(2);
}

// As a file manager gives it: a run log, otherwise a recipe.
void takeFile(Options& options, const QString& file, bool logIsNamed)
{
    if (!isDatabase(file.toStdString())) {
        options.recipe = file;
        return;
    }
    if (logIsNamed) {
        std::fprintf(stderr,
            "accrue-workbench: %s is a run log, and --db names one, too; name one of them.\n",
            qUtf8Printable(file));
        std::exit(2);
    }
    options.runLog = absolute(file);
}

Options readOptions()
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QApplication::translate("Workbench",
        "The workbench of Accrue: train with gradient accumulation, watch and compare the runs."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption log(QStringLiteral("db"),
        QApplication::translate("Workbench", "Run log (an SQLite file)."), QStringLiteral("file"));
    const QCommandLineOption data(QStringLiteral("data"),
        QApplication::translate("Workbench", "Folder searched first for data sets."),
        QStringLiteral("folder"));
    const QCommandLineOption resume(QStringLiteral("resume"),
        QApplication::translate("Workbench", "Resume this run of the log."), QStringLiteral("run"));
    parser.addOptions({ log, data, resume });
    parser.addPositionalArgument(QStringLiteral("file"),
        QApplication::translate(
            "Workbench", "A recipe's name or file, shown in the form, or a run log."),
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

QString text(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

// What brings the program back to where it is, but for what its settings remember. `given` are the
// words of its command line; Qt takes out those that are for Qt, such as -platform and its value.
QStringList argumentsOf(const QStringList& given, const std::filesystem::path& runLog,
    const Options& options, const DeviceLoss::Restart& restart)
{
    QStringList forQt = given;
    for (const QString& word : QApplication::arguments())
        forQt.removeOne(word);
    QStringList arguments = QStringList(given.first()) + forQt;
    arguments << QStringLiteral("--db") << text(runLog);
    if (options.dataDirectory)
        arguments << QStringLiteral("--data") << text(*options.dataDirectory);
    if (restart.resume)
        arguments << QStringLiteral("--resume") << QString::number(numberOf(*restart.resume));
    return arguments;
}

void introduceApplication()
{
    QApplication::setApplicationName(QStringLiteral("accrue-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Accrue"));
    QApplication::setDesktopFileName(QStringLiteral("accrue"));
    QApplication::setApplicationVersion(QString::fromStdString(programVersion()));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/accrue/accrue.svg")));
}

void endWithTheSession(QApplication& application, ShutdownSignals& shutdown, MainWindow& window)
{
    QObject::connect(
        &shutdown, &ShutdownSignals::shutdownRequested, &window, &MainWindow::stopAndClose);
    QObject::connect(
        &application, &QGuiApplication::commitDataRequest, &window,
        [&window](QSessionManager&) { window.stopAndWait(); }, Qt::DirectConnection);
    shutdown.listen();
}

// `again` is set where the program is to be started again once everything here is closed.
int run(int argc, char** argv, QStringList& again)
{
    QStringList given;
    for (int word = 0; word < argc; ++word)
        given << QString::fromLocal8Bit(argv[word]);
    ShutdownSignals shutdown;
    QApplication application(argc, argv);
    introduceApplication();
    const Options options = readOptions();

    Theme theme;
    Backend backend(options.runLog);
    MainWindow window(backend, theme, options.dataDirectory);
    if (!options.recipe.isEmpty())
        window.train().recipes().openRecipe(options.recipe);
    endWithTheSession(application, shutdown, window);
    window.show();
    if (options.resume)
        window.resume(*options.resume);
    const int code = QApplication::exec();
    if (const auto& restart = window.deviceLoss().restart())
        again = argumentsOf(given, backend.log.file(), options, *restart);
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
