// SPDX-License-Identifier: Apache-2.0
// Linked to one of the fake engines, but never where the loader would find it.
__attribute__((visibility("default"))) int whatAnotherLibraryHas();

int whatAnotherLibraryHas()
{
    return 1;
}
