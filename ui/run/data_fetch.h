// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_download.h"
#include "ui/run/task.h"

#include <QObject>
#include <QString>

#include <string>

namespace accrue {

// Downloads published data sets off the GUI thread, on which this object lives, one at a time. Uses
// the network only when start is called. Its destructor cancels and blocks until the download has
// ended, at most about a second.
class DataFetch : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    bool isRunning() const { return m_task.isRunning(); }
    // Into the user's own data directory (places.h: downloadDirectory). Must not block. Ignored
    // while one is running.
    void start(const std::string& name);
    // Must not block; ended follows. What has arrived is stored for the next time.
    void cancel() { m_task.cancel(); }

Q_SIGNALS:
    void progressed(const accrue::DownloadProgress& progress); // at most five times a second
    void reported(const QString& sentence); // which mirror failed, and why
    void ended(const accrue::DownloadResult& result);

private:
    Task m_task;
};

} // namespace accrue
