// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/checks_panel.h"

#include "ui/pages/icons.h"
#include "ui/pages/theme.h"

#include <QAction>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>

namespace accrue {

namespace {

constexpr int kIcon = 16;
constexpr int kLeastHeight = 36; // of one line
constexpr int kMostHeight = 200;

QPixmap pictureOf(ChecksPanel::Sign sign, qreal ratio)
{
    const ThemeColors& colors = themeColors();
    switch (sign) {
    case ChecksPanel::Sign::Good:
        return iconPixmap(QLatin1String("check"), colors.good, kIcon, ratio);
    case ChecksPanel::Sign::Note:
        return iconPixmap(QLatin1String("info"), colors.muted, kIcon, ratio);
    case ChecksPanel::Sign::Warning:
        return iconPixmap(QLatin1String("warning"), colors.warning, kIcon, ratio);
    case ChecksPanel::Sign::Error:
        return iconPixmap(QLatin1String("error"), colors.error, kIcon, ratio);
    }
    return {};
}

QString nameOf(ChecksPanel::Sign sign)
{
    switch (sign) {
    case ChecksPanel::Sign::Good:
        return ChecksPanel::tr("in order");
    case ChecksPanel::Sign::Note:
        return ChecksPanel::tr("note");
    case ChecksPanel::Sign::Warning:
        return ChecksPanel::tr("warning");
    case ChecksPanel::Sign::Error:
        return ChecksPanel::tr("error");
    }
    return {};
}

} // namespace

ChecksPanel::ChecksPanel(QWidget* parent)
    : QScrollArea(parent)
{
    setProperty("card", true);
    setAccessibleName(tr("Checks"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    auto* content = new QWidget(this);
    m_layout = new QGridLayout(content);
    m_layout->setContentsMargins(12, 8, 12, 8);
    m_layout->setHorizontalSpacing(8);
    m_layout->setVerticalSpacing(4);
    m_layout->setColumnStretch(1, 1);
    setWidget(content);
    content->setAutoFillBackground(false); // the card's is behind it
    viewport()->setAutoFillBackground(false);
    // The keyboard stops here only where there is something to scroll.
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
        [this](int, int most) { setFocusPolicy(most > 0 ? Qt::TabFocus : Qt::NoFocus); });
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, &ChecksPanel::rebuild);
}

int ChecksPanel::heightForWidth(int width) const
{
    const int frame = 2 * frameWidth();
    return std::min(m_layout->totalHeightForWidth(width - frame) + frame, kMostHeight);
}

QSize ChecksPanel::sizeHint() const
{
    const int width = m_layout->totalSizeHint().width();
    return { width, heightForWidth(width) };
}

QSize ChecksPanel::minimumSizeHint() const
{
    return { m_layout->totalMinimumSize().width(), kLeastHeight };
}

void ChecksPanel::setLines(std::vector<Line> lines)
{
    if (lines == m_lines)
        return;
    m_lines = std::move(lines);
    rebuild();
}

void ChecksPanel::rebuild()
{
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const Line& line : m_lines)
        addLine(row++, line);
}

// Lines get their height when they are first laid out.
bool ChecksPanel::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest) {
        updateScrollBar();
        updateGeometry();
    }
    return QScrollArea::event(event);
}

void ChecksPanel::resizeEvent(QResizeEvent* event)
{
    updateScrollBar();
    QScrollArea::resizeEvent(event);
}

// Left to itself a bar that was there once stays: beside it the lines are narrower, so higher.
void ChecksPanel::updateScrollBar()
{
    const QSize room = maximumViewportSize();
    const bool fits = m_layout->totalHeightForWidth(room.width()) <= room.height();
    setVerticalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

void ChecksPanel::addLine(int row, const Line& line)
{
    auto* sign = new QLabel(widget());
    sign->setPixmap(pictureOf(line.sign, devicePixelRatioF()));
    sign->setAccessibleName(nameOf(line.sign));
    auto* text = new QLabel(line.text, widget());
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->addWidget(sign, row, 0, Qt::AlignTop);
    const bool settled = line.fix || line.action != nullptr;
    m_layout->addWidget(text, row, 1, 1, settled ? 1 : 2);
    if (settled)
        m_layout->addWidget(
            line.fix ? makeButton(*line.fix) : makeButton(line.action), row, 2, Qt::AlignTop);
}

QPushButton* ChecksPanel::makeButton(QAction* action)
{
    auto* button = new QPushButton(action->text(), widget());
    button->setProperty("compact", true);
    button->setToolTip(action->toolTip());
    button->setAccessibleDescription(action->toolTip());
    connect(button, &QPushButton::clicked, action, &QAction::trigger, Qt::QueuedConnection);
    return button;
}

QPushButton* ChecksPanel::makeButton(const Fix& fix)
{
    auto* button = new QPushButton(QString::fromStdString(fix.label), widget());
    button->setProperty("compact", true);
    QStringList assignments;
    for (const std::string& assignment : fix.assignments)
        assignments << QString::fromStdString(assignment);
    button->setToolTip(assignments.join(QLatin1Char('\n')));
    button->setAccessibleDescription(assignments.join(QStringLiteral(", ")));
    // Queued: with what it settles, the button goes.
    connect(
        button, &QPushButton::clicked, this, [this, fix] { Q_EMIT fixAsked(fix); },
        Qt::QueuedConnection);
    return button;
}

std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check)
{
    std::vector<ChecksPanel::Line> lines;
    if (check.plan)
        lines.push_back({ ChecksPanel::Sign::Good, planSentence(check), {} });
    const auto add = [&](Finding::Severity severity, ChecksPanel::Sign sign) {
        for (const Finding& finding : check.findings) {
            const ChecksPanel::Line line { sign, QString::fromStdString(finding.message),
                finding.fix };
            if (finding.severity == severity
                && std::find(lines.begin(), lines.end(), line) == lines.end())
                lines.push_back(line);
        }
    };
    add(Finding::Severity::Error, ChecksPanel::Sign::Error);
    add(Finding::Severity::Warning, ChecksPanel::Sign::Warning);
    add(Finding::Severity::Note, ChecksPanel::Sign::Note);
    return lines;
}

} // namespace accrue
