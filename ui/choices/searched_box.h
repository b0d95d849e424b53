// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/choices/choice_search.h"
#include "ui/widgets/form_widgets.h"

#include <QPointer>

namespace accrue {

class ChoicePanel;

// A combo box whose list has a field that finds a row by typing. Disabled rows are headings of
// those that follow; the data of the others are unique, and become texts. GUI thread.
class SearchedBox : public FormComboBox {
    Q_OBJECT
public:
    explicit SearchedBox(const QString& purpose, QWidget* parent = nullptr); // "Search metrics"
    ~SearchedBox() override;

    void addHeading(const QString& text);
    // Beside the row in the list, and found, too.
    void setDetail(int row, const QString& detail);
    ChoicePanel* panel() const; // null: it was never open

    void showPopup() override;
    void hidePopup() override;

private:
    enum Role { DetailRole = Qt::UserRole + 1 };
    Choices choices() const;
    void choose(const QString& name); // of its data

    QString m_purpose;
    QPointer<ChoicePanel> m_panel; // a child of the window
};

} // namespace accrue
