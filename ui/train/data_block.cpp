// SPDX-License-Identifier: Apache-2.0
#include "ui/train/data_block.h"

#include "engine/experiment/held_out.h"
#include "engine/experiment/key_names.h"
#include "engine/experiment/registries.h"
#include "ui/models/key_words.h"
#include "ui/train/data_download_row.h"
#include "ui/widgets/form_widgets.h"
#include "ui/widgets/layouts.h"

#include <QLabel>

namespace accrue {

namespace {

constexpr int kHeight = 40; // two lines of words, or a button
constexpr int kHeightOfPictures = 58; // three lines: there is more to report of folders

} // namespace

DataBlock::DataBlock(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_download(new DataDownloadRow(this))
{
    m_words->setObjectName(QStringLiteral("dataWords"));
    setUpSentences(*m_words);
    m_words->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    QVBoxLayout* layout = makeColumn(this, { m_words, m_download });
    layout->setStretchFactor(m_words, 1);
    layout->setAlignment(m_download, Qt::AlignTop);
}

void DataBlock::showData(const Experiment& experiment, const std::optional<DataSetStatus>& found)
{
    const DataSettings& settings = experiment.data;
    const DataSetInfo& set = dataSetInfo(settings.name);
    const bool wrong = found && !found->problem.empty();
    QString text = tr("Searching for the data set…");
    if (found)
        text = wrong
            ? tr("Cannot be used; see the checks")
            : QString::fromStdString(
                describedWithHeldOut(found->description, settings, partsOf(*found)).text());
    // By the kind of the set and not by the words, which arrive late and change: nothing below may
    // move.
    setFixedHeight(set.isSplit ? kHeightOfPictures : kHeight);
    m_words->setText(text);
    m_words->setToolTip(found
            ? QString::fromStdString(wrong ? found->problem.text() : found->folder.string())
            : QString());
    setStyleProperty(m_words, "role", wrong ? QStringLiteral("error") : QStringLiteral("muted"));
    if (found && settings.path.empty())
        m_download->setWanted(choiceTitle(experiment, key::dataName), *found);
    else
        m_download->setNoneWanted();
    m_words->setVisible(m_download->isHidden());
}

} // namespace accrue
