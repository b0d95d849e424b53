// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/form_widgets.h"

#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/help_words.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/number_field.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QStyle>
#include <QStylePainter>
#include <QTableView>
#include <QToolTip>
#include <QWheelEvent>

namespace accrue {

namespace {

constexpr int kLabelWidth = 112;

QLineEdit* newEdit(KeyEditor kind, QWidget* parent)
{
    if (kind == KeyEditor::Count)
        return new NumberField(NumberField::Kind::Whole, parent);
    if (kind == KeyEditor::Number)
        return new NumberField(NumberField::Kind::Decimal, parent);
    return new QLineEdit(parent);
}

// The style sheet's word for the frame of a field with such a finding; invalid: there is none.
QVariant markOf(const Finding* finding)
{
    if (finding == nullptr || finding->severity == Finding::Severity::Note)
        return {};
    return finding->severity == Finding::Severity::Error ? QStringLiteral("wrong")
                                                         : QStringLiteral("doubtful");
}

} // namespace

// Each editor holds text as a recipe spells it, because that is the state of a draft: "0." and "1e"
// are stored as they are typed. Only a choice, a unit or `=` changes a setting in one step
// (`edited`); each letter is `typed`, and undo combines them to one step.
FormComboBox::FormComboBox(QWidget* parent)
    : QComboBox(parent)
{
    // Without WheelFocus: turning the wheel over a form must not change the setting under the
    // pointer.
    setFocusPolicy(Qt::StrongFocus);
    // Its width follows the form and not its longest choice, which may be the name of a device.
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
}

QString FormComboBox::fullText() const
{
    return currentIndex() < 0 && !isEditable() ? placeholderText() : currentText();
}

QString FormComboBox::shownText() const
{
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    return fontMetrics().elidedText(fullText(), Qt::ElideMiddle, room.width());
}

bool FormComboBox::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !isEditable() && shownText() != fullText()) {
        QStringList lines { fullText(), toolTip() };
        lines.removeAll(QString());
        QToolTip::showText(
            static_cast<QHelpEvent*>(event)->globalPos(), lines.join(QLatin1Char('\n')), this);
        return true;
    }
    return QComboBox::event(event);
}

// Paints as QComboBox does, but elides the text in the middle.
void FormComboBox::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    if (currentIndex() < 0)
        option.palette.setBrush(QPalette::ButtonText, option.palette.placeholderText());
    option.currentText = shownText();
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void FormComboBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

TextEditor::TextEditor(KeyEditor kind, QWidget* parent)
    : SettingEditor(parent)
    , m_edit(newEdit(kind, this))
{
    QHBoxLayout* layout = makeRow(this, { m_edit });
    connect(m_edit, &QLineEdit::textEdited, this, &SettingEditor::typed);
    if (kind != KeyEditor::Folder)
        return;
    m_edit->setPlaceholderText(tr("searched for by name"));
    QToolButton* button = makeFramedButton(QLatin1String("folder"), this);
    button->setToolTip(tr("Choose a folder…"));
    button->setAccessibleName(tr("Choose the data folder"));
    layout->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this] {
        askFolder(*this, tr("Folder with the data set"), text(), [this](const QString& folder) {
            m_edit->setText(folder);
            Q_EMIT edited();
        });
    });
}

QString TextEditor::text() const
{
    // An empty field is the recipe's word for a value that is not set, such as "none".
    const QString typed = m_edit->text().trimmed();
    return typed.isEmpty() ? m_unset : typed;
}

void TextEditor::setText(const QString& text)
{
    const QString shown = text == m_unset ? QString() : text;
    // Setting an equal text would still move the cursor.
    if (m_edit->text() != shown)
        m_edit->setText(shown);
    // The end of a long path is more informative than its beginning.
    m_edit->setCursorPosition(0);
}

void TextEditor::setUnset(const QString& word)
{
    // The word of before may be what an empty field stood for.
    const QString before = text();
    m_unset = word;
    if (auto* number = qobject_cast<NumberField*>(m_edit))
        number->setUnset(word);
    setText(before);
}

ChoiceEditor::ChoiceEditor(const Choices& choices, bool editable, QWidget* parent)
    : SettingEditor(parent)
    , m_box(new FormComboBox(this))
{
    makeRow(this, { m_box });
    m_box->setEditable(editable);
    m_box->setInsertPolicy(QComboBox::NoInsert);
    setChoices(choices);
    connect(m_box, &QComboBox::activated, this, &SettingEditor::edited);
    if (editable)
        connect(m_box->lineEdit(), &QLineEdit::textEdited, this, &SettingEditor::typed);
}

