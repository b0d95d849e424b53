// SPDX-License-Identifier: Apache-2.0
#include "ui/window/message_delegate.h"

#include "ui/models/message_model.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QGuiApplication>
#include <QPixmapCache>

#include <array>

namespace accrue {

namespace {

struct Look {
    const char* icon = nullptr; // of resources/icons
    const char* role = nullptr; // of resources/style.qss
    QColor ThemeColors::*color = nullptr;
};

const Look& lookOf(RunMessage::Severity severity)
{
    static constexpr std::array<Look, 3> kLooks { {
        { "info", "muted", &ThemeColors::muted },
        { "warning", "warning", &ThemeColors::warning },
        { "error", "error", &ThemeColors::error },
    } }; // in the order of RunMessage::Severity
    return kLooks.at(static_cast<std::size_t>(severity));
}

QColor colorOf(RunMessage::Severity severity)
{
    return themeColors().*lookOf(severity).color;
}

} // namespace

QPixmap severitySign(RunMessage::Severity severity)
{
    const QLatin1String icon(lookOf(severity).icon);
    const QColor color = colorOf(severity);
    // The colour is part of the key, so that an icon of the other theme is never found.
    const QString key = icon + color.name();
    QPixmap sign;
    if (!QPixmapCache::find(key, &sign)) { // every repaint of a row needs it
        sign = iconPixmap(icon, color, 16, qApp->devicePixelRatio());
        QPixmapCache::insert(key, sign);
    }
    return sign;
}

QString severityRole(RunMessage::Severity severity)
{
    return QLatin1String(lookOf(severity).role);
}

void MessageDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto severity =
        static_cast<RunMessage::Severity>(index.data(MessageModel::SeverityRole).toInt());
    // Time and run are muted on every row: only the sentence itself shows the severity.
    if (index.column() != MessageModel::Text) {
        option->palette.setColor(QPalette::Text, themeColors().muted);
        return;
    }
    if (severity != RunMessage::Severity::Information)
        option->palette.setColor(QPalette::Text, colorOf(severity));
    const QPixmap sign = severitySign(severity);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = QIcon(sign);
    option->decorationSize = sign.deviceIndependentSize().toSize();
}

} // namespace accrue
