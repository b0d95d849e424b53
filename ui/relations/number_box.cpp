// SPDX-License-Identifier: Apache-2.0
#include "ui/relations/number_box.h"

#include "ui/relations/number_axis.h"

#include <QSignalBlocker>

#include <optional>

namespace accrue {

namespace {

constexpr int kLetters = 9; // that always fit; long texts are elided, and in the list
constexpr int kMostWidth = 240; // pixels

} // namespace

NumberBox::NumberBox(const QString& purpose, QWidget* parent)
    : SearchedBox(tr("Search numbers"), parent)
{
    setAccessibleName(purpose);
    setToolTip(purpose);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(kLetters);
    // It grows before what only fills the row.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHorizontalStretch(4);
    setSizePolicy(policy);
    setMaximumWidth(kMostWidth);
    connect(this, &QComboBox::activated, this, [this] {
        m_chosen = shown();
        Q_EMIT changed();
    });
}

void NumberBox::offer(const std::vector<NumberColumn>& numbers, const Choices& before)
{
    std::vector<const NumberColumn*> offered;
    QStringList texts;
    for (const auto& [name, title] : before)
        texts << QString::fromStdString(name) << title;
    for (const NumberColumn& number : numbers)
        if (number.differs() || number.number.name == m_chosen) {
            offered.push_back(&number);
            texts << QString::fromStdString(number.number.name) << titleOf(number);
        }
    // Live runs bring the same numbers again and again; a list that is open must stay.
    if (std::exchange(m_offered, texts) != texts)
        fill(before, offered);
    setEnabled(count() > 0);
    showChoice();
}

void NumberBox::fill(const Choices& before, const std::vector<const NumberColumn*>& numbers)
{
    const QSignalBlocker silent(this);
    clear();
    for (const auto& [name, title] : before)
        addItem(title, QString::fromStdString(name));
    std::optional<NumberColumn::Kind> kind;
    for (const NumberColumn* number : numbers) {
        if (kind != number->kind) {
            kind = number->kind;
            addHeading(titleOf(*kind));
        }
        addItem(titleOf(*number), QString::fromStdString(number->number.name));
    }
}

void NumberBox::choose(const std::string& name)
{
    m_chosen = name;
    showChoice();
}

void NumberBox::showChoice()
{
    const QSignalBlocker silent(this);
    int index = m_chosen.empty() ? -1 : findData(QString::fromStdString(m_chosen));
    for (std::size_t i = 0; i < m_usual.size() && index < 0; ++i)
        index = findData(QString::fromStdString(m_usual[i]));
    for (int i = 0; i < count() && index < 0; ++i)
        if (itemData(i).isValid()) // no heading
            index = i;
    setCurrentIndex(index);
}

std::string NumberBox::shown() const
{
    return currentData().toString().toStdString();
}

} // namespace accrue
