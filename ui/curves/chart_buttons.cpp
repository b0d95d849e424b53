// SPDX-License-Identifier: Apache-2.0
#include "ui/curves/chart_buttons.h"

#include "ui/charts/xy_chart.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QEvent>
#include <QToolButton>

namespace accrue {

namespace {

constexpr int kIcon = 16;
constexpr int kEdge = 4; // pixels from the corner of the chart

} // namespace

ChartButtons::ChartButtons(XyChart& chart)
    : QWidget(&chart)
    , m_chart(chart)
    , m_reset(makeButton("whole", tr("Reset zoom")))
    , m_enlarge(makeButton("enlarge", tr("Enlarge")))
    , m_menu(makeButton("more", tr("Chart menu")))
{
    makeRow(this, { m_reset, m_enlarge, m_menu }, {}, 0);
    m_reset->hide();
    chart.installEventFilter(this);
    setCursor(Qt::ArrowCursor);
    connect(m_reset, &QToolButton::clicked, &chart, &XyChart::resetZoom);
    connect(m_enlarge, &QToolButton::clicked, this, &ChartButtons::enlargeToggled);
    connect(m_menu, &QToolButton::clicked, &chart,
        [this] { m_chart.openMenu(m_menu->mapToGlobal(QPoint(0, m_menu->height()))); });
    connect(&chart, &XyChart::zoomChanged, this, [this](bool zoomed) {
        m_reset->setVisible(zoomed);
        place();
    });
    place();
}

QToolButton* ChartButtons::makeButton(const char* icon, const QString& text)
{
    auto* button = new QToolButton(this);
    button->setIcon(themedIcon(QLatin1String(icon)));
    button->setIconSize({ kIcon, kIcon });
    button->setToolTip(text);
    button->setAutoRaise(true);
    return button;
}

void ChartButtons::setEnlarged(bool enlarged)
{
    m_enlarge->setIcon(themedIcon(QLatin1String(enlarged ? "shrink" : "enlarge")));
    m_enlarge->setToolTip(enlarged ? tr("Show all charts") : tr("Enlarge"));
    name();
}

// A screen reader hears of which chart a button is.
void ChartButtons::name()
{
    for (QToolButton* button : { m_reset, m_enlarge, m_menu })
        button->setAccessibleName(QStringLiteral("%1: %2").arg(m_chart.title(), button->toolTip()));
}

void ChartButtons::place()
{
    adjustSize();
    move(m_chart.width() - width() - kEdge, kEdge);
    m_chart.setRoomForButtons(width() + kEdge);
    name();
}

bool ChartButtons::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

} // namespace accrue
