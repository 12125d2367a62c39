// Symbols that are looked up by name from outside.
#pragma once
#define EXPORT __attribute__((visibility("default")))
