// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/experiment/finding.h"
#include "engine/experiment/key_info.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QTableView;

namespace accrue {

// A combo box that ignores the mouse wheel unless it has the focus, so that scrolling the form
// changes no value. A text that is too long is elided and shown in the tooltip.
class FormComboBox : public QComboBox {
    Q_OBJECT
public:
    explicit FormComboBox(QWidget* parent = nullptr);
    QString shownText() const; // as painted

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    QString fullText() const; // the choice, or the placeholder
};

// One editor of a setting: text in, text out, as the setting is spelled in a recipe.
class SettingEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual QString text() const = 0;
    virtual void setText(const QString& text) = 0;
    // Receives the focus of the label's shortcut, and the mark of a finding
    virtual QWidget* focusWidgetOfField() = 0;
Q_SIGNALS:
    void edited(); // by the user, in one step
    void typed(); // by the user, a letter of a text
};

class TextEditor : public SettingEditor {
    Q_OBJECT
public:
    // `kind`: Count and Number step by the arrow keys, Folder has a button that asks for one.
    explicit TextEditor(KeyEditor kind, QWidget* parent = nullptr);
    QString text() const override;
    void setText(const QString& text) override;
    QWidget* focusWidgetOfField() override { return m_edit; }
    QLineEdit* edit() const { return m_edit; }
    void setUnset(const QString& word); // the meaning of an empty field, such as none

private:
    QLineEdit* m_edit;
    QString m_unset;
};

// Choices by their spelling in a recipe; an `editable` box accepts other text, too.
class ChoiceEditor : public SettingEditor {
    Q_OBJECT
public:
    using Choices = std::vector<std::pair<QString, QString>>; // spelling, title
    explicit ChoiceEditor(const Choices& choices, bool editable, QWidget* parent = nullptr);
    void setChoices(const Choices& choices); // keeps the text
    QString text() const override;
    void setText(const QString& text) override;
    QWidget* focusWidgetOfField() override { return m_box; }
    QComboBox* box() const { return m_box; }

private:
    FormComboBox* m_box;
};

class SwitchEditor : public SettingEditor { // true, false
    Q_OBJECT
public:
    explicit SwitchEditor(QWidget* parent = nullptr); // its row's label is beside it
    void toggle() { m_box->click(); } // as the user does
    QString text() const override;
    void setText(const QString& text) override { m_box->setChecked(text == QLatin1String("true")); }
    QWidget* focusWidgetOfField() override { return m_box; }

private:
    QCheckBox* m_box;
};

class SpanEditor : public SettingEditor { // "1 epoch", "500 steps", "10 minutes"
    Q_OBJECT
public:
    explicit SpanEditor(QWidget* parent = nullptr);
    QString text() const override;
    void setText(const QString& text) override;
    QWidget* focusWidgetOfField() override { return m_count; }

private:
    QLineEdit* m_count;
    FormComboBox* m_unit;
};

// One of B, b, N, W with its `=` button: a solved one shows the result of the others, in italics,
// and so does a W of all devices, for which there is a second button.
class BatchNumberEditor : public SettingEditor {
    Q_OBJECT
public:
    enum class Offers { Solution, AllDevices };
    BatchNumberEditor(const QString& title, Offers offers, QWidget* parent = nullptr);
    QString text() const override; // "auto" while solved, "all" while of all devices
    void setText(const QString& text) override;
    QWidget* focusWidgetOfField() override { return m_edit; }
    bool isSolved() const { return m_word == Word::Auto; }
    // While it is not typed; empty: it is not known.
    void showSolution(const std::optional<std::int64_t>& value);
    QLineEdit* edit() const { return m_edit; }
    QToolButton* button() const { return m_button; }
    QToolButton* allButton() const { return m_all; } // null: it is not offered

Q_SIGNALS:
    void solveToggled(); // the user pressed `=`

private:
    enum class Word { None, Auto, All }; // in place of a number
    void offerAll();
    void toggleAll();
    void setWord(Word word);
    QLineEdit* m_edit;
    QToolButton* m_all; // before the next, as Tab reaches them
    QToolButton* m_button;
    Word m_word = Word::None;
};

// A label and an editor, which is marked if there is a problem with it. A switch precedes its
// label, which may then have the row's width, and a click on the label toggles it. The sentence
// about the problem is elsewhere, with those of all fields: here it would move the fields below.
class FormRow : public QWidget {
    Q_OBJECT
public:
    FormRow(const QString& label, SettingEditor* editor, const QString& help, QWidget* parent);
    SettingEditor* editor() const { return m_editor; }
    QString title() const { return m_label->text(); }
    void showFinding(const Finding* finding, const QString& words = {}); // null: none
    // The text of the finding, for a tooltip and a screen reader; empty: there is none.
    const QString& message() const { return m_message; }

Q_SIGNALS:
    void explanationRequested(); // a click on the label, where the help explains it

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void setHelp(const QString& help);
    bool isClickOnLabel(const QMouseEvent& event) const;

    QLabel* m_label;
    SettingEditor* m_editor;
    SwitchEditor* m_switch; // the editor, if it is one
    bool m_isExplained; // in the help
    QString m_help;
    QString m_message;
};

QString labelOfField(const QWidget* widget); // of the row that contains it; empty: none does

// One line that ends in "…" if it is too long; the whole text is its tooltip.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setFullText(const QString& text);
    const QString& fullText() const { return m_text; }

    QSize sizeHint() const override { return { 0, fontMetrics().height() }; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void elide();
    QString m_text;
    QString m_shown;
};

// Plain text in the look that resources/style.qss has for `role`.
QLabel* makeLabel(const char* role, const QString& text, QWidget* parent);
// Sentences from elsewhere: plain text that wraps and can be copied.
void setUpSentences(QLabel& label);
// With the frame that the style sheet gives a button outside of menus and headers.
QToolButton* makeFramedButton(QAction* action, QWidget* parent);
QToolButton* makeFramedButton(QLatin1String icon, QWidget* parent); // square, as high as a field
// A table of rows that are selected as a whole and have one height. Tab leaves it as it leaves
// every other field.
void setUpRows(QTableView& table, int rowHeight);
// Sets a style-sheet property and repolishes if its value changes: polishing is expensive.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);

} // namespace accrue
