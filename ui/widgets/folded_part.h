// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace accrue {

// The part of a form's section that most people never need: a line that unfolds and folds it, and
// its rows. Folded at first.
class FoldedPart : public QWidget {
    Q_OBJECT
public:
    explicit FoldedPart(const QString& section, QWidget* parent = nullptr);

    void addRow(QWidget* row);
    void setOpen(bool open); // by the program
    bool isOpen() const;
    // How many of its settings differ from their defaults, and how many have a problem.
    void setCounts(int changed, int problems);
    QToolButton* button() const { return m_button; }

Q_SIGNALS:
    void toggled(bool open); // by the user

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_section;
    QToolButton* m_button;
    QWidget* m_body;
    QVBoxLayout* m_rows;
};

} // namespace accrue
