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
constexpr int kLeastHeight = 88; // four lines of words

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
    setProperty("list", true);
    setAccessibleName(tr("Checks"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    auto* content = new QWidget(this);
    m_layout = new QGridLayout(content);
    m_layout->setContentsMargins(0, 0, 8, 0);
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

QSize ChecksPanel::sizeHint() const
{
    return minimumSizeHint();
}

QSize ChecksPanel::minimumSizeHint() const
{
    return { 0, kLeastHeight };
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
    m_layout->setRowStretch(2 * row, 1);
    for (int i = 0; i < 2 * row; ++i)
        m_layout->setRowStretch(i, 0);
    verticalScrollBar()->setValue(0); // the gravest
}

// Lines get their height when they are first laid out.
bool ChecksPanel::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest)
        updateScrollBar();
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
    m_layout->addWidget(sign, 2 * row, 0, Qt::AlignTop);
    m_layout->addWidget(makeText(line), 2 * row, 1);
    if (line.fix || line.action != nullptr)
        m_layout->addWidget(line.fix ? makeButton(*line.fix) : makeButton(line.action), 2 * row + 1,
            1, Qt::AlignLeft);
}

QLabel* ChecksPanel::makeText(const Line& line)
{
    auto* text = new QLabel(widget());
    text->setWordWrap(true);
    text->setProperty("sign", static_cast<int>(line.sign));
    if (line.field.isEmpty()) {
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setText(line.text);
        return text;
    }
    const bool named = line.text.startsWith(line.field);
    const QString rest = named ? line.text.mid(line.field.size()) : tr(": %1").arg(line.text);
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text->setText(QStringLiteral("<a href=\"%1\">%2</a>%3")
                      .arg(QString::fromStdString(line.key).toHtmlEscaped(),
                          line.field.toHtmlEscaped(), rest.toHtmlEscaped()));
    connect(text, &QLabel::linkActivated, this,
        [this](const QString& key) { Q_EMIT fieldAsked(key.toStdString()); });
    return text;
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

std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check, const FieldWords& words)
{
    std::vector<ChecksPanel::Line> lines;
    const auto add = [&](Finding::Severity severity, ChecksPanel::Sign sign) {
        for (const Finding& finding : check.findings) {
            const ChecksPanel::Line line { sign, words.inWords(finding.message), finding.fix,
                nullptr, finding.key, words.fieldOf(finding.key) };
            if (finding.severity == severity
                && std::find(lines.begin(), lines.end(), line) == lines.end())
                lines.push_back(line);
        }
    };
    add(Finding::Severity::Error, ChecksPanel::Sign::Error);
    add(Finding::Severity::Warning, ChecksPanel::Sign::Warning);
    if (check.plan)
        lines.push_back({ ChecksPanel::Sign::Good, planSentence(check), {}, nullptr, {}, {} });
    add(Finding::Severity::Note, ChecksPanel::Sign::Note);
    for (const QString& sentence : check.sentences)
        lines.push_back({ ChecksPanel::Sign::Note, sentence, {}, nullptr, {}, {} });
    return lines;
}

} // namespace accrue
