// Written by `python tests/kernel_coefficients.py`.
#pragma once

// Two rows of 16 numbers for `lookups.h`: one after the other, or by turns.
#ifdef __AVX512F__
#define TWO_ROWS(...) {__VA_ARGS__}
#else
#define TWO_ROWS( \
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, \
    b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15) \
    {a0, b0, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7, \
     a8, b8, a9, b9, a10, b10, a11, b11, a12, b12, a13, b13, a14, b14, a15, b15}
#endif

// exp and log
#define LOG2_HI 0x1.62e42fefa4000p-1
#define LOG2_LO -0x1.8432a1b0e2634p-43
#define LOG2_INVERSE 0x1.71547652b82fep+0
#define LOG2_E_HI 0x1.71547652b82fep+0
#define LOG2_E_LO 0x1.777d0ffda0d24p-56
#define LOG10_E_HI 0x1.bcb7b1526e50ep-2
#define LOG10_E_LO 0x1.95355baaafad3p-57
// exp(r) = 1 + r + r^2 EXP(r), |r| <= log(2) / 2, relative to exp(r) / r^2: error 2.2e-19
static const double EXP_LOW[2] = {0x1.4950f3cc3a699p-55, -0x1.277d6345f795dp-61}, EXP[11] = {0x1.0000000000000p-1,
    0x1.5555555555561p-3, 0x1.5555555555394p-5, 0x1.111111110d368p-7, 0x1.6c16c16c7e9a1p-10, 0x1.a01a01bc46530p-13,
    0x1.a01a0046b5a94p-16, 0x1.71dddc462c21ep-19, 0x1.27e7074380f06p-22, 0x1.af8b54eea0471p-26, 0x1.1cd6490858043p-29};
// h coth(h) = 1 + z COTH(z), z = h^2, |h| <= log(2) / 4, relative to 1 / (z h): error 2.0e-19
static const double COTH_LOW[2] = {0x1.1fcf64bc3e040p-56, -0x1.f36209c9378f0p-60}, COTH[5] = {0x1.5555555555540p-2,
    -0x1.6c16c16befcf1p-6, 0x1.1566aafee857fp-9, -0x1.bbd4387b83f6bp-13, 0x1.6380d4246e3b7p-16};
// log((1 + s) / (1 - s)) = 2 s + s z LOG(z), z = s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1), relative to 2 / z: error 2.4e-22
static const double LOG_LOW[2] = {0x1.6468d9e1e1ec9p-55, -0x1.aa08bd325daffp-56}, LOG[9] = {0x1.5555555555555p-1,
    0x1.999999999997ap-2, 0x1.249249249554ap-2, 0x1.c71c71c276b29p-3, 0x1.745d195058467p-3, 0x1.3b1324c2f6955p-3,
    0x1.11288e86a18dfp-3, 0x1.dd2006231e569p-4, 0x1.f2f57c024f582p-4};
// the same for numbers of 53 bits: error 4.1e-18
static const double LOG_SHORT_LOW[2] = {-0x1.da7d859e72699p-55, -0x1.2a4821a41b565p-56}, LOG_SHORT[7] = {
    0x1.5555555555575p-1, 0x1.999999998a599p-2, 0x1.24924938875acp-2, 0x1.c71c599a29f49p-3, 0x1.7464bd893a143p-3,
    0x1.39c6e71ddb4cfp-3, 0x1.2da1eef59c220p-3};
// the same for |s| <= 1 / 3: error 4.2e-18
static const double LOG_WIDE_LOW[2] = {-0x1.5fa522881a599p-60, -0x1.9535df34ce6a5p-65}, LOG_WIDE[10] = {
    0x1.555555555554dp-1, 0x1.999999999c58bp-2, 0x1.24924922552a6p-2, 0x1.c71c7362ff539p-3, 0x1.745cc8ad3cc08p-3,
    0x1.3b1c7fd91612cp-3, 0x1.10757094e377bp-3, 0x1.ef38b8bcf977ap-4, 0x1.5795a87d61ff5p-4, 0x1.5b60e2e8e7a31p-3};
// log((1 + q/2) / (1 - q/2)) = q + q z LOG_QUOTIENT(z), z = q^2, |q| <= 2/5, relative to 1 / z: error 2.9e-19
static const double LOG_QUOTIENT_LOW[2] = {-0x1.8a4aeaa8b6fd4p-58, 0x1.e3481b8660108p-61}, LOG_QUOTIENT[8] = {
    0x1.555555555554fp-4, 0x1.999999999c23cp-7, 0x1.24924921e3b51p-9, 0x1.c71c7489061c8p-12, 0x1.745c4dc5fe3f0p-14,
    0x1.3b353f30bff6ep-16, 0x1.0dd5d5f3a4f7fp-18, 0x1.1b334f1f11c08p-20};
#define LOG2_16TH_HI 0x1.62e42fefa39efp-5
#define LOG2_16TH_LO 0x1.abc9e3b39803fp-60
// numbers of which the bits are those of 2^(j / 16) less j 2^48, and what 2^(j / 16) is more, relative to it
static const double POWERS[1][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.0000000000000p+0, 0x1.fb5586cf9890fp-1, 0x1.f72b83c7d517bp-1, 0x1.f387a6e756238p-1,
    0x1.f06fe0a31b715p-1, 0x1.edea64c123422p-1, 0x1.ebfdad5362a27p-1, 0x1.eab07dd485429p-1, 0x1.ea09e667f3bcdp-1,
    0x1.ea11473eb0187p-1, 0x1.eace5422aa0dbp-1, 0x1.ec49182a3f090p-1, 0x1.ee89f995ad3adp-1, 0x1.f199bdd85529cp-1,
    0x1.f5818dcfba487p-1, 0x1.fa4afa2a490dap-1, 0x0.0p+0, 0x1.79aa65d837b6cp-54, -0x1.01b15eaa59348p-55,
    0x1.68efde3a8a893p-54, 0x1.34d754db0abb6p-55, 0x1.59f48a72a4c6cp-55, 0x1.690cebb7aafb0p-56, 0x1.063e1e21c5409p-54,
    -0x1.3b3efbf5e2229p-54, -0x1.b32dcb94da51dp-56, 0x1.db72fc1f0eab4p-55, 0x1.1affc2b91ce27p-56,
    0x1.c1a7792cb3386p-55, 0x1.36eae30af0cb3p-56, 0x1.4a385a63d07a7p-56, -0x1.ff7128fd391f1p-55),
};
// exp(r) = 1 + r + r^2 EXP_NEAR(r), |r| <= log(2) / 32, relative to exp(r) / r^2: error 3.0e-17
static const double EXP_NEAR_LOW[2] = {-0x1.c47b36d95aeb7p-56, -0x1.f73e18e377e0fp-58}, EXP_NEAR[5] = {
    0x1.0000000000871p-1, 0x1.55555554910b9p-3, 0x1.5555547fa378cp-5, 0x1.11123f1f2e929p-7, 0x1.6caccb91c6530p-10};
// the same, relative to 1 / r: error 3.1e-18
static const double EXPM1_NEAR_LOW[2] = {0x1.a94b51d57c7f8p-55, -0x1.2ef9ed173db52p-59}, EXPM1_NEAR[6] = {
    0x1.0000000000006p-1, 0x1.5555555555428p-3, 0x1.555555544aec2p-5, 0x1.1111112a04ef2p-7, 0x1.6c186701a3e9ap-10,
    0x1.9ffb2ab930512p-13};
#define LOG2_16TH_38_HI 0x1.62e42fefa0000p-5
#define LOG2_16TH_38_LO 0x1.cf79abc9e3b3ap-44
// c, and -log(c) - j log(2) / 16 as the sum of a multiple of 2^-42 and a number
static const double LOGARITHMS_BESIDE[2][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.0000000000000p+0, 0x1.e000000000000p-1, 0x1.c800000000000p-1, 0x1.b000000000000p-1,
    0x1.9800000000000p-1, 0x1.8800000000000p-1, 0x1.7800000000000p-1, 0x1.6800000000000p-1, 0x1.5800000000000p-1,
    0x1.4800000000000p-1, 0x1.3800000000000p-1, 0x1.3000000000000p-1, 0x1.2800000000000p-1, 0x1.1800000000000p-1,
    0x1.1000000000000p-1, 0x1.0800000000000p-1, 0x0.0p+0, 0x1.5b9dcd8840000p-6, 0x1.de39192280000p-6,
    0x1.47238b0628000p-5, 0x1.b87d3cdac8000p-5, 0x1.9d525165c0000p-5, 0x1.8fd01bfbc0000p-5, 0x1.9126cfc0b8000p-5,
    0x1.a2b0220c90000p-5, 0x1.c5f73435e8000p-5, 0x1.fcc27860c0000p-5, 0x1.6ea8d38450000p-5, 0x1.cc78036d20000p-6,
    0x1.4a923e7240000p-5, 0x1.aa4aa7bc60000p-6, 0x1.9b3d5def80000p-7),
    TWO_ROWS(0x0.0p+0, 0x1.d0eede75f60bcp-44, 0x1.966351d5a9eb3p-45, -0x1.b82d930b4d7b3p-44, 0x1.2308a7da0687bp-45,
    0x1.19731f15dfd25p-48, 0x1.84134c1cc4bfep-44, 0x1.d8b2e6b57d73ep-44, -0x1.a0b359c652090p-45, 0x1.ce040fb8d8c47p-45,
    0x1.92cfa551e39e4p-50, -0x1.6d18b38acebefp-44, 0x1.32fa5cd8015c4p-45, -0x1.464cbaebf0841p-44,
    0x1.1380975af7b77p-45, 0x1.037877e5f3648p-44, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0,
    0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0, 0x0.0p+0),
};
// log(1 + f) = f + f^2 LOG_NEAR(f), -17/512 <= f <= 67/2048, relative to 1 / f: error 1.2e-18
static const double LOG_NEAR_LOW[2] = {0x1.748eb5626d5ecp-62, -0x1.eeb08d54c886ap-56}, LOG_NEAR[9] = {
    -0x1.0000000000001p-1, 0x1.5555555555518p-2, -0x1.fffffffff2569p-3, 0x1.9999999b697c7p-3, -0x1.5555560efe988p-3,
    0x1.249230d28a933p-3, -0x1.fff8ce966c3c4p-4, 0x1.c806c25fb4750p-4, -0x1.a5bdf311d7be7p-4};

// trigonometric functions
#define HALF_PI_0 0x1.921fb54442d18p+0
#define HALF_PI_1 0x1.1a62633145c07p-54
#define HALF_PI_2 -0x1.f1976b7ed8fbcp-110
#define HALF_PI_34_1 0x1.1a62633100000p-54
#define HALF_PI_34_2 0x1.1701b839a2520p-88
#define TWO_OVER_PI_HI 0x1.45f306dc9c883p-1
#define TWO_OVER_PI_LO -0x1.6b01ec5417056p-55
// sin(r) = r + r z SIN(z), z = r^2 <= 0.84^2: error 2.3e-21
static const double SIN_LOW[2] = {-0x1.555555530c922p-57, 0x1.09dbf5325544cp-63}, SIN[8] = {-0x1.5555555555555p-3,
    0x1.1111111111111p-7, -0x1.a01a01a01a016p-13, 0x1.71de3a556bc33p-19, -0x1.ae64567d7a29fp-26, 0x1.61245e9002548p-33,
    -0x1.ae7b027f00873p-41, 0x1.91ab2aef5141fp-49};
// cos(r) = 1 - z / 2 + z^2 COS(z): error 5.7e-21
static const double COS_LOW[2] = {0x1.555553dc80b20p-59, -0x1.6675fb5584dccp-65}, COS[7] = {0x1.5555555555555p-5,
    -0x1.6c16c16c16c16p-10, 0x1.a01a01a019b79p-16, -0x1.27e4fb76cf412p-22, 0x1.1eed8d6702ea3p-29,
    -0x1.9393e18e22069p-37, 0x1.aafae409fcec6p-45};
// the sine and the cosine of j pi / 8, and what they are more
static const double CIRCLE[2][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x0.0p+0, 0x1.87de2a6aea963p-2, 0x1.6a09e667f3bcdp-1, 0x1.d906bcf328d46p-1, 0x1.0000000000000p+0,
    0x1.d906bcf328d46p-1, 0x1.6a09e667f3bcdp-1, 0x1.87de2a6aea963p-2, 0x0.0p+0, -0x1.87de2a6aea963p-2,
    -0x1.6a09e667f3bcdp-1, -0x1.d906bcf328d46p-1, -0x1.0000000000000p+0, -0x1.d906bcf328d46p-1, -0x1.6a09e667f3bcdp-1,
    -0x1.87de2a6aea963p-2, 0x1.0000000000000p+0, 0x1.d906bcf328d46p-1, 0x1.6a09e667f3bcdp-1, 0x1.87de2a6aea963p-2,
    0x0.0p+0, -0x1.87de2a6aea963p-2, -0x1.6a09e667f3bcdp-1, -0x1.d906bcf328d46p-1, -0x1.0000000000000p+0,
    -0x1.d906bcf328d46p-1, -0x1.6a09e667f3bcdp-1, -0x1.87de2a6aea963p-2, 0x0.0p+0, 0x1.87de2a6aea963p-2,
    0x1.6a09e667f3bcdp-1, 0x1.d906bcf328d46p-1),
    TWO_ROWS(0x0.0p+0, -0x1.72cedd3d5a610p-57, -0x1.bdd3413b26456p-55, 0x1.457e610231ac2p-56, 0x0.0p+0,
    0x1.457e610231ac2p-56, -0x1.bdd3413b26456p-55, -0x1.72cedd3d5a610p-57, 0x0.0p+0, 0x1.72cedd3d5a610p-57,
    0x1.bdd3413b26456p-55, -0x1.457e610231ac2p-56, 0x0.0p+0, -0x1.457e610231ac2p-56, 0x1.bdd3413b26456p-55,
    0x1.72cedd3d5a610p-57, 0x0.0p+0, 0x1.457e610231ac2p-56, -0x1.bdd3413b26456p-55, -0x1.72cedd3d5a610p-57, 0x0.0p+0,
    0x1.72cedd3d5a610p-57, 0x1.bdd3413b26456p-55, -0x1.457e610231ac2p-56, 0x0.0p+0, -0x1.457e610231ac2p-56,
    0x1.bdd3413b26456p-55, 0x1.72cedd3d5a610p-57, 0x0.0p+0, -0x1.72cedd3d5a610p-57, -0x1.bdd3413b26456p-55,
    0x1.457e610231ac2p-56),
};
// the sine and the cosine of j pi / 16, and what they are more
static const double HALF_CIRCLE[2][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x0.0p+0, 0x1.8f8b83c69a60bp-3, 0x1.87de2a6aea963p-2, 0x1.1c73b39ae68c8p-1, 0x1.6a09e667f3bcdp-1,
    0x1.a9b66290ea1a3p-1, 0x1.d906bcf328d46p-1, 0x1.f6297cff75cb0p-1, 0x1.0000000000000p+0, 0x1.f6297cff75cb0p-1,
    0x1.d906bcf328d46p-1, 0x1.a9b66290ea1a3p-1, 0x1.6a09e667f3bcdp-1, 0x1.1c73b39ae68c8p-1, 0x1.87de2a6aea963p-2,
    0x1.8f8b83c69a60bp-3, 0x1.0000000000000p+0, 0x1.f6297cff75cb0p-1, 0x1.d906bcf328d46p-1, 0x1.a9b66290ea1a3p-1,
    0x1.6a09e667f3bcdp-1, 0x1.1c73b39ae68c8p-1, 0x1.87de2a6aea963p-2, 0x1.8f8b83c69a60bp-3, 0x0.0p+0,
    -0x1.8f8b83c69a60bp-3, -0x1.87de2a6aea963p-2, -0x1.1c73b39ae68c8p-1, -0x1.6a09e667f3bcdp-1, -0x1.a9b66290ea1a3p-1,
    -0x1.d906bcf328d46p-1, -0x1.f6297cff75cb0p-1),
    TWO_ROWS(0x0.0p+0, -0x1.26d19b9ff8d82p-57, -0x1.72cedd3d5a610p-57, 0x1.b25dd267f6600p-55, -0x1.bdd3413b26456p-55,
    0x1.9f630e8b6dac8p-60, 0x1.457e610231ac2p-56, 0x1.562172a361fd3p-56, 0x0.0p+0, 0x1.562172a361fd3p-56,
    0x1.457e610231ac2p-56, 0x1.9f630e8b6dac8p-60, -0x1.bdd3413b26456p-55, 0x1.b25dd267f6600p-55,
    -0x1.72cedd3d5a610p-57, -0x1.26d19b9ff8d82p-57, 0x0.0p+0, 0x1.562172a361fd3p-56, 0x1.457e610231ac2p-56,
    0x1.9f630e8b6dac8p-60, -0x1.bdd3413b26456p-55, 0x1.b25dd267f6600p-55, -0x1.72cedd3d5a610p-57,
    -0x1.26d19b9ff8d82p-57, 0x0.0p+0, 0x1.26d19b9ff8d82p-57, 0x1.72cedd3d5a610p-57, -0x1.b25dd267f6600p-55,
    0x1.bdd3413b26456p-55, -0x1.9f630e8b6dac8p-60, -0x1.457e610231ac2p-56, -0x1.562172a361fd3p-56),
};
// sin(r) = r + r z SIN_NEAR(z), |r| <= pi / 16, relative to 1 / z: error 6.5e-18
static const double SIN_NEAR_LOW[2] = {0x1.345f6118e14a9p-58, 0x1.867b8c55bfc51p-62}, SIN_NEAR[4] = {
    -0x1.55555555554d0p-3, 0x1.1111111087dcep-7, -0x1.a019f7096cd0cp-13, 0x1.718cb3f12e87ap-19};
// cos(r) = 1 + z COS_NEAR(z), relative to 1 / z: error 1.2e-20
static const double COS_NEAR_LOW[2] = {0x1.93fd926772309p-57, -0x1.9da354c9ada16p-59}, COS_NEAR[5] = {
    -0x1.0000000000000p-1, 0x1.555555555538ap-5, -0x1.6c16c16abaed9p-10, 0x1.a019f2db5e86ep-16, -0x1.279a49e61ba4ap-22};
// tan(r) = r + r z TAN_NEAR(z), |r| <= pi / 32, relative to 1 / z: error 5.0e-18
static const double TAN_NEAR_LOW[2] = {0x1.c4c8dc99fbe20p-56, -0x1.653184421a9fap-57}, TAN_NEAR[5] = {
    0x1.55555555556a5p-2, 0x1.1111111051e48p-3, 0x1.ba1ba63e5d02cp-5, 0x1.664927a37efbbp-6, 0x1.264b425408a6dp-7};
static const uint64_t TWO_OVER_PI_BITS[21] = {
    0x0000000000000000ull, 0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull, 0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full, 0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull, 0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull,
    0xf0cfbc209af4361dull};
#define TAN_PI_8 0x1.a827999fcef32p-2
// arctan(t) = t + t z ATAN(z), z = t^2, |t| <= tan(pi / 8), relative to 1 / z: error 1.7e-19
static const double ATAN_LOW[2] = {0x1.a9dc60de4eb53p-56, 0x1.b79177a9a7757p-57}, ATAN[12] = {-0x1.5555555555555p-2,
    0x1.99999999996ddp-3, -0x1.2492492477b97p-3, 0x1.c71c71b7a34a4p-4, -0x1.745d14b1a71adp-4, 0x1.3b136c11be054p-4,
    -0x1.110c438923aafp-4, 0x1.e16d6a2bdd497p-5, -0x1.ab5b191e3ec40p-5, 0x1.7051f4e421028p-5, -0x1.10b29146134d2p-5,
    0x1.eb672ea2b29afp-7};

// error functions
// exp(r) = 1 + r + r^2 EXP_SHORT(r), |r| <= log(2) / 2, relative to exp(r) / r^2: error 1.8e-17
static const double EXP_SHORT_LOW[2] = {-0x1.c319d9d0a7272p-56, 0x1.e5182e0a4cce3p-59}, EXP_SHORT[10] = {
    0x1.000000000000dp-1, 0x1.555555555568cp-3, 0x1.5555555550125p-5, 0x1.11111110b6939p-7, 0x1.6c16c1849cd15p-10,
    0x1.a01a03b77dc8bp-13, 0x1.a0199a533d8e3p-16, 0x1.71d93ddcb9058p-19, 0x1.28ac920b19aa1p-22, 0x1.b705b2676ca51p-26};
