// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <QWidget>

namespace accrue {

class LiveDescription;

// Milliseconds of one step by what they were spent on; `other` is what no part accounts for.
struct StepParts {
    double data = 0;
    double forward = 0;
    double backward = 0;
    double optimizer = 0;
    double other = 0;
    double total() const { return data + forward + backward + optimizer + other; }
};

// One step's time as a bar of its parts, with a legend that names each one's milliseconds.
class StepPartsBar : public QWidget {
    Q_OBJECT
public:
    explicit StepPartsBar(QWidget* parent = nullptr);
    void setParts(const StepParts& parts);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QString words() const;
    QStringList legendTexts() const; // one a part, empty where it is left out
    double entryWidth(const QString& text) const;

    StepParts m_parts;
    LiveDescription* m_description; // the words for a screen reader
};

} // namespace accrue
