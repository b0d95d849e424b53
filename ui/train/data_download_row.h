// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_sets.h"
#include "engine/download/download.h"
#include "engine/events/events.h"
#include "ui/run/task.h"

#include <QWidget>

#include <string>

class QAction;
class QProgressBar;
class QPushButton;

namespace accrue {

class ElidedLabel;

// Replaces the words about a data set that is missing: a button that downloads it, then the
// progress. Hidden if there is nothing to offer or to show. Accesses the network only when the
// button is pressed, on a thread of its own. The destructor cancels and blocks until the download
// has ended, at most about a second.
class DataDownloadRow : public QWidget {
    Q_OBJECT
public:
    explicit DataDownloadRow(QWidget* parent = nullptr);

    // The required set, called `title`; it is offered if it is missing and can be downloaded.
    void setWanted(const QString& title, const DataSetStatus& status);
    void setNoneWanted(); // not known yet, or expected in a folder of the user's
    QAction* action() const { return m_action; } // downloads; enabled exactly while it is offered
    bool isDownloading() const { return m_task.isRunning(); }
    // During the download, its progress; afterwards, the result if the set is still missing.
    QString words() const;

Q_SIGNALS:
    void ended(); // look for the data again
    void reported(const QString& sentence, accrue::RunMessage::Severity severity);

private:
    struct Set {
        std::string name; // empty: none
        QString title;
    };

    void begin();
    // On the download's thread. Downloads into the user's own data directory (places.h:
    // downloadDirectory); what has arrived before it is cancelled is stored for the next time.
    Task::News download(const std::string& name, const Task::Job& job);
    void showProgress(const DownloadProgress& progress);
    void finish(const DownloadResult& result);
    void showParts();

    QAction* m_action;
    QPushButton* m_button;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    ElidedLabel* m_words;
    Set m_wanted; // what the action downloads
    Set m_last; // what is being downloaded, or was last
    Task m_task;
};

} // namespace accrue
