// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>
#include <QString>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTimer;
class QToolButton;

namespace accrue {

class IconLabel;

// A line next to what it is about, in its layout: something that happened and can be undone, an
// error with its remedy, or long work with its progress. Hidden if there is nothing to report.
class InlineMessage : public QFrame {
    Q_OBJECT
public:
    explicit InlineMessage(QWidget* parent = nullptr);

    // Disappears by itself after a while. `act` is called when the button is pressed; without it
    // there is no button.
    void tell(const QString& text, const QString& button = {}, std::function<void()> act = {});
    // Stays until it is closed, or until its button is pressed, if it has one.
    void reportProblem(
        const QString& text, const QString& button = {}, std::function<void()> act = {});
    // Long work; `cancel` is called when its button is pressed.
    void tellProgress(const QString& text, std::function<void()> cancel);
    void setProgress(double share);
    QString text() const;
    QPushButton* button() const { return m_button; }

protected:
    enum class Kind { Note, Problem, Progress };
    virtual void present(
        Kind kind, const QString& text, const QString& button, std::function<void()> act);
    void enterEvent(QEnterEvent* event) override; // it stays while somebody reads it
    void leaveEvent(QEvent* event) override;

private:
    bool m_goes = false; // by itself: a note
    IconLabel* m_icon;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_button;
    QToolButton* m_close;
    QTimer* m_timer;
    std::function<void()> m_act;
};

} // namespace accrue
