// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLatin1String>
#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace accrue {

// The content of a page with nothing on it: what belongs there, and the button that makes it.
class EmptyPage : public QWidget {
    Q_OBJECT
public:
    EmptyPage(QLatin1String icon, const QString& title, const QString& text, const QString& button,
        QWidget* parent = nullptr);

    // Why the run log cannot be read, instead of its own texts and its button, with one that opens
    // another log; empty: its own again.
    void showLogProblem(const QString& problem);
    QPushButton* button() const { return m_button; }
    QPushButton* openLogButton() const { return m_openLog; }

Q_SIGNALS:
    void openLogRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QString m_ownTitle;
    QString m_ownText;
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_button;
    QPushButton* m_openLog;
};

} // namespace accrue