void ChoiceEditor::setChoices(const Choices& choices)
{
    // The devices arrive once the engine is loaded; the one that a recipe names stays chosen.
    const QString before = m_box->count() > 0 ? text() : QString();
    m_box->clear();
    for (const auto& [spelling, title] : choices) {
        m_box->addItem(m_box->isEditable() ? spelling : title, spelling);
        if (m_box->isEditable())
            m_box->setItemData(m_box->count() - 1, title, Qt::ToolTipRole);
    }
    // An empty text would choose nothing and remove the first choice of a new box.
    if (!before.isEmpty())
        setText(before);
}

QString ChoiceEditor::text() const
{
    return m_box->isEditable() ? m_box->currentText().trimmed() : m_box->currentData().toString();
}

void ChoiceEditor::setText(const QString& text)
{
    // A text that is not among the choices leaves a box that is not editable without a choice, and
    // it shows its placeholder.
    if (m_box->isEditable())
        m_box->setEditText(text);
    else
        m_box->setCurrentIndex(m_box->findData(text));
}

SwitchEditor::SwitchEditor(QWidget* parent)
    : SettingEditor(parent)
    , m_box(new QCheckBox(this))
{
    makeRow(this, { m_box });
    // clicked, not toggled: setText() must not be reported as an edit.
    connect(m_box, &QCheckBox::clicked, this, &SettingEditor::edited);
}

QString SwitchEditor::text() const
{
    return m_box->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
}

SpanEditor::SpanEditor(QWidget* parent)
    : SettingEditor(parent)
    , m_count(new NumberField(NumberField::Kind::Whole, this))
    , m_unit(new FormComboBox(this))
{
    QHBoxLayout* layout = makeRow(this, { m_count, m_unit });
    layout->setStretch(0, 1);
    layout->setStretch(1, 2);
    m_unit->addItem(tr("epochs"), QStringLiteral("epoch"));
    m_unit->addItem(tr("steps"), QStringLiteral("step"));
    m_unit->addItem(tr("minutes"), QStringLiteral("minute"));
    m_unit->setAccessibleName(tr("Unit"));
    connect(m_count, &QLineEdit::textEdited, this, &SettingEditor::typed);
    connect(m_unit, &QComboBox::activated, this, &SettingEditor::edited);
}

QString SpanEditor::text() const
{
    const QString count = m_count->text().trimmed();
    const QString unit = m_unit->currentData().toString();
    return count + QLatin1Char(' ')
        + (count == QLatin1String("1") ? unit : unit + QLatin1Char('s'));
}

// The unit is the last word; whatever else was typed is before it.
void SpanEditor::setText(const QString& text)
{
    QString unit = text.section(QLatin1Char(' '), -1);
    m_count->setText(text.chopped(unit.size()).trimmed());
    if (unit.endsWith(QLatin1Char('s')))
        unit.chop(1);
    m_unit->setCurrentIndex(qMax(0, m_unit->findData(unit)));
}

BatchNumberEditor::BatchNumberEditor(const QString& title, Offers offers, QWidget* parent)
    : SettingEditor(parent)
    , m_edit(new NumberField(NumberField::Kind::Whole, this))
    , m_all(offers == Offers::AllDevices ? new QToolButton(this) : nullptr)
    , m_button(makeFramedButton(QLatin1String("equals"), this))
{
    QHBoxLayout* layout = makeRow(this, { m_edit, m_button });
    if (m_all != nullptr) {
        offerAll();
        layout->insertWidget(1, m_all);
    }
    m_button->setCheckable(true);
    m_button->setAccessibleName(tr("Compute %1 from the other values").arg(title));
    connect(m_edit, &QLineEdit::textEdited, this, &SettingEditor::typed);
    connect(m_button, &QToolButton::clicked, this, &BatchNumberEditor::solveToggled);
    setWord(Word::None);
}

void BatchNumberEditor::offerAll()
{
    m_all->setText(tr("All"));
    m_all->setProperty("framed", true);
    m_all->setCheckable(true);
    m_all->setAccessibleName(tr("All CUDA devices"));
    connect(m_all, &QToolButton::clicked, this, &BatchNumberEditor::toggleAll);
}

// The number that was found becomes text. 1 is what a machine without CUDA has.
void BatchNumberEditor::toggleAll()
{
    if (m_word == Word::All && !m_edit->text().toLongLong())
        m_edit->setText(QStringLiteral("1"));
    setWord(m_word == Word::All ? Word::None : Word::All);
    Q_EMIT edited();
}

QString BatchNumberEditor::text() const
{
    if (m_word == Word::None)
        return m_edit->text().trimmed();
    return m_word == Word::All ? QStringLiteral("all") : QStringLiteral("auto");
}

void BatchNumberEditor::setText(const QString& text)
{
    const bool all = m_all != nullptr && text == QLatin1String("all");
    setWord(all ? Word::All : text == QLatin1String("auto") ? Word::Auto : Word::None);
    if (m_word == Word::None && m_edit->text() != text)
        m_edit->setText(text);
}

