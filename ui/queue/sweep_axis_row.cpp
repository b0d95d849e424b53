// SPDX-License-Identifier: Apache-2.0
#include "ui/queue/sweep_axis_row.h"

#include "engine/experiment/key_names.h"
#include "engine/experiment/keys.h"
#include "ui/choices/searched_box.h"
#include "ui/models/key_words.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/layouts.h"

#include <QLineEdit>
#include <QToolButton>

#include <cmath>

namespace accrue {

namespace {

// Values of a number worth trying beside it: half and double of it, or a third and three times of a
// fraction.
QString around(double value, bool isWhole)
{
    if (value <= 0)
        return QString::number(value);
    const double step = isWhole ? 2 : 3;
    const auto text = [isWhole](double number) {
        return isWhole ? QString::number(static_cast<qint64>(std::llround(number)))
                       : QString::number(number, 'g', 3);
    };
    QStringList values;
    if (!isWhole || value >= 2)
        values << text(value / step);
    values << text(value) << text(value * step);
    return values.join(QStringLiteral(", "));
}

QString choicesOf(const KeyInfo& key)
{
    QStringList values;
    for (const KeyChoice& choice : key.choices)
        values << QString::fromStdString(choice.value);
    return values.join(QStringLiteral(", "));
}

} // namespace

SweepAxisRow::SweepAxisRow(const std::string& key, const QString& values, QWidget* parent)
    : QWidget(parent)
    , m_key(new SearchedBox(tr("Search keys"), this))
    , m_values(new QLineEdit(values, this))
    , m_remove(makeFramedButton(QLatin1String("close"), this))
{
    fillKeys();
    m_key->setCurrentIndex(m_key->findData(QString::fromStdString(key)));
    m_key->setAccessibleName(tr("Key that varies"));
    m_key->setFixedWidth(240);
    m_values->setAccessibleName(tr("Values of the key"));
    m_values->setPlaceholderText(tr("e.g. 8, 16, 32 or 0.001..0.1:5log"));
    m_remove->setToolTip(tr("Do not vary this key"));
    m_remove->setAccessibleName(m_remove->toolTip());
    QHBoxLayout* const row = makeRow(this, { m_key });
    row->addWidget(m_values, 1);
    row->addWidget(m_remove);
    connect(m_values, &QLineEdit::textChanged, this, &SweepAxisRow::edited);
    connect(m_key, &QComboBox::currentIndexChanged, this, &SweepAxisRow::showHelp);
    connect(m_key, &QComboBox::activated, this, &SweepAxisRow::keyChosen);
    connect(m_remove, &QToolButton::clicked, this, &SweepAxisRow::removed);
    showHelp();
}

void SweepAxisRow::fillKeys()
{
    for (const KeySection section : { KeySection::DataAndModel, KeySection::Normalisation,
             KeySection::Batch, KeySection::Optimizer, KeySection::Schedule, KeySection::Run })
        fillKeysOf(section);
}

void SweepAxisRow::fillKeysOf(KeySection section)
{
    m_key->addHeading(titleOf(section));
    for (const KeyInfo& key : experimentKeys()) {
        if (key.section != section || key.key == key::runSeed) // the seeds have a field of theirs
            continue;
        const QString name = QString::fromStdString(key.key);
        m_key->addItem(keyLabel(key.key), name);
        m_key->setDetail(m_key->count() - 1, name);
    }
}

std::string SweepAxisRow::key() const
{
    return m_key->currentData().toString().toStdString();
}

QString SweepAxisRow::values() const
{
    return m_values->text();
}

void SweepAxisRow::showProblem(const QString& problem)
{
    setStyleProperty(m_values, "wrong", !problem.isEmpty());
    if (problem.isEmpty())
        showHelp();
    else
        m_values->setToolTip(problem);
    m_values->setAccessibleDescription(problem);
}

void SweepAxisRow::showHelp()
{
    if (const KeyInfo* const key = findKey(this->key()))
        m_values->setToolTip(keyHelp(*key));
}

void SweepAxisRow::suggestFor(const Experiment& experiment)
{
    const KeyInfo* const info = findKey(key());
    if (info == nullptr)
        return;
    const SettingValue value = info->value.get(experiment);
    if (const auto* const whole = std::get_if<std::int64_t>(&value))
        m_values->setText(around(static_cast<double>(*whole), true));
    else if (const auto* const number = std::get_if<double>(&value))
        m_values->setText(around(*number, false));
    else if (std::holds_alternative<bool>(value))
        m_values->setText(QStringLiteral("true, false"));
    else if (!info->choices.empty())
        m_values->setText(choicesOf(*info));
    else
        m_values->setText(QString::fromStdString(settingText(value)));
}

} // namespace accrue
