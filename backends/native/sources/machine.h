// What the machine and its own loops share.
#pragma once
#include "loops.h"
#include <fenv.h>
#include <stdint.h>
