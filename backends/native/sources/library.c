// What the library says of itself.
#include "export.h"

EXPORT const char *wirtinger_sources(void) { return SOURCES; }