#define ERF_DERIVATIVE_HI 0x1.20dd750429b6dp+0
#define ERF_DERIVATIVE_LO 0x1.1ae3a914fed80p-56
#define ERF_WIDTH 0x1.8cccccccccccdp-2
// erf(x) = ERF(x), 0 <= x <= 5.93, pieces [0, 3/8 ERF_WIDTH], and of this width: error 2.1e-17
static const double ERF[7][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x0.0p+0, 0x1.c8d699999999ap-3, 0x1.384b733333333p-1, 0x1.fd97c00000000p-1, 0x1.6661466666666p+0,
    0x1.c62e266666666p+0, 0x1.14df2cccccccdp+1, 0x1.467fc00000000p+1, 0x1.773b500000000p+1, 0x1.aa27333333333p+1,
    0x1.dae1fcccccccdp+1, 0x1.07d479999999ap+2, 0x1.20e9ee6666666p+2, 0x1.38adae6666666p+2, 0x1.528dfe6666666p+2,
    0x1.69a8680000000p+2, 0x0.0p+0, 0x1.fb10225300418p-3, 0x1.39293f94c09dep-1, 0x1.ae7576b7856abp-1,
    0x1.e790492fde251p-1, 0x1.f9cd2254e635ep-1, 0x1.fedcf2b39a61ap-1, 0x1.ffd773cf2bfbep-1, 0x1.fffb8f9173e3dp-1,
    0x1.ffffac3698b42p-1, 0x1.ffffface52521p-1, 0x1.ffffffd05a2f6p-1, 0x1.fffffffe85007p-1, 0x1.fffffffff549dp-1,
    0x1.ffffffffffd68p-1, 0x1.ffffffffffff4p-1),
    TWO_ROWS(0x1.20dd750429b6dp+0, 0x1.12d7e83be4382p+0, 0x1.8e3eb02f6e4efp-1, 0x1.ad1393e04651cp-2,
    0x1.45957a603a8cdp-3, 0x1.8d125a1e360e4p-5, 0x1.577d72bd57990p-7, 0x1.b9db4afade106p-10, 0x1.b66d80377874ap-13,
    0x1.229899e8c68c4p-16, 0x1.3ed342504b02bp-20, 0x1.93cd3700784e3p-25, 0x1.b5c25a3bac83ep-30, 0x1.ab197d69ff30cp-35,
    0x1.bea685062cc1fp-41, 0x1.1357ca4d56e11p-46, 0x1.2f8cd6877a568p-197, -0x1.ea76fb0ec24a3p-3, -0x1.e5d1c64d3b774p-2,
    -0x1.ab0f22afea13dp-2, -0x1.c7cac04f0ba57p-3, -0x1.603b1056a9409p-4, -0x1.737eb2176fd62p-6, -0x1.19c4e0551134ap-8,
    -0x1.414ffd8803163p-11, -0x1.e3be6f7b4bdbdp-15, -0x1.27b64da67933fp-18, -0x1.a026f9415b840p-23,
    -0x1.ee0aab10c826cp-28, -0x1.04d46a07f8e3ap-32, -0x1.2757cc985a5ddp-38, -0x1.84fbede81aa06p-44),
    TWO_ROWS(-0x1.812746b0378a9p-2, -0x1.49fd3f708a3a6p-2, -0x1.0fc8b4d1a047dp-4, 0x1.18af1c3586525p-3,
    0x1.3cdaa89b5f13fp-3, 0x1.5e6d1a987deedp-4, 0x1.de765d624664dp-6, 0x1.ba54d14f73f46p-8, 0x1.27b52ecf782c9p-10,
    0x1.0050a1ad905f0p-13, 0x1.606a41ea65e4bp-17, 0x1.15820434ba712p-21, 0x1.6a9640fd76bc2p-26, 0x1.9fdf40c671237p-31,
    0x1.ff798483cb041p-37, 0x1.689d9a1e2b37fp-42, -0x1.b5567fa924d1cp-188, 0x1.da31eae0d029fp-4, 0x1.6d52c5aca3217p-3,
    0x1.220c3d24544f8p-4, -0x1.176b5b21ae7d2p-5, -0x1.82e29e71de14dp-5, -0x1.89a3d37ca4b30p-6, -0x1.d63873968c509p-8,
    -0x1.7be195d0688aap-10, -0x1.825d8dfa4cb30p-13, -0x1.2e39654288f8ep-16, -0x1.0ca7f0c18c0c9p-20,
    -0x1.849e968c24adcp-25, -0x1.e635dc8795293p-30, -0x1.45e6bf8371187p-35, -0x1.ed3e42c700357p-41),
    TWO_ROWS(0x1.ce2f219f971fbp-4, 0x1.61ad2d1839ce7p-4, -0x1.82e9a17e3eb9bp-6, -0x1.1be251c8127acp-4,
    -0x1.bf84898ca4189p-6, 0x1.01332c96ddfa5p-7, 0x1.8a18a5bd48aa7p-7, 0x1.5b122f7b6022ap-8, 0x1.64bc6a143cb90p-10,
    0x1.b5a3af6bd78d1p-13, 0x1.8ba41cd2a2fafp-16, 0x1.915ee9c11f16dp-20, 0x1.43ac58057a417p-24, 0x1.bbe537acda4efp-29,
    0x1.459e1c1d04149p-34, 0x1.093428ccee56dp-39, 0x1.906fd1ed322edp-180, -0x1.317fd58b12d9dp-5, -0x1.5e5862125ce2bp-5,
    0x1.0d6471665cd7cp-8, 0x1.65da853e9222fp-6, 0x1.049318605ff57p-7, -0x1.28d722d359590p-9, -0x1.536a5f0108a3dp-9,
    -0x1.ee93c0d2a0189p-11, -0x1.7ea66030b4b9fp-13, -0x1.98af91f84a65bp-16, -0x1.dfe340146ee1bp-20,
    -0x1.b33be6b2f99d9p-24, -0x1.490925c2b4047p-28, -0x1.095a82e623567p-33, -0x1.d2ac07e8fe1d4p-39),
    TWO_ROWS(-0x1.b82ce0f47cc91p-6, -0x1.29e4db7d9a2a3p-6, 0x1.ac76b9be8ed85p-7, 0x1.f66dad4a22972p-7,
    -0x1.24a6dcf13b77dp-9, -0x1.82a5625f9566cp-8, -0x1.7fc132a17aff2p-10, 0x1.485dfabccfa0dp-11, 0x1.e8bcf6ab4d378p-12,
    0x1.03ca2405a1f4ap-13, 0x1.530250b00febdp-16, 0x1.d5a78853aa41ap-20, 0x1.e44cd3654ba08p-24, 0x1.9677503f4d448p-28,
    0x1.6a4d754aecf61p-33, 0x1.5932dd70959b1p-38, -0x1.431725bf93896p-173, 0x1.2714984559d57p-7, 0x1.d5e93a0d81a60p-8,
    -0x1.33c044bba551ep-8, -0x1.ff0bd02ae08edp-9, 0x1.de843cff52accp-11, 0x1.4ebd1df344c7ep-10, 0x1.4620667397e19p-13,
    -0x1.2471f1bf1c998p-13, -0x1.0c77ec0947c85p-14, -0x1.c5b73cf1a7dd2p-17, -0x1.7d328ba78f88ap-20,
    -0x1.c558a95832716p-24, -0x1.a9ff5678bbf21p-28, -0x1.a66df9e61f2e3p-33, -0x1.b597073ff9258p-38),
    TWO_ROWS(0x1.5658c6ef422b7p-8, 0x1.94ed360d381b5p-9, -0x1.cc1fd57593b60p-9, -0x1.fde659b1a567bp-10,
    0x1.afb73d9e2686ap-10, 0x1.9d3c5170a5922p-11, -0x1.591b7527a1758p-12, -0x1.b88e0a624355cp-13,
    0x1.d237d896a76b2p-23, 0x1.8693a02172f63p-16, 0x1.e4894cf67c79dp-18, 0x1.01e00ef455b9cp-20, 0x1.68a956d2aaa8bp-24,
    0x1.7ee3309481385p-28, 0x1.aa552153aba55p-33, 0x1.df25e78eff196p-38, 0x1.dab1f82c14113p-168,
    -0x1.c8038ffaccd49p-10, -0x1.c8fddfca14a07p-11, 0x1.43d2ebbc2c813p-10, 0x1.ed7638ed6bd79p-13,
    -0x1.d51aa2dd41972p-12, -0x1.6417dae69642ap-14, 0x1.5193b78835509p-14, 0x1.9da5c2768865cp-16,
    -0x1.1a5d7abfa3cdfp-18, -0x1.8d7986051afc1p-19, -0x1.20b3cf2b25492p-21, -0x1.e71b541e90bb0p-25,
    -0x1.24932d7e9feebp-28, -0x1.730be8a5c8c6ep-33, -0x1.ba2bd211c9058p-38),
    TWO_ROWS(-0x1.bc31ba494e23ap-11, -0x1.cb94bb04ae663p-12, 0x1.8a4935b6fdfadp-11, 0x1.e10edeeda8fffp-15,
    -0x1.68a87d28ebc26p-12, 0x1.0ead8e5134adcp-15, 0x1.7372c765a4c13p-14, -0x1.94ff7dce9f050p-18,
    -0x1.bb773f1fd8b73p-17, -0x1.0638b2c716cbbp-20, 0x1.c4c185badd65dp-21, 0x1.fced5689aef30p-23,
    0x1.0891f568dd406p-25, 0x1.5ec1015d78744p-29, 0x1.016509a9fde34p-33, 0x1.338acc0dbf131p-38,
    -0x1.0255fa6806d95p-163, 0x1.3e362b2b9d7f3p-12, -0x1.4e4faaf0530f8p-14, -0x1.344d6d1cf7b23p-13,
    0x1.403a005ff7567p-14, 0x1.1022ac4871950p-15, -0x1.7a8b7cb9fc589p-16, -0x1.407055ca787aep-18,
    0x1.8f24a76cf1dc8p-19, 0x1.8588e20c774bfp-21, -0x1.0a05bdb69c8b2p-23, -0x1.155cdda309fdep-24,
    -0x1.6092ed0bbd3bbp-27, -0x1.e73192b71c3fap-31, -0x1.a069da1908273p-35, -0x1.d1b3fcc3a1515p-40),
};
#define ROOT_HALF_HI 0x1.6a09e667f3bcdp-1
#define ROOT_HALF_LO -0x1.bdd3413b26456p-55
#define ERFC_SCALE 0x1.2762762762762p+0
// erfc(x) = 2^200 exp(-x^2) ERFC(x), 0 <= x <= 26, pieces by bits of x ERFC_SCALE + 2: error 9.6e-18
static const double ERFC[8][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.c7ad555555555p-3, 0x1.4cd3bbbbbbbbcp-1, 0x1.15e6eeeeeeeefp+0, 0x1.850feeeeeeeefp+0,
    0x1.155d222222222p+1, 0x1.844dccccccccdp+1, 0x1.f73e000000000p+1, 0x1.3217aaaaaaaabp+2, 0x1.8487ddddddddep+2,
    0x1.f549eeeeeeeefp+2, 0x1.311a99999999ap+3, 0x1.69364cccccccdp+3, 0x1.bdbcccccccccdp+3, 0x1.160319999999ap+4,
    0x1.4d87222222222p+4, 0x1.8466800000000p+4, 0x1.951cec81f3d1cp-201, 0x1.17a22e747d4eap-201, 0x1.9f04a766a996cp-202,
    0x1.46053fde7c98fp-202, 0x1.e8ca7ccb333ecp-203, 0x1.6ae2f705f3662p-203, 0x1.1d2f7140e293cp-203,
    0x1.d93fa8811cf00p-204, 0x1.77b1e0a5e2b9dp-204, 0x1.24b077bc2528bp-204, 0x1.e2203f39d57d2p-205,
    0x1.97dd0f054afe2p-205, 0x1.4af56b6d4e678p-205, 0x1.098e294aea958p-205, 0x1.baedf12f77d38p-206,
    0x1.7c77b092c7db6p-206),
    TWO_ROWS(-0x1.8d74bd0c3757fp-201, -0x1.ac5a9c18dce1ap-202, -0x1.fcd1fd78a9899p-203, -0x1.4902958d5e123p-203,
    -0x1.812ff228742c3p-204, -0x1.b4ca30fd5b7ddp-205, -0x1.11da104688674p-205, -0x1.7c224cc2b236cp-206,
    -0x1.e27b4951ce48ep-207, -0x1.26420d6f603c0p-207, -0x1.903313b9eef6ep-208, -0x1.1ed66e6353b9cp-208,
    -0x1.7a394c17ed150p-209, -0x1.e773d06f0d9c3p-210, -0x1.53318977acb1fp-210, -0x1.f4b1f6a7007d9p-211,
    0x1.3cadf975dcfd8p-201, 0x1.18d077495ef8bp-202, 0x1.15af17f9e98d6p-203, 0x1.300a3085d6e79p-204,
    0x1.1dd5e7faebd68p-205, 0x1.f9f5ec64f2ac9p-207, 0x1.0048cdb9f07cap-207, 0x1.2bb843f4b4006p-208,
    0x1.320d50189c92ep-209, 0x1.2595f66e35ef0p-210, 0x1.4a73daaa5dc63p-211, 0x1.91eb0967edda3p-212,
    0x1.af2676739fca7p-213, 0x1.bea723030b0eap-214, 0x1.037505800403dp-214, 0x1.492e0f311aca6p-215),
    TWO_ROWS(-0x1.b3fe612563d43p-202, -0x1.47bf127eb2831p-203, -0x1.148162ba56bbdp-204, -0x1.0543aeac5ddabp-205,
    -0x1.92a8071627576p-207, -0x1.1b050a8cff24cp-208, -0x1.d44ac77442b8bp-210, -0x1.d05c837e3b073p-211,
    -0x1.7fb9236096ca2p-212, -0x1.22bc7c3269b70p-213, -0x1.0f73b1df74daep-214, -0x1.188764a23feadp-215,
    -0x1.ea410a1a2ddc4p-217, -0x1.989a86aed813bp-218, -0x1.8c7aad7d76b8ap-219, -0x1.b078e9fe4cb8dp-220,
    0x1.0c2cf4477e61ep-202, 0x1.5c937f2a01401p-204, 0x1.fe69839e475dep-206, 0x1.a6088b9f83db2p-207,
    0x1.0ed30720945a8p-208, 0x1.32b115e29274bp-210, 0x1.a24b7b98123d0p-212, 0x1.61b826cd9621fp-213,
    0x1.dba5f61c7e8bdp-215, 0x1.1dd16b3c25f68p-216, 0x1.bbb3c803a19f3p-218, 0x1.8626f1d253569p-219,
    0x1.1609cc0922fabp-220, 0x1.75310aabd17fbp-222, 0x1.2e96e2979d7c3p-223, 0x1.1bd9a98c7d4edp-224),
    TWO_ROWS(-0x1.2d0f5b1f86321p-203, -0x1.571eae5948710p-205, -0x1.b98d8d0d1a63cp-207, -0x1.42edfb4e72a46p-208,
    -0x1.5d8a1ebb5fb08p-210, -0x1.42b4bdcec16c6p-212, -0x1.6dc635b5c0194p-214, -0x1.0924719f63553p-215,
    -0x1.238eb99320461p-217, -0x1.16fab3daac808p-219, -0x1.68cf325c4e66ep-221, -0x1.0e4fb338b43dep-222,
    -0x1.3a975c70809b8p-224, -0x1.544ce15f3913cp-226, -0x1.cd58a9e51bf27p-228, -0x1.744b7f300bab7p-229,
    0x1.38e918268e5e8p-204, 0x1.3c1222e132481p-206, 0x1.68ff08375aa4cp-208, 0x1.d70c7eb5fb9e6p-210,
    0x1.b2812df0565f6p-212, 0x1.4a65c42d1594ep-214, 0x1.397a79bea2ec4p-216, 0x1.876b7f7f3fa32p-218,
    0x1.619eff165841dp-220, 0x1.0e66c6a2a448fp-222, 0x1.23f3f5061c3b8p-224, 0x1.753407f1a2d4bp-226,
    0x1.631442dcecd7cp-228, 0x1.35cfaac347089p-230, 0x1.5f4da3cb5cb46p-232, 0x1.e7e4112a11785p-234),
    TWO_ROWS(-0x1.3048d2ec0be00p-205, -0x1.12bacbcaf4472p-207, -0x1.18b324a308903p-209, -0x1.490bc8bc0a461p-211,
    -0x1.04ee280f72428p-213, -0x1.49bd550cd066ap-216, -0x1.07943ca783dd7p-218, -0x1.1caeaa3990e16p-220,
    -0x1.a874f5f6796d9p-223, -0x1.044ac286fda37p-225, -0x1.d62c364c41622p-228, -0x1.00b47345a621dp-229,
    -0x1.8fcdf749992fbp-232, -0x1.199ab86f2efb4p-234, -0x1.0b3571815cb56p-236, -0x1.3f6c70f97526ap-238,
    0x1.170f202f10710p-206, 0x1.c58d88cfb425ep-209, 0x1.a14702b749d7bp-211, 0x1.ba059a7e45f53p-213,
    0x1.2f991b752b024p-215, 0x1.4148ba0d93fd4p-218, 0x1.b34366dfc7d04p-221, 0x1.98433393fd09cp-223,
    0x1.f85b73e6cb967p-226, 0x1.f1c115111fba1p-229, 0x1.78c6290865c51p-231, 0x1.5fe3c8bf3455dp-233,
    0x1.c113f25ce9bedp-236, 0x1.ff1e96f55db28p-239, 0x1.960920069b066p-241, 0x1.a1e87dc24e3c5p-243),
    TWO_ROWS(-0x1.e5c26a54206a9p-208, -0x1.655f1cede7769p-210, -0x1.29b2d7bf2553fp-212, -0x1.1e679fedbb5dep-214,
    -0x1.56fbcc81f9c8bp-217, -0x1.320c5cb18792fp-220, -0x1.61358fdfe4fcfp-223, -0x1.20c484cdd6e04p-225,
    -0x1.28b8c2e082093p-228, -0x1.d8ca50332adecp-232, -0x1.2c7fbfc9104e8p-234, -0x1.e0ac2237d559ap-237,
    -0x1.f7392837e9694p-240, -0x1.cf1e15230b20ap-243, -0x1.3426e097dccc8p-245, -0x1.112714742ef96p-247,
    0x1.9343d58010f8cp-209, 0x1.0deb1b626b95ap-211, 0x1.991c227f3eb5fp-214, 0x1.6704dc822edb8p-216,
    0x1.78f3bbc87bfc4p-219, 0x1.1d5d42d5aa6e6p-222, 0x1.19e9a9fbf0f57p-225, 0x1.9324cb546a63ep-228,
    0x1.59cdb470a7968p-231, 0x1.be2e7be2aaa36p-235, 0x1.dd16fd55936f1p-238, 0x1.47269fe6b5716p-240,
    0x1.194ab0cff950fp-243, 0x1.a2f80227670fep-247, 0x1.d336c2930b6cfp-250, 0x1.64c7dadce7337p-252),
    TWO_ROWS(-0x1.40958b95374d6p-210, -0x1.8824aeb7941bfp-213, -0x1.0f7da00cea5cfp-215, -0x1.b45280d211b6ep-218,
    -0x1.9360fb946cc4ep-221, -0x1.049c30b39b09ap-224, -0x1.bad0c2f55929ap-228, -0x1.15cdd8bde5cddp-230,
    -0x1.8eb984729327ep-234, -0x1.a224e8a454427p-238, -0x1.78de88f73bb13p-241, -0x1.bbb792e84e08ap-244,
    -0x1.395337a2363edp-247, -0x1.7a3b0e7f595b2p-251, -0x1.61b4a65075454p-254, -0x1.d18fd254e3426p-257,
    0x1.e9b89cc9cb407p-212, 0x1.12ddf83435064p-214, 0x1.5ce48bb56fc4ap-217, 0x1.01939096db94cp-219,
    0x1.a5a6325f1e4ebp-223, 0x1.d31d6c3b6ea20p-227, 0x1.55e2173b4ed18p-230, 0x1.79f8730357841p-233,
    0x1.c802debdb5fc0p-237, 0x1.84e1e9ded1631p-241, 0x1.286ca1be53c34p-244, 0x1.2bc96fd30440fp-247,
    0x1.5b7084bc333d2p-251, 0x1.54b3ac3c653efp-255, 0x1.0b59e5d5be682p-258, 0x1.2f85f0947fca3p-261),
    TWO_ROWS(-0x1.70dafb3538b2ep-213, -0x1.7bb0f3e7ad74ep-216, -0x1.ba21cba45fecep-219, -0x1.2c1b44ad53c72p-221,
    -0x1.c21030b2e1cf4p-225, -0x1.a8b4b9a0d03c7p-229, -0x1.0abfe8a736cd4p-232, -0x1.0340005176f4dp-235,
    -0x1.11c59d2b47119p-239, -0x1.76452dd231ac8p-244, -0x1.dcf0ebb2d16f8p-248, -0x1.9c2497e0332a6p-251,
    -0x1.985438429a594p-255, -0x1.3e4f133160b8ap-259, -0x1.9e8802aad1679p-263, -0x1.930405e290affp-266,
    0x1.0e724aad25013p-214, 0x1.f2a690f385c4ep-218, 0x1.0e78940f9c238p-220, 0x1.5459526a4ef20p-223,
    0x1.c16c84fee86f6p-227, 0x1.6f159fc21141bp-231, 0x1.b745a58c13c91p-235, 0x1.66ccefcbf7d5bp-238,
    0x1.362cca278d6d8p-242, 0x1.6ccc66d29942fp-247, 0x1.7459b8a9aab49p-251, 0x1.1c3e88da1722fp-254,
    0x1.e37578435ca9fp-259, 0x1.28bcc68ef88f3p-263, 0x1.433ef12bfc443p-267, 0x1.07ac8f0c95346p-270),
};
// erfc(x) = exp(-x^2) / (x sqrt(pi)) (1 + z ERFC_FAR(z)), z = 1 / x^2, x >= 26, relative to 1 / z: error 6.8e-21
static const double ERFC_FAR_LOW[2] = {-0x1.d8f5a5ebb4cbcp-57, -0x1.b09837c56f7e1p-56}, ERFC_FAR[6] = {
    -0x1.fffffffffffffp-2, 0x1.7ffffffffe4f9p-1, -0x1.dfffffedfdf88p+0, 0x1.a3ffd8516983dp+2, -0x1.d8563f8f9f069p+4,
    0x1.3a569c0b87a40p+7};
// erfcx(x) = q ERFCX(y), x >= 0, y = q - 0.15625, q = 1 / (x + 2): error 1.4e-17
static const double ERFCX_LOW[2] = {-0x1.49f4150e6afb4p-55, -0x1.6a845d04ebe69p-54}, ERFCX[29] = {0x1.9a106de52a9d2p-1,
    0x1.fca1eab068141p+0, 0x1.cbbc6aaf6fa8ap+1, 0x1.d44b327c3e0adp+1, -0x1.53b99fceadbe8p+0, -0x1.333d22708b58bp+3,
    -0x1.e851d7205b12ep+1, 0x1.c0bb0a821237fp+4, 0x1.50ffde7aede56p+4, -0x1.b129d571dcf0cp+6, -0x1.20dc5ba16a6c0p+6,
    0x1.052bfc775f331p+9, 0x1.20f7213b67054p+6, -0x1.5a5cec6841a32p+11, 0x1.fc90bb1ce393fp+10, 0x1.b1619efd638f6p+13,
    -0x1.be9e770b1354ap+14, -0x1.7c8c6e39193aap+15, 0x1.ee45bbb055f0ep+17, -0x1.3d99ab052943fp+16,
    -0x1.6af6f00af92abp+20, 0x1.7ec58b168c106p+21, 0x1.5666a20f2cb49p+21, -0x1.4a478c64aa54cp+24,
    0x1.c3ea418dc3507p+24, 0x1.1c9d434224f14p+24, -0x1.8f87883f3cbfep+26, 0x1.da845c7e52588p+26,
    -0x1.94bdf4cf83a39p+25};
