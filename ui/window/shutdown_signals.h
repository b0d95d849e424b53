// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

class QSocketNotifier;

namespace accrue {

// SIGTERM, SIGINT and SIGHUP as a Qt signal. A second SIGTERM or SIGINT, a tenth of a second or
// more after the first, ends the process at once with 143 or 130, whatever it is waiting for.
// (An earlier one counts as a repetition of the first: `timeout` and ending sessions send the
// signal twice, with SIGHUP, too.) One instance per process. Programs that this one starts (a file
// manager) keep the signals' usual meaning.
class ShutdownSignals : public QObject {
    Q_OBJECT
public:
    ShutdownSignals();
    ~ShutdownSignals() override;

    void listen(); // call once there is an application; earlier signals are delivered then

Q_SIGNALS:
    void shutdownRequested();

private:
    int m_descriptor = -1;
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace accrue
