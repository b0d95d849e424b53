// SPDX-License-Identifier: Apache-2.0
#include "ui/train/form_rows.h"

#include "engine/experiment/keys.h"
#include "ui/models/key_words.h"

#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace accrue;

namespace {

// A form that consists of rows only.
struct Form {
    QWidget widget;
    QVBoxLayout* layout = new QVBoxLayout(&widget);
    FormRows* rows = new FormRows(&widget, layout, {});
};

Experiment with(const std::string& setting)
{
    Experiment experiment;
    if (!applySetting(experiment, setting).empty())
        qFatal("not a setting: %s", setting.c_str());
    return experiment;
}

} // namespace

class TestFormRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowIsWhatTheTableSays()
    {
        Form form;
        for (const KeyInfo& key : experimentKeys()) {
            const FormRow* row = form.rows->row(key.key);
            QVERIFY2(row != nullptr, key.key.c_str());
            QCOMPARE(row->title(), QString::fromStdString(key.label));
            QCOMPARE(form.rows->foldOf(key.key) != nullptr, key.isAdvanced);
            const auto* label = row->findChild<QLabel*>();
            QVERIFY2(label->toolTip().contains(QString::fromStdString(key.key)), key.key.c_str());
        }
        QCOMPARE(form.rows->row("no.such"), nullptr);
    }

    void rowsOfKeysThatNothingReadsAreHiddenOrGreyed()
    {
        Form form;
        for (const char* setting : { "optimizer.name=adam", "optimizer.weight_decay=0.1",
                 "model.norm=batch", "schedule.name=onecycle", "data.name=images" }) {
            const Experiment experiment = with(setting);
            form.rows->showRelevant(experiment);
            for (const KeyInfo& key : experimentKeys()) {
                const FormRow* row = form.rows->row(key.key);
                const bool isEdited = row->isVisibleTo(row->parentWidget()) && row->isEnabled();
                QVERIFY2(isEdited == !fieldLabel(key.key, experiment).isEmpty(), key.key.c_str());
            }
        }
    }

    void theSolvedNumberIsThatOfThePlan()
    {
        Form form;
        form.rows->setTexts(textsOf({}));
        const auto* effective =
            static_cast<BatchNumberEditor*>(form.rows->editor("batch.effective"));
        form.rows->showSolutions(BatchPlan {});
        QCOMPARE(effective->edit()->text(), QStringLiteral("128"));
        form.rows->showSolutions(std::nullopt);
        QCOMPARE(effective->edit()->text(), QStringLiteral("–"));
        QCOMPARE(effective->text(), QStringLiteral("auto"));
    }

    void theButtonOfANumberReportsItsKey()
    {
        Form form;
        QSignalSpy pressed(form.rows, &FormRows::solveToggled);
        static_cast<BatchNumberEditor*>(form.rows->editor("batch.steps"))->button()->click();
        QCOMPARE(pressed.size(), 1);
        QCOMPARE(pressed.front().front().value<std::string>(), std::string("batch.steps"));
    }

    void onlyTheDevicesCanBeAll()
    {
        Form form;
        for (const KeyInfo& key : experimentKeys())
            if (const auto* number = qobject_cast<BatchNumberEditor*>(form.rows->editor(key.key)))
                QCOMPARE(number->allButton() != nullptr, key.key == "batch.devices");
    }

    void allDevicesShowHowManyThereAre()
    {
        Form form;
        form.rows->setTexts(textsOf(with("batch.devices=all")));
        const auto* devices = static_cast<BatchNumberEditor*>(form.rows->editor("batch.devices"));
        QCOMPARE(devices->text(), QStringLiteral("all"));
        QVERIFY(devices->edit()->isReadOnly() && devices->allButton()->isChecked());
        QVERIFY(!devices->isSolved());
        form.rows->showSolutions(BatchPlan { .devices = 4 });
        QCOMPARE(devices->edit()->text(), QStringLiteral("4"));
        QSignalSpy edited(form.rows, &FormRows::edited);
        devices->allButton()->click(); // the number that was found becomes the user's
        QCOMPARE(edited.size(), 1);
        QCOMPARE(devices->text(), QStringLiteral("4"));
        QVERIFY(!devices->edit()->isReadOnly());
        devices->allButton()->click();
        QCOMPARE(devices->text(), QStringLiteral("all"));
        form.rows->showSolutions(std::nullopt);
        QCOMPARE(devices->edit()->text(), QStringLiteral("–"));
        devices->allButton()->click(); // none is known
        QCOMPARE(devices->text(), QStringLiteral("1"));
    }

    void aClickOnTheLabelOfASwitchTogglesIt()
    {
        Form form;
        form.rows->setTexts(textsOf({}));
        FormRow* row = form.rows->row("checkpoint.best");
        row->resize(300, 40);
        QSignalSpy edited(form.rows, &FormRows::edited);
        QTest::mouseClick(row->findChild<QLabel*>(), Qt::LeftButton);
        QCOMPARE(row->editor()->text(), QStringLiteral("false"));
        QCOMPARE(edited.size(), 1);
    }

    void offIsAnEmptyFieldToTypeInto()
    {
        Form form;
        form.rows->setTexts(textsOf({}));
        for (const char* key : { "optimizer.clip_norm", "optimizer.ema", "run.limit_steps" }) {
            const auto* field =
                qobject_cast<QLineEdit*>(form.rows->editor(key)->focusWidgetOfField());
            QVERIFY2(field->text().isEmpty() && !field->placeholderText().isEmpty(), key);
            QCOMPARE(form.rows->editor(key)->text(), QStringLiteral("0"));
        }
    }
};

QTEST_MAIN(TestFormRows)
#include "tst_form_rows.moc"
