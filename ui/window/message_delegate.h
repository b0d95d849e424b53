// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/runs/run_record.h"

#include <QPixmap>
#include <QStyledItemDelegate>

namespace accrue {

// The icon before a message, so that colour is not the only sign of its severity; in the theme's
// colours.
QPixmap severitySign(RunMessage::Severity severity);
// The role by which resources/style.qss colours a label of such a message.
QString severityRole(RunMessage::Severity severity);

// A cell of MessageModel, with the sign and the colour of its severity.
class MessageDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace accrue
