// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/workbench.h"

#include "engine/experiment/places.h"
#include "engine/runlog/program_version.h"
#include "ui/pages/main_window.h"
#include "ui/pages/recipe_bar.h"
#include "ui/pages/shutdown_signals.h"
#include "ui/pages/train_page.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QIcon>
#include <QSessionManager>

namespace accrue {

namespace {

struct Options {
    std::filesystem::path runLog;
    std::optional<std::filesystem::path> dataDirectory;
    QString recipe; // empty: the last one, or the first-run recipe
};

std::filesystem::path absolute(const QString& path)
{
    return QFileInfo(path).absoluteFilePath().toStdString();
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
    parser.addOptions({ log, data });
    parser.addPositionalArgument(QStringLiteral("recipe"),
        QApplication::translate("Workbench", "A recipe's name or file, shown in the form."),
        QStringLiteral("[recipe]"));
    parser.process(*qApp);
    Options options;
    options.runLog = parser.isSet(log) ? absolute(parser.value(log)) : defaultRunLog();
    if (parser.isSet(data))
        options.dataDirectory = absolute(parser.value(data));
    options.recipe = parser.positionalArguments().value(0);
    return options;
}

} // namespace

int runWorkbench(int argc, char** argv)
{
    ShutdownSignals shutdown;
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("accrue-workbench"));
    QApplication::setApplicationDisplayName(QStringLiteral("Accrue"));
    QApplication::setDesktopFileName(QStringLiteral("accrue"));
    QApplication::setApplicationVersion(QString::fromStdString(programVersion()));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/accrue/accrue.svg")));
    const Options options = readOptions();

    Theme theme;
    Backend backend(options.runLog);
    MainWindow window(backend, theme, options.dataDirectory);
    if (!options.recipe.isEmpty())
        window.train().recipes().openRecipe(options.recipe);
    QObject::connect(
        &shutdown, &ShutdownSignals::shutdownRequested, &window, &MainWindow::stopAndClose);
    QObject::connect(
        &application, &QGuiApplication::commitDataRequest, &window,
        [&window](QSessionManager&) { window.stopAndWait(); }, Qt::DirectConnection);
    shutdown.listen();
    window.show();
    return QApplication::exec();
}

} // namespace accrue
