// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/workbench.h"

int main(int argc, char** argv)
{
    return accrue::runWorkbench(argc, argv);
}
