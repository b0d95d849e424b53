// SPDX-License-Identifier: Apache-2.0
#include "ui/actions/command_palette.h"

#include <QLineEdit>
#include <QListView>
#include <QTest>
#include <QVBoxLayout>

#include <memory>

using namespace accrue;

class TestCommandPalette : public QObject {
    Q_OBJECT
private:
    std::vector<PaletteEntry> entries()
    {
        const auto entry = [this](const char* text, const char* detail, bool enabled) {
            const QString title = QString::fromLatin1(text);
            return PaletteEntry { title, QString::fromLatin1(detail), {}, {}, enabled,
                [this, title] { m_done = title; } };
        };
        return { entry("Pause", "No run trains.", false), entry("Start", "Train", true),
            entry("Export series as CSV", "Runs", true), entry("lenet5-mnist #12", "Run", true) };
    }

    QString shown(int row) const
    {
        return m_palette->list()->model()->index(row, 0).data().toString();
    }
    int count() const { return m_palette->list()->model()->rowCount(); }
    void press(Qt::Key key) { QTest::keyClick(m_palette->field(), key); }

    std::unique_ptr<QWidget> m_window;
    QLineEdit* m_before = nullptr;
    CommandPalette* m_palette = nullptr;
    QString m_done;

private Q_SLOTS:
    void init()
    {
        m_done.clear();
        m_window = std::make_unique<QWidget>();
        m_window->resize(1024, 700);
        m_before = new QLineEdit(m_window.get());
        m_palette = new CommandPalette([this] { return entries(); }, m_window.get());
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_before->setFocus();
        m_palette->open();
        QVERIFY(m_palette->field()->hasFocus());
    }

    void whatCanBeDoneStandsFirst()
    {
        QCOMPARE(count(), 4);
        QCOMPARE(shown(0), QStringLiteral("Start"));
        QCOMPARE(shown(3), QStringLiteral("Pause"));
    }

    void wordsInAnyOrderFind()
    {
        QTest::keyClicks(m_palette->field(), QStringLiteral("csv exp"));
        QCOMPARE(count(), 1);
        QCOMPARE(shown(0), QStringLiteral("Export series as CSV"));
    }

    void enterDoesItAndTheKeyboardReturns()
    {
        QTest::keyClicks(m_palette->field(), QStringLiteral("mnist"));
        press(Qt::Key_Return);
        QCOMPARE(m_done, QStringLiteral("lenet5-mnist #12"));
        QVERIFY(!m_palette->isVisible());
        QVERIFY(m_before->hasFocus());
    }

    void arrowsChoose()
    {
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QCOMPARE(m_done, QStringLiteral("Export series as CSV"));
    }

    void whatCannotBeDoneIsNotDone()
    {
        QTest::keyClicks(m_palette->field(), QStringLiteral("pause"));
        press(Qt::Key_Return);
        QCOMPARE(m_done, QString());
        QVERIFY(m_palette->isVisible());
        QCOMPARE(static_cast<PaletteModel*>(m_palette->list()->model())->entry(0).detail,
            QStringLiteral("No run trains."));
    }

    void escapeAndAPressElsewhereClose()
    {
        press(Qt::Key_Escape);
        QVERIFY(!m_palette->isVisible());
        QVERIFY(m_before->hasFocus());
        m_palette->open();
        QTest::mouseClick(m_window.get(), Qt::LeftButton, {}, { 5, 690 });
        QVERIFY(!m_palette->isVisible());
    }

    void aClickOnALineDoesIt()
    {
        const QRect line = m_palette->list()->visualRect(m_palette->list()->model()->index(1, 0));
        QTest::mouseClick(m_palette->list()->viewport(), Qt::LeftButton, {}, line.center());
        QCOMPARE(m_done, QStringLiteral("Export series as CSV"));
    }
};

QTEST_MAIN(TestCommandPalette)
#include "tst_command_palette.moc"