// -erfcx'(x) = q^2 ERFCX_DERIVATIVE(y), x >= 0, y = q - 0.140625, q = 1 / (x + 2): error 3.6e-17
static const double ERFCX_DERIVATIVE_LOW[2] = {0x1.a52247e6c3c5bp-56, -0x1.c91c6460a6a35p-53}, ERFCX_DERIVATIVE[31] = {
    0x1.08e3739e5de52p+0, 0x1.2dd46887b16cep+2, 0x1.7a629117448a7p+3, 0x1.d14087a17aef8p+3, -0x1.2bfecbc3f64e7p+3,
    -0x1.e24d1c32223e6p+5, -0x1.6d02a85f221f7p+4, 0x1.d735ecda26436p+7, 0x1.94e1a3b4b1810p+7, -0x1.18e33c697a0e3p+10,
    -0x1.02021d6ec92bfp+10, 0x1.99c0bc96ccae8p+12, 0x1.a436e2dfa24fep+11, -0x1.5022ec021597fp+15,
    0x1.583d40bad6591p+13, 0x1.155ca6cbaec4bp+18, -0x1.7822d1b0dd102p+18, -0x1.8b11d35804389p+20,
    0x1.3a7164751e463p+22, 0x1.1f1bf65dcf8e4p+22, -0x1.72ad2b6c1fcfcp+25, 0x1.9828463d0be03p+25, 0x1.fd576af076010p+27,
    -0x1.dd4a57e08c7e6p+29, 0x1.1f35755b77af7p+29, 0x1.188442eaf5c05p+32, -0x1.f0e8a320e36a7p+33,
    0x1.a6f7d93417a20p+34, -0x1.a5550eb1c8fd7p+34, 0x1.d80b71f44110dp+33, -0x1.cdef3162bf4ebp+31};
#define NDTR_DERIVATIVE_HI 0x1.9884533d43651p-2
#define NDTR_DERIVATIVE_LO -0x1.cbc0d30ebfd15p-56
// ndtr(-x) = exp(-x^2 / 2) MILLS(t) / (1 + x), t = (x - 4) / (x + 4), x >= 0: error 3.6e-18
static const double MILLS_LOW[2] = {0x1.0381edf725f48p-56, -0x1.a75f926c68fd2p-58}, MILLS[27] = {0x1.e361ea6fba141p-2,
    -0x1.8c18f2086e34ep-4, 0x1.cabd72a60f835p-7, 0x1.d4969f10e04f5p-6, -0x1.07c3c2582b2f4p-5, 0x1.25dd7205f9da6p-6,
    -0x1.47d5fc750bcbcp-8, -0x1.2b7f5df1c292bp-12, 0x1.6c538350597d7p-11, -0x1.8c11b1c4236f0p-14,
    -0x1.707bc4da76614p-14, 0x1.6483c5bd9509cp-16, 0x1.c9427ead6ac3fp-17, -0x1.cc988d5db5804p-19,
    -0x1.5ee70c5f52f69p-19, 0x1.b0cf4750114d9p-22, 0x1.29e4106e240bdp-21, 0x1.1b5c4d6291ae0p-28,
    -0x1.ebcf4e01dca7fp-24, -0x1.8ed6564bccfcbp-26, 0x1.5ca6dc92f32dap-26, 0x1.2e89061565d5cp-27,
    -0x1.6ae9e402702cep-29, -0x1.03cf86a0640acp-29, 0x1.9b52a418c1527p-33, 0x1.ac2220407eb48p-33,
    -0x1.850c081f3b1fbp-40};

// gamma functions
// gammaln(x) = (x - 1) (x - 2) GAMMALN(t), t = x - 2, 1 <= x <= 3: error 5.2e-18
static const double GAMMALN_LOW[2] = {0x1.68955e4274927p-58, -0x1.52b33e6dc827bp-58}, GAMMALN[32] = {
    0x1.b0ee6072093cep-2, -0x1.9ae6509ea109fp-4, 0x1.0e0c9df293534p-5, -0x1.95ce223a9cb90p-7, 0x1.47974853a9cf1p-8,
    -0x1.145121f99ef39p-9, 0x1.dfebcf8ec4e1bp-11, -0x1.a96a400fbfe07p-12, 0x1.7ed7339a6930cp-13,
    -0x1.5c86b68628313p-14, 0x1.402f135ff7774p-15, -0x1.28504f4ee05b8p-16, 0x1.13e3cf966f968p-17,
    -0x1.0230bc0120da8p-18, 0x1.e565432d3010ep-20, -0x1.c9e8d0cfe8a34p-21, 0x1.b104cd890b73bp-22,
    -0x1.9bb69ca68f6cep-23, 0x1.8c3f5dd473944p-24, -0x1.7560d82487c4ep-25, 0x1.461354e52d3d0p-26,
    -0x1.530fbda100a89p-27, 0x1.e7d91ba964835p-28, -0x1.6817ad3e3efc3p-29, -0x1.10b8210719552p-30,
    -0x1.84f27e5305163p-34, 0x1.acc4e34e978ddp-30, -0x1.0a473a373065ap-31, -0x1.edf1bc37546d5p-32,
    0x1.36476f314d8a3p-33, 0x1.00251014fcef8p-33, -0x1.9af6cdfa16495p-35};
// gammaln(x) = (x - 2) GAMMALN_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8: error 1.4e-18
static const double GAMMALN_MIDDLE_LOW[2] = {0x1.2b574e11473e6p-54, -0x1.965aab5eb4fa7p-56}, GAMMALN_MIDDLE[30] = {
    0x1.217c5ece7327cp+0, 0x1.5f4c161fc45cdp-2, -0x1.12aec7b817568p-4, 0x1.2df4b4b773c7bp-6, -0x1.808aa66ae4122p-8,
    0x1.0a14b9e21785cp-9, -0x1.84793ba3ff706p-11, 0x1.265a9c45639ffp-12, -0x1.ca73104bdf958p-14, 0x1.6c88f25e6e589p-15,
    -0x1.26a30575ecf69p-16, 0x1.e290e478e6884p-18, -0x1.8f6e9c10334a6p-19, 0x1.4d8f592360a13p-20,
    -0x1.189d0b9eaf3e4p-21, 0x1.db33423b953e7p-23, -0x1.94e58088e8dffp-24, 0x1.59e88ab6cbf17p-25,
    -0x1.25d176870100ap-26, 0x1.fec28bbc483e6p-28, -0x1.df082a1f6ec7ap-29, 0x1.8c51983f2f32ep-30,
    -0x1.7703a951e4ba8p-32, 0x1.b84758996d4b7p-33, -0x1.44c972f0cb03ap-32, 0x1.c75d048e107aep-34,
    0x1.e478042148610p-35, -0x1.24c3b8953c35ep-36, -0x1.7ad4de92c77fdp-36, 0x1.2a4b5510ae45ep-37};
#define STIRLING_CONSTANT_HI 0x1.d67f1c864beb5p-1
#define STIRLING_CONSTANT_LO -0x1.65b5a1b7ff5dfp-55
// gammaln(x) = (x - 1/2) log(x) - x + log(2 pi) / 2 + u STIRLING(z), u = 1 / x, z = u^2, x >= 8: error 4.3e-20
static const double STIRLING_LOW[2] = {0x1.555541a1aee2bp-58, -0x1.11bd1aa37e717p-63}, STIRLING[8] = {
    0x1.5555555555555p-4, -0x1.6c16c16c16b17p-9, 0x1.a01a019e98726p-11, -0x1.38137e24f9880p-11, 0x1.b94eeb6c355e5p-11,
    -0x1.f5e55d6ed22e2p-10, 0x1.95a12ee367143p-8, -0x1.4ff2f6e8a9416p-6};
#define PSI_ROOT_HI 0x1.762d86356be3fp+0
#define PSI_ROOT_LO 0x1.b86a722197829p-54
// psi(x) = (x - PSI_ROOT) PSI(t), t = x - 2, 1 <= x <= 3: error 4.2e-18
static const double PSI_LOW[2] = {-0x1.c587489979e8bp-56, 0x1.3f6510bbeaa32p-56}, PSI[33] = {0x1.9213d46736ba4p-1,
    -0x1.0aff270ca07a7p-2, 0x1.be76b26db8063p-4, -0x1.95ec0c3ba96dcp-5, 0x1.802924f9a5a3ap-6, -0x1.7389aa80821d1p-7,
    0x1.6bdf5e1adbc54p-8, -0x1.6714cfe777a65p-9, 0x1.64075ff3067d5p-10, -0x1.620f050c2f057p-11, 0x1.60c68d542d5fcp-12,
    -0x1.5fef53f11fd1ap-13, 0x1.5f619913ac402p-14, -0x1.5f02778e48551p-15, 0x1.5ec427724298cp-16,
    -0x1.5eb4aeb591ac3p-17, 0x1.5e9cc8374ce7fp-18, -0x1.5d4a58d42f5cep-19, 0x1.5d25cdef67b8ap-20,
    -0x1.68a266dc38624p-21, 0x1.6901e88c364b4p-22, -0x1.1a510741cb609p-23, 0x1.19ef762b31d75p-24,
    -0x1.53b28acae01cbp-24, 0x1.50ea54cb5c81cp-25, 0x1.8b689061c4b29p-26, -0x1.7a0fa492e1d60p-27,
    -0x1.7f99ea57f617bp-26, 0x1.7335d64d9eab2p-27, 0x1.d2d53cf51f29ep-28, -0x1.c06729c2911b1p-29,
    -0x1.b3a0aef725b98p-30, 0x1.a819debbc60f8p-31};
// psi(x) = PSI_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8: error 3.6e-18
static const double PSI_MIDDLE_LOW[2] = {-0x1.f8e4dd97b4511p-54, 0x1.c2e96b6cdd7dcp-57}, PSI_MIDDLE[30] = {
    0x1.9c7099bff7e1ep+0, 0x1.fe5106d845303p-2, -0x1.fafe9967a60c0p-4, 0x1.4ebb8e8a7b31bp-5, -0x1.efb65abf903e3p-7,
    0x1.86587bd392cc8p-8, -0x1.3f3ec28a39f11p-9, 0x1.0bcb1390d6d4dp-10, -0x1.c95e66db8b182p-12, 0x1.8bb911a963cbbp-13,
    -0x1.59c80ed73a711p-14, 0x1.3072498ee2f0ap-15, -0x1.0da6ee2fe06fbp-16, 0x1.dfea665fafecfp-18,
    -0x1.ac9d7d7a4bb4dp-19, 0x1.801195720ba10p-20, -0x1.59bb37be3fa41p-21, 0x1.36d36f8b96f9fp-22,
    -0x1.121cf0553b840p-23, 0x1.f2ec78c664d5bp-25, -0x1.04b4c4a6a4b97p-25, 0x1.c6c691a0f4b60p-27,
    -0x1.e194bfbca0b76p-30, 0x1.3d63a5c6fb38bp-30, -0x1.ec0cb3b8779c1p-29, 0x1.8e2e45b49350fp-30,
    0x1.b9ce339669a17p-31, -0x1.59bfaf667bb78p-32, -0x1.2c24543752ff0p-32, 0x1.0246b5ce46045p-33};
// psi(x) = log(x) - u / 2 - z PSI_FAR(z), u = 1 / x, z = u^2, x >= 8: error 1.3e-20
static const double PSI_FAR_LOW[2] = {0x1.55554c2f9b804p-58, -0x1.f2833657da9b1p-61}, PSI_FAR[9] = {
    0x1.5555555555555p-4, -0x1.11111111110e8p-7, 0x1.04104103edd94p-8, -0x1.111110bbab8d9p-8, 0x1.f07bb3db75338p-8,
    -0x1.598261d58dcc0p-6, 0x1.5343db9daaa96p-4, -0x1.a38ddd0e3e3f6p-2, 0x1.c31d1336d6d7fp+0};

// modified Bessel functions
// i0(x) = K_I0(z), z = x^2 <= 1: error 1.0e-18
static const double K_I0_LOW[2] = {-0x1.5256467c64154p-74, -0x1.0ebaf9536b342p-56}, K_I0[8] = {0x1.0000000000000p+0,
    0x1.0000000000001p-2, 0x1.ffffffffffdcap-7, 0x1.c71c71c74034cp-12, 0x1.c71c71a52745ap-18, 0x1.234578c3aaf5ap-24,
    0x1.02deb9ca97168p-31, 0x1.57c5299d1d16bp-39};
// i1(x) = x K_I1(z), z = x^2 <= 1: error 9.9e-20
static const double K_I1_LOW[2] = {-0x1.2c5a93e22268bp-78, 0x1.4e5a261631257p-59}, K_I1[8] = {0x1.0000000000000p-1,
    0x1.0000000000000p-4, 0x1.55555555554d8p-9, 0x1.c71c71c72c518p-15, 0x1.6c16c15d03d31p-21, 0x1.845c995865de7p-28,
    0x1.27dc6d7ed968ep-35, 0x1.5724beef859abp-43};
// k0(x) = K0_NEAR(z) - log(x) i0(x), z = x^2 <= 1: error 3.6e-19
static const double K0_NEAR_LOW[2] = {0x1.be096db21405ap-62, 0x1.fdb06582b0370p-58}, K0_NEAR[9] = {
    0x1.dadb014541eb2p-4, 0x1.1dadb014541ebp-2, 0x1.9dadb014541ecp-6, 0x1.bb90e85debe22p-11, 0x1.f4747696e74aep-17,
    0x1.5d6b13a02fe02p-23, 0x1.4c2b7c50fc84ap-30, 0x1.c9f4dda354a32p-38, 0x1.e62f45767063fp-46};
// k1(x) = 1 / x + log(x) i1(x) + x K1_NEAR(z), z = x^2 <= 1: error 2.3e-19
static const double K1_NEAR_LOW[2] = {-0x1.037c12bd6eb80p-56, -0x1.028aba4793630p-59}, K1_NEAR[9] = {
    -0x1.3b5b6028a83d6p-2, -0x1.5dadb014541ebp-4, -0x1.303ae729ff30fp-8, -0x1.d802af7a5db4ap-14,
    -0x1.a29182247d9cap-20, -0x1.e2129ff420189p-27, -0x1.8630b711f33cdp-34, -0x1.d488b21f95360p-42,
    -0x1.b7fae55e04519p-50};
// k0e(x) = K0_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 4.9e-18
static const double K0_FAR_LOW[2] = {-0x1.c92309b76af24p-55, 0x1.06dcfeae443a1p-59}, K0_FAR[35] = {
    0x1.30ae2423de262p+0, -0x1.ac450893fa54dp-5, 0x1.085a24b1d9955p-7, -0x1.f446a7e265170p-10, 0x1.2a7215a1f616fp-11,
    -0x1.9db9cc3f21c85p-13, 0x1.3f1d2219964cdp-14, -0x1.0ae1b6371006ap-15, 0x1.dbdb129b85a03p-17,
    -0x1.bee7e926127e8p-18, 0x1.b657948443afep-19, -0x1.be0230db89d42p-20, 0x1.d4f4e87312b5cp-21,
    -0x1.fe9bbb8adf76dp-22, 0x1.17371f6cf8a3ep-22, -0x1.1126da42643b1p-23, 0x1.7500e5b7c753ap-24,
    -0x1.17b2cfac272a3p-23, 0x1.458d378a2871ep-25, 0x1.bde6ed1883a5bp-23, -0x1.56afe5727ec0ap-25,
    -0x1.fddef8c6cf745p-22, 0x1.4ebe3c4c0246cp-23, 0x1.7cdc1355248d6p-21, -0x1.304acd41b715ap-22,
    -0x1.a794ece7c1bb5p-21, 0x1.8782cd0a190fap-22, 0x1.4b1ecf90c6f56p-21, -0x1.52f0653afd565p-22,
    -0x1.5dee148efa595p-22, 0x1.83631ccaebdf2p-23, 0x1.bf9a195f98161p-24, -0x1.07566fdebb44bp-24,
    -0x1.0b38e109411d6p-26, 0x1.4ac704f33cb7ep-27};
// k1e(x) = K1_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 9.7e-18
static const double K1_FAR_LOW[2] = {0x1.c784fe19fb2bdp-58, 0x1.356257ee817e5p-57}, K1_FAR[35] = {0x1.7628990a85c65p+0,
    0x1.80fb15bf9d160p-3, -0x1.03bbb0fa2f778p-6, 0x1.97e59d891ac4bp-9, -0x1.bab479ac85e3cp-11, 0x1.21729cbaf683ep-12,
    -0x1.acf5ac86e729ep-14, 0x1.5c523c6f7e452p-15, -0x1.2f8bf34fa6917p-16, 0x1.17f1f092f77e7p-17,
    -0x1.0e84ffa6263a4p-18, 0x1.0fd6c297878a7p-19, -0x1.1aad565920e22p-20, 0x1.30a7e5b939f27p-21,
    -0x1.4d4af25af7d78p-22, 0x1.4bf35b0ccab3cp-23, -0x1.922d8759b3f07p-24, 0x1.19b7373214249p-23,
    -0x1.122a850778457p-24, -0x1.82f4ff14bf52ep-23, 0x1.57617f0c02646p-24, 0x1.c30b9f4d2bb17p-22,
    -0x1.cc92e77c097a1p-23, -0x1.4e054cb803ad5p-21, 0x1.6c437d3695839p-22, 0x1.753e1b8c7e6cbp-21,
    -0x1.ae58ec2f56b7bp-22, -0x1.25fc996ecdac0p-21, 0x1.61e103014662ep-22, 0x1.3aaca671510d2p-22,
    -0x1.8897af656a81cp-23, -0x1.98df82350b702p-24, 0x1.06cccd8717ef4p-24, 0x1.f2918b66634f3p-27,
    -0x1.49062d8ba9871p-27};
// i0e(x) = I0_NEAR(t) / (1 + x), t = 2 x / 9 - 1, 0 <= x <= 9: error 3.8e-18
static const double I0_NEAR_LOW[2] = {0x1.e1013f550bcf3p-55, -0x1.5b92f80c32429p-56}, I0_NEAR[35] = {
    0x1.116e617a71a14p+0, 0x1.31e2894aaea1fp-2, 0x1.109f3df81112bp-9, -0x1.ac35622ed5375p-5, 0x1.2520d403b6cc9p-4,
    -0x1.37a589f7876cap-4, 0x1.15873dd12fb58p-4, -0x1.92ab4e0ffa036p-5, 0x1.a32aa06a5236ep-6, -0x1.b4abe34ae3fc9p-9,
    -0x1.a60337d802fc2p-7, 0x1.5cd554d341d65p-6, -0x1.76aa2d37e8894p-6, 0x1.4806947200edbp-6, -0x1.f4abd674344ecp-7,
    0x1.5765fbb1b5de0p-7, -0x1.aec64db5e7be0p-8, 0x1.f3ca815d9d8e1p-9, -0x1.0e52b3464c75bp-9, 0x1.12514ab261d75p-10,
    -0x1.066a6fd31bc75p-11, 0x1.db2f7553e7c0bp-13, -0x1.988cf906fc3c8p-14, 0x1.4e86f7ce29c8cp-15,
    -0x1.05b844930850ap-16, 0x1.88398d432623bp-18, -0x1.18940fa318fc2p-19, 0x1.7f4d9cfb81e52p-21,
    -0x1.02fa9114769b6p-22, 0x1.5dd617b0f553fp-24, -0x1.8f9ecdfb32bafp-26, 0x1.5b0ffb5d8d925p-28,
    -0x1.0b09988f29f8cp-29, 0x1.1cbc3c3b9f929p-30, -0x1.eaa06e6f6bfedp-33};
// i0e(x) = I0_FAR(t) / sqrt(x), t = 2 u 9 - 1, u = 1 / x, x >= 9: error 4.7e-18
static const double I0_FAR_LOW[2] = {-0x1.e44c14fc88a3ep-58, -0x1.b9c329c7d4367p-63}, I0_FAR[24] = {
    0x1.9b72b66de3991p-2, 0x1.840d985c5b7bap-9, 0x1.b776e87b33d4bp-14, 0x1.efbe0cdcc210dp-18, 0x1.bee923b7d62f4p-21,
    0x1.263fc3625ea2fp-23, 0x1.11ae67e9ba356p-25, 0x1.6a7344cd22673p-27, 0x1.55a9f9cc7577ap-28, 0x1.829d1fcc1290bp-29,
    0x1.254a36ca82ee0p-30, -0x1.af24e3cf13ab4p-31, -0x1.eaa487f0aef69p-30, -0x1.e94ee53224c54p-31,
    0x1.ce67264e46f84p-31, 0x1.17e74e760e76bp-30, -0x1.1e49c762188adp-32, -0x1.6be36e8b0e4c4p-31,
    0x1.d70fd1c045b26p-35, 0x1.491ae7892910fp-32, -0x1.953fe9306601ap-38, -0x1.7961d6d375c56p-34,
    0x1.68c0cc24ba072p-44, 0x1.976c12cc1cdeap-37};
// i1e(x) = x I1_NEAR(t) / (1 + x / 2)^2, t = 2 x / 9 - 1, 0 <= x <= 9: error 6.1e-18
static const double I1_NEAR_LOW[2] = {-0x1.14732c1a80c77p-56, 0x1.36cfecf872d0fp-64}, I1_NEAR[35] = {
    0x1.9ae8b6001474cp-2, -0x1.82574f5779da8p-10, 0x1.c19c8451ce45cp-5, -0x1.823557d09894ep-5, 0x1.0188ebcb7779ap-5,
    -0x1.dcd10213217fbp-7, 0x1.6bc6d1b6d28e6p-12, 0x1.21bfdc3020666p-7, -0x1.9c138199fa007p-7, 0x1.8a7ed4130fa75p-7,
    -0x1.2ca3474d0f208p-7, 0x1.79f4c9177cbdfp-8, -0x1.80044ba99ae02p-9, 0x1.16039335f2150p-10, -0x1.3fdedf7ce9c36p-14,
    -0x1.3dde389076511p-12, 0x1.7740f6e05924cp-12, -0x1.29bb9f02b757fp-12, 0x1.8815946d6e2ddp-13,
    -0x1.c8a6a9fe7bc17p-14, 0x1.e43098c69d3b7p-15, -0x1.db0dd04f4eaf3p-16, 0x1.b3bfb21e90bcap-17,
    -0x1.78357a06912a7p-18, 0x1.3384d7b0b69cap-19, -0x1.df9a033db69d5p-21, 0x1.649691c2624f2p-22,
    -0x1.f046c57be20a3p-24, 0x1.4d2d2dcb5c065p-25, -0x1.e34744baa5417p-27, 0x1.3ffeb792ef10cp-28,
    -0x1.d08bd0b97d9a7p-31, 0x1.9da0fe1988e0cp-33, -0x1.acd3aa1de8491p-33, 0x1.0aa63ba722e29p-34};
