// SPDX-License-Identifier: Apache-2.0
#include "ui/models/key_words.h"
#include "ui/models/format.h"

#include <QRegularExpression>

namespace accrue {

QString keyLabel(const std::string& key)
{
    const KeyInfo* const info = findKey(key);
    return QString::fromStdString(info != nullptr ? labelOf(*info) : key);
}

QString spelledSetting(const Experiment& experiment, const std::string& key)
{
    return QString::fromStdString(settingText(settingOf(experiment, key).value()));
}

QString choiceTitle(const Experiment& experiment, const std::string& key)
{
    return QString::fromStdString(titleOf(experiment, key));
}

QString titleOf(KeySection section)
{
    switch (section) {
    case KeySection::DataAndModel:
        return Ui::tr("Data and model");
    case KeySection::Normalisation:
        return Ui::tr("Normalisation");
    case KeySection::Batch:
        return Ui::tr("Batch");
    case KeySection::Optimizer:
        return Ui::tr("Optimizer");
    case KeySection::Schedule:
        return Ui::tr("Schedule");
    case KeySection::Run:
        return Ui::tr("Run");
    default:
        return {};
    }
}

QString keyHelp(const KeyInfo& key)
{
    return Ui::tr("%1\n%2: %3; default %4")
        .arg(QString::fromStdString(helpOf(key)), QString::fromStdString(key.key),
            messageText(key.allowed), QString::fromStdString(key.fallback));
}

// Messages name keys as recipes do, which the command line needs. Only names in the table are
// replaced: "train.py" and version numbers have the same form.
QString withLabels(const std::string& message)
{
    static const QRegularExpression key(QStringLiteral("[a-z]+\\.[a-z_0-9]+"));
    const QString text = QString::fromStdString(message);
    QString words;
    qsizetype end = 0;
    for (auto found = key.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const KeyInfo* named = findKey(match.captured().toStdString());
        words += text.mid(end, match.capturedStart() - end)
            + (named != nullptr ? QString::fromStdString(labelOf(*named)) : match.captured());
        end = match.capturedEnd();
    }
    return words + text.mid(end);
}

QString fieldLabel(const std::string& key, const Experiment& experiment)
{
    const KeyInfo* known = findKey(key);
    if (known == nullptr)
        return {};
    const KeyCondition* unmet = unmetCondition(*known, experiment);
    const bool isEdited = unmet == nullptr || unmet->row == KeyCondition::Row::Shown;
    return isEdited ? QString::fromStdString(labelOf(*known)) : QString();
}

} // namespace accrue
