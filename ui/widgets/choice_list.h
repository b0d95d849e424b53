// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStyledItemDelegate>

class QComboBox;

namespace accrue {

// The open list of a combo box whose choices are in groups and have a second line, which states
// what distinguishes them. The closed box shows the first line alone.
class ChoiceList : public QStyledItemDelegate {
    Q_OBJECT
public:
    enum Role { DetailRole = Qt::UserRole + 1, HeadingRole };
    explicit ChoiceList(QComboBox& box); // its parent

    void addHeading(const QString& text); // of the choices that follow; cannot be chosen
    void addChoice(const QString& text, const QVariant& data, const QString& detail);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void widen(int contents) const;

    QComboBox& m_box;
};

} // namespace accrue