// i1e(x) = I1_FAR(t) / sqrt(x), t = 2 u 9 - 1, u = 1 / x, x >= 9: error 4.9e-18
static const double I1_FAR_LOW[2] = {0x1.59245688dbd1fp-56, 0x1.21841b71b7e64p-63}, I1_FAR[24] = {0x1.8fd9be12cbe71p-2,
    -0x1.1a92ebc891fe5p-7, -0x1.632fdc08c3749p-13, -0x1.5023895dc6e73p-17, -0x1.15dc101745f92p-20,
    -0x1.5b1d1c3d26183p-23, -0x1.3740c260934b0p-25, -0x1.90c252d7d046fp-27, -0x1.720f0eb02c157p-28,
    -0x1.9f2bbbdd344d5p-29, -0x1.4152df43066a7p-30, 0x1.a9a857541da51p-31, 0x1.fc7e6fe3b60f6p-30,
    0x1.0b37a31a1b318p-30, -0x1.c8a89b4312209p-31, -0x1.2ab5a365bf81ap-30, 0x1.f850bf188bbd5p-33,
    0x1.8526861fc3a6ap-31, -0x1.0f050846ca67ap-35, -0x1.6453f15ad18cap-32, -0x1.c1e7545bb8ef3p-39,
    0x1.9fd3040cc5e13p-34, 0x1.9c6289fc65c8ap-40, -0x1.c9d7dd598975ep-37};

// logarithms
#define PI_SQUARED_OVER_6_HI 0x1.a51a6625307d3p+0
#define PI_SQUARED_OVER_6_LO 0x1.1873d8912200cp-55
// spence(exp(-u)) = u - u^2 / 4 + u^3 DILOGARITHM(z), z = u^2, |u| <= log(2), relative to 1 / z: error 6.0e-21
static const double DILOGARITHM_LOW[2] = {0x1.98b965a980bf4p-60, 0x1.314f361a695cep-70}, DILOGARITHM[7] = {
    0x1.c71c71c71c71cp-6, -0x1.23456789abc2dp-12, 0x1.3d079fb6b600dp-18, -0x1.8a86a416d7e8ap-24, 0x1.04d7a106bc8a7p-29,
    -0x1.6550ab6414826p-35, 0x1.e24e70d901004p-41};

// inverse error functions
// numbers c of few bits next to 1 / m, for m of 16 intervals between 1 and 2, and log(c)
static const double LOGARITHMS[1][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.f000000000000p-1, 0x1.d400000000000p-1, 0x1.bb00000000000p-1, 0x1.a400000000000p-1,
    0x1.9000000000000p-1, 0x1.7d00000000000p-1, 0x1.6c00000000000p-1, 0x1.5d00000000000p-1, 0x1.4e00000000000p-1,
    0x1.4100000000000p-1, 0x1.3500000000000p-1, 0x1.2a00000000000p-1, 0x1.1f00000000000p-1, 0x1.1600000000000p-1,
    0x1.0d00000000000p-1, 0x1.0400000000000p-1, -0x1.0415d89e74444p-5, -0x1.700d30aeac0e1p-4, -0x1.28753bc11aba5p-3,
    -0x1.95a5adcf7017fp-3, -0x1.f991c6cb3b379p-3, -0x1.2e9e2bce12286p-2, -0x1.5d5bddf595f30p-2, -0x1.8873658327ccfp-2,
    -0x1.b56fa04462909p-2, -0x1.de16b56ef90f0p-2, -0x1.028d2d6a963f4p-1, -0x1.151c3f6f29612p-1, -0x1.285e0842ca384p-1,
    -0x1.38ae2171976e7p-1, -0x1.4987ace0dabb0p-1, -0x1.5af405c3649e0p-1),
};
// log(1 + r) = r LOG_ONE_MORE(r), |r| <= 1 / 32, relative to 1 / r: error 2.7e-17
static const double LOG_ONE_MORE_LOW[2] = {-0x1.b9280e1a94aa4p-58, 0x1.bf5f5ab4f99bfp-57}, LOG_ONE_MORE[8] = {
    0x1.fffffffffffe7p-1, -0x1.fffffffffff2ap-2, 0x1.5555555613637p-2, -0x1.0000000499cc1p-2, 0x1.999982cf3b036p-3,
    -0x1.5554f6483fe3dp-3, 0x1.251030e8acd53p-3, -0x1.0122ea8b3fef4p-3};
#define ERFINV_SCALE 0x1.a9a9ab6b28eacp-1
#define ERFINV_START 0x1.036dedf18d046p+1
// erfinv(y) = y ERFINV(w), w = -log(1 - y^2) <= 52 log(2), pieces by bits of w ERFINV_SCALE + 2: error 1.9e-17
static const double ERFINV[7][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.23ec2c295f52fp-2, 0x1.c094ef974ab0fp-1, 0x1.78c4b5f57fa0cp+0, 0x1.0a0dbd12feb6ap+1,
    0x1.7cd3df040efedp+1, 0x1.0bab783ef022ap+2, 0x1.5a4637515dbd9p+2, 0x1.a7e15c6e8250dp+2, 0x1.0cc0b36a5aeb0p+3,
    0x1.5962dc27ebdadp+3, 0x1.a83c274d69861p+3, 0x1.f3c573ab887b4p+3, 0x1.35bcad35f5cb6p+4, 0x1.811e4811d4677p+4,
    0x1.cdf993396ca14p+4, 0x1.0dc156bc39fa6p+5, 0x1.e810d0c06c5a1p-1, 0x1.18c4636c79486p+0, 0x1.3eb7cfc95a9dap+0,
    0x1.659600aa81677p+0, 0x1.9e17bfad5bdd1p+0, 0x1.e671f3a7eea91p+0, 0x1.154a57f044036p+1, 0x1.3445489ef6c3fp+1,
    0x1.5d8f3a8455d3dp+1, 0x1.8f4861c709e71p+1, 0x1.bd239582088eep+1, 0x1.e5487372d25bap+1, 0x1.0f96a3f9cdbd7p+2,
    0x1.3052ac3cad503p+2, 0x1.4e89322039630p+2, 0x1.6a8d6bbaaa367p+2),
    TWO_ROWS(0x1.e77683c48b430p-3, 0x1.f92dfeee838f2p-3, 0x1.0050aa829d0a2p-2, 0x1.fed41b3d46a98p-3,
    0x1.ef703b081d1b0p-3, 0x1.ce3dc4ca1402ep-3, 0x1.a99be618813d0p-3, 0x1.88b6180857b5dp-3, 0x1.6129906fe4f93p-3,
    0x1.3971613c1d595p-3, 0x1.1b89911c9e0fep-3, 0x1.058a37381253bp-3, 0x1.d632b2cb4b219p-4, 0x1.a5bf3f8ac9cfap-4,
    0x1.80fe82588d299p-4, 0x1.642336cfadf4ep-4, 0x1.3752611114bf0p-7, 0x1.51002fed1cff3p-8, 0x1.15542553fd7c9p-10,
    -0x1.352d9ca1d1f6dp-9, -0x1.73eec327a3c6bp-8, -0x1.df0f00a418e62p-8, -0x1.ce8220694d2f7p-8, -0x1.92dbb6b3394ebp-8,
    -0x1.38a530324d441p-8, -0x1.c17e656fca493p-9, -0x1.4ff8f9f7c485ap-9, -0x1.09060da4cb821p-9, -0x1.830b61ded717fp-10,
    -0x1.188cb64bdf062p-10, -0x1.ac28bc4d52976p-11, -0x1.53b2d06779955p-11),
    TWO_ROWS(-0x1.4025c35dd6a18p-9, -0x1.3d30494e3494dp-9, -0x1.14da2e5d10db4p-9, -0x1.a9b10f9b4ad43p-10,
    -0x1.c0944cd8f0017p-11, -0x1.009b86dadcb00p-13, 0x1.a55fecdc37e50p-13, 0x1.1f098ccc64ce2p-12,
    0x1.e3fc2df83701dp-13, 0x1.33e29477d4df2p-13, 0x1.84884d1f4549ep-14, 0x1.079414c9044d7p-14, 0x1.39d0b1fb93db3p-15,
    0x1.709f4a7f3c833p-16, 0x1.d725b6af0d6f8p-17, 0x1.410dbca84be11p-17, -0x1.f718441812ddep-15, 0x1.3cbf226638b97p-14,
    0x1.6d9113d65c9c3p-13, 0x1.ca2a07cbd6575p-13, 0x1.9c57fe67ac835p-13, 0x1.b871f407252f5p-14, 0x1.1a8e57532e5bbp-15,
    0x1.9904bd7144849p-20, -0x1.3fbb6b3baabb9p-17, -0x1.e18d42591507ep-18, -0x1.1145513685eedp-18,
    -0x1.436bbc64ccd51p-19, -0x1.3b554ecc9add4p-20, -0x1.2c9899e4ac382p-21, -0x1.4216ca2489784p-22,
    -0x1.794d3fff29ee7p-23),
    TWO_ROWS(0x1.953f689290471p-15, 0x1.597b03f01699ap-15, 0x1.95f7bdcb4377ep-16, 0x1.6581824fc936ep-18,
    -0x1.a1c65d6e95ae8p-17, -0x1.f2f5c7f3db094p-17, -0x1.10a64d0bc35dep-17, -0x1.92e7112e6b425p-19,
    -0x1.5f8e0e555f8a8p-23, 0x1.490576f594474p-22, 0x1.95b6904da526cp-23, 0x1.b44f37af96e2fp-24, 0x1.60914cbfd59eap-25,
    0x1.113bc83cfa9c6p-26, 0x1.eb3578b48f154p-28, 0x1.eed48e67e56a6p-29, -0x1.5c553479eb907p-25,
    -0x1.f52df03d950f0p-19, -0x1.6785129091cf8p-18, -0x1.3aa9215623800p-18, -0x1.ea4a12d554072p-20,
    0x1.6e7e98bf70456p-21, 0x1.e78d67c1cd2d9p-21, 0x1.079a05f6bbf98p-21, 0x1.d0b1907b87022p-24, -0x1.d9738287aef42p-29,
    -0x1.1544e9e6411cep-27, -0x1.2eb83469bba1bp-28, -0x1.a3255642250adp-30, -0x1.09233c4ca92e4p-31,
    -0x1.90196e8cafd7bp-33, -0x1.5aba9f89dd990p-34),
    TWO_ROWS(-0x1.147bc76497723p-20, -0x1.6e5d091d8a67dp-21, -0x1.8a9c1996b95b2p-24, 0x1.7fd2ae3a27fafp-22,
    0x1.e8146f8e48615p-22, 0x1.190a7d879a325p-23, -0x1.48d033334bfafp-25, -0x1.94d2dabb80cc4p-25,
    -0x1.14f92060f5a10p-26, -0x1.91d32b50bc846p-30, 0x1.df2c182aca83ep-33, 0x1.8eb05859332cdp-33,
    0x1.0160bf96ddaf2p-34, 0x1.0ca8ba693dcfep-36, 0x1.5496cea929716p-38, 0x1.fbf86d78f85c2p-40, 0x1.788ea40a9ab65p-26,
    0x1.e7791bba5db8ap-24, 0x1.008e94d50efc2p-23, 0x1.01426d6a0de53p-24, -0x1.817d5cd4d8adbp-26,
    -0x1.01fd2824aefd3p-25, -0x1.a717b853ab71bp-28, 0x1.1630362dd56b8p-29, 0x1.b4acd6680ad6ap-30,
    0x1.092693c57c599p-32, 0x1.645898a20d34ep-37, -0x1.9eb41a879d8a7p-38, -0x1.3cd37e160c525p-39,
    -0x1.1866f8d5e2cffp-41, -0x1.2b36c8317c07ep-43, -0x1.801e564a10c9dp-45),
    TWO_ROWS(0x1.83db9a961ce08p-26, 0x1.4fbcbe5eb4df8p-27, -0x1.c8dbcf93a38ebp-28, -0x1.beabf421aa015p-27,
    -0x1.8aced0b798225p-28, 0x1.36262f5ec1907p-29, 0x1.95ca4e0b2a21bp-30, 0x1.d694666302621p-33,
    -0x1.c584211fca541p-34, -0x1.c0b242cf71aa9p-36, -0x1.5b17869a919d7p-39, 0x1.7c528fd9d46b4p-46,
    0x1.74dde04a383d9p-44, 0x1.2a180cd56038ep-46, 0x1.0d13bb0ce479ep-48, 0x1.297636d50036dp-50, -0x1.ec2f7307f04dfp-31,
    -0x1.99194847ed1c4p-29, -0x1.22597120c08cap-29, -0x1.9c7bd11cb6bd1p-37, 0x1.337daa7396ae9p-30,
    0x1.5e47dfaf03f16p-33, -0x1.3ef29ce83325dp-33, -0x1.f0efecbb68cedp-35, 0x1.e19dcf757029ep-40,
    0x1.22126326df490p-39, 0x1.35fbc22d96123p-42, 0x1.7690e538f00ecp-46, -0x1.7af262354cc2fp-49,
    -0x1.3eb5211079626p-51, -0x1.ec88b0e9dbf2dp-54, -0x1.d53c3b1606af0p-56),
    TWO_ROWS(-0x1.12125629ef751p-31, -0x1.81ec5681cf44ep-34, 0x1.407e7882680fep-32, 0x1.29b1dd82ada2ep-32,
    -0x1.8f16c5bd70920p-36, -0x1.047c1283030c5p-34, 0x1.13e7ef34ab919p-39, 0x1.bf5db52161f60p-38,
    0x1.8a6c4fc3b8f9fp-41, -0x1.14c02095ead54p-43, -0x1.aef7d9a084020p-46, -0x1.808f18bb241a6p-49,
    0x1.535d2c1591b6cp-55, 0x1.559c297991e9fp-56, 0x1.d04c987e929a8p-59, 0x1.7c769abb0f425p-61, 0x1.0f3ba3acffa2cp-35,
    0x1.3899e47a9dba4p-34, 0x1.c78f4bdffb23cp-36, -0x1.b10380fecb630p-36, -0x1.3fa5c5b5d81c1p-36,
    0x1.9566848244607p-38, 0x1.ec2367cae5658p-40, -0x1.773de150059f6p-42, -0x1.062005130ce25p-43,
    0x1.0eae4c91228f4p-48, 0x1.f34efa6bb2d60p-50, 0x1.0b684dc4406e2p-52, 0x1.3ee44fd7674e9p-58, -0x1.58fa6887cee90p-61,
    -0x1.b793bfb036e2dp-64, -0x1.3be776a782bb1p-66),
};
// erfinv'(y) = ERFINV_DERIVATIVE(w) / (1 - y^2): error 4.4e-18
static const double ERFINV_DERIVATIVE[8][32] __attribute__((aligned(64))) = {
    TWO_ROWS(0x1.2716b269765a0p-2, 0x1.be921fe6b2c80p-1, 0x1.7a627bfd73be1p+0, 0x1.0a9fe1e6eba1cp+1,
    0x1.7d2342088fb12p+1, 0x1.0bb47dadfec29p+2, 0x1.599130ade2f0cp+2, 0x1.a61111923c4dcp+2, 0x1.0e12b233d42fap+3,
    0x1.5b3cc66996cccp+3, 0x1.a7613d0ab14cep+3, 0x1.f40231db959edp+3, 0x1.33d9bd853c399p+4, 0x1.819b6037f4882p+4,
    0x1.cdaf99ddf4b55p+4, 0x1.0e08e83e58aa9p+5, 0x1.ab3097f1cb53dp-1, 0x1.7d816c433aa43p-1, 0x1.576f7e25b317dp-1,
    0x1.38bb48fc70cabp-1, 0x1.1542cf4d108b5p-1, 0x1.e4db7e9a7d440p-2, 0x1.b2047dab1117bp-2, 0x1.8c40c26a14fe2p-2,
    0x1.60e366f746a82p-2, 0x1.38b076a7dc2d2p-2, 0x1.1bd3003242269p-2, 0x1.057aa6e2c06a5p-2, 0x1.d7a16cf183377p-3,
    0x1.a57ac476ac554p-3, 0x1.811d7433d350cp-3, 0x1.63f3c4601bc95p-3),
    TWO_ROWS(-0x1.5ca52d52cc76ap-3, -0x1.1808709ea7251p-3, -0x1.c221294389ae0p-4, -0x1.6d9d41c941a35p-4,
    -0x1.12766d915ebe0p-4, -0x1.84bd31f12ed18p-5, -0x1.1f7058c51ff75p-5, -0x1.bcc12f7c7ffbcp-6, -0x1.3e943fcde6850p-6,
    -0x1.bfdc33bd1fd20p-7, -0x1.5120a3692d6ffp-7, -0x1.08dbd82afb6bdp-7, -0x1.868a4b4e88140p-8, -0x1.1805d449ec423p-8,
    -0x1.ac8eec01b33dbp-9, -0x1.532c5aa49e789p-9, 0x1.0a1cb582dd03bp-5, 0x1.9cb804190209cp-6, 0x1.3d6073a5aa3a5p-6,
    0x1.e97f7ac4fb42cp-7, 0x1.5001d437d8ca4p-7, 0x1.9ec88a3b6d3c4p-8, 0x1.08dc90a93f126p-8, 0x1.63c830d22f148p-9,
    0x1.a1267eaaa3ee4p-10, 0x1.d53f0ec8c754dp-11, 0x1.26224486f6b1dp-11, 0x1.8b32bcdb322b3p-12, 0x1.ddc89f80a355bp-13,
    0x1.139ba7d8c8964p-13, 0x1.61e80b0a67597p-14, 0x1.e058bb27b507bp-15),
    TWO_ROWS(-0x1.354ac0ba6c798p-8, -0x1.de846cef65577p-9, -0x1.6d99cf753f1a8p-9, -0x1.1678810b0ae97p-9,
    -0x1.725c3ed5e9955p-10, -0x1.aaaf831a96cd1p-11, -0x1.efb955d7633b6p-12, -0x1.2b0bc27c3c96ep-12,
    -0x1.27029887cd2b0p-13, -0x1.0ceef8357ca6ap-14, -0x1.19d29a346b5dfp-15, -0x1.44576cf41996ep-16,
    -0x1.4201062f68938p-17, -0x1.2b4c268f7b5e8p-18, -0x1.42c877c88f756p-19, -0x1.77f4335f4d9aep-20,
    0x1.0eeb949b74faep-11, 0x1.a69e3633017eep-12, 0x1.46e92eb1b1cf3p-12, 0x1.f867c04fc1c2ap-13, 0x1.537e680b6bc74p-13,
    0x1.83dc90f88a39fp-14, 0x1.b08713c988e71p-15, 0x1.e84b5442862a0p-16, 0x1.a5d5eb43daf30p-17, 0x1.3ea8d8432bfaap-18,
    0x1.1903547564e11p-19, 0x1.1597c3d6b7227p-20, 0x1.c52a88eb1e843p-22, 0x1.53a9bbc5495dfp-23, 0x1.33da9f30791f0p-24,
    0x1.33da5d98ad7c8p-25),
    TWO_ROWS(-0x1.73553a4d289fap-15, -0x1.1e6c472f5e76fp-15, -0x1.bcdff3819bb61p-16, -0x1.5dd384ce4dd5bp-16,
    -0x1.eb610638e750cp-17, -0x1.26cc2787c1448p-17, -0x1.4db0316a69bd9p-18, -0x1.70e64aae121aap-19,
    -0x1.255fb026a1c5ep-20, -0x1.7bf9b2be49a50p-22, -0x1.1d7d994c0b886p-23, -0x1.e5f9cf384f785p-25,
    -0x1.469dc78cac1bep-26, -0x1.8b1a58f9c3358p-28, -0x1.2d1652871c614p-29, -0x1.02986ce04722dp-30,
    0x1.c50f607d26bf9p-19, 0x1.491819c2817d8p-19, 0x1.e0968c0e30b2dp-20, 0x1.6df3b4e898c54p-20, 0x1.0803e84664746p-20,
    0x1.5f520ed228c49p-21, 0x1.b03d11ca1d8bfp-22, 0x1.ee4a58c4deb05p-23, 0x1.8033fa4394115p-24, 0x1.be5c65bddd974p-26,
    0x1.23838b02f8120p-27, 0x1.aea6000c9aec9p-29, 0x1.dde459912ef46p-31, 0x1.d2d3c373dcb66p-33, 0x1.2b354669f9e55p-34,
    0x1.b98c951268e2dp-36),
    TWO_ROWS(-0x1.1af107a566dddp-22, -0x1.972e76e55bf09p-23, -0x1.0ccba4c83a089p-23, -0x1.577d22a7aa7a6p-24,
    -0x1.92e66ad2fd3eap-25, -0x1.21cd445667f41p-25, -0x1.b043292b51360p-26, -0x1.165853eaea664p-26,
    -0x1.ca3aca6815deap-28, -0x1.f9be7f22f35b9p-30, -0x1.276a1197ec525p-31, -0x1.7f6204ce439fdp-33,
    -0x1.6103d0aa1f7bcp-35, -0x1.16bf23dc19a05p-37, -0x1.2c9e943dc4797p-39, -0x1.7d3545bdec0d5p-41,
    0x1.1bf937f1a5995p-26, 0x1.fedac8ce167eap-27, 0x1.89b80406b5594p-27, 0x1.efff95bc6d28ep-28, 0x1.5e11ea4dad12fp-29,
    0x1.cc48507d07b7bp-31, 0x1.06eb13b66dfa0p-30, 0x1.d96a20d89052ep-31, 0x1.dc9c827a407a1p-32, 0x1.0e15402d16702p-33,
    0x1.250301a93151ap-35, 0x1.543a219eb60dep-37, 0x1.064c03ba6f961p-39, 0x1.4f71ebc77ef4fp-42, 0x1.3072f52caa68ep-44,
    0x1.4bcc62d6cbb01p-46),
    TWO_ROWS(-0x1.bf9117b1c6404p-33, -0x1.0063129ab4a69p-31, -0x1.9d400a2d4615bp-31, -0x1.9e047c789d059p-31,
    -0x1.9c55a965070d2p-32, -0x1.089ee6f1e80ddp-36, 0x1.1e32923ed207cp-37, -0x1.89535faf95913p-36,
    -0x1.8e42a87f7a4b0p-36, -0x1.087061521fa51p-37, -0x1.17fbdd08ec5bdp-39, -0x1.2a41493e42e8bp-41,
    -0x1.86a3ded37a4cep-44, -0x1.95f31bda117bdp-47, -0x1.362ecdd3cb030p-49, -0x1.2292f5f5783f6p-51,
    -0x1.5afb558fb74f1p-36, -0x1.fedfd40939054p-35, -0x1.dc36a5f464399p-36, 0x1.b2d0aac0a9516p-36,
    0x1.9ac816c6c55d6p-35, 0x1.98c4bbdde46e2p-37, -0x1.9d1bb84f6decdp-39, -0x1.917c57a57caebp-40,
    0x1.959f86e35097cp-41, 0x1.c6f6e244a9665p-42, 0x1.f9d5d299d1e70p-44, 0x1.fef6016bccd01p-46, 0x1.2249b41647c7cp-48,
    0x1.ed3f84f9b0003p-52, 0x1.3d7f865a739f0p-54, 0x1.ff648cca28f83p-57),
    TWO_ROWS(-0x1.8d26bacbe9761p-37, -0x1.27211345388bfp-43, 0x1.15ea118ce9539p-37, 0x1.bc4658019cea1p-38,
    -0x1.85c0d241badaap-40, -0x1.43068c1b80bbdp-39, -0x1.72dcc84c55940p-43, 0x1.c93f3c54e3f57p-43,
    0x1.4535e672a5a19p-46, -0x1.39d348bc67773p-46, -0x1.a5446ea34b52cp-48, -0x1.a617532d3f905p-50,
    -0x1.abe59a42e8c10p-53, -0x1.2c44719f6e78fp-56, -0x1.461ac3d7d369ap-59, -0x1.c3afa9c48a3fcp-62,
    0x1.5243f46e0c0acp-40, 0x1.ceb2d7caa2d95p-40, 0x1.d1ac50673c71fp-42, -0x1.830a40ec7f791p-41,
    -0x1.0d4ead3244cf2p-41, 0x1.8d3e1cc75cdcbp-43, 0x1.57de59b66a6adp-44, -0x1.4b7ccbf0b7cdep-48,
    -0x1.65ec15e456cecp-48, 0x1.e094c341b8957p-52, 0x1.365fe9d86606ap-52, 0x1.4acf326580716p-54, 0x1.36f2915736cfdp-57,
    0x1.6d83920b41c9dp-61, 0x1.4fe900248fcb3p-64, 0x1.8ff690df8ab10p-67),
    TWO_ROWS(0x1.9e04dae5ebaabp-43, -0x1.4bb035946586dp-44, -0x1.a6a5a327d4d2dp-43, -0x1.3b432b23159aap-44,
    0x1.2235f7ffe5961p-44, 0x1.159af116e0af9p-47, -0x1.4b01affb52b77p-47, -0x1.f105c8920ff63p-50,
    0x1.cbb1fe4b9f09bp-52, 0x1.8de564b58087bp-56, -0x1.6d5d09b75c601p-57, -0x1.e49904b7881f2p-59,
    -0x1.cc2d5dfb45f6ep-62, -0x1.cb831be5d6d09p-66, -0x1.63229a26a360cp-69, -0x1.69826fc63897ap-72,
    -0x1.c78e447cf58f1p-46, -0x1.07a3f0bdf848fp-45, 0x1.dc77a0443b63ap-49, 0x1.4d02fff0b1c5ap-46,
    0x1.8db8115059485p-50, -0x1.d95e0b038301ep-49, 0x1.b4b52eda20a43p-52, 0x1.5454b67ba7917p-52,
    -0x1.8854c6507a39ep-57, -0x1.29453235fe019p-58, 0x1.a8af5791f3c2cp-63, 0x1.3c06ed858ff06p-63,
    0x1.405d807493498p-66, 0x1.226dc3311507fp-70, 0x1.72a70209aa0afp-74, 0x1.50fbc908e98dbp-77),
};
#define HALF_ROOT_PI 0x1.c5bf891b4ef6bp-1
#define ROOT_2_HI 0x1.6a09e667f3bcdp+0
#define ROOT_2_LO -0x1.bdd3413b26456p-54
#define ROOT_8_HI 0x1.6a09e667f3bcdp+1
#define ROOT_8_LO -0x1.bdd3413b26456p-53
// erfcinv(exp(-t^2)) = t ERFCINV(s), s = (64 v - 7) / 23, v = (t - 10) / (t + 10), t^2 >= 52 log(2): error 2.6e-18
static const double ERFCINV_LOW[2] = {0x1.429ef6700d597p-55, 0x1.8c2a84c5d7d47p-62}, ERFCINV[21] = {
    0x1.fae132467ad0cp-1, 0x1.90c81300e9582p-7, -0x1.b9476815ed8eep-8, 0x1.5f17ea23d3882p-9, -0x1.fe90613ca64cap-11,
    0x1.5e86287d7ccbdp-12, -0x1.d18e941404af4p-14, 0x1.2c96c7eebd97dp-15, -0x1.7c258aa66fb48p-17,
    0x1.d6fa91cca9567p-19, -0x1.1eac7bf25e065p-20, 0x1.56515b73980dep-22, -0x1.9157411b2294cp-24,
    0x1.cc7ec39f10588p-26, -0x1.02227e6ae0641p-27, 0x1.1704c62994e83p-29, -0x1.230fb9d02cb1ep-31,
    0x1.340760f0e571bp-33, -0x1.2edd4682eb4edp-35, 0x1.f97bdebdc9d0fp-39, 0x1.7927ccc6618bcp-41};
