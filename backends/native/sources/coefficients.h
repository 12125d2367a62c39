// Written by `python tests/kernel_coefficients.py`.
#pragma once

// exp and log
#define LOG2_HI 0x1.62e42fefa4000p-1
#define LOG2_LO -0x1.8432a1b0e2634p-43
#define LOG2_INVERSE 0x1.71547652b82fep+0
// exp(r) = 1 + r + r^2 EXP(r), |r| <= log(2) / 2, relative to exp(r) / r^2: error 3.4e-19
static const double EXP[11] = {0x1.0000000000000p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.11111111100dfp-7,
    0x1.6c16c16c162d6p-10, 0x1.a01a01abe6323p-13, 0x1.a01a01a6d7831p-16, 0x1.71de0237484cdp-19, 0x1.27e4db67ac2b0p-22,
    0x1.af4ddda1c08cdp-26, 0x1.1f72fc83bcbc7p-29};
// log((1 + s) / (1 - s)) = 2 s + s z LOG(z), z = s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1), relative to 2 / z: error 5.5e-19
static const double LOG[9] = {0x1.5555555555555p-1, 0x1.9999999999998p-2, 0x1.2492492492959p-2, 0x1.c71c71c64c8c3p-3,
    0x1.745d17d353835p-3, 0x1.3b137b3463734p-3, 0x1.111d27415aa5ap-3, 0x1.debedb2d30f49p-4, 0x1.e6afccd2df7b4p-4};
