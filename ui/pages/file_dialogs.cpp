// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/file_dialogs.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace accrue {

namespace {

// The one that asks this already; what asks something else goes.
QFileDialog* openAlready(const QWidget& parent, const QString& title)
{
    QFileDialog* same = nullptr;
    for (QFileDialog* dialog :
        parent.findChildren<QFileDialog*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (dialog->isVisible() && dialog->windowTitle() == title)
            same = dialog;
        else
            dialog->close();
    }
    return same;
}

// `prepare` fills in a new dialog.
QFileDialog* ask(QWidget& parent, const QString& title,
    const std::function<void(QFileDialog&)>& prepare, TakePath then)
{
    if (QFileDialog* dialog = openAlready(parent, title)) {
        dialog->raise();
        dialog->activateWindow();
        return dialog;
    }
    auto* dialog = new QFileDialog(&parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog);
    QObject::connect(dialog, &QFileDialog::fileSelected, &parent, std::move(then));
    dialog->show();
    return dialog;
}

// "svg" of "Vector picture (*.svg)"; empty: any.
QString endingOf(const QString& kind)
{
    return kind.section(QStringLiteral("*."), 1).section(QLatin1Char(')'), 0, 0);
}

void takeKind(QFileDialog& dialog, const QString& kind)
{
    const QString ending = endingOf(kind);
    if (ending.isEmpty())
        return;
    const QFileInfo file(dialog.selectedFiles().value(0));
    dialog.setDefaultSuffix(ending);
    dialog.selectFile(file.completeBaseName() + QLatin1Char('.') + ending);
}

} // namespace

QFileDialog* askSave(QWidget& parent, const QString& title, const QString& proposed,
    const QString& kinds, TakePath then)
{
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.setNameFilter(kinds);
        dialog.setDefaultSuffix(endingOf(dialog.selectedNameFilter()));
        dialog.selectFile(proposed);
        QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog,
            [&dialog](const QString& kind) { takeKind(dialog, kind); });
    };
    return ask(parent, title, prepare, std::move(then));
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
