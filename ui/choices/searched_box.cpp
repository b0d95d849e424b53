// SPDX-License-Identifier: Apache-2.0
#include "ui/choices/searched_box.h"

#include "ui/choices/choice_panel.h"

#include <QStandardItemModel>

namespace accrue {

SearchedBox::SearchedBox(const QString& purpose, QWidget* parent)
    : FormComboBox(parent)
    , m_purpose(purpose)
{
}

SearchedBox::~SearchedBox() = default;

ChoicePanel* SearchedBox::panel() const
{
    return m_panel;
}

void SearchedBox::addHeading(const QString& text)
{
    addItem(text);
    qobject_cast<QStandardItemModel*>(model())->item(count() - 1)->setEnabled(false);
}

void SearchedBox::setDetail(int row, const QString& detail)
{
    setItemData(row, detail, DetailRole);
}

Choices SearchedBox::choices() const
{
    Choices choices;
    QString section;
    for (int row = 0; row < count(); ++row) {
        const QModelIndex index = model()->index(row, modelColumn());
        if (itemData(row, Qt::AccessibleDescriptionRole).toString() == QLatin1String("separator"))
            continue; // as QComboBox marks it
        if (!model()->flags(index).testFlag(Qt::ItemIsEnabled))
            section = itemText(row);
        else
            choices.push_back({ itemData(row).toString(), itemText(row),
                itemData(row, DetailRole).toString(), section, {}, row == currentIndex() });
    }
    return choices;
}

void SearchedBox::showPopup()
{
    if (m_panel == nullptr) {
        m_panel = new ChoicePanel(m_purpose, window());
        connect(m_panel, &ChoicePanel::chosen, this, &SearchedBox::choose);
        connect(this, &QObject::destroyed, m_panel, &QObject::deleteLater);
    }
    m_panel->setChoices(choices());
    m_panel->openBelow(*this, currentData().toString());
}

// By its data: the rows may have been filled again while the list was open.
void SearchedBox::choose(const QString& name)
{
    for (int row = 0; row < count(); ++row)
        if (itemData(row).isValid() && itemData(row).toString() == name) {
            setCurrentIndex(row);
            Q_EMIT activated(row);
            return;
        }
}

void SearchedBox::hidePopup()
{
    if (m_panel != nullptr)
        m_panel->dismiss();
}

} // namespace accrue
