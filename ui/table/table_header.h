// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHeaderView>

namespace accrue {

// A header of a comparison's table. Of runs: the dot of a run, its title and below it what differs,
// a pin for the baseline. Of settings and results: a title, the sign that unfolds more of it, an
// arrow where the table is sorted by it. Which of both depends on the model. GUI thread.
class TableHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TableHeader(Qt::Orientation orientation, QWidget* parent = nullptr);
    QRect foldSign(const QRect& section) const; // in it; can be hit

Q_SIGNALS:
    void foldClicked(int section);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    QSize sectionSizeFromContents(int section) const override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QVariant ask(int section, int role) const;
    bool isOfRuns() const;
    QFont titleFont(int section) const;
    QRect rectOf(int section) const;
    void paintRun(QPainter& painter, const QRect& rect, int section) const;
    void paintRow(QPainter& painter, const QRect& rect, int section) const;
};

} // namespace accrue
