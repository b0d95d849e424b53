// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/file_dialogs.h"

#include "ui/pages/questions.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QRegularExpression>
#include <QStandardPaths>

#include <memory>
#include <utility>

namespace accrue {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(FileDialogs)
};

// `prepare` fills in a new dialog.
QFileDialog* ask(QWidget& parent, const QString& title,
    const std::function<void(QFileDialog&)>& prepare, TakePath then)
{
    for (QFileDialog* earlier :
        parent.findChildren<QFileDialog*>(QString(), Qt::FindDirectChildrenOnly))
        earlier->close();
    auto* dialog = new QFileDialog(&parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(then));
    dialog->show();
    return dialog;
}

// ".svg", ".png" of "Vector picture (*.svg);;Picture (*.png)"; none: any.
QStringList endingsOf(const QString& kinds)
{
    static const QRegularExpression ending(QStringLiteral("\\*(\\.\\w+)"));
    QStringList found;
    for (const QRegularExpressionMatch& match : ending.globalMatch(kinds))
        found.append(match.captured(1));
    return found;
}

// Empty: it has none of them.
QString endingOf(const QString& path, const QString& kinds)
{
    for (const QString& ending : endingsOf(kinds))
        if (path.endsWith(ending, Qt::CaseInsensitive))
            return ending;
    return {};
}

void takeKind(QFileDialog& dialog, const QString& kinds, const QString& kind)
{
    const QString path = dialog.selectedFiles().value(0);
    const QString before = endingOf(path, kinds);
    const QString now = endingsOf(kind).value(0);
    if (!before.isEmpty() && !now.isEmpty())
        dialog.selectFile(path.chopped(before.size()) + now);
}

void replaceIfAgreed(QWidget& parent, const QString& path, const TakePath& then)
{
    if (!QFileInfo::exists(path)) {
        then(path);
        return;
    }
    const QPointer<QWidget> alive(&parent);
    askQuestion(*parent.window(),
        { Words::tr("Replace the file"), Words::tr("“%1” exists already.").arg(path),
            Words::tr("What it holds now is lost."), Words::tr("Replace"), Words::tr("Keep") },
        [alive, path, then] {
            if (alive != nullptr)
                then(path);
        });
}

QString& chosenFolder()
{
    static QString folder;
    return folder;
}

// "runs-2.csv" where there is a runs.csv already, so that Enter replaces nothing.
QString freeName(const QString& folder, const QString& proposed)
{
    const QFileInfo wanted(QDir(folder), proposed);
    QFileInfo free = wanted;
    for (int number = 2; free.exists(); ++number)
        free.setFile(wanted.dir(),
            QStringLiteral("%1-%2.%3")
                .arg(wanted.completeBaseName(), QString::number(number), wanted.suffix()));
    return QDir::isAbsolutePath(proposed) ? free.filePath() : free.fileName();
}

} // namespace

QString saveFolder()
{
    if (QFileInfo(chosenFolder()).isDir())
        return chosenFolder();
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void setSaveFolder(const QString& folder)
{
    chosenFolder() = folder;
}

QFileDialog* askSave(QWidget& parent, const QString& title, const QString& proposed,
    const QString& kinds, TakePath then)
{
    const auto chosenKind = std::make_shared<QString>(kinds.section(QStringLiteral(";;"), 0, 0));
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.setOption(QFileDialog::DontConfirmOverwrite); // that question would be modal
        dialog.setNameFilter(kinds);
        dialog.setDirectory(saveFolder());
        dialog.selectFile(freeName(saveFolder(), proposed));
        QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog,
            [&dialog, kinds, chosenKind](const QString& kind) {
                *chosenKind = kind;
                takeKind(dialog, kinds, kind);
            });
    };
    const bool shared = !QDir::isAbsolutePath(proposed); // otherwise it has a folder of its own
    const auto take = [&parent, kinds, chosenKind, shared, then = std::move(then)](
                          const QString& path) {
        const QString missing =
            endingOf(path, kinds).isEmpty() ? endingsOf(*chosenKind).value(0) : QString();
        if (shared)
            setSaveFolder(QFileInfo(path).absolutePath());
        replaceIfAgreed(parent, path + missing, then);
    };
    return ask(parent, title, prepare, take);
}

QFileDialog* askOpen(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, TakePath then)
{
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setFileMode(QFileDialog::ExistingFile);
        dialog.setNameFilter(kinds);
        dialog.setDirectory(folder);
    };
    return ask(parent, title, prepare, std::move(then));
}

QFileDialog* askOpenOrNew(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, const QString& ending, TakePath then)
{
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.setOption(QFileDialog::DontConfirmOverwrite);
        dialog.setLabelText(QFileDialog::Accept, QFileDialog::tr("&Open"));
        dialog.setNameFilter(kinds);
        dialog.setDirectory(folder);
    };
    // No default suffix: it would be added to a file that is there without one.
    const auto take = [ending, then = std::move(then)](const QString& path) {
        const bool asItIs = QFileInfo::exists(path) || !QFileInfo(path).suffix().isEmpty();
        then(asItIs ? path : path + ending);
    };
    return ask(parent, title, prepare, take);
}

QFileDialog* askFolder(QWidget& parent, const QString& title, const QString& folder, TakePath then)
{
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setFileMode(QFileDialog::Directory);
        dialog.setOption(QFileDialog::ShowDirsOnly);
        dialog.setDirectory(folder);
    };
    return ask(parent, title, prepare, std::move(then));
}

} // namespace accrue