// the derivative of erfcinv(exp(-t^2)) in t: error 9.9e-18
static const double ERFCINV_DERIVATIVE_LOW[2] = {0x1.de26232e55b88p-56, -0x1.5b2190a353ad5p-62}, ERFCINV_DERIVATIVE[22] = {
    0x1.01be79a4022cbp+0, -0x1.f3533de145954p-8, 0x1.d657ae99b746dp-9, -0x1.299577f4e56aap-10, 0x1.40c86061876dep-12,
    -0x1.0cd406d4660b1p-14, 0x1.a7f02dfe14b8ap-18, 0x1.d29a3a53e2301p-19, -0x1.9c81ca9e51b1dp-19,
    0x1.bd9e98deb87e1p-20, -0x1.94b55d78b4434p-21, 0x1.4fbc93bd7eb19p-22, -0x1.06464839b87b6p-23,
    0x1.88fe905a9c986p-25, -0x1.1b0e08e0acba8p-26, 0x1.8ab0f02188dfcp-28, -0x1.19c8e12754d16p-29,
    0x1.8fd77c2b1df49p-31, -0x1.8ce3aa61c1143p-33, 0x1.728abfdd7b8ccp-35, -0x1.4bb7b1f226c69p-35,
    0x1.fe56c55e57ba5p-37};

// Dawson's integral
// dawsn(x) = x + x z DAWSON_NEAR(z), z = x^2 <= (17/16)^2, relative to 1 / z: error 1.0e-17
static const double DAWSON_NEAR_LOW[2] = {-0x1.9272964f2717cp-56, 0x1.367c88bd1b5d2p-58}, DAWSON_NEAR[12] = {
    -0x1.5555555555551p-1, 0x1.1111111110ec6p-2, -0x1.3813813805fe9p-4, 0x1.1566abbdaede3p-6, -0x1.937e109c3f556p-9,
    0x1.f09b1925aafc8p-12, -0x1.08daa21224205p-14, 0x1.f27abebd183f8p-18, -0x1.a318979ae9ca7p-21,
    0x1.3ae222af6f1cdp-24, -0x1.90d7903bdccb8p-28, 0x1.4b161348e1c98p-32};
// dawsn(x) = DAWSON_MIDDLE(y), y = x - 11/4, 17/16 <= x <= 4: error 3.1e-17
static const double DAWSON_MIDDLE_LOW[2] = {0x1.368ddc1c4f192p-61, 0x1.b2266af7f5d2cp-60}, DAWSON_MIDDLE[30] = {
    0x1.9532e09cc3d30p-3, -0x1.692fa6bc6a110p-4, 0x1.6dba92993810dp-5, -0x1.79d7b23b5d6c4p-6, 0x1.339c04f0d12bcp-7,
    -0x1.20c55064d0d40p-10, -0x1.15caec684e253p-9, 0x1.0384c53b915d6p-9, -0x1.b3e231f8c13b1p-11, 0x1.1d85410bd9961p-14,
    0x1.0e304f7ea1ec9p-13, -0x1.4219feedeb8fdp-14, 0x1.cc8931117937fp-17, 0x1.932e7c68f0a8bp-18,
    -0x1.21f997c03c216p-18, 0x1.a4869124a7821p-21, 0x1.22d95358ff0eap-22, -0x1.820d02893e170p-23,
    0x1.aa7c0dfc4f0d4p-26, 0x1.92a59148280f5p-27, -0x1.87d7fc2dd29f8p-28, 0x1.ad0462de16d9dp-32, 0x1.cf33b45bea55ap-32,
    -0x1.359b21d8d1e9dp-33, -0x1.1fcc371067ba6p-38, 0x1.ed2068bba9e60p-37, -0x1.15cc79c3de1f3p-39,
    -0x1.064541038a898p-40, 0x1.535f59a0f5c27p-43, 0x1.8b5841d3d7434p-45};
// dawsn(x) = u / 2 + u v DAWSON_FAR(t), u = 1 / x, v = u^2, t = 32 v - 1, x >= 4: error 1.8e-18
static const double DAWSON_FAR_LOW[2] = {-0x1.58805e15bcb3dp-56, -0x1.afa147dd8ec06p-65}, DAWSON_FAR[30] = {
    0x1.0d0ebf221dc4ep-2, 0x1.c838b2117e766p-7, 0x1.5e2ff23401e9ap-10, 0x1.9ec1c2b8931f5p-13, 0x1.644ca4d49ddd6p-15,
    0x1.b8e3cfb0647b9p-17, 0x1.8fe2cde6c9a09p-18, 0x1.dc197ba341a1dp-19, 0x1.d04c69840670fp-20, -0x1.2edcae5257e7ap-21,
    -0x1.3afc48955aa27p-19, -0x1.c79c9c1e2a933p-20, 0x1.16666b2342a50p-20, 0x1.1ddc7db743b9fp-19,
    -0x1.253ebc318ac33p-22, -0x1.112e6de08c52ep-19, 0x1.31081df9a6e20p-24, 0x1.e447925daffe2p-20,
    -0x1.241268577b651p-23, -0x1.7fd5903204239p-20, 0x1.e2aa8431e17b3p-23, 0x1.f3b9f6b169c39p-21,
    -0x1.c82e01ea9f963p-23, -0x1.e98139ed96c7ep-22, 0x1.04f200abd5566p-23, 0x1.471f2d13d3387p-23,
    -0x1.54eefd097aa6cp-25, -0x1.01578e588fdafp-25, 0x1.88e9df2d22194p-28, 0x1.563ec25d56252p-29};
#define DAWSON_ZERO_HI 0x1.b543c4b39c4a5p-1
#define DAWSON_ZERO_LO 0x1.e1b37d39a0c3bp-55
// dawsn'(x) = (z - DAWSON_ZERO) DAWSON_DERIVATIVE_NEAR(y), y = z - 1, z = x^2 <= (11/8)^2: error 6.9e-18
static const double DAWSON_DERIVATIVE_NEAR_LOW[2] = {0x1.e111abf6c9d05p-55, 0x1.85e314dc04428p-56}, DAWSON_DERIVATIVE_NEAR[16] = {
    -0x1.0b234fe186c93p-1, 0x1.a3bf1e985f1b3p-2, -0x1.643830f565295p-3, 0x1.a38b7f53ec063p-5, -0x1.7bc35c3770182p-7,
    0x1.178f656b9cbbfp-9, -0x1.5b10ce1815dbep-12, 0x1.749cd21407af7p-15, -0x1.607746e6d2628p-18, 0x1.2a02cd31325eap-21,
    -0x1.c79bd65f954eap-25, 0x1.3dd142e57e2a9p-28, -0x1.97b961c54db9ap-32, 0x1.e38f2f11565bdp-36,
    -0x1.0e5f20ceba546p-39, 0x1.328b58e80bf3cp-43};
// dawsn'(x) = DAWSON_DERIVATIVE_MIDDLE(y), y = x - 49/16, 11/8 <= x <= 4: error 3.1e-17
static const double DAWSON_DERIVATIVE_MIDDLE_LOW[2] = {-0x1.d956749c583c5p-58, -0x1.1908d052f356dp-59}, DAWSON_DERIVATIVE_MIDDLE[31] = {
    -0x1.0e3384bd7af94p-4, 0x1.ca9189e8fbea4p-5, -0x1.438fa36397982p-5, 0x1.94121caf5dd66p-6, -0x1.76a3197a25d4ep-7,
    0x1.b6e0adcbbb3dfp-10, 0x1.7768adebfd180p-9, -0x1.91a10a7b37105p-9, 0x1.9079a2612b7b2p-10, -0x1.1eec96d2f039ap-12,
    -0x1.687942ed1f14fp-13, 0x1.3b7ceb4026576p-13, -0x1.7df56625059a7p-15, -0x1.e5d2f646942a9p-19,
    0x1.203041c6e5245p-17, -0x1.914e5eaa4899fp-19, -0x1.384f7256fc6d2p-31, 0x1.918c08042243fp-22,
    -0x1.111b4c3502cb5p-23, -0x1.3c959bf13ecfdp-31, 0x1.d172f2cb97152p-27, -0x1.0a985cd52103bp-28,
    -0x1.aa537f77898bcp-33, 0x1.b7d1584452ddbp-32, -0x1.a1922b6dee9b3p-34, -0x1.83b7bdf48ca2fp-37,
    0x1.d71d9df782fbfp-37, -0x1.0cabc5257bf4fp-40, -0x1.3cd02aacffaacp-40, -0x1.36fba64a1f3a2p-48,
    0x1.c0d691907f589p-46};
// dawsn'(x) = -v / 2 - v^2 DAWSON_DERIVATIVE_FAR(t), v = 1 / x^2, t = 32 v - 1, x >= 4: error 5.6e-17
static const double DAWSON_DERIVATIVE_FAR_LOW[2] = {0x1.50a6b7e82640cp-56, -0x1.bf11559fe2506p-58}, DAWSON_DERIVATIVE_FAR[31] = {
    0x1.a1d7e443b89b6p-1, 0x1.33066e6e2f43bp-4, 0x1.594c1e2eaafd4p-7, 0x1.15d692207fb67p-9, 0x1.39d84a6580cb6p-11,
    0x1.fc2e29acf6f7fp-13, 0x1.23979dceb4f70p-13, 0x1.710044ef4358dp-14, 0x1.7d1ed22c765e0p-16, -0x1.ed178a181d8ecp-15,
    -0x1.7f4b96aa0837ap-14, -0x1.2653814eb31adp-16, 0x1.5f635a0ba7a5bp-14, 0x1.c5a4531e265aap-15,
    -0x1.2a799587d9f03p-14, -0x1.0f0d76e06d131p-14, 0x1.1fa4dfc2ffc20p-14, 0x1.ff42de2eea0e8p-15,
    -0x1.23fd7ca9802c3p-14, -0x1.90657f7bfe948p-15, 0x1.0bff93bed788cp-14, 0x1.f59d23bb91a14p-16,
    -0x1.8db34df1c305cp-15, -0x1.d8479d079287ap-17, 0x1.b9465c73c52eap-16, 0x1.333c02a035126p-18,
    -0x1.524e7a7881f3bp-17, -0x1.e25627e827d11p-21, 0x1.3d1c6f1b0b5fap-19, 0x1.4f5e2a7be1d56p-24,
    -0x1.10684bc159e77p-22};

// Faddeeva's function
// exp(-t^2) / pi, t = k / 2 + 0.25, at 0 half
static const double FADDEEVA_BETWEEN[14] = {0x1.323378294c2bfp-2, 0x1.7370ce99b1cfcp-3, 0x1.114a6f33e6973p-4,
    0x1.e7d5d560f7361p-7, 0x1.0815d6ae9a174p-9, 0x1.5ad6cd7d941eap-13, 0x1.144a23e612150p-17, 0x1.0afbaf6c74746p-22,
    0x1.38f537a79c317p-28, 0x1.bd02cd510a96fp-35, 0x1.7fcd8aeb5d909p-42, 0x1.918a2e7cd92d1p-50, 0x1.fd9a442c5e80dp-59,
    0x1.8845ab0be88a0p-68};
// exp(-t^2) / pi, t = k / 2 + 0.0, at 0 half
static const double FADDEEVA_AT[14] = {0x1.45f306dc9c883p-3, 0x1.fbb2fd3e63b83p-3, 0x1.dfa3e572aa123p-4,
    0x1.12d6a47eec4e7p-5, 0x1.7e13fd7d199b4p-8, 0x1.422a769e2e126p-11, 0x1.4986a82011d6dp-15, 0x1.98de153524230p-20,
    0x1.33b3574d5dd08p-25, 0x1.18e738aad23efp-31, 0x1.3713b5406adeap-38, 0x1.a1e3ccc0d34dfp-46, 0x1.547e45cb47c08p-54,
    0x1.508a7dde1f085p-63};
// Im wofz(x) = x FADDEEVA_SERIES(z), z = x^2 <= 1
static const double FADDEEVA_SERIES[20] = {0x1.20dd750429b6dp+0, -0x1.812746b0379e7p-1, 0x1.341f6bc02c7ecp-2,
    -0x1.6023e8dba090dp-4, 0x1.390379a6c79d3p-6, -0x1.c74adf7e399edp-9, 0x1.182e13615e892p-11, -0x1.2adbd067dc4e0p-14,
    0x1.19475abc1aa3cp-17, -0x1.d9bb8b57c113dp-21, 0x1.68f06a2a7ab9cp-24, -0x1.f62d19463b71cp-28,
    0x1.41648b0e3a864p-31, -0x1.7ce8f0a89136dp-35, 0x1.a4507c5012febp-39, -0x1.b1df781097bc9p-43,
    0x1.a4b9aabac1af2p-47, -0x1.80a9c0aabfb61p-51, 0x1.4cae7d1e0d968p-55, -0x1.10f83225c9821p-59};
// Im wofz'(x) = FADDEEVA_DERIVATIVE(z)
static const double FADDEEVA_DERIVATIVE[20] = {0x1.20dd750429b6dp+0, -0x1.20dd750429b6dp+1, 0x1.812746b0379e7p+0,
    -0x1.341f6bc02c7ecp-1, 0x1.6023e8dba090dp-3, -0x1.390379a6c79d3p-5, 0x1.c74adf7e399edp-8, -0x1.182e13615e892p-10,
    0x1.2adbd067dc4e0p-13, -0x1.19475abc1aa3cp-16, 0x1.d9bb8b57c113dp-20, -0x1.68f06a2a7ab9cp-23,
    0x1.f62d19463b71cp-27, -0x1.41648b0e3a864p-30, 0x1.7ce8f0a89136dp-34, -0x1.a4507c5012febp-38,
    0x1.b1df781097bc9p-42, -0x1.a4b9aabac1af2p-46, 0x1.80a9c0aabfb61p-50, -0x1.4cae7d1e0d968p-54};

// Bessel functions
// j0(x) = 1 - z / 4 + z^2 J0_SMALL(z), z = x^2 <= 4: error 5.1e-19
static const double J0_SMALL_LOW[2] = {-0x1.4635f5a985ce7p-75, 0x1.5bb284de4bdc1p-66}, J0_SMALL[8] = {
    0x1.0000000000000p-6, -0x1.c71c71c71c6c2p-12, 0x1.c71c71c713eaep-18, -0x1.234567855ae52p-24, 0x1.02e859fb2c906p-31,
    -0x1.522938b8b372bp-39, 0x1.51df32bc0e9edp-47, -0x1.002bbae8a8efcp-55};
#define J0_ZERO_HI 0x1.721fb80462bbbp+2
#define J0_ZERO_LO 0x1.db60c816c15d3p-52
// j0(x) = (z - J0_ZERO) J0_NEAR(t) / (16 + z), t = (2 z - 29) / 21, 4 <= z = x^2 <= 25: error 3.9e-17
static const double J0_NEAR_LOW[2] = {0x1.1f577b65fe048p-54, 0x1.8740ba2d078b7p-54}, J0_NEAR[14] = {
    -0x1.68aa4a3f1a61bp+0, 0x1.2a661d7fcbaadp+0, -0x1.071629f42cab8p-4, -0x1.87fcd903bcdddp-4, 0x1.c65e2a70bffd7p-6,
    -0x1.f0de654f677e0p-9, 0x1.53484b276d0bep-12, -0x1.434acf916ec78p-16, 0x1.ca062dcbb4392p-21,
    -0x1.f74f2291503d0p-26, 0x1.ba71a93c69c7fp-31, -0x1.3ea000ed8e729p-36, 0x1.7f72cd0a80d33p-42,
    -0x1.845c89522430fp-48};
// j1(x) = x / 2 - x z / 16 + x z^2 J1_SMALL(z), z = x^2 <= 4: error 2.3e-20
static const double J1_SMALL_LOW[2] = {0x1.5554676633f2bp-63, -0x1.582687883d559p-69}, J1_SMALL[8] = {
    0x1.5555555555555p-9, -0x1.c71c71c71c6fbp-15, 0x1.6c16c16c13a56p-21, -0x1.845c8a09bf3c2p-28, 0x1.27e4f9f85f610p-35,
    -0x1.5229811b67a7dp-43, 0x1.2c60a0c4bdef1p-51, -0x1.9b72f005576d4p-60};
#define J1_ZERO_HI 0x1.d5d2b4189822cp+3
#define J1_ZERO_LO -0x1.c6a0d245172bap-54
// j1(x) = x (z - J1_ZERO) J1_NEAR(t) / (16 + z), t = (2 z - 29) / 21, 4 <= z = x^2 <= 25: error 4.5e-18
static const double J1_NEAR_LOW[2] = {-0x1.53a8bb1bf7caap-56, -0x1.83bf58e38ebb4p-60}, J1_NEAR[14] = {
    -0x1.b1b78b0fe85c9p-2, 0x1.4005679b3d740p-3, 0x1.4bfd282426aa3p-6, -0x1.085b26c6e3891p-6, 0x1.9c20f4affb39ap-9,
    -0x1.63d2afbdce6ebp-12, 0x1.9651c28988af4p-16, -0x1.4e2e17b08f65dp-20, 0x1.a1554d7ea7a94p-25,
    -0x1.9a7582b05246ap-30, 0x1.46c266464f19dp-35, -0x1.ae3502b2b7d4fp-41, 0x1.dccc67ed7e689p-47,
    -0x1.bf4eb5ac131c6p-53};
// hypot(j0(x), y0(x)) = BESSEL_MODULUS_0(t) / sqrt(x), t = 50 / x^2 - 1, x >= 5: error 8.4e-18
static const double BESSEL_MODULUS_0_LOW[2] = {0x1.bde87a299fea2p-55, 0x1.040674e8c8233p-66}, BESSEL_MODULUS_0[20] = {
    0x1.98058cb9f997fp-1, -0x1.ec98363e96644p-11, 0x1.aca4c46444294p-16, -0x1.ef01631581429p-20, 0x1.e5f2570c5a7b0p-23,
    -0x1.4f1e9762306b0p-25, 0x1.25137a852d56dp-27, -0x1.3194a740b63b0p-29, 0x1.6c7129beafcf6p-31,
    -0x1.e05327f19292fp-33, 0x1.65ed529c3264ap-34, -0x1.3f59e75d4a463p-35, 0x1.574815d11f471p-37,
    0x1.5b70162c24c2fp-39, 0x1.d9ba8b986688ep-38, -0x1.410b10df3a4d5p-37, -0x1.4e910edb1a57cp-39,
    0x1.1cd238baa132ep-38, 0x1.48def0cdfb697p-40, -0x1.523b7e625b6dfp-40};
