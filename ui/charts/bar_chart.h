// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QString>
#include <QWidget>

#include <vector>

namespace accrue {

class LiveDescription;

// Horizontal bars, one below the other; as high as they need, so it belongs into a scroll area.
class BarChart : public QWidget {
    Q_OBJECT
public:
    struct Bar {
        QString title;
        double value = 0;
        QString text; // behind the bar
        QColor color;
        QString meaning {}; // shown in the tooltip, with title and text; may be empty
        friend bool operator==(const Bar&, const Bar&) = default;
    };

    explicit BarChart(QWidget* parent = nullptr);

    void setBars(std::vector<Bar> bars);
    const std::vector<Bar>& bars() const { return m_bars; }
    void setEmptyText(const QString& text); // without bars

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 200, sizeHint().height() }; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString words() const;
    QString toolTipAt(double y) const;
    double rowHeight() const;

    std::vector<Bar> m_bars;
    QString m_emptyText;
    LiveDescription* m_description;
};

} // namespace accrue
