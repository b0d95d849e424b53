// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/file_dialogs.h"

#include "ui/models/format.h"
#include "ui/widgets/questions.h"

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

// The caller configures and shows it: a desktop's dialog accepts no options later.
QFileDialog* makeDialog(QWidget& parent, const QString& title, const QString& folder, TakePath then)
{
    // The dialog is not modal, so the same menu entry can be chosen again while one is open.
    for (QFileDialog* earlier :
        parent.findChildren<QFileDialog*>(QString(), Qt::FindDirectChildrenOnly))
        earlier->close();
    auto* dialog = new QFileDialog(&parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setDirectory(folder);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(then));
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

// Empty: it has none of these extensions.
QString endingOf(const QString& path, const QString& kinds)
{
    for (const QString& ending : endingsOf(kinds))
        if (path.endsWith(ending, Qt::CaseInsensitive))
            return ending;
    return {};
}

// A name with the extension of another kind gets that of the kind chosen now; others keep theirs.
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
    // The question is a child of the window and may outlive the page that asks.
    const QPointer<QWidget> alive(&parent);
    askQuestion(*parent.window(),
        { Ui::tr("Replace the file"), Ui::tr("“%1” already exists.").arg(path),
            Ui::tr("Its contents will be overwritten."), Ui::tr("Replace"), Ui::tr("Cancel") },
        [alive, path, then] {
            if (alive != nullptr)
                then(path);
        });
}

QString g_saveFolder; // chosen last; empty: none yet

// "runs-2.csv" if there is a runs.csv, so that Enter replaces nothing.
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
    if (QFileInfo(g_saveFolder).isDir())
        return g_saveFolder;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void setSaveFolder(const QString& folder)
{
    g_saveFolder = folder;
}

QFileDialog* askSave(QWidget& parent, const QString& title, const QString& proposed,
    const QString& kinds, TakePath then)
{
    // Shared by two lambdas, both of which live as long as the dialog does.
    const auto chosenKind = std::make_shared<QString>(kinds.section(QStringLiteral(";;"), 0, 0));
    const bool shared = !QDir::isAbsolutePath(proposed); // otherwise it has a folder of its own
    const auto take = [&parent, kinds, chosenKind, shared, then = std::move(then)](
                          const QString& path) {
        // The extension is added here and not as the dialog's default suffix, which is one for all
        // kinds. The question about replacing must come after that, about the file that is actually
        // written.
        const QString missing =
            endingOf(path, kinds).isEmpty() ? endingsOf(*chosenKind).value(0) : QString();
        if (shared)
            setSaveFolder(QFileInfo(path).absolutePath());
        replaceIfAgreed(parent, path + missing, then);
    };
    QFileDialog* dialog = makeDialog(parent, title, saveFolder(), take);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // that question would be modal
    dialog->setNameFilter(kinds);
    dialog->selectFile(freeName(saveFolder(), proposed));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog,
        [dialog, kinds, chosenKind](const QString& kind) {
            *chosenKind = kind;
            takeKind(*dialog, kinds, kind);
        });
    dialog->show();
    return dialog;
}

QFileDialog* askOpen(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, TakePath then)
{
    QFileDialog* dialog = makeDialog(parent, title, folder, std::move(then));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(kinds);
    dialog->show();
    return dialog;
}

QFileDialog* askOpenOrNew(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, const QString& ending, TakePath then)
{
    // No default suffix: it would be added to an existing file that has none.
    const auto take = [ending, then = std::move(then)](const QString& path) {
        // An existing log may have any name, and a typed extension is intended.
        const bool asItIs = QFileInfo::exists(path) || !QFileInfo(path).suffix().isEmpty();
        then(asItIs ? path : path + ending);
    };
    QFileDialog* dialog = makeDialog(parent, title, folder, take);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    dialog->setLabelText(QFileDialog::Accept, QFileDialog::tr("&Open"));
    dialog->setNameFilter(kinds);
    dialog->show();
    return dialog;
}

QFileDialog* askFolder(QWidget& parent, const QString& title, const QString& folder, TakePath then)
{
    QFileDialog* dialog = makeDialog(parent, title, folder, std::move(then));
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->show();
    return dialog;
}

} // namespace accrue