// the phase of (j0(x), y0(x)) is x - 1 pi / 4 + BESSEL_PHASE_0(t) / x: error 5.8e-18
static const double BESSEL_PHASE_0_LOW[2] = {-0x1.e6cb5e773463dp-58, 0x1.fd47d8f4b603bp-64}, BESSEL_PHASE_0[22] = {
    -0x1.faf7a17ee3a70p-4, 0x1.3111fd6bb9920p-10, -0x1.e61cb9fa57b70p-15, 0x1.883c983d55479p-18,
    -0x1.e0498e2ca30d7p-21, 0x1.84c53ed3c27bdp-23, -0x1.809fde6ba4ef5p-25, 0x1.bab29e3ac17f3p-27,
    -0x1.1edf26c6726d3p-28, 0x1.99644981e37e7p-30, -0x1.38300a459ef37p-31, 0x1.f22f85a6da81dp-33,
    -0x1.019d676d870f2p-33, 0x1.2d01501bf6662p-34, 0x1.12b6202a6daffp-38, -0x1.7f756f97e5367p-36,
    -0x1.2e67596c603e1p-35, 0x1.2cedf9849aa1ep-35, 0x1.21ac476561b8ap-36, -0x1.20b2e581d54cdp-36,
    -0x1.96f7f097b9e1ap-38, 0x1.4e10c6564e4cbp-38};
// hypot(j1(x), y1(x)) = BESSEL_MODULUS_1(t) / sqrt(x), t = 50 / x^2 - 1, x >= 5: error 9.3e-18
static const double BESSEL_MODULUS_1_LOW[2] = {-0x1.717389adb2be9p-56, 0x1.2078e23eb58cap-63}, BESSEL_MODULUS_1[20] = {
    0x1.9a04fcb9250eep-1, 0x1.79a4f4e9e439fp-9, -0x1.a55b14de65285p-15, 0x1.883fee40b2dc9p-19, -0x1.59437ca67e1e1p-22,
    0x1.bfcdfe9ee3c75p-25, -0x1.78bdaa58f9c5cp-27, 0x1.7e7c9792b1557p-29, -0x1.bf62957159c75p-31,
    0x1.22a1439623294p-32, -0x1.ab353db4f15fap-34, 0x1.76c90dad3dabap-35, -0x1.994dd4dd4b686p-37,
    -0x1.5a06a291e1e02p-39, -0x1.0c6bd1fcec41ep-37, 0x1.6762c9bfcfaafp-37, 0x1.739b28e160e3fp-39,
    -0x1.3cdb3ca0da4c8p-38, -0x1.711cedf3ecb46p-40, 0x1.79cbdb4c4d0ebp-40};
// the phase of (j1(x), y1(x)) is x - 3 pi / 4 + BESSEL_PHASE_1(t) / x: error 6.4e-18
static const double BESSEL_PHASE_1_LOW[2] = {0x1.5f219cd4414c1p-58, 0x1.f77f846438a79p-63}, BESSEL_PHASE_1[22] = {
    0x1.7cc6b17b48e5ap-2, -0x1.8ce5fb9864fe7p-9, 0x1.cb2dd2c84391ep-14, -0x1.3295adf3b71fap-17, 0x1.535bdf0d68a5fp-20,
    -0x1.031d73b34a7a9p-22, 0x1.ede8035e564e5p-25, -0x1.14f868c180627p-26, 0x1.6028423a578c4p-28,
    -0x1.ef26c3e206016p-30, 0x1.7573ee34b85d6p-31, -0x1.27ae497c043c9p-32, 0x1.2c7e710fd45e0p-33,
    -0x1.5998e404356a1p-34, -0x1.c9af6d467a290p-39, 0x1.a0974fb85412cp-36, 0x1.51d9b4be07016p-35,
    -0x1.4ea2e687cf62dp-35, -0x1.415a8f772f8bbp-36, 0x1.3febcc1881b0fp-36, 0x1.c5c3f15abc758p-38,
    -0x1.735dc88480657p-38};
// hypot(j1'(x), y1'(x)) = BESSEL_MODULUS_D(t) / sqrt(x), t = 50 / x^2 - 1, x >= 5: error 1.0e-17
static const double BESSEL_MODULUS_D_LOW[2] = {-0x1.e9e063515ed69p-55, -0x1.2a5cf346d6244p-68}, BESSEL_MODULUS_D[20] = {
    0x1.9814ba74f369bp-1, -0x1.7500493826926p-11, 0x1.1a6a3cf71bfd6p-13, -0x1.3fa5d0b0c5d0dp-18, 0x1.e801f60431500p-22,
    -0x1.2cde73a48e052p-24, 0x1.e8a9830a6e7f4p-27, -0x1.e37a01a6329ccp-29, 0x1.154e210d92157p-30,
    -0x1.6307b5e1f91bcp-32, 0x1.013f91b4f3787p-33, -0x1.bb8e333ce3496p-35, 0x1.ebee0db418e19p-37,
    0x1.4fe72c6801899p-39, 0x1.3207c8c1b899dp-37, -0x1.9456be1f68962p-37, -0x1.9e7362cb1156cp-39,
    0x1.620d51b4a8bfcp-38, 0x1.a065647cc299dp-40, -0x1.a7ffbfd09a45bp-40};
// the phase of (j1'(x), y1'(x)) is x - 1 pi / 4 + BESSEL_PHASE_D(t) / x: error 7.1e-18
static const double BESSEL_PHASE_D_LOW[2] = {0x1.068d5ec7e0738p-57, 0x1.67d3be53d53d1p-64}, BESSEL_PHASE_D[22] = {
    0x1.c3883ecc29712p-1, 0x1.b5bb83b639522p-8, -0x1.ae51793d3a8e3p-13, 0x1.9db26d9c5b4a2p-17, -0x1.ba221d709de09p-20,
    0x1.4a1787a88ec41p-22, -0x1.3410ce2b7c23ap-24, 0x1.53aba44b0e016p-26, -0x1.a9eefa4bef1a8p-28,
    0x1.2805ebe65c13ap-29, -0x1.ba95da200c565p-31, 0x1.5c2c40e92d265p-32, -0x1.5c8d347cb25fcp-33,
    0x1.8b44740cfca1ap-34, 0x1.58c27fdb079b2p-39, -0x1.c409fbd5d773ep-36, -0x1.78bd81bf6c2dep-35,
    0x1.73808432d763dp-35, 0x1.63ef9d521f9e8p-36, -0x1.61fb2a3d0eb0dp-36, -0x1.f906e0f3c73e4p-38,
    0x1.9c25a268942c5p-38};
// pi / 2 y0(x) = log(x) j0(x) + Y0_SMALL(z), 0 <= z <= 4: error 1.0e-17
static const double Y0_SMALL_LOW[2] = {-0x1.be049fc7d0c42p-62, 0x1.5e22f05fefd59p-58}, Y0_SMALL[10] = {
    -0x1.dadb014541eb2p-4, 0x1.1dadb014541ebp-2, -0x1.9dadb014541e1p-6, 0x1.bb90e85deb90bp-11, -0x1.f4747696984a2p-17,
    0x1.5d6b13a0aad07p-23, -0x1.4c2b68ffabd8bp-30, 0x1.ca0007b290cb3p-38, -0x1.de9a5a55714d6p-46,
    0x1.77383f0b9d241p-54};
// pi / 2 y0(x) = log(x) j0(x) + Y0_NEAR(t), 4 <= z <= 25: error 2.0e-17
static const double Y0_NEAR_LOW[2] = {0x1.4b0bb34dc400cp-55, -0x1.6968563dde283p-58}, Y0_NEAR[15] = {
    0x1.44e5034502dcdp-1, -0x1.770e91590f5a0p-1, -0x1.55116c7e77ef9p-2, 0x1.3285457d72247p-2, -0x1.3a2fef3fce29ep-4,
    0x1.57d5e79679b07p-7, -0x1.e0e314630344fp-11, 0x1.d788d6ad98c1dp-15, -0x1.57b4115ce1bb2p-19, 0x1.8409de7d49895p-24,
    -0x1.5dcc73cbfb1f1p-29, 0x1.01d42b581c4b4p-34, -0x1.3cc2610de171bp-40, 0x1.49a6643dd72f4p-46,
    -0x1.244816848d606p-52};
// pi / 2 y1(x) = log(x) j1(x) - 1 / x + x Y1_SMALL(z), 0 <= z <= 4: error 5.3e-18
static const double Y1_SMALL_LOW[2] = {-0x1.037c11d96b6e6p-56, 0x1.e7b5f843ffb88p-60}, Y1_SMALL[10] = {
    -0x1.3b5b6028a83d6p-2, 0x1.5dadb014541ebp-4, -0x1.303ae729ff30dp-8, 0x1.d802af7a5d973p-14, -0x1.a29182245f807p-20,
    0x1.e2129ff5af79dp-27, -0x1.8630a7c472ccfp-34, 0x1.d491ef364efd8p-42, -0x1.b1daeca49b5e3p-50,
    0x1.329ed27af9f0ap-58};
// pi / 2 y1(x) = log(x) j1(x) - 1 / x + x Y1_NEAR(t), 4 <= z <= 25: error 5.1e-18
static const double Y1_NEAR_LOW[2] = {0x1.466b77641f6c1p-57, -0x1.601b46e19c603p-60}, Y1_NEAR[15] = {
    0x1.e3de803199597p-3, 0x1.d919c1cbdf42dp-5, -0x1.2e82c895242f0p-3, 0x1.bb9f0547f0cb3p-5, -0x1.3765d4d013f2cp-7,
    0x1.08cbd726f253fp-10, -0x1.315801b9c2793p-14, 0x1.ff6b8aa1d9884p-19, -0x1.4600659d48468p-23,
    0x1.4770847798f52p-28, -0x1.0a0de31aec7e3p-33, 0x1.652f831b564d4p-39, -0x1.930228e1c4a9fp-45,
    0x1.83d60ba85c7c3p-51, -0x1.4004594d1beacp-57};
#define J1_DERIVATIVE_ZERO_HI 0x1.b1ea226bf6dc4p+1
#define J1_DERIVATIVE_ZERO_LO -0x1.e57d7c8e72b7dp-54
// j1'(x) = (z - J1_DERIVATIVE_ZERO) J1_DERIVATIVE(t) / (16 + z), t = 2 z / 25 - 1, z = x^2 <= 25: error 9.4e-18
static const double J1_DERIVATIVE_LOW[2] = {0x1.11a8ed3ffd6e2p-55, -0x1.1d5b80effba36p-54}, J1_DERIVATIVE[16] = {
    -0x1.4fe001cf7582ep+0, 0x1.41f5c01df7b06p+0, -0x1.0c36d18bd0231p-5, -0x1.65d4c98a69d9cp-3, 0x1.d75881d210d67p-5,
    -0x1.2ea34554e4985p-7, 0x1.e8f52fdb5a030p-11, -0x1.145d57d811fb5p-14, 0x1.d11c0972d5010p-19,
    -0x1.2fc84880cbe03p-23, 0x1.3d964059941dep-28, -0x1.10111a566ae48p-33, 0x1.853d92e6419a3p-39,
    -0x1.d83fa6ca5626cp-45, 0x1.ec938ff109f65p-51, -0x1.c0874fd899546p-57};
// pi / 2 y1'(x) = log(x) j1'(x) + 1 / z + Y1_DERIVATIVE(t): error 5.1e-17
static const double Y1_DERIVATIVE_LOW[2] = {0x1.b73a0d37cb5efp-55, 0x1.b4309d053902cp-55}, Y1_DERIVATIVE[17] = {
    0x1.14a4386010c5ep-1, -0x1.a537f4872f3bfp-1, -0x1.ee8ab5a3518fdp-2, 0x1.031aa2825d5fdp-1, -0x1.3b888a976a5c4p-3,
    0x1.9ae9ec95adc7ap-6, -0x1.560f3f91aa8d4p-9, 0x1.8f4ce2da2049ep-13, -0x1.5a80f0032d209p-17, 0x1.d1bc01e90cca5p-22,
    -0x1.f3d3bf0149eedp-27, 0x1.b699d7731fad2p-32, -0x1.40c09515a291ep-37, 0x1.8d277cd87dfdap-43,
    -0x1.a5ce140778c8bp-49, 0x1.84d0695bd1072p-55, -0x1.3ac53dda1cca1p-61};

// exponential integrals
#define EULER_HI 0x1.2788cfc6fb619p-1
#define EULER_LO -0x1.6cb90701fbfabp-58
// exp1(x) = x E1_NEAR(t) - log(x) - EULER, t = 2 x - 1, x <= 1: error 5.3e-18
static const double E1_NEAR_LOW[2] = {-0x1.6d8e9aec2b173p-57, 0x1.8d698d80ad810p-58}, E1_NEAR[12] = {
    0x1.c67e89b998f57p-1, -0x1.9ca74a3c5db56p-4, 0x1.596c3c8071ec5p-7, -0x1.f1e8263fc1e7ap-11, 0x1.35d5fefa37af6p-14,
    -0x1.512e554e18511p-18, 0x1.451139bc8c573p-22, -0x1.18dcb5286ac7ap-26, 0x1.b74dfc5c419e2p-31,
    -0x1.399e7abfe87fap-35, 0x1.9d9dd2064367bp-40, -0x1.fad0b1077e93ep-45};
// exp1(x) = exp(-x) E1_FAR(t) / (x + 1), t = (4 v - 1) / 3, v = (x - 3) / (x + 3), x >= 1: error 1.3e-17
static const double E1_FAR_LOW[2] = {-0x1.c3f17c5966e39p-54, 0x1.25a12054dd1e2p-60}, E1_FAR[34] = {
    0x1.05c4b9f9efb9ep+0, -0x1.cdaf8f9b850c0p-5, 0x1.a7ae9b2594181p-5, -0x1.ca4d198f61f13p-6, 0x1.fb4d2b023595fp-7,
    -0x1.125197b9ed5ecp-7, 0x1.2cb6e18edd8cbp-8, -0x1.49ce343c37d5ep-9, 0x1.6cf15718d70aap-10, -0x1.953815985c126p-11,
    0x1.c4cb07595fdd3p-12, -0x1.fbb9d0501c44fp-13, 0x1.1e0919a5a840fp-13, -0x1.4339285c12b08p-14,
    0x1.6e1dfa8358d19p-15, -0x1.a0a8510a23fa4p-16, 0x1.e31307baa715fp-17, -0x1.11f6f08319a75p-17,
    0x1.0c3b9de4d6d42p-18, -0x1.48128a50fdb86p-19, 0x1.826a2d00622e2p-19, -0x1.75c22c2f926b2p-20,
    -0x1.a9294b6d06445p-20, 0x1.313878014c19ap-21, 0x1.567f436f84c05p-19, -0x1.349d50d75698bp-20,
    -0x1.f993752c97de3p-20, 0x1.d4e54827858bcp-21, 0x1.2741ba918fcbbp-20, -0x1.228170c757804p-21,
    -0x1.8ad656dc6c3d1p-22, 0x1.9308f0cbd38d1p-23, 0x1.19fe9a9644050p-24, -0x1.2d3672300cc6ep-25};
#define EI_ROOT_HI 0x1.7d72952b4b5fcp-2
#define EI_ROOT_LO 0x1.e4c986021c6f2p-57
// expi(x) = log(x / EI_ROOT) + (x - EI_ROOT) (x + 6)^3 EI_NEAR(t), t = x / 3 - 1, x <= 6: error 3.5e-17
static const double EI_NEAR_LOW[2] = {-0x1.82d75236286e2p-65, -0x1.1c0a85a5e09d4p-65}, EI_NEAR[25] = {
    0x1.0c819e0cb28f4p-8, 0x1.37b1c1bb4f1c7p-10, 0x1.1ab5c2121ab49p-9, 0x1.f71e6d50f1b6cp-12, 0x1.0339fd46dabffp-11,
    0x1.01c70981bf2d3p-14, 0x1.27700ed27a420p-14, 0x1.3e6d532573218p-23, 0x1.0f6860c1dc4cap-17, -0x1.414f471a8667fp-20,
    0x1.fad0d118f96b2p-21, -0x1.1eb0c54b5a828p-22, 0x1.07c398c0305cap-23, -0x1.7267329d92d61p-25,
    0x1.232fb36959a1cp-26, -0x1.ae956678f08f9p-28, 0x1.44af47cac9a11p-29, -0x1.d63d5e07f6ab2p-31,
    0x1.4fda24cbe4f5fp-32, -0x1.1edec6fc9ea1ap-33, 0x1.df8e8eee8f47ep-35, -0x1.0e77be975cdacp-37,
    0x1.5c3718f7491fbp-43, -0x1.4726449f63b94p-38, 0x1.29837625e66d9p-39};
// expi(x) = exp(x) EI_MIDDLE(t) / x, t = x / 4 - 5 / 2, 6 <= x <= 14: error 3.0e-18
static const double EI_MIDDLE_LOW[2] = {-0x1.867bf090618ebp-54, -0x1.d857effa99a58p-59}, EI_MIDDLE[28] = {
    0x1.21a80805bb3e3p+0, -0x1.2c35014a212fdp-4, 0x1.53399e2f64ee6p-5, -0x1.629e55cabf21ep-6, 0x1.3453040129306p-7,
    -0x1.76ce3f457a729p-9, 0x1.4f07b0c6c4364p-13, 0x1.0ee32640d5065p-11, -0x1.d2ec3549dec78p-12, 0x1.007875aec4d27p-12,
    -0x1.b7cdfd73c2a89p-14, 0x1.354aa6c4bfac7p-15, -0x1.63a71b4d6a4e3p-17, 0x1.3628b5b1aeaffp-19,
    -0x1.02f92bbd6b029p-22, -0x1.a7537196f6ae3p-24, 0x1.657ccee28e3f6p-24, -0x1.54e6789c7551dp-25,
    0x1.0b7608b7e3095p-26, -0x1.7a48411169a72p-28, 0x1.ed2f74bcafc3fp-30, -0x1.3c4b1b7642ae5p-31,
    0x1.de97761c00ac6p-33, -0x1.44bc342787363p-34, 0x1.e4faa9d93d286p-38, -0x1.24718269b946ap-40,
    0x1.9034614766d1cp-38, -0x1.2c497d027f875p-39};
// expi(x) = exp(x) EI_FAR(t) / x, t = 28 / x - 1, x >= 14: error 7.7e-18
static const double EI_FAR_LOW[2] = {0x1.72c8b242c88b6p-54, -0x1.f149d2c3fb028p-59}, EI_FAR[35] = {
    0x1.09e0d109ff1cep+0, 0x1.56c181bd0187ap-5, 0x1.e65c51aa14cf8p-9, 0x1.22ced38a3ab98p-11, 0x1.0ea3865f6f305p-13,
    0x1.875e339939660p-15, 0x1.9d7e4cfb99e40p-16, 0x1.ae4800bd67d1fp-17, -0x1.86799f46b622dp-21,
    -0x1.9c4c6bf9070cep-17, -0x1.5d20c88f124aap-17, 0x1.314084fe3813bp-18, 0x1.7fd9d987dea4bp-17,
    -0x1.a15df667e179cp-20, -0x1.699d12772d32bp-17, 0x1.20838d363131ap-19, 0x1.4c4db6241eb71p-17,
    -0x1.4665eb82a03b1p-18, -0x1.11e50c8423aabp-17, 0x1.15f08a583cd1ep-17, 0x1.5024ccd7eafe3p-18,
    -0x1.6426c647db05ep-17, -0x1.20011e3244267p-20, 0x1.5ccefcc6f84e6p-17, -0x1.0cc704292f039p-19,
    -0x1.025140c6fd57ap-17, 0x1.906af53656827p-19, 0x1.1826823853384p-18, -0x1.27407c22b166cp-19,
    -0x1.a34ee90582444p-20, 0x1.08c968c8a41a8p-20, 0x1.82737c5dc9269p-22, -0x1.134c90ca331b8p-22,
    -0x1.4a199d1064a8ap-25, 0x1.004e83802c481p-25};

// sine and cosine integrals
// Si(x) = x SI_NEAR(t), t = z / 8 - 1, z = x^2 <= 16: error 1.5e-17
static const double SI_NEAR_LOW[2] = {0x1.8b7698463d5e7p-58, 0x1.886b36dbefac9p-56}, SI_NEAR[14] = {
    0x1.4c3ba09d01a0dp-1, -0x1.14774a496bda5p-2, 0x1.1e887724d658ep-4, -0x1.4d9bbee8c8688p-7, 0x1.e583838411d42p-11,
    -0x1.e0a04a92f4eb4p-15, 0x1.57fcad05342dap-19, -0x1.74584995904d5p-24, 0x1.3b61dc2de72cep-29,
    -0x1.ad6ddd733984ap-35, 0x1.e03808d5a71dbp-41, -0x1.c0ea0e14d8db1p-47, 0x1.642674725c9a5p-53,
    -0x1.e87526bece087p-60};
#define CI_ROOT_HI 0x1.3ba69b6517559p-1
#define CI_ROOT_LO -0x1.844beee0210fep-55
#define CI_ROOT_SQUARE_HI 0x1.85336ed8acda5p-2
#define CI_ROOT_SQUARE_LO 0x1.a365b94b243d3p-56
// Ci(x) = log(x / CI_ROOT) + (z - CI_ROOT_SQUARE) CI_NEAR(t): error 3.9e-18
static const double CI_NEAR_LOW[2] = {-0x1.ae558b6ae5bcep-57, 0x1.fbc8301fd15a5p-59}, CI_NEAR[13] = {
    -0x1.69e4c6a21de2ap-3, 0x1.d6d8b86f08f0fp-5, -0x1.5bda35413a552p-7, 0x1.36791ed717d36p-10, -0x1.6d9319a3d6e26p-14,
    0x1.2fd145fa7160cp-18, -0x1.76cf08232fd6fp-23, 0x1.64889ab0c642bp-28, -0x1.0d63e2497ac5cp-33,
    0x1.4b1cb16d760d6p-39, -0x1.5179400c0ac50p-45, 0x1.21f00308e1405p-51, -0x1.a8c7a2d80fbe1p-58};
