// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <functional>

class QFileDialog;
class QWidget;

namespace accrue {

// Where the window asks for files and folders. No dialog is modal: what trains is seen and can be
// paused and stopped meanwhile. `then` is called with the path that was chosen, while `parent`
// lives. A parent asks one question at a time: the next takes its place. All return the dialog that
// is open now, which deletes itself. GUI thread.
using TakePath = std::function<void(const QString& path)>;

// Where files are saved that have no folder of their own: where the last one was, at first the
// user's documents or home.
QString saveFolder();
void setSaveFolder(const QString& folder);

// A file to write; a question, not modal either, before another one is replaced. `proposed` is a
// name in saveFolder() or a whole path; where that file is there already, the next free number is
// added. `kinds` are name filters; a name that ends in none of their endings gets
// that of the chosen kind.
QFileDialog* askSave(QWidget& parent, const QString& title, const QString& proposed,
    const QString& kinds, TakePath then);
QFileDialog* askOpen(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, TakePath then);
// The same, but a name that is not there yet is taken, too: as it is, or with `ending` (".db").
QFileDialog* askOpenOrNew(QWidget& parent, const QString& title, const QString& folder,
    const QString& kinds, const QString& ending, TakePath then);
QFileDialog* askFolder(QWidget& parent, const QString& title, const QString& folder, TakePath then);

} // namespace accrue
