// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QSettings>
#include <QTemporaryDir>

#include <memory>

#include "ui/actions/action_registry.h"

namespace accrue {

inline const QKeySequence kF5(Qt::Key_F5);
inline const QKeySequence kF6(Qt::Key_F6);
inline const QKeySequence kF8(Qt::Key_F8);

// A registry with the actions "run" (F5) and "pause" (F6), as after a start of the program.
class RegistryOfTwo {
public:
    RegistryOfTwo() { start(); }

    // What was stored remains; everything else is made again.
    void start()
    {
        m_registry.reset(); // before its actions
        m_settings = std::make_unique<QSettings>(
            m_folder.filePath(QStringLiteral("workbench.ini")), QSettings::IniFormat);
        m_run = std::make_unique<QAction>(QStringLiteral("&Start…"));
        m_run->setShortcut(kF5);
        m_run->setToolTip(QStringLiteral("Start training (F5)"));
        m_pause = std::make_unique<QAction>(QStringLiteral("Pause"));
        m_pause->setShortcut(kF6);
        m_registry = std::make_unique<ActionRegistry>(*m_settings);
        m_registry->add(QStringLiteral("run"), QStringLiteral("Train"), m_run.get());
        m_registry->add(QStringLiteral("pause"), QStringLiteral("Train"), m_pause.get());
    }

    ActionRegistry& registry() { return *m_registry; }
    QSettings& settings() { return *m_settings; }
    QAction& run() { return *m_run; }
    QAction& pause() { return *m_pause; }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<QAction> m_run;
    std::unique_ptr<QAction> m_pause;
    std::unique_ptr<ActionRegistry> m_registry;
};

} // namespace accrue
