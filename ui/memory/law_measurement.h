// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/models/law_advice.h"
#include "ui/run/backend.h"

#include <QObject>
#include <QString>

#include <string>

namespace accrue {

// Measures the memory model of a question, and reports the progress and the result. GUI thread.
class LawMeasurement : public QObject {
    Q_OBJECT
public:
    // `backend` is borrowed and must outlive this.
    explicit LawMeasurement(Backend& backend, QObject* parent = nullptr);

    void setQuestion(const LawQuestion& question);
    const LawQuestion& question() const { return m_question; }

    QString subject() const; // "LeNet-5, no norm, SGD on cpu"
    QString whyNot() const; // why it cannot be measured now; empty: it can
    void startOrCancel();

    struct Status {
        QString text;
        QString role {}; // of the style sheet: "muted", "warning", "error" or none
    };
    Status status() const;

Q_SIGNALS:
    void changed();
    void progressed(); // only status() has changed
    // About a measurement whose experiment is no longer that of the form.
    void reported(const QString& text, accrue::RunMessage::Severity severity);

private:
    void take(const MemoryFit& fit, const QString& notStored);
    Status measuringStatus() const;
    Status resultStatus() const;
    bool isSameQuestion(const Experiment& one, const Experiment& other) const;
    std::string fingerprint(const Experiment& experiment) const;
    std::string deviceOf(const Experiment& experiment) const; // id; as it is written, if not known

    Backend& m_backend;
    LawQuestion m_question;
    std::string m_measured; // fingerprint of the memory model that this window measured last
    QString m_notStored; // why that model could not be stored
    QString m_problem; // of the last measurement
};

} // namespace accrue
