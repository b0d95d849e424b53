// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QObject>
#include <QString>

#include <optional>

class QWidget;

namespace accrue {

class InlineMessage;
struct Backend;

// Reports that a device has failed, and offers the necessary restart of the program: a button
// closes the window, and the next process begins in the same state and resumes the run that was
// lost. GUI thread.
class DeviceLoss : public QObject {
    Q_OBJECT
public:
    // What the next process has to do.
    struct Restart {
        std::optional<RunId> resume; // empty: no run was lost
    };

    // Both are borrowed and outlive this; `window` is closed.
    DeviceLoss(Backend& backend, QWidget& window);

    InlineMessage* message() const { return m_message; } // a child of the window
    // The run that trained on the first device that was lost; empty: no run did, or none is lost.
    // Set in a window that replaces another one; shown with the device.
    const std::optional<RunId>& run() const { return m_run; }
    void setRun(const std::optional<RunId>& run);
    // Set once the button was pressed: what to do when the window has closed.
    const std::optional<Restart>& restart() const { return m_restart; }
    // The question that keeps the window open was answered with “Stay”.
    void stay();

private:
    void takeLoss();
    QString lostDevices() const; // empty: none is
    void show();
    void closeForRestart();

    Backend& m_backend;
    QWidget& m_window;
    InlineMessage* m_message;
    std::optional<RunId> m_run;
    std::optional<Restart> m_restart;
};

} // namespace accrue
