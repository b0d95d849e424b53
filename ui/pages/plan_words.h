// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/explanation.h"

#include <QStringList>
#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace accrue {

// What the batch bar draws, in words: what the learning rate means and what the norm layers see, in
// sight; all the rest, folded at first. Hidden while there is nothing to explain.
class PlanWords : public QWidget {
    Q_OBJECT
public:
    explicit PlanWords(QWidget* parent = nullptr);

    // `hasNorm`: whether the network has norm layers, so that what they see is worth the room.
    void setParts(const std::vector<ExplanationPart>& parts, bool hasNorm);
    bool isOpen() const;
    void setOpen(bool open);
    const QStringList& inSight() const { return m_sentences; }
    QString folded() const; // HTML
    QToolButton* button() const { return m_button; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QStringList m_sentences; // in sight
    QLabel* m_inSight;
    QToolButton* m_button;
    QLabel* m_folded;
};

} // namespace accrue
