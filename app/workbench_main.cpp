// SPDX-License-Identifier: Apache-2.0
#include "engine/door/loader.h"
#include "ui/window/workbench.h"

int main(int argc, char** argv)
{
    accrue::prepareProcessForEngine();
    return accrue::runWorkbench(argc, argv);
}
