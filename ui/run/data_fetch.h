// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/door/data_download.h"

#include <QObject>
#include <QString>

#include <string>
#include <thread>

namespace accrue {

// Fetches published data sets off the GUI thread, on which this object lives, one at a time. Goes
// to the network only when start is called.
class DataFetch : public QObject {
    Q_OBJECT
public:
    explicit DataFetch(QObject* parent = nullptr);
    ~DataFetch() override; // cancels; blocks until that is heard, at most about a second

    bool isRunning() const { return m_running; }
    // Into the user's own data directory (places.h: downloadDirectory). Must not block. Ignored
    // while one is running.
    void start(const std::string& name);
    void cancel(); // Must not block; ended follows. What has arrived is kept for the next time.

Q_SIGNALS:
    void progressed(const accrue::DownloadProgress& progress); // at most five times a second
    void said(const QString& sentence); // which mirror failed, and why
    void ended(const accrue::DownloadResult& result);

private:
    void end(const DownloadResult& result);

    bool m_running = false;
    std::jthread m_thread; // its stop is the cancel
};

} // namespace accrue
