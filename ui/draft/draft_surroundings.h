// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "ui/run/backend.h"
#include "ui/run/task.h"

#include <QObject>
#include <QTimer>

namespace accrue {

class ExperimentDraft;

// Reports to a draft what it depends on outside of its texts: the devices of this machine, memory
// models as soon as they are measured, and whether its data set exists. It searches the data set
// off the GUI thread, after each change of its settings, once the typing pauses. GUI thread.
class DraftSurroundings : public QObject {
    Q_OBJECT
public:
    // Both are borrowed and must outlive this.
    DraftSurroundings(Backend& backend, ExperimentDraft& draft, QObject* parent = nullptr);

    void lookForData(); // now: the files, or the folders that have them, may have changed
    void lookAgain(); // the user returns: files and measurements may have been added meanwhile

private:
    void take(const DataSetStatus& status);

    Backend& m_backend;
    ExperimentDraft& m_draft;
    QTimer m_typingPause; // runs while the data set is being typed
    bool m_again = false; // another search follows the one that runs
    Task m_search; // one at a time, since none can be cut short; its destructor waits for it
};

} // namespace accrue
