// SPDX-License-Identifier: Apache-2.0
#include "ui/window/device_loss.h"

#include <QAbstractButton>
#include <QMessageBox>
#include <QPushButton>

#include "tests/support/waiting.h"
#include "tests/ui/window/window_test.h"
#include "ui/draft/experiment_draft.h"
#include "ui/train/experiment_form.h"
#include "ui/train/train_page.h"
#include "ui/widgets/inline_message.h"
#include "ui/window/window_closing.h"

using namespace accrue;

class TestDeviceLoss : public WindowTest {
    Q_OBJECT
private:
    static FakeEngineOptions withCard()
    {
        FakeEngineOptions options;
        options.devices.push_back({ .id = "cuda:0",
            .name = "Fake card",
            .totalBytes = std::int64_t { 8 } << 30,
            .freeBytes = -1,
            .detail = Message::plain("sm_90") });
        return options;
    }

    // A run whose third step fails, and its device with it.
    void loseTheCard()
    {
        FakeEngineOptions options = withCard();
        options.failAtStep = 3;
        options.losesDevice = true;
        engine().setOptions(options);
        m_backend->controller.start(requireResolved(m_window->draft().experiment()), {});
        QTRY_VERIFY(!m_backend->controller.isActive());
    }

    void answerYes() const
    {
        const QMessageBox* question = m_window->closing().question();
        for (QAbstractButton* button : question->buttons())
            if (button != question->escapeButton())
                return button->click();
    }

    InlineMessage& message() const { return *m_window->deviceLoss().message(); }

private Q_SLOTS:
    void aRunThatFailsOtherwiseSaysNothingOfIt()
    {
        FakeEngineOptions options = withCard();
        options.failAtStep = 3;
        engine().setOptions(options);
        m_backend->controller.start(requireResolved(m_window->draft().experiment()), {});
        QTRY_VERIFY(!m_backend->controller.isActive() && !logged().empty());
        QVERIFY(message().isHidden());
    }

    void aLostDeviceIsSaidAndOffersToResumeItsRun()
    {
        loseTheCard();
        QTRY_VERIFY(message().isVisible());
        QVERIFY2(message().text().startsWith("cuda:0 (Fake card) has failed"),
            qPrintable(message().text()));
        QCOMPARE(message().button()->text(), QStringLiteral("Re&start and resume run #1"));
        QCOMPARE(logged().front().outcome, std::optional(RunOutcome::Failed));
    }

    void nothingElseIsStartedOnIt()
    {
        loseTheCard();
        QTRY_VERIFY(!m_window->train().action("train.start")->isEnabled());
        const QString why = m_window->train().action("train.start")->toolTip();
        QVERIFY2(why.contains("estart Accrue to use it again"), qPrintable(why));
        m_window->draft().applyFix({ Message(), { "run.device=cpu" } });
        QTRY_VERIFY(m_window->train().action("train.start")->isEnabled());
    }

    void theButtonClosesTheWindowForTheRestart()
    {
        loseTheCard();
        QTRY_VERIFY(message().isVisible());
        QVERIFY(!m_window->deviceLoss().restarts());
        message().button()->click();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_window->deviceLoss().restarts());
        QVERIFY(m_window->deviceLoss().run() == RunId { 1 });
    }

    void whereTheWindowStaysTheButtonComesBack()
    {
        loseTheCard();
        QTRY_VERIFY(message().isVisible());
        engine().setOptions({ .held = true, .devices = withCard().devices });
        Experiment onCpu = m_window->draft().experiment();
        onCpu.run.device = "cpu";
        m_backend->controller.start(requireResolved(onCpu), {});
        QTRY_VERIFY(isTraining());
        message().button()->click();
        QVERIFY(m_window->closing().question() != nullptr); // about the run
        QVERIFY(m_window->isVisible());
        m_window->closing().question()->escapeButton()->click(); // stay
        QTRY_VERIFY(message().isVisible());
        QVERIFY(!m_window->deviceLoss().restarts());

        message().button()->click();
        answerYes();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_window->deviceLoss().restarts());
        QVERIFY(m_window->deviceLoss().run() == RunId { 1 }); // not the one on the CPU
    }

    void aRunThatEndedBeforeIsNotTheOneThatWasLost()
    {
        train("first");
        FakeEngineOptions options = withCard();
        options.failToStart = true;
        options.losesDevice = true;
        engine().setOptions(options);
        m_backend->fits.start({ m_window->draft().experiment(), {} });
        QTRY_VERIFY(message().isVisible());
        QCOMPARE(message().button()->text(), QStringLiteral("Re&start Accrue"));
    }

    void theNextStartGoesOnWithTheRun()
    {
        train("first");
        engine().setOptions({ .failAtStep = 3 });
        m_backend->controller.start(requireResolved(m_window->draft().experiment()), {});
        QTRY_COMPARE(logged().size(), std::size_t { 2 });
        QTRY_VERIFY(!m_backend->controller.isActive());
        shut();
        engine().setOptions({});
        open();
        m_window->resume(RunId { 2 });
        QTRY_VERIFY(logged().back().outcome == RunOutcome::Completed
            || logged().front().outcome == RunOutcome::Completed);
        QTRY_COMPARE(m_backend->controller.run(), std::optional(RunId { 2 }));
        QVERIFY(m_window->page().id() == m_window->train().id());
    }
};

QTEST_MAIN(TestDeviceLoss)
#include "tst_device_loss.moc"
