// SPDX-License-Identifier: Apache-2.0
#include "engine/door/loader.h"
#include "ui/window/workbench.h"

int main(int argc, char** argv)
{
    // First: it must precede any thread and any file (loader.h).
    accrue::prepareProcessForEngine();
    return accrue::runWorkbench(argc, argv);
}
