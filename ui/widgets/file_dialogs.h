// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QFileDialog;
class QWidget;

namespace accrue {

// Dialogs for files and folders. None is modal: a run stays visible and can be paused and stopped
// meanwhile. `then` is called with the chosen path, while `parent` exists. A parent has one dialog
// at a time: the next replaces it. All return the open dialog, which deletes itself. GUI thread.
using TakePath = std::function<void(const QString& path)>;

// The folder for files without a folder of their own: that of the last one saved, at first the
// user's documents or home.
QString saveFolder();
void setSaveFolder(const QString& folder);

// A file to write; a question, not modal either, precedes the replacement of a file. `proposed` is
// a name in saveFolder() or a whole path; if that file exists, the next free number is added.
// `kinds` are name filters; a name with none of their extensions gets that of the chosen kind.
QFileDialog* askSave(QWidget& parent, const QString& title, const QString& proposed,
    const QString& kinds, TakePath then);
QFileDialog* askOpen(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, TakePath then);
// The same, but a name that does not exist yet is accepted, too: as it is, or with `ending`
// (".db").
QFileDialog* askOpenOrNew(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, const QString& ending, TakePath then);
QFileDialog* askFolder(QWidget& parent, const QString& title, const QString& folder, TakePath then);

} // namespace accrue
