// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/exchange/import_dialog.h"
#include "ui/exchange/run_importer.h"
#include "ui/run/backend.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <filesystem>
#include <functional>
#include <vector>

class QAction;
class QMimeData;

namespace accrue {

class Page;
class RunsPage;

// Imports by the menu and by a file that is dropped on the window: the dialog that shows what there
// is, the import with its progress, and the imported runs, selected on the Runs page. A recipe that
// is dropped is opened in the form. GUI thread.
class ImportLinks : public QObject {
    Q_OBJECT
public:
    struct Place {
        RunsPage& runs;
        QWidget& window; // that files are dropped on
        std::function<void(Page&)> show;
        std::function<void(const QString& recipe)> openRecipe;
    };

    // All are borrowed and outlive this; `action` opens the dialog.
    ImportLinks(Backend& backend, const Place& place, QAction& action);
    ~ImportLinks() override; // Blocks until the run that is being imported is complete.

    // The dialog, which looks at `path`, if there is one.
    void open(const std::filesystem::path& path = {});
    ImportDialog* dialog() const { return m_dialog; } // null: it is closed
    RunImporter& importer() { return m_importer; }
    void setWhyNotWrite(const QString& why); // into the run log; empty: it can be written

Q_SIGNALS:
    void reported(const QString& text, accrue::RunMessage::Severity severity); // for the messages

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectImporter();
    void start(const std::shared_ptr<const ImportPlan>& plan, const ImportWishes& wishes);
    void drop(const QMimeData& data);
    void tellOf(const ImportOutcome& outcome, bool wasCancelled);
    void selectImported();
    QString whyNot() const; // nothing can be imported now; empty: it can

    Backend& m_backend;
    Place m_place;
    QAction& m_action;
    QString m_whyNotWrite;
    QPointer<ImportDialog> m_dialog;
    std::shared_ptr<const ImportPlan> m_plan; // that was imported last
    ImportWishes m_wishes;
    std::vector<RunId> m_toSelect; // once they are listed
    RunImporter m_importer;
    Task m_reading; // of the dialog; last
};

} // namespace accrue