void BatchNumberEditor::setWord(Word word)
{
    m_word = word;
    m_button->setChecked(isSolved());
    m_button->setToolTip(isSolved()
            ? tr("Computed from the other values; click to enter it yourself")
            : tr("Compute this value from the others"));
    const bool all = word == Word::All;
    if (m_all != nullptr) {
        m_all->setChecked(all);
        m_all->setToolTip(all ? tr("Every CUDA device of this machine; click to enter a number")
                              : tr("Use every CUDA device of this machine"));
    }
    m_edit->setReadOnly(word != Word::None);
    // The style sheet sets it in italics.
    setStyleProperty(m_edit, "solved", word != Word::None);
}

void BatchNumberEditor::showSolution(const std::optional<std::int64_t>& value)
{
    if (m_word != Word::None)
        m_edit->setText(value ? QString::number(*value) : QStringLiteral("–"));
}

FormRow::FormRow(const QString& label, SettingEditor* editor, const QString& help, QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel(label, this))
    , m_editor(editor)
    , m_switch(qobject_cast<SwitchEditor*>(editor))
    , m_isExplained(isExplained(label))
    , m_help(help)
{
    m_label->setWordWrap(true);
    m_label->setBuddy(editor->focusWidgetOfField());
    if (m_switch == nullptr)
        m_label->setFixedWidth(kLabelWidth);
    QHBoxLayout* layout = m_switch != nullptr ? makeRow(this, { editor, m_label })
                                              : makeRow(this, { m_label, editor });
    layout->setStretch(1, 1);
    editor->focusWidgetOfField()->setAccessibleName(label);
    // The cursor shows that a click has an effect.
    if (m_isExplained) {
        m_label->setCursor(Qt::WhatsThisCursor);
        m_help += QLatin1Char('\n') + tr("Click the label or press F1 for more.");
    }
    setHelp(m_help);
}

bool FormRow::isClickOnLabel(const QMouseEvent& event) const
{
    return event.button() == Qt::LeftButton && m_label->geometry().contains(event.pos());
}

// The label passes mouse events on. A press that is not accepted here brings no release.
void FormRow::mousePressEvent(QMouseEvent* event)
{
    event->setAccepted((m_isExplained || m_switch != nullptr) && isClickOnLabel(*event));
}

void FormRow::mouseReleaseEvent(QMouseEvent* event)
{
    if (!isClickOnLabel(*event))
        return;
    // If the help explains a switch's label, only its box toggles it.
    if (m_isExplained)
        Q_EMIT explanationRequested();
    else if (m_switch != nullptr)
        m_switch->toggle();
}

void FormRow::setHelp(const QString& help)
{
    m_label->setToolTip(help);
    m_editor->focusWidgetOfField()->setToolTip(help);
    m_editor->focusWidgetOfField()->setAccessibleDescription(help);
}

void FormRow::showFinding(const Finding* finding, const QString& words)
{
    QWidget* const field = m_editor->focusWidgetOfField();
    setStyleProperty(field, "finding", markOf(finding));
    if (words == m_message)
        return;
    m_message = words;
    QStringList help { words, m_help };
    help.removeAll(QString());
    setHelp(help.join(QLatin1Char('\n')));
}

QString labelOfField(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget())
        if (const auto* row = qobject_cast<const FormRow*>(widget))
            return row->title();
    return {};
}

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent)
{
    // Uses the remaining width: a label that requested the width of its text would widen the column
    // with each sentence.
    // the column with each sentence.
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

void ElidedLabel::setFullText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    // The whole text, because only its beginning is visible.
    setAccessibleName(text);
    elide();
}

void ElidedLabel::resizeEvent(QResizeEvent* event)
{
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        elide();
}

void ElidedLabel::elide()
{
    m_shown = fontMetrics().elidedText(m_text, Qt::ElideRight, width());
    setToolTip(m_shown == m_text ? QString() : m_text);
    update();
}

// Paints the text itself: QLabel::setText would lay out the whole window again.
void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    style()->drawItemText(
        &painter, rect(), alignment(), palette(), isEnabled(), m_shown, foregroundRole());
}

QLabel* makeLabel(const char* role, const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    // Titles may contain names of runs and files: a "<b>" in them is text.
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QLatin1String(role));
    return label;
}

void setUpSentences(QLabel& label)
{
    label.setTextFormat(Qt::PlainText);
    label.setWordWrap(true);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
}

QToolButton* makeFramedButton(QAction* action, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setProperty("framed", true);
    if (action != nullptr)
        button->setDefaultAction(action);
    return button;
}

QToolButton* makeFramedButton(QLatin1String icon, QWidget* parent)
{
    QToolButton* button = makeFramedButton(nullptr, parent);
    button->setIcon(themedIcon(icon));
    button->setFixedSize(28, 28);
    return button;
}

void setUpRows(QTableView& table, int rowHeight)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

// Qt evaluates the selectors of a style sheet only when a widget is polished.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

} // namespace accrue