// Si(x) = pi / 2 - f cos(x) - g sin(x), Ci(x) = f sin(x) - g cos(x), f = SICI_F(t) / x, g = SICI_G(t) / x^2, x >= 4,
// t = (5 v - 2) / 3, v = (x - 6) / (x + 6): error 1.5e-18
static const double SICI_F_LOW[2] = {0x1.b2ada475299a1p-56, -0x1.732d666620055p-60}, SICI_F[26] = {
    0x1.fb0e6e37ce186p-1, 0x1.ad358d0a3eb70p-6, -0x1.b0489dc6867a3p-6, 0x1.c1c4b07aaf3fep-7, -0x1.4c25d81dc3719p-8,
    0x1.90cf5f78a9399p-10, -0x1.dc1cf0c01269dp-12, 0x1.32d9a10816702p-13, -0x1.8919a302d285ap-15,
    0x1.f551dc410fd5ep-17, -0x1.552a28b5e49a4p-18, 0x1.cb5c2acdc50d3p-20, -0x1.35d2c9e30812cp-21,
    0x1.bce35b120fd52p-23, -0x1.3224a25ede0a6p-24, 0x1.b40a1353fcc0dp-26, -0x1.459794c620c2dp-27,
    0x1.bcff3e6159c64p-29, -0x1.4d04545f789cfp-30, 0x1.f20753164c0adp-32, -0x1.af23f7e376572p-33,
    0x1.47a46cdc78c3dp-34, -0x1.733fe7c0447e9p-41, 0x1.22eb9f5eab806p-38, -0x1.63679f4d7404fp-37,
    0x1.8f6e691ac1920p-39};
// g: error 5.1e-18
static const double SICI_G_LOW[2] = {0x1.427264476896cp-56, 0x1.b51f8c8f3473ep-62}, SICI_G[26] = {0x1.f1aadbeec7ec6p-1,
    0x1.2d85c22f7837bp-4, -0x1.1866b125929bfp-4, 0x1.d3e0e124abf05p-6, -0x1.94b5ce2d57d30p-8, 0x1.b02837614d66cp-12,
    0x1.1258647cef4c0p-15, 0x1.2e8c3ce6715bap-20, 0x1.11e22741286dap-16, -0x1.119d1d09b09d2p-17, 0x1.d42472dd81c39p-20,
    -0x1.38301d3136ef1p-20, 0x1.bd5a832327dd6p-22, -0x1.95508dc73007dp-24, 0x1.30dff1c5b2481p-24,
    -0x1.12e55327c16dep-26, 0x1.873b0d7e72670p-28, -0x1.278b649c62aecp-28, 0x1.20c13724443adp-32,
    -0x1.46de14a0d8b93p-31, 0x1.9b89df71d8254p-34, -0x1.89a180ef30502p-38, 0x1.f8e2997829540p-34,
    0x1.12431f893c356p-35, -0x1.5c3ec21596811p-37, -0x1.a24df8f261961p-37};

// complete elliptic integrals
#define PI_INVERSE_HI 0x1.45f306dc9c883p-2
#define PI_INVERSE_LO -0x1.6b01ec5417056p-56
// ellipk(y) = ELLIPK(t), t = 4 y - 1, 0 <= y <= 1/2: error 8.4e-19
static const double ELLIPK_LOW[2] = {-0x1.55f65f6034e2cp-57, -0x1.3d12aee376fbap-57}, ELLIPK[23] = {
    0x1.af8d55d323f79p+0, 0x1.155de079fdc77p-3, 0x1.9b2938edbb2a4p-6, 0x1.7a838e7a3878fp-8, 0x1.81160f670a040p-10,
    0x1.9ef62808f3a91p-12, 0x1.d02c67033135ap-14, 0x1.0a81759448e05p-15, 0x1.3806b0d5be236p-17, 0x1.72d2b04993c01p-19,
    0x1.bdf57802272c3p-21, 0x1.0ec1bd1aa9e89p-22, 0x1.4b6bc96200156p-24, 0x1.987f2a5225075p-26, 0x1.fa189f5e9fca9p-28,
    0x1.3a1890f2247cfp-29, 0x1.8aca05b822257p-31, 0x1.0136250d49400p-32, 0x1.396915382aa1bp-34, 0x1.27d5d7922b7e8p-36,
    0x1.bcf44228f2466p-38, 0x1.280a3ae7d626fp-38, 0x1.473378c852ca8p-40};
// ellipk(1 - y) = ELLIPK_REST(t) - log(y) ellipk(y) / pi: error 1.5e-19
static const double ELLIPK_REST_LOW[2] = {-0x1.6a9539a028551p-55, -0x1.0c3cb103d40a1p-61}, ELLIPK_REST[23] = {
    0x1.69a2f171aed81p+0, 0x1.d91e9ca2bf76ep-6, 0x1.7db7f19a92869p-9, 0x1.ddd8c35fe56e4p-12, 0x1.6f15c20f2cf70p-14,
    0x1.3d56c7417360cp-16, 0x1.282fac6657c74p-18, 0x1.23b1d73f0ca4dp-20, 0x1.2ae765902e6dbp-22, 0x1.3bc8eae98d648p-24,
    0x1.55ca3eff0f4d2p-26, 0x1.7946d1fa81e83p-28, 0x1.a748d23a04e65p-30, 0x1.e17bbeb4dd27bp-32, 0x1.14f8b03bd0929p-33,
    0x1.416fe7ad8af48p-35, 0x1.7a43e60dc65e9p-37, 0x1.c8985801c6202p-39, 0x1.07c1b8ba97119p-40, 0x1.05415b7ba70f3p-42,
    0x1.6ff0e46814d2dp-44, 0x1.8f6bcead2498bp-45, 0x1.97b5ffb39c136p-47};
// ellipe(y) = ELLIPE(t): error 1.8e-19
static const double ELLIPE_LOW[2] = {-0x1.14a1f1326cbb9p-56, -0x1.a767f84b4f0f4p-59}, ELLIPE[23] = {
    0x1.77ab9a753a8f1p+0, -0x1.bf0ddaef4b440p-4, -0x1.aeb79812c12b4p-8, -0x1.d5fd79fe36de3p-11, -0x1.531488ed58d79p-13,
    -0x1.1ad9e5178f214p-15, -0x1.0202bb7bc4da6p-17, -0x1.f42785950f3bdp-20, -0x1.fa8b3a8fab0cep-22,
    -0x1.092fbe20e3618p-23, -0x1.1cffdee22f9a7p-25, -0x1.38ca78a2738cdp-27, -0x1.5d44e8c2cf4e6p-29,
    -0x1.8bbeab2afe89bp-31, -0x1.c60337cbe7f02p-33, -0x1.06582f8fc8ea4p-34, -0x1.3198e51e30914p-36,
    -0x1.7555e9e16cd9fp-38, -0x1.ca070a624d762p-40, -0x1.984dd975d094bp-42, -0x1.8b0d1e6b81e42p-44,
    -0x1.4d43ef690fde4p-44, -0x1.d84097b471045p-46};
// ellipe(1 - y) = ELLIPE_REST(t) - y log(y) ELLIP_D(t) / pi: error 2.5e-19
static const double ELLIPE_REST_LOW[2] = {0x1.a503a2a2db78fp-54, -0x1.cf0e00ab2c14cp-61}, ELLIPE_REST[23] = {
    0x1.1d5f0f7220c20p+0, 0x1.e7fa2e88e845ap-4, 0x1.439a721787460p-8, 0x1.4807c2d91ed8fp-11, 0x1.cbadb9fb025fcp-14,
    0x1.799a5b43fd532p-16, 0x1.55383edf0e8eep-18, 0x1.48a53529cabf3p-20, 0x1.4b5709a7ac831p-22, 0x1.59bfb856416ccp-24,
    0x1.72992969b960dp-26, 0x1.95e0812a9d946p-28, 0x1.c470917e5ff32p-30, 0x1.ffe0dab55e1d5p-32, 0x1.251543a2a1c50p-33,
    0x1.52aa6443fe0c5p-35, 0x1.8d69bbe2f334ep-37, 0x1.dfeff180612c2p-39, 0x1.13c1c6deb07b7p-40, 0x1.0a001eac1dbf9p-42,
    0x1.78ce8377b1b7bp-44, 0x1.a7c9541bac0d7p-45, 0x1.b31c1bc9684b1p-47};
// ellipk(y) - ellipe(y) = y ELLIP_D(t): error 1.9e-18
static const double ELLIP_D_LOW[2] = {0x1.9854b2c2e85e4p-56, 0x1.722698ab2d610p-59}, ELLIP_D[23] = {
    0x1.bf0ddaef4b440p-1, 0x1.aeb79812c12b3p-4, 0x1.607e1b7ea929ap-6, 0x1.531488ed591a7p-8, 0x1.61905e5d6c6d9p-10,
    0x1.830419395749dp-12, 0x1.b5a294e8399fdp-14, 0x1.fa8b3abd70b33p-16, 0x1.2a55b485357f6p-17, 0x1.643fcf2d32748p-19,
    0x1.ae16c96ff83bdp-21, 0x1.05f46c51957cep-22, 0x1.4181fe29a38fep-24, 0x1.8d2ab37ab0660p-26, 0x1.ecef5c2e61e6dp-28,
    0x1.32934a411a661p-29, 0x1.82a51f8c5e0bap-31, 0x1.f6bc6508142f2p-33, 0x1.2ecd54a9948fcp-34, 0x1.24271e0d18d6ap-36,
    0x1.ce498a58d855dp-38, 0x1.2197a6b13b541p-38, 0x1.312a1a9a08900p-40};
// ellipe(y) - (1 - y) ellipk(y) = y ELLIP_B(t): error 1.5e-19
static const double ELLIP_B_LOW[2] = {-0x1.2181b58236148p-55, -0x1.44d5f0bb26ce7p-60}, ELLIP_B[23] = {
    0x1.a00cd0b6fcab2p-1, 0x1.f010a384e98e8p-6, 0x1.d558eb789002ap-9, 0x1.3b782c66fb847p-11, 0x1.f85b1099e8c39p-14,
    0x1.bf20ecf8984f8p-16, 0x1.a89d21a1a9001p-18, 0x1.a77b074048f46p-20, 0x1.b61f9020b9433p-22, 0x1.d25bfe5ab2f7fp-24,
    0x1.fbd44a99e46ddp-26, 0x1.19ad129b6e89fp-27, 0x1.3d5835c4832f7p-29, 0x1.6a40f688d6795p-31, 0x1.a2071aaf79bc0p-33,
    0x1.e674d6b98dbe2p-35, 0x1.1efb72ec74014p-36, 0x1.5ad658e7cbaabp-38, 0x1.9060fe03ea65bp-40, 0x1.8f8eee841c3f4p-42,
    0x1.1d21890727b64p-43, 0x1.3098e25ce99d8p-44, 0x1.322cb8eb4ac3cp-46};
// the same of 1 - y: ELLIP_B_REST(t) + y log(y) ELLIP_B(t) / pi: error 1.7e-19
static const double ELLIP_B_REST_LOW[2] = {0x1.a4a582fe16080p-55, -0x1.bbaed9991cce7p-59}, ELLIP_B_REST[23] = {
    0x1.85eca62b6a180p-1, -0x1.ee11c083ff890p-3, -0x1.8a76517d15034p-9, -0x1.c5ad1cb5c1694p-13, -0x1.b7c1e7a2badc0p-16,
    -0x1.1344626e4164ap-18, -0x1.91539bdd29676p-21, -0x1.43b7684ad472fp-23, -0x1.18a538f6dc4cap-25,
    -0x1.00cf494385959p-27, -0x1.ea24893b79684p-30, -0x1.e3b2794729414p-32, -0x1.ea9ccdd1017efp-34,
    -0x1.fd26a6bd8f91ap-36, -0x1.0d56a1c319632p-37, -0x1.2161d99087e3cp-39, -0x1.3bbf2c90a8048p-41,
    -0x1.62fddfa4d7274p-43, -0x1.8d171dae22da8p-45, -0x1.7a0e0e91e3072p-47, -0x1.aa12c22bab1f9p-49,
    -0x1.d874bd1968c36p-50, -0x1.14e55da5b02dap-51};
// ellipk - ellipe of 1 - y: ELLIP_D_REST(t) - log(y) ellipe(y) / pi: error 7.1e-19
static const double ELLIP_D_REST_LOW[2] = {-0x1.692b8d5186facp-56, -0x1.e79cd7f64ababp-58}, ELLIP_D_REST[23] = {
    0x1.310f87fe38582p-2, -0x1.71b287603867ep-4, -0x1.097cf2947c059p-9, -0x1.646d84a4b0884p-13, -0x1.725fdfaf544a3p-16,
    -0x1.e21ca01443613p-19, -0x1.684493c7a3cddp-21, -0x1.279aef602dbcfp-23, -0x1.037d200ae8f12p-25,
    -0x1.df6cceb1667b4p-28, -0x1.cceeeee9d3821p-30, -0x1.c99cbc57f57eep-32, -0x1.d27317cd11fe5p-34,
    -0x1.e61519bb6e9ecp-36, -0x1.021d2d3e363bcp-37, -0x1.162256e27a741p-39, -0x1.2ed65411de6f4p-41,
    -0x1.562274b4d6b4dp-43, -0x1.90c09359f588cp-45, -0x1.73a626aef7231p-47, -0x1.2e62826bf530ep-49,
    -0x1.c326e9cb3097dp-50, -0x1.5e96660aade05p-51};

// zeta
// zeta(s) = 1 / (s - 1) + ZETA_NEAR(t), 1 <= s <= 8: error 2.6e-18
static const double ZETA_NEAR_LOW[2] = {-0x1.fbde1d051f3d5p-55, 0x1.b613bd69fb8fcp-58}, ZETA_NEAR[20] = {
    0x1.89b97ae0d8a81p-1, 0x1.0f7d230f4316bp-3, -0x1.9f4aa625a8c77p-5, 0x1.61707e9941cffp-7, 0x1.d3e6051eb85fcp-12,
    -0x1.4e33dbb110544p-10, 0x1.fb6c04f0dc5a8p-12, -0x1.555f86afa9834p-14, -0x1.078c5a515ad9ep-17,
    0x1.32cd68ad32bd4p-17, -0x1.7b9a731a8b2fcp-19, 0x1.c52498f2e5047p-22, 0x1.9d8ad4c1bf470p-26,
    -0x1.1691e0f9392d8p-25, 0x1.4aebbebb27ec9p-27, -0x1.a686d67dfdb50p-30, 0x1.58665687c6427p-35,
    0x1.fe3d11a4b65d4p-35, -0x1.6e45f327a0286p-36, 0x1.e2eaad696dda3p-39};
// zeta(s) = 1 / (s - 1) + ZETA_MIDDLE(t), 8 <= s <= 20: error 1.9e-18
static const double ZETA_MIDDLE_LOW[2] = {-0x1.adcf15ff31f9cp-55, -0x1.ab8ba75e0ee7ep-61}, ZETA_MIDDLE[23] = {
    0x1.d8a590fe16e45p-1, 0x1.20bfce0266cabp-5, -0x1.03be3af1b8e9ap-6, 0x1.beff8b8792cdfp-8, -0x1.6386540854e69p-9,
    0x1.f4c3113799e1cp-11, -0x1.24b51ca84e426p-12, 0x1.e4c6ec0639247p-15, -0x1.02bc3b0c2da47p-19,
    -0x1.6b788f2a052e4p-18, 0x1.b65fc9cd848a6p-19, -0x1.4a4094f737501p-20, 0x1.666b7a6a127ddp-22,
    -0x1.ef23f19410e9bp-25, -0x1.9f23dd5beaf38p-31, 0x1.6ccdd30ea3b46p-28, -0x1.56ef407615bacp-29,
    0x1.a029ca78f8da3p-31, -0x1.69e8a194e1bddp-33, 0x1.843263d521b45p-36, 0x1.d8ffeb9f32677p-39,
    -0x1.1853066c0be30p-38, 0x1.1c12b3f8e05c1p-40};
// zeta(s) = 1 + ZETA_FAR(t) / 2^s, 20 <= s <= 56: error 7.9e-21
static const double ZETA_FAR_LOW[2] = {-0x1.bd4a553be97ffp-54, 0x1.a370426194b50p-76}, ZETA_FAR[17] = {
    0x1.0000037277667p+0, -0x1.8517fc0cb75e3p-20, 0x1.7640afc7e65adp-18, -0x1.cd61f21b76fecp-17, 0x1.1b76b3cc333b7p-16,
    -0x1.e67ec0a0ac70cp-15, 0x1.ec137ec830ef4p-16, 0x1.c5991d3f3dfc5p-15, 0x1.476e44be7a269p-12, 0x1.6c247d5669a75p-13,
    -0x1.f5f556daa7d34p-13, -0x1.67878259e3d8fp-11, -0x1.c44bd65ee2a4bp-12, 0x1.2d14ed6fa4d8fp-13,
    0x1.a7f312f668fd2p-12, 0x1.f0a63052dcd05p-13, 0x1.bc4c6ff841ef9p-15};
// zeta'(s) = ZETA_1(t) - 1 / (s - 1)^2, 1 <= s <= 3: error 2.6e-19
static const double ZETA_1_LOW[2] = {-0x1.39060cf2ff3e8p-59, -0x1.1717e486ea8b9p-64}, ZETA_1[14] = {
    0x1.ff9acda954762p-5, -0x1.5f43e98db242fp-7, -0x1.31c54e294d090p-14, 0x1.03c4214c83644p-12, -0x1.202017b2c5646p-15,
    0x1.17033439eebddp-20, 0x1.433432f6341e2p-22, -0x1.af6dc7dac6851p-25, 0x1.c2de079d91817p-29, 0x1.9594ba0bd8ff2p-35,
    -0x1.141c4830d9abfp-35, 0x1.c72b50972c1f7p-39, -0x1.4b0f615195784p-43, -0x1.a993add9bbf84p-49};
// zeta'(s) = -(log(2) + ZETA_3(t)) / 2^s, 3 <= s <= 6: error 1.6e-17
static const double ZETA_3_LOW[2] = {-0x1.24717078110f0p-58, -0x1.11d6372f26888p-60}, ZETA_3[30] = {
    0x1.3019aa5443bf0p-2, -0x1.1770a47a90454p-2, 0x1.48ad1ab3206e3p-3, -0x1.52a550ad06891p-4, 0x1.4f49b2a9d451ap-5,
    -0x1.45e6a75c395c4p-6, 0x1.38781be2965eap-7, -0x1.283f04f9f13eep-8, 0x1.164806da83f0fp-9, -0x1.03671d98335eap-10,
    0x1.e07a3c8545f07p-12, -0x1.ba833a1c12d4cp-13, 0x1.95973c6dc4c2fp-14, -0x1.722ee59533419p-15,
    0x1.5096a29a56c45p-16, -0x1.31172a7e84226p-17, 0x1.1407915f1dd3dp-18, -0x1.f10e528bfa9d8p-20,
    0x1.b95e6fb47410fp-21, -0x1.8edf986f2989fp-22, 0x1.866b7b5fc7077p-23, -0x1.50f921d491b27p-24,
    0x1.3bfbda63fce23p-26, -0x1.5d6b4b7aab524p-27, 0x1.227441e90ee06p-26, -0x1.c4eb0be538c93p-28,
    -0x1.b504bc8829226p-29, 0x1.3e2f773878faep-30, 0x1.5e95b6750676ap-30, -0x1.25355cb4fb132p-31};
// zeta'(s) = -(log(2) + ZETA_6(t)) / 2^s, 6 <= s <= 12: error 3.2e-17
static const double ZETA_6_LOW[2] = {-0x1.d36d5f6e36c25p-60, 0x1.c6025d2510e57p-59}, ZETA_6[25] = {
    0x1.04cc57eaabe44p-5, -0x1.581410d0608e7p-5, 0x1.e174c1aa6248ap-6, -0x1.ece146fa3da84p-7, 0x1.afa66d8acb3afp-8,
    -0x1.62eaa8278b5ddp-9, 0x1.1f0169e156092p-10, -0x1.cefb13a3e6d2dp-12, 0x1.74991666ff525p-13,
    -0x1.2aba134923493p-14, 0x1.dd0293c360d03p-16, -0x1.7b69069ad1350p-17, 0x1.2ccb368651301p-18,
    -0x1.db5da3fa5026bp-20, 0x1.76781b7779c77p-21, -0x1.27e1f47d16d9ep-22, 0x1.d3f87a838e5abp-24,
    -0x1.5e2be83479e88p-25, 0x1.03b4155adb8b3p-26, -0x1.0c05b7aaf5a02p-27, 0x1.e8b29aa8f92ddp-29,
    -0x1.85c90a4b73dccp-33, -0x1.036b01744f589p-33, -0x1.b2f12ae8b69afp-32, 0x1.9269709611091p-33};
// zeta'(s) = -(log(2) + ZETA_12(t)) / 2^s, 12 <= s <= 26: error 1.3e-17
static const double ZETA_12_LOW[2] = {0x1.c3a5c3e77ed51p-65, -0x1.d6da666f5d92ep-64}, ZETA_12[25] = {
    0x1.053c2cab9f5a4p-11, -0x1.742a563f5ba39p-10, 0x1.09d6c2b62659dp-9, -0x1.fccb8c48565aep-10, 0x1.7029ecf07f222p-10,
    -0x1.b02bd176e8ddbp-11, 0x1.b09109dcee11ep-12, -0x1.810a7defaace3p-13, 0x1.3d247de39cbc9p-14,
    -0x1.f5f869f8b7029p-16, 0x1.89b7d621c880ep-17, -0x1.37ad4f97884f4p-18, 0x1.f3fc238acc012p-20,
    -0x1.94417c738c778p-21, 0x1.47c5e98075082p-22, -0x1.0a9f2e765dc04p-23, 0x1.acd8789bdb6afp-25,
    -0x1.48252c57bbbf5p-26, 0x1.0cdc3651fae9cp-27, -0x1.1a2a1d9574398p-28, 0x1.a868cdd6d9e35p-30,
    -0x1.48ecb40926749p-37, 0x1.73d7d5de5e1c6p-35, -0x1.0658c1ff382b8p-32, 0x1.8714a2c34bec9p-34};
