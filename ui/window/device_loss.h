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
    // Both are borrowed and outlive this; `window` is closed.
    DeviceLoss(Backend& backend, QWidget& window);

    InlineMessage* message() const { return m_message; } // a child of the window
    // The run that trained on the first device that was lost; empty: no run did, or none is lost.
    // Set in a window that replaces another one; shown with the device.
    const std::optional<RunId>& run() const { return m_run; }
    void setRun(const std::optional<RunId>& run);
    // Once the button was pressed: the program starts again, and resumes run(), when the window has
    // closed.
    bool restarts() const { return m_restarts; }
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
    bool m_restarts = false;
};

} // namespace accrue
