// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QSocketNotifier;

namespace accrue {

// SIGTERM, SIGINT and SIGHUP as a Qt signal. Make it before any thread is started, the
// application's own included, so that none of them receives the signals; one instance a process.
class ShutdownSignals : public QObject {
    Q_OBJECT
public:
    explicit ShutdownSignals(QObject* parent = nullptr);
    ~ShutdownSignals() override;

    void listen(); // once there is an application; signals that came before are told then

Q_SIGNALS:
    void shutdownRequested();

private:
    int m_descriptor = -1;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace accrue