// zeta'(s) = -(log(2) + ZETA_26(t)) / 2^s, 26 <= s <= 100: error 1.3e-17
static const double ZETA_26_LOW[2] = {0x1.34da24c326374p-91, 0x1.068ba949d5b28p-88}, ZETA_26[35] = {
    0x1.377d97fe3c850p-37, -0x1.2410c2e030a79p-33, 0x1.11da07baca747p-30, -0x1.565d64caa6692p-28,
    0x1.4103b6b861197p-26, -0x1.e198380456db0p-25, 0x1.2d0a39d6e5d5cp-23, -0x1.4295180406be4p-22,
    0x1.2e78b0c993c8fp-21, -0x1.f84503e5ef653p-21, 0x1.7a38b83e07d6dp-20, -0x1.01b1845339688p-19,
    0x1.425120b4b3618p-19, -0x1.75b7d0c2f6154p-19, 0x1.8fa509a69724bp-19, -0x1.8615feab5dd1fp-19,
    0x1.70eab94fdb0aep-19, -0x1.6b8caee6ae0bcp-19, 0x1.26d1c968197f5p-19, -0x1.eb9f1a694e5bdp-21,
    0x1.aadb0886d1fc1p-21, -0x1.388a6459718b4p-19, 0x1.8b61cacef3476p-20, 0x1.f1da12183dec6p-20,
    -0x1.2c50822063613p-20, -0x1.6575da3d6d486p-19, 0x1.b37055dcfd23cp-20, 0x1.087134ec23efap-19,
    -0x1.452d0a4fadbabp-20, -0x1.2b95b6b0e32b9p-20, 0x1.70063ec116bc1p-21, 0x1.8aee91600a151p-22,
    -0x1.e80abcb24f138p-23, -0x1.0882f7e47c6f0p-24, 0x1.472539e58edf4p-25};

// derivatives
// trigamma(x) = TRIGAMMA(t), t = (2 x - 4) / 2, 1 <= x <= 3: error 7.4e-17
static const double TRIGAMMA_LOW[2] = {0x1.1f8ad2f56aad7p-55, -0x1.d21517ab76a39p-56}, TRIGAMMA[33] = {
    0x1.4a34cc4a60fa6p-1, -0x1.9dd0027803109p-2, 0x1.f9cb402bc46a3p-3, -0x1.2e831d94f9b20p-3, 0x1.632f97c2dd3c0p-4,
    -0x1.9a6238f99e440p-5, 0x1.d39fb329b6973p-6, -0x1.073e7b081642ep-6, 0x1.254fe898bf86fp-7, -0x1.43df15b535daap-8,
    0x1.62ce34be47e74p-9, -0x1.8206041be25f7p-10, 0x1.a174a3b0141c4p-11, -0x1.c10531f6069dcp-12, 0x1.e0a777c528e5dp-13,
    -0x1.0068adc7ecec4p-13, 0x1.10d03be2dd3f2p-14, -0x1.1e4b180ce451bp-15, 0x1.29424a7387200p-16,
    -0x1.50d9e1c224c7cp-17, 0x1.86c332aa81501p-18, -0x1.debb12f41e232p-20, 0x1.6670fa8553967p-23,
    -0x1.d3d76e2a3220ap-20, 0x1.c10cdde96256cp-20, 0x1.7aa7c17ffe7e8p-21, -0x1.e526006659e34p-21,
    -0x1.3d4bb5d12fc8dp-21, 0x1.2b5708d28ac33p-21, 0x1.95c8afde899bdp-23, -0x1.68c925480c98dp-23,
    -0x1.6ca3393b72190p-25, 0x1.0882ff8676483p-25};
// trigamma(x) = TRIGAMMA_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8: error 2.1e-17
static const double TRIGAMMA_MIDDLE_LOW[2] = {-0x1.4e0f4add422ebp-57, 0x1.4e61105bf8d2bp-59}, TRIGAMMA_MIDDLE[30] = {
    0x1.9840d2469dc03p-3, -0x1.95987ab951a36p-4, 0x1.91adde3fc7034p-5, -0x1.8c91e232d961bp-6, 0x1.86587bd396881p-7,
    -0x1.7f181ca6296ffp-8, 0x1.76e91b632e294p-9, -0x1.6de51efe7e5dfp-10, 0x1.6426901bc9448p-11, -0x1.59c812face651p-12,
    0x1.4ee417a025b69p-13, -0x1.4394aa227c9b4p-14, 0x1.37f26a1055c82p-15, -0x1.2c103a8e69b0ep-16,
    0x1.20072951d979ap-17, -0x1.142a3e1eec8dep-18, 0x1.086c53800d569p-19, -0x1.f503f6b6b67d5p-21,
    0x1.d70469a9f35e4p-22, -0x1.d8497081ecbfdp-23, 0x1.eb8980e1980bep-24, -0x1.64e88593834fcp-25,
    0x1.11323583b1d80p-27, -0x1.d74181b967958p-27, 0x1.118ad9890b897p-26, -0x1.47c1fab61cbe8p-29,
    -0x1.08bf92cd77546p-28, 0x1.138048ee4e701p-32, 0x1.8859d5c59809fp-30, -0x1.f6532ed8786fap-32};
// trigamma(x) = u + z / 2 + u z TRIGAMMA_FAR(z), u = 1 / x, z = u^2, x >= 8: error 2.5e-19
static const double TRIGAMMA_FAR_LOW[2] = {0x1.5554ff4814750p-57, -0x1.8d0a85bf7726bp-60}, TRIGAMMA_FAR[9] = {
    0x1.5555555555555p-3, -0x1.1111111111052p-5, 0x1.861861857677cp-6, -0x1.11111047f1a80p-5, 0x1.364d1502571f4p-4,
    -0x1.03197cae50e5cp-2, 0x1.28369b878c2e7p+0, -0x1.9ce5a0354ebadp+2, 0x1.df8b0bc8464c9p+4};
// i0e(x) - i1e(x) = I_LESS_NEAR(t) / (1 + x)^2, t = 2 x / 9 - 1, 0 <= x <= 9: error 5.5e-17
static const double I_LESS_NEAR_LOW[2] = {-0x1.3f1220984891cp-56, 0x1.344bda54f5087p-62}, I_LESS_NEAR[35] = {
    0x1.67eec463b16ddp-1, -0x1.4d34682f314f9p-8, 0x1.8443c7b30dd90p-3, -0x1.f66e719c543d7p-3, 0x1.0047d753d40b7p-2,
    -0x1.8a4f79654a672p-3, 0x1.4ee34383bb725p-4, 0x1.6ec1a7ad40908p-5, -0x1.23b7c14c06394p-3, 0x1.78f46384453a5p-3,
    -0x1.5cda09d07d8acp-3, 0x1.f5affc5cab2eep-4, -0x1.10a9b4c26e3d9p-4, 0x1.5b3652f6c20d1p-6, 0x1.aa2db1a2b6f06p-8,
    -0x1.29c787509d40cp-6, 0x1.3d562b45dd2bap-6, -0x1.003185a3275a9p-6, 0x1.6096d4fabc76fp-7, -0x1.b09af83a2f485p-8,
    0x1.e434d62ffb095p-9, -0x1.f55acc25b201bp-10, 0x1.e4a537f20d0a6p-11, -0x1.b837a5a51c222p-12, 0x1.7a32ab6d63ebdp-13,
    -0x1.35603c8b6d383p-14, 0x1.df81cd353d075p-16, -0x1.5bafd106c6e1cp-17, 0x1.f126f24c8e417p-19,
    -0x1.78d719e0e360fp-20, 0x1.e1741cdaf91a7p-22, -0x1.602fdd11ea688p-24, 0x1.dc3bf1ebb8bc4p-26,
    -0x1.8c81316458110p-26, 0x1.acbdb4ede9294p-28};
// i0e(x) - i1e(x) = u I_LESS_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9: error 8.8e-18
static const double I_LESS_FAR_LOW[2] = {-0x1.904d891df6da6p-57, -0x1.19775ae33b22ap-63}, I_LESS_FAR[29] = {
    0x1.a182eccf55070p-3, 0x1.30c5e9891e34cp-8, 0x1.29e739e761797p-12, 0x1.e9a36fbbe0656p-16, 0x1.295d1a1955ccdp-18,
    0x1.fb390291e76d3p-21, 0x1.2da7ba343a305p-22, 0x1.fea9c7b4b58abp-24, 0x1.22170a6811263p-24, 0x1.409557866d77ap-25,
    0x1.84d1296a371e2p-29, -0x1.01f47cbfc2b27p-25, -0x1.2cabd2be96128p-25, -0x1.e179c436d2e5fp-30,
    0x1.086e1b90fd5ecp-25, 0x1.08bd2e25ced28p-26, -0x1.7efb60c1763a9p-26, -0x1.26d01a68457a3p-26,
    0x1.1793eb7b961eep-26, 0x1.ce55e94dfd243p-27, -0x1.8a81b0e14072ap-27, -0x1.1217e9698a690p-27,
    0x1.d669cf260fe42p-28, 0x1.cf96bc7e8b699p-29, -0x1.9cc58c7c5318ap-29, -0x1.ec67826d67fe2p-31,
    0x1.c82da8d5a3c22p-31, 0x1.e8d1ec7de62c5p-34, -0x1.d4b465e3fee36p-34};
// k1e(x) - k0e(x) = u K_LESS_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 4.5e-18
static const double K_LESS_FAR_LOW[2] = {0x1.c9d865e322568p-61, -0x1.9aaf872b4e5c5p-59}, K_LESS_FAR[40] = {
    0x1.15e9d39a9e80dp-1, -0x1.fe3a7a850ab37p-5, 0x1.d946dcc7b9be4p-7, -0x1.2084c81524934p-8, 0x1.9cec910627fe0p-10,
    -0x1.49899f356c24fp-11, 0x1.1d09d7134efc4p-12, -0x1.0679b2ecae218p-13, 0x1.fc6d50be5537ep-15,
    -0x1.00baedd767060p-15, 0x1.0c9db4c4d25c6p-16, -0x1.21b49fe5d4fa1p-17, 0x1.40baddff16e37p-18,
    -0x1.6ce4c823859cap-19, 0x1.ac3c482bc04fap-20, -0x1.dab094ab84532p-21, 0x1.ad0eefc05c566p-22,
    -0x1.113251067d30fp-21, 0x1.e8d31d4bfa7e8p-21, 0x1.86a7847a6b196p-22, -0x1.334c0d4016ea1p-19,
    -0x1.19562fc8ccd94p-20, 0x1.9c65c1e4b2d11p-18, 0x1.455b7cc56c7d8p-20, -0x1.93e707786f903p-17,
    -0x1.b7b7a57547fb7p-22, 0x1.314d3320e9c26p-16, -0x1.ed0b5ac8e9cb0p-20, -0x1.5dc3c20c88885p-16,
    0x1.23fd9dbd8e971p-18, 0x1.2b682abb22e08p-16, -0x1.642f93c8755adp-18, -0x1.72fac21e1bdb5p-17,
    0x1.135511e716219p-18, 0x1.3af9b6f92aab2p-18, -0x1.10feb848eb165p-19, -0x1.488d039c78b16p-20,
    0x1.3fc18a84e6c14p-21, 0x1.3f8d9c70640ddp-23, -0x1.54ddc5b4b0107p-24};
// i1'(x) = K_I1_DERIVATIVE(z): error 9.3e-19
static const double K_I1_DERIVATIVE_LOW[2] = {-0x1.3f909d3e41eebp-74, 0x1.8ef383d39d4e6p-57}, K_I1_DERIVATIVE[8] = {
    0x1.0000000000000p-1, 0x1.8000000000001p-3, 0x1.aaaaaaaaaa894p-7, 0x1.8e38e38e5aaa9p-12, 0x1.9999997986cb4p-18,
    0x1.0affaf2e2497cp-24, 0x1.e0c1e5e552ffep-32, 0x1.4252ddae24bd0p-39};
// k1'(x) = K1_DERIVATIVE_NEAR(z) + log(x) i1'(x) - 1 / z, z = x^2 <= 1: error 1.4e-18
static const double K1_DERIVATIVE_NEAR_LOW[2] = {0x1.f907da0d4ccfcp-57, 0x1.41ca7bd08cbd4p-57}, K1_DERIVATIVE_NEAR[9] = {
    0x1.89493faeaf853p-3, -0x1.8c84881e7e2e1p-3, -0x1.519ef649d4528p-6, -0x1.8090926ea02b9p-11, -0x1.c022465257974p-17,
    -0x1.3f49e9a0eddeap-23, -0x1.33c870dfdd50dp-30, -0x1.acac52815b4fcp-38, -0x1.caaf9720901eep-46};
// exp(x) k1'(x) = -K1_DERIVATIVE_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 1.2e-18
static const double K1_DERIVATIVE_FAR_LOW[2] = {0x1.28aed390979d9p-54, 0x1.e3ac333b94d7fp-56}, K1_DERIVATIVE_FAR[39] = {
    0x1.ebc270a921094p+0, 0x1.8b83ab3939c3cp-1, 0x1.818ee436925a5p-4, -0x1.0f47d24558a78p-7, 0x1.be7189eee5450p-10,
    -0x1.f8d8116f50e25p-12, 0x1.55c3c2b9f704fp-13, -0x1.04d721f88a7e2p-14, 0x1.b279be287dff4p-16,
    -0x1.830714d963ad0p-17, 0x1.6bde32f2ac2cfp-18, -0x1.6594315bf5a51p-19, 0x1.6c8e7aeb2bb4ap-20,
    -0x1.8283b2c4979e7p-21, 0x1.ac1fb3d16b43dp-22, -0x1.a2106451ccaffp-23, 0x1.2729d13b430d6p-24,
    -0x1.5f038f4298eebp-23, 0x1.0c2f4ce60e574p-22, 0x1.2f4a51c49e8d2p-22, -0x1.42e05026ff9f1p-21,
    -0x1.a79f10821c445p-21, 0x1.7d22bc33f2525p-20, 0x1.961413900fc3fp-20, -0x1.5150ee1d41796p-19,
    -0x1.2facb51cc98d6p-19, 0x1.d0f4f6ebe4edap-19, 0x1.580a8e50b6dfbp-19, -0x1.ea80c435e1016p-19,
    -0x1.23cfdbc5c0914p-19, 0x1.85ac905a11be3p-19, 0x1.66a4bd045b74fp-20, -0x1.c323cc699db38p-20,
    -0x1.2e7e21aa4b2e8p-21, 0x1.67e95e943cb6dp-21, 0x1.39e0657e7988ep-23, -0x1.626f9648885fbp-23,
    -0x1.307565ba8d98dp-26, 0x1.46a242fcd2d70p-26};
// k1e'(x) = -u K1E_DERIVATIVE_FAR(t) / sqrt(x): error 4.8e-18
static const double K1E_DERIVATIVE_FAR_LOW[2] = {0x1.7f319963a3a23p-58, 0x1.966d05fb833d2p-60}, K1E_DERIVATIVE_FAR[39] = {
    0x1.d6675e7a6d0bdp-1, 0x1.0044da306fe17p-2, -0x1.f05f1f5e0c551p-6, 0x1.ec7796d9b1f95p-8, -0x1.3d2366ee39d59p-9,
    0x1.da42ed9343885p-11, -0x1.88474230017d2p-12, 0x1.5d8e41a9c4310p-13, -0x1.4a19a6b57084ap-14,
    0x1.46b7932e9324bp-15, -0x1.503eb05344b87p-16, 0x1.65a01295d1309p-17, -0x1.876db1adfbce7p-18,
    0x1.bab4e6e2ce44bp-19, -0x1.ff1167c9d3b37p-20, 0x1.fe8d125fe24acp-21, -0x1.0a790a8b8551ap-21,
    0x1.259654ab3fb33p-20, -0x1.08e81d86110d1p-20, -0x1.32f799cbb6743p-19, 0x1.4ce8fb8593d3ep-19,
    0x1.b6a69b60641a9p-18, -0x1.c74ab3339168ep-18, -0x1.b79d7b6713f54p-17, 0x1.c2c7e0638b364p-17,
    0x1.551d2fa8b74a2p-16, -0x1.574f3ab299c99p-16, -0x1.8ff4c59fbfc98p-16, 0x1.8b423d4deaf96p-16,
    0x1.5df9643ed228bp-16, -0x1.5361a736479ccp-16, -0x1.ba9c06eef1fb6p-17, 0x1.a529684773554p-17,
    0x1.7f3015fecab6ep-18, -0x1.65b111b2f0847p-18, -0x1.9733e54d9d6f1p-20, 0x1.74d23660ba9dap-20,
    0x1.9377de2c9158dp-23, -0x1.69f259c65045dp-23};
// exp(-x) i1'(x) = I1_DERIVATIVE_NEAR(t) / (1 + x), t = 2 x / 9 - 1, 0 <= x <= 9: error 1.5e-17
static const double I1_DERIVATIVE_NEAR_LOW[2] = {0x1.5bc868e9cb33dp-55, 0x1.b9cd7b6cf5b9cp-58}, I1_DERIVATIVE_NEAR[33] = {
    0x1.b7e14f67fdbeap-1, 0x1.abde0d2da3e04p-2, -0x1.735bcb5a6e0dbp-4, 0x1.4b2ff9e77aee8p-6, 0x1.3d4ca1f3cbbdfp-6,
    -0x1.6b795615290efp-5, 0x1.c18f4a5a0b674p-5, -0x1.a40e1732abd08p-5, 0x1.3300733389e44p-5, -0x1.429f2f095bf5ap-6,
    0x1.e7d258dcc45e7p-9, 0x1.ce30e6fc198dfp-8, -0x1.8a8c1d70810b1p-7, 0x1.9b3e34e01eb1dp-7, -0x1.5940ec18f2580p-7,
    0x1.f78d555cb5f62p-8, -0x1.49c7785ac60aap-8, 0x1.8b2918ed0d190p-9, -0x1.b6579fdfbda78p-10, 0x1.c5e4ab55826aep-11,
    -0x1.b9679db81532ap-12, 0x1.951c2b98964e5p-13, -0x1.60b1596d68224p-14, 0x1.246790642fee4p-15,
    -0x1.cb76733296cb2p-17, 0x1.558fd6ba6641fp-18, -0x1.f83e5dc76c8d7p-20, 0x1.796defa448c79p-21,
    -0x1.d038c078cef7bp-23, 0x1.881fc908bff99p-25, -0x1.4a774e4e32daap-26, 0x1.a80c57df7736bp-27,
    -0x1.936c6fa28ddd4p-29};
// exp(-x) i1'(x) = I1_DERIVATIVE_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9: error 8.9e-18
static const double I1_DERIVATIVE_FAR_LOW[2] = {-0x1.ab36f99688235p-56, 0x1.838d2238aead8p-60}, I1_DERIVATIVE_FAR[25] = {
    0x1.853bf2fb1128bp-2, -0x1.2b111a06b3fa8p-6, 0x1.370b037ab232cp-11, 0x1.2322370c01439p-16, 0x1.84497a6918584p-20,
    0x1.b506bc375cc4dp-23, 0x1.701c31d4cc036p-25, 0x1.c5e3554fda844p-27, 0x1.96b204938be70p-28, 0x1.c29bce88ec259p-29,
    0x1.66abe964c0c98p-30, -0x1.9fa4610f586b1p-31, -0x1.0c16196a2e45fp-29, -0x1.24b3f8cc83e87p-30,
    0x1.e5d3389e44d62p-31, 0x1.3e5976b310e05p-30, -0x1.475b9ec828c09p-32, -0x1.9e532948a8f91p-31,
    0x1.e3609c485468cp-34, 0x1.7f07968e4d220p-32, -0x1.d3420dbb9aeedp-35, -0x1.c597800fa41fcp-34,
    0x1.6f6cf00ef28bep-36, 0x1.fbc7a5ddf9412p-37, -0x1.0cb66c86fc852p-38};
#define I1E_PEAK_HI 0x1.8b8d75c13c72bp+0
#define I1E_PEAK_LO 0x1.ea41d1af09efdp-54
// i1e'(x) = (I1E_PEAK - x) I1E_DERIVATIVE_NEAR(t) / (1 + x / 2)^3, t = 2 x / 9 - 1, 0 <= x <= 9: error 1.4e-17
static const double I1E_DERIVATIVE_NEAR_LOW[2] = {-0x1.8b4e4e35c701fp-57, 0x1.c1f5a6c3d9f09p-58}, I1E_DERIVATIVE_NEAR[33] = {
    0x1.5ef936dbcd25bp-3, -0x1.2f485ea43f09dp-4, 0x1.6544afe24ac48p-4, -0x1.1d2cfa5fb8968p-4, 0x1.2fd0e54ac110dp-5,
    -0x1.58d9cb9365f4ep-10, -0x1.a183e0220fbc8p-6, 0x1.2c6612a932fa5p-5, -0x1.1240b6cf0d2e7p-5, 0x1.6e04ad7a02bffp-6,
    -0x1.4fa345806c063p-7, 0x1.89eae21ad2dfap-10, 0x1.737cd384dd7cep-9, -0x1.f4173edc04c13p-9, 0x1.93349b4b44eb5p-9,
    -0x1.f005699a99225p-10, 0x1.e02e192dcb1a0p-11, -0x1.4ec34b65bc92fp-12, 0x1.2ce21415decefp-15,
    0x1.f6e33b5daeda5p-15, -0x1.227ed6cf5d349p-14, 0x1.a9f8830d70e49p-15, -0x1.01a10ac52ff80p-15,
    0x1.159cfaee88567p-16, -0x1.0b1f52fdcdb50p-17, 0x1.c551f6598b5bbp-19, -0x1.8415eb63c28b2p-20,
    0x1.7503510ab5c03p-21, -0x1.0a5af811b79e8p-22, 0x1.2a7c12740b722p-25, -0x1.02e85c6fbe53cp-26,
    0x1.4865764e20346p-26, -0x1.82a914e99f926p-28};
// i1e'(x) = -u I1E_DERIVATIVE_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9: error 3.9e-16
static const double I1E_DERIVATIVE_FAR_LOW[2] = {-0x1.5ac8f1df2735dp-58, 0x1.101778fa456d0p-61}, I1E_DERIVATIVE_FAR[25] = {
    0x1.7e308f5642c73p-3, -0x1.b2f5e08d21178p-7, -0x1.db7f27ebaec93p-12, -0x1.48da9a33a12c4p-15,
    -0x1.6ed41f4dccf51p-18, -0x1.29002ff28a586p-20, -0x1.548e5265af3e6p-22, -0x1.185ad71d8440cp-23,
    -0x1.39750b3e7c879p-24, -0x1.5b69fe288c457p-25, -0x1.f752cf0b9137fp-29, 0x1.0d69034ee55cdp-25,
    0x1.31344427f79e6p-25, 0x1.9f986b0e0f638p-31, -0x1.e1be6c3ea8095p-26, -0x1.96680708648d3p-27,
    0x1.0d8a5da629bf9p-26, 0x1.60408df66c6f9p-27, -0x1.dc3490f1d4428p-28, -0x1.673b2d58f5abep-28,
    0x1.365b67edacb12p-29, 0x1.b40010e41faefp-30, -0x1.0081b62c89931p-31, -0x1.e3a7371e885cep-33,
    0x1.863bdc0bda0a6p-35};
