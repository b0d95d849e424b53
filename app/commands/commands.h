// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/console.h"

namespace accrue {

// One function per command, as command_table.h lists them; each returns the exit code. They may
// throw CommandEnd, which says nothing, and Error and std::filesystem::filesystem_error, whose
// messages runCommandLine prints.

int trainCommand(const Arguments& arguments, Console& console);
int resumeCommand(const Arguments& arguments, Console& console);
int explainCommand(const Arguments& arguments, Console& console);
int fitCommand(const Arguments& arguments, Console& console);
int scaleCommand(const Arguments& arguments, Console& console);
int equivalenceCommand(const Arguments& arguments, Console& console);
int evaluateCommand(const Arguments& arguments, Console& console);

int queueCommand(const Arguments& arguments, Console& console); // list and changes
int workCommand(const Arguments& arguments, Console& console);

int sweepCommand(const Arguments& arguments, Console& console);

int listCommand(const Arguments& arguments, Console& console);
int showCommand(const Arguments& arguments, Console& console);
int compareCommand(const Arguments& arguments, Console& console);
int reportCommand(const Arguments& arguments, Console& console);
int summaryCommand(const Arguments& arguments, Console& console);
int memoryCommand(const Arguments& arguments, Console& console);
int exportCommand(const Arguments& arguments, Console& console);
int exportToTensorBoard(const Arguments& arguments, Console& console); // export --tensorboard
int importCommand(const Arguments& arguments, Console& console);
int archiveCommand(const Arguments& arguments, Console& console); // and unarchive
int renameCommand(const Arguments& arguments, Console& console);
int noteCommand(const Arguments& arguments, Console& console);
int tagCommand(const Arguments& arguments, Console& console);
int pruneCommand(const Arguments& arguments, Console& console);

int recipesCommand(const Arguments& arguments, Console& console); // list and show
int keysCommand(const Arguments& arguments, Console& console);
int completionCommand(const Arguments& arguments, Console& console);
int manCommand(const Arguments& arguments, Console& console);
int dataCommand(const Arguments& arguments, Console& console); // list and get
int doctorCommand(const Arguments& arguments, Console& console);
int selfTestCommand(const Arguments& arguments, Console& console);
int versionCommand(const Arguments& arguments, Console& console);

} // namespace accrue
