// SPDX-License-Identifier: Apache-2.0
#include "ui/train/checks_panel.h"

#include "ui/models/key_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

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

struct Look {
    const char* icon;
    QColor color;
    QString name; // for a screen reader
};

Look lookOf(ChecksPanel::Sign sign)
{
    const ThemeColors& colors = themeColors();
    const Look looks[] = { { "check", colors.good, ChecksPanel::tr("No problems") },
        { "info", colors.muted, ChecksPanel::tr("note") },
        { "warning", colors.warning, ChecksPanel::tr("warning") },
        { "error", colors.error, ChecksPanel::tr("error") } };
    return looks[static_cast<std::size_t>(sign)];
}

} // namespace

// The lines are made again whenever they differ: they are few, and labels that were reused would
// have to change between plain text, links and buttons. The panel has the height that its layout
// allows, never that of its lines, so that Start stays in its place.
ChecksPanel::ChecksPanel(QWidget* parent)
    : QScrollArea(parent)
{
    setProperty("card", true);
    setProperty("list", true);
    setAccessibleName(tr("Checks"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    // Ignored: a long sentence must wrap and not widen the column.
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
    // The focus stops here only if there is something to scroll.
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this,
        [this](int, int most) { setFocusPolicy(most > 0 ? Qt::TabFocus : Qt::NoFocus); });
    // The icons are pictures in the theme's colours, so that they must be made again.
    if (Theme::instance() != nullptr)
        connect(Theme::instance(), &Theme::themeChanged, this, &ChecksPanel::rebuild);
}

void ChecksPanel::setLines(std::vector<Line> lines)
{
    // A link or a button that has the focus would be deleted with every check.
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
    // Two rows of the grid per line: its words, and a button below them. The stretch is below the
    // last line, and must be removed from the row that was last before.
    m_layout->setRowStretch(2 * row, 1);
    for (int i = 0; i < 2 * row; ++i)
        m_layout->setRowStretch(i, 0);
    verticalScrollBar()->setValue(0); // the most severe
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

// Without this, a scroll bar that appeared once remains: beside it the lines are narrower, so
// higher.
void ChecksPanel::updateScrollBar()
{
    const QSize room = maximumViewportSize();
    const bool fits = m_layout->totalHeightForWidth(room.width()) <= room.height();
    setVerticalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

void ChecksPanel::addLine(int row, const Line& line)
{
    auto* sign = new QLabel(widget());
    const Look look = lookOf(line.sign);
    sign->setPixmap(iconPixmap(QLatin1String(look.icon), look.color, kIcon, devicePixelRatioF()));
    sign->setAccessibleName(look.name);
    m_layout->addWidget(sign, 2 * row, 0, Qt::AlignTop);
    m_layout->addWidget(makeText(line), 2 * row, 1);
    if (line.fix || line.action != nullptr)
        m_layout->addWidget(makeButton(line), 2 * row + 1, 1, Qt::AlignLeft);
}

QLabel* ChecksPanel::makeText(const Line& line)
{
    auto* text = new QLabel(widget());
    text->setWordWrap(true);
    if (line.field.isEmpty()) {
        // Findings quote names and paths: a "<b>" in them is text and not markup.
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->setText(line.text);
        return text;
    }
    // Most messages begin with the field that they are about; that word itself becomes the link.
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

QPushButton* ChecksPanel::makeButton(const Line& line)
{
    auto* button = new QPushButton(widget());
    button->setProperty("compact", true);
    // Both queued: the fix deletes the button, which must not happen during its own click.
    if (!line.fix) {
        button->setText(line.action->text());
        button->setToolTip(line.action->toolTip());
        button->setAccessibleDescription(line.action->toolTip());
        connect(
            button, &QPushButton::clicked, line.action, &QAction::trigger, Qt::QueuedConnection);
        return button;
    }
    QStringList assignments;
    for (const std::string& assignment : line.fix->assignments)
        assignments << QString::fromStdString(assignment);
    button->setText(QString::fromStdString(line.fix->label.text()));
    button->setToolTip(assignments.join(QLatin1Char('\n')));
    button->setAccessibleDescription(assignments.join(QStringLiteral(", ")));
    connect(
        button, &QPushButton::clicked, this, [this, fix = *line.fix] { Q_EMIT fixAsked(fix); },
        Qt::QueuedConnection);
    return button;
}

std::vector<ChecksPanel::Line> linesOf(const ExperimentCheck& check, const Experiment& experiment)
{
    std::vector<ChecksPanel::Line> lines;
    const auto add = [&](Finding::Severity severity, ChecksPanel::Sign sign) {
        for (const Finding& finding : check.findings) {
            const ChecksPanel::Line line { sign, withLabels(finding.message.text()), finding.fix,
                nullptr, finding.key, fieldLabel(finding.key, experiment) };
            // Two checks may find the same.
            if (finding.severity == severity && std::ranges::find(lines, line) == lines.end())
                lines.push_back(line);
        }
    };
    add(Finding::Severity::Error, ChecksPanel::Sign::Error);
    add(Finding::Severity::Warning, ChecksPanel::Sign::Warning);
    if (check.resolved)
        lines.push_back({ ChecksPanel::Sign::Good, planSentence(check) });
    add(Finding::Severity::Note, ChecksPanel::Sign::Note);
    for (const QString& sentence : check.sentences)
        lines.push_back({ ChecksPanel::Sign::Note, sentence });
    return lines;
}

} // namespace accrue
