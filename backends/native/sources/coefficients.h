// Written by `python tests/kernel_coefficients.py`.
#pragma once

// exp and log
#define LOG2_HI 0x1.62e42fefa4000p-1
#define LOG2_LO -0x1.8432a1b0e2634p-43
#define LOG2_INVERSE 0x1.71547652b82fep+0
// exp(r) = 1 + r + r^2 EXP(r), |r| <= log(2) / 2, relative to exp(r) / r^2: error 2.2e-19
static const double EXP_LOW = 0x1.4950f3cc3a699p-55, EXP[11] = {0x1.0000000000000p-1, 0x1.5555555555561p-3,
    0x1.5555555555394p-5, 0x1.111111110d368p-7, 0x1.6c16c16c7e9a1p-10, 0x1.a01a01bc46530p-13, 0x1.a01a0046b5a94p-16,
    0x1.71dddc462c21ep-19, 0x1.27e7074380f06p-22, 0x1.af8b54eea0471p-26, 0x1.1cd6490858043p-29};
// log((1 + s) / (1 - s)) = 2 s + s z LOG(z), z = s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1), relative to 2 / z: error 9.8e-21
static const double LOG_LOW = 0x1.6468d9e1e1ec9p-55, LOG[9] = {0x1.5555555555555p-1, 0x1.999999999997ap-2,
    0x1.249249249554ap-2, 0x1.c71c71c276b29p-3, 0x1.745d195058467p-3, 0x1.3b1324c2f6955p-3, 0x1.11288e86a18dfp-3,
    0x1.dd2006231e569p-4, 0x1.f2f57c024f582p-4};

// error functions
#define ERF_SLOPE_HI 0x1.20dd750429b6dp+0
#define ERF_SLOPE_LO 0x1.1ae3a914fed80p-56
// erf(x) = x (ERF_SLOPE + z ERF(z)), z = x^2 <= 1, relative to 1 / z: error 4.3e-18
static const double ERF_LOW = 0x1.052dc62c248e4p-56, ERF[13] = {-0x1.812746b0379e7p-2, 0x1.ce2f21a042bddp-4,
    -0x1.b82ce3128895cp-6, 0x1.565bcd0e63acbp-8, -0x1.c02db3fe9a792p-11, 0x1.f9a326b698763p-14, -0x1.f4d2550541cabp-17,
    0x1.b9e63f1f03c39p-20, -0x1.5f6cd29407c30p-23, 0x1.fc384e5b2dd25p-27, -0x1.4e2c43f13b280p-30,
    0x1.7de7d54c6fbbep-34, -0x1.26ff7658b82b6p-38};
// erf(x) = 1 - exp(-x^2) ERF_FAR(t), t = (2 x - 7) / 5, 1 <= x <= 6, relative to exp(x^2): error 5.3e-17
static const double ERF_FAR_LOW = -0x1.5069c491ddc7ep-58, ERF_FAR[21] = {0x1.3e0a99a0f55b6p-3, -0x1.a72747a32ecb2p-4,
    0x1.10eccd7a365cfp-4, -0x1.5627521cfe291p-5, 0x1.a1b7a586be69ap-6, -0x1.f1849726a15b4p-7, 0x1.2175ae97fa7aep-7,
    -0x1.48b6d111653eap-8, 0x1.7672903f00b11p-9, -0x1.7c9602b56f3c0p-10, 0x1.67bd04ad962e0p-11, -0x1.54e79e32831cbp-10,
    -0x1.803f05791ade6p-10, -0x1.36ae6801e546ap-10, 0x1.216a4dc23eefcp-9, 0x1.a63b329619d03p-8, 0x1.16f840b532196p-7,
    0x1.bde1724e509cdp-8, 0x1.c42b4a65de153p-9, 0x1.0d5520441f27ep-10, 0x1.29ee088e46bd6p-13};
// erfcx(x) = ERFCX(t) / (1 + 9 x / 8), t = (x - 3) / (x + 3), x >= 0: error 1.1e-17
static const double ERFCX_LOW = 0x1.57bee7a5607d8p-61, ERFCX[27] = {0x1.90f66b8dddbe9p-1, -0x1.c08a70d2e277ap-3,
    0x1.4a89da3ff4f8fp-4, 0x1.db1d709436076p-8, -0x1.24c33f077ce92p-5, 0x1.c6ae6c9e4d206p-6, -0x1.78ef90196f228p-7,
    0x1.c624deb8e53bap-10, 0x1.a40bb7d753873p-11, -0x1.b733ed45bff89p-12, -0x1.051e3f0347ff9p-15,
    0x1.0f8c24dea7716p-14, -0x1.7b0be7b4bab2dp-21, -0x1.5c447f572b867p-17, 0x1.22ecca82c5493p-23,
    0x1.e9df0fc068aefp-20, 0x1.ae95851e6ae4bp-24, -0x1.6797cb87d7f89p-22, -0x1.0baaae7a43a35p-24,
    0x1.f593649405147p-25, 0x1.8667980eebaeep-26, -0x1.245e449b55095p-27, -0x1.a3754f637ab4ap-28,
    0x1.d3a5e65a64b0fp-31, 0x1.37e2ff09bdb96p-30, -0x1.507f6153e9d0fp-35, -0x1.df7334c957e48p-34};
#define NDTR_SLOPE_HI 0x1.9884533d43651p-2
#define NDTR_SLOPE_LO -0x1.cbc0d30ebfd15p-56
// ndtr(x) = 1/2 + x (NDTR_SLOPE + z NDTR(z)), z = x^2 <= 1, relative to 1 / z: error 6.5e-19
static const double NDTR_LOW = -0x1.7583a003a4547p-58, NDTR[11] = {-0x1.1058377e2cee0p-4, 0x1.46d04297691d8p-7,
    -0x1.37403f6ba0fafp-10, 0x1.e42b0d5207005p-14, -0x1.3ce8fabdf8d13p-17, 0x1.658a209528fbap-21,
    -0x1.622244538fae6p-25, 0x1.38748bcaf36dbp-29, -0x1.f06e85cf39d5dp-34, 0x1.60cf15ec746e0p-38,
    -0x1.8066b1a37c293p-43};
// ndtr(-x) = exp(-x^2 / 2) NDTR_FAR(t) / (1 + x), t = (x - 4) / (x + 4), x >= 0: error 8.1e-18
static const double NDTR_FAR_LOW = 0x1.0381edf725f48p-56, NDTR_FAR[27] = {0x1.e361ea6fba141p-2, -0x1.8c18f2086e34ep-4,
    0x1.cabd72a60f835p-7, 0x1.d4969f10e04f5p-6, -0x1.07c3c2582b2f4p-5, 0x1.25dd7205f9da6p-6, -0x1.47d5fc750bcbcp-8,
    -0x1.2b7f5df1c292bp-12, 0x1.6c538350597d7p-11, -0x1.8c11b1c4236f0p-14, -0x1.707bc4da76614p-14,
    0x1.6483c5bd9509cp-16, 0x1.c9427ead6ac3fp-17, -0x1.cc988d5db5804p-19, -0x1.5ee70c5f52f69p-19,
    0x1.b0cf4750114d9p-22, 0x1.29e4106e240bdp-21, 0x1.1b5c4d6291ae0p-28, -0x1.ebcf4e01dca7fp-24,
    -0x1.8ed6564bccfcbp-26, 0x1.5ca6dc92f32dap-26, 0x1.2e89061565d5cp-27, -0x1.6ae9e402702cep-29,
    -0x1.03cf86a0640acp-29, 0x1.9b52a418c1527p-33, 0x1.ac2220407eb48p-33, -0x1.850c081f3b1fbp-40};

// gamma functions
// gammaln(x) = (x - 1) (x - 2) GAMMALN(t), t = x - 2, 1 <= x <= 3: error 1.8e-17
static const double GAMMALN_LOW = 0x1.68955e4274927p-58, GAMMALN[32] = {0x1.b0ee6072093cep-2, -0x1.9ae6509ea109fp-4,
    0x1.0e0c9df293534p-5, -0x1.95ce223a9cb90p-7, 0x1.47974853a9cf1p-8, -0x1.145121f99ef39p-9, 0x1.dfebcf8ec4e1bp-11,
    -0x1.a96a400fbfe07p-12, 0x1.7ed7339a6930cp-13, -0x1.5c86b68628313p-14, 0x1.402f135ff7774p-15,
    -0x1.28504f4ee05b8p-16, 0x1.13e3cf966f968p-17, -0x1.0230bc0120da8p-18, 0x1.e565432d3010ep-20,
    -0x1.c9e8d0cfe8a34p-21, 0x1.b104cd890b73bp-22, -0x1.9bb69ca68f6cep-23, 0x1.8c3f5dd473944p-24,
    -0x1.7560d82487c4ep-25, 0x1.461354e52d3d0p-26, -0x1.530fbda100a89p-27, 0x1.e7d91ba964835p-28,
    -0x1.6817ad3e3efc3p-29, -0x1.10b8210719552p-30, -0x1.84f27e5305163p-34, 0x1.acc4e34e978ddp-30,
    -0x1.0a473a373065ap-31, -0x1.edf1bc37546d5p-32, 0x1.36476f314d8a3p-33, 0x1.00251014fcef8p-33,
    -0x1.9af6cdfa16495p-35};
// gammaln(x) = (x - 2) GAMMALN_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8: error 3.0e-17
static const double GAMMALN_MIDDLE_LOW = 0x1.2b574e11473e6p-54, GAMMALN_MIDDLE[30] = {0x1.217c5ece7327cp+0,
    0x1.5f4c161fc45cdp-2, -0x1.12aec7b817568p-4, 0x1.2df4b4b773c7bp-6, -0x1.808aa66ae4122p-8, 0x1.0a14b9e21785cp-9,
    -0x1.84793ba3ff706p-11, 0x1.265a9c45639ffp-12, -0x1.ca73104bdf958p-14, 0x1.6c88f25e6e589p-15,
    -0x1.26a30575ecf69p-16, 0x1.e290e478e6884p-18, -0x1.8f6e9c10334a6p-19, 0x1.4d8f592360a13p-20,
    -0x1.189d0b9eaf3e4p-21, 0x1.db33423b953e7p-23, -0x1.94e58088e8dffp-24, 0x1.59e88ab6cbf17p-25,
    -0x1.25d176870100ap-26, 0x1.fec28bbc483e6p-28, -0x1.df082a1f6ec7ap-29, 0x1.8c51983f2f32ep-30,
    -0x1.7703a951e4ba8p-32, 0x1.b84758996d4b7p-33, -0x1.44c972f0cb03ap-32, 0x1.c75d048e107aep-34,
    0x1.e478042148610p-35, -0x1.24c3b8953c35ep-36, -0x1.7ad4de92c77fdp-36, 0x1.2a4b5510ae45ep-37};
#define STIRLING_CONSTANT_HI 0x1.d67f1c864beb5p-1
#define STIRLING_CONSTANT_LO -0x1.65b5a1b7ff5dfp-55
// gammaln(x) = (x - 1/2) log(x) - x + log(2 pi) / 2 + u STIRLING(z), u = 1 / x, z = u^2, x >= 8: error 4.4e-20
static const double STIRLING_LOW = 0x1.555541a1aee2bp-58, STIRLING[8] = {0x1.5555555555555p-4, -0x1.6c16c16c16b17p-9,
    0x1.a01a019e98726p-11, -0x1.38137e24f9880p-11, 0x1.b94eeb6c355e5p-11, -0x1.f5e55d6ed22e2p-10, 0x1.95a12ee367143p-8,
    -0x1.4ff2f6e8a9416p-6};
#define PSI_ROOT_HI 0x1.762d86356be3fp+0
#define PSI_ROOT_LO 0x1.b86a722197829p-54
// psi(x) = (x - PSI_ROOT) PSI(t), t = x - 2, 1 <= x <= 3: error 2.5e-17
static const double PSI_LOW = -0x1.c587489979e8bp-56, PSI[33] = {0x1.9213d46736ba4p-1, -0x1.0aff270ca07a7p-2,
    0x1.be76b26db8063p-4, -0x1.95ec0c3ba96dcp-5, 0x1.802924f9a5a3ap-6, -0x1.7389aa80821d1p-7, 0x1.6bdf5e1adbc54p-8,
    -0x1.6714cfe777a65p-9, 0x1.64075ff3067d5p-10, -0x1.620f050c2f057p-11, 0x1.60c68d542d5fcp-12,
    -0x1.5fef53f11fd1ap-13, 0x1.5f619913ac402p-14, -0x1.5f02778e48551p-15, 0x1.5ec427724298cp-16,
    -0x1.5eb4aeb591ac3p-17, 0x1.5e9cc8374ce7fp-18, -0x1.5d4a58d42f5cep-19, 0x1.5d25cdef67b8ap-20,
    -0x1.68a266dc38624p-21, 0x1.6901e88c364b4p-22, -0x1.1a510741cb609p-23, 0x1.19ef762b31d75p-24,
    -0x1.53b28acae01cbp-24, 0x1.50ea54cb5c81cp-25, 0x1.8b689061c4b29p-26, -0x1.7a0fa492e1d60p-27,
    -0x1.7f99ea57f617bp-26, 0x1.7335d64d9eab2p-27, 0x1.d2d53cf51f29ep-28, -0x1.c06729c2911b1p-29,
    -0x1.b3a0aef725b98p-30, 0x1.a819debbc60f8p-31};
// psi(x) = PSI_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8: error 1.3e-17
static const double PSI_MIDDLE_LOW = -0x1.f8e4dd97b4511p-54, PSI_MIDDLE[30] = {0x1.9c7099bff7e1ep+0,
    0x1.fe5106d845303p-2, -0x1.fafe9967a60c0p-4, 0x1.4ebb8e8a7b31bp-5, -0x1.efb65abf903e3p-7, 0x1.86587bd392cc8p-8,
    -0x1.3f3ec28a39f11p-9, 0x1.0bcb1390d6d4dp-10, -0x1.c95e66db8b182p-12, 0x1.8bb911a963cbbp-13,
    -0x1.59c80ed73a711p-14, 0x1.3072498ee2f0ap-15, -0x1.0da6ee2fe06fbp-16, 0x1.dfea665fafecfp-18,
    -0x1.ac9d7d7a4bb4dp-19, 0x1.801195720ba10p-20, -0x1.59bb37be3fa41p-21, 0x1.36d36f8b96f9fp-22,
    -0x1.121cf0553b840p-23, 0x1.f2ec78c664d5bp-25, -0x1.04b4c4a6a4b97p-25, 0x1.c6c691a0f4b60p-27,
    -0x1.e194bfbca0b76p-30, 0x1.3d63a5c6fb38bp-30, -0x1.ec0cb3b8779c1p-29, 0x1.8e2e45b49350fp-30,
    0x1.b9ce339669a17p-31, -0x1.59bfaf667bb78p-32, -0x1.2c24543752ff0p-32, 0x1.0246b5ce46045p-33};
// psi(x) = log(x) - u / 2 - z PSI_FAR(z), u = 1 / x, z = u^2, x >= 8: error 1.7e-20
static const double PSI_FAR_LOW = 0x1.55554c2f9b804p-58, PSI_FAR[9] = {0x1.5555555555555p-4, -0x1.11111111110e8p-7,
    0x1.04104103edd94p-8, -0x1.111110bbab8d9p-8, 0x1.f07bb3db75338p-8, -0x1.598261d58dcc0p-6, 0x1.5343db9daaa96p-4,
    -0x1.a38ddd0e3e3f6p-2, 0x1.c31d1336d6d7fp+0};

// modified Bessel functions
// i0(x) = K_I0(z), z = x^2 <= 1: error 1.4e-17
static const double K_I0_LOW = -0x1.5256467c64154p-74, K_I0[8] = {0x1.0000000000000p+0, 0x1.0000000000001p-2,
    0x1.ffffffffffdcap-7, 0x1.c71c71c74034cp-12, 0x1.c71c71a52745ap-18, 0x1.234578c3aaf5ap-24, 0x1.02deb9ca97168p-31,
    0x1.57c5299d1d16bp-39};
// i1(x) = x K_I1(z), z = x^2 <= 1: error 2.2e-18
static const double K_I1_LOW = -0x1.2c5a93e22268bp-78, K_I1[8] = {0x1.0000000000000p-1, 0x1.0000000000000p-4,
    0x1.55555555554d8p-9, 0x1.c71c71c72c518p-15, 0x1.6c16c15d03d31p-21, 0x1.845c995865de7p-28, 0x1.27dc6d7ed968ep-35,
    0x1.5724beef859abp-43};
// k0(x) = K0_NEAR(z) - log(x) i0(x), z = x^2 <= 1: error 7.3e-18
static const double K0_NEAR_LOW = 0x1.be096db21405ap-62, K0_NEAR[9] = {0x1.dadb014541eb2p-4, 0x1.1dadb014541ebp-2,
    0x1.9dadb014541ecp-6, 0x1.bb90e85debe22p-11, 0x1.f4747696e74aep-17, 0x1.5d6b13a02fe02p-23, 0x1.4c2b7c50fc84ap-30,
    0x1.c9f4dda354a32p-38, 0x1.e62f45767063fp-46};
// k1(x) = 1 / x + log(x) i1(x) + x K1_NEAR(z), z = x^2 <= 1: error 1.5e-18
static const double K1_NEAR_LOW = -0x1.037c12bd6eb80p-56, K1_NEAR[9] = {-0x1.3b5b6028a83d6p-2, -0x1.5dadb014541ebp-4,
    -0x1.303ae729ff30fp-8, -0x1.d802af7a5db4ap-14, -0x1.a29182247d9cap-20, -0x1.e2129ff420189p-27,
    -0x1.8630b711f33cdp-34, -0x1.d488b21f95360p-42, -0x1.b7fae55e04519p-50};
// k0e(x) = K0_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 6.3e-18
static const double K0_FAR_LOW = -0x1.c92309b76af24p-55, K0_FAR[35] = {0x1.30ae2423de262p+0, -0x1.ac450893fa54dp-5,
    0x1.085a24b1d9955p-7, -0x1.f446a7e265170p-10, 0x1.2a7215a1f616fp-11, -0x1.9db9cc3f21c85p-13, 0x1.3f1d2219964cdp-14,
    -0x1.0ae1b6371006ap-15, 0x1.dbdb129b85a03p-17, -0x1.bee7e926127e8p-18, 0x1.b657948443afep-19,
    -0x1.be0230db89d42p-20, 0x1.d4f4e87312b5cp-21, -0x1.fe9bbb8adf76dp-22, 0x1.17371f6cf8a3ep-22,
    -0x1.1126da42643b1p-23, 0x1.7500e5b7c753ap-24, -0x1.17b2cfac272a3p-23, 0x1.458d378a2871ep-25,
    0x1.bde6ed1883a5bp-23, -0x1.56afe5727ec0ap-25, -0x1.fddef8c6cf745p-22, 0x1.4ebe3c4c0246cp-23,
    0x1.7cdc1355248d6p-21, -0x1.304acd41b715ap-22, -0x1.a794ece7c1bb5p-21, 0x1.8782cd0a190fap-22,
    0x1.4b1ecf90c6f56p-21, -0x1.52f0653afd565p-22, -0x1.5dee148efa595p-22, 0x1.83631ccaebdf2p-23,
    0x1.bf9a195f98161p-24, -0x1.07566fdebb44bp-24, -0x1.0b38e109411d6p-26, 0x1.4ac704f33cb7ep-27};
// k1e(x) = K1_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1: error 1.5e-17
static const double K1_FAR_LOW = 0x1.c784fe19fb2bdp-58, K1_FAR[35] = {0x1.7628990a85c65p+0, 0x1.80fb15bf9d160p-3,
    -0x1.03bbb0fa2f778p-6, 0x1.97e59d891ac4bp-9, -0x1.bab479ac85e3cp-11, 0x1.21729cbaf683ep-12, -0x1.acf5ac86e729ep-14,
    0x1.5c523c6f7e452p-15, -0x1.2f8bf34fa6917p-16, 0x1.17f1f092f77e7p-17, -0x1.0e84ffa6263a4p-18,
    0x1.0fd6c297878a7p-19, -0x1.1aad565920e22p-20, 0x1.30a7e5b939f27p-21, -0x1.4d4af25af7d78p-22,
    0x1.4bf35b0ccab3cp-23, -0x1.922d8759b3f07p-24, 0x1.19b7373214249p-23, -0x1.122a850778457p-24,
    -0x1.82f4ff14bf52ep-23, 0x1.57617f0c02646p-24, 0x1.c30b9f4d2bb17p-22, -0x1.cc92e77c097a1p-23,
    -0x1.4e054cb803ad5p-21, 0x1.6c437d3695839p-22, 0x1.753e1b8c7e6cbp-21, -0x1.ae58ec2f56b7bp-22,
    -0x1.25fc996ecdac0p-21, 0x1.61e103014662ep-22, 0x1.3aaca671510d2p-22, -0x1.8897af656a81cp-23,
    -0x1.98df82350b702p-24, 0x1.06cccd8717ef4p-24, 0x1.f2918b66634f3p-27, -0x1.49062d8ba9871p-27};
// i0e(x) = I0_NEAR(t) / (1 + x), t = 2 x / 9 - 1, 0 <= x <= 9: error 2.3e-17
static const double I0_NEAR_LOW = 0x1.e1013f550bcf3p-55, I0_NEAR[35] = {0x1.116e617a71a14p+0, 0x1.31e2894aaea1fp-2,
    0x1.109f3df81112bp-9, -0x1.ac35622ed5375p-5, 0x1.2520d403b6cc9p-4, -0x1.37a589f7876cap-4, 0x1.15873dd12fb58p-4,
    -0x1.92ab4e0ffa036p-5, 0x1.a32aa06a5236ep-6, -0x1.b4abe34ae3fc9p-9, -0x1.a60337d802fc2p-7, 0x1.5cd554d341d65p-6,
    -0x1.76aa2d37e8894p-6, 0x1.4806947200edbp-6, -0x1.f4abd674344ecp-7, 0x1.5765fbb1b5de0p-7, -0x1.aec64db5e7be0p-8,
    0x1.f3ca815d9d8e1p-9, -0x1.0e52b3464c75bp-9, 0x1.12514ab261d75p-10, -0x1.066a6fd31bc75p-11, 0x1.db2f7553e7c0bp-13,
    -0x1.988cf906fc3c8p-14, 0x1.4e86f7ce29c8cp-15, -0x1.05b844930850ap-16, 0x1.88398d432623bp-18,
    -0x1.18940fa318fc2p-19, 0x1.7f4d9cfb81e52p-21, -0x1.02fa9114769b6p-22, 0x1.5dd617b0f553fp-24,
    -0x1.8f9ecdfb32bafp-26, 0x1.5b0ffb5d8d925p-28, -0x1.0b09988f29f8cp-29, 0x1.1cbc3c3b9f929p-30,
    -0x1.eaa06e6f6bfedp-33};
// i0e(x) = I0_FAR(t) / sqrt(x), t = 2 u 9 - 1, u = 1 / x, x >= 9: error 4.5e-18
static const double I0_FAR_LOW = -0x1.e44c14fc88a3ep-58, I0_FAR[24] = {0x1.9b72b66de3991p-2, 0x1.840d985c5b7bap-9,
    0x1.b776e87b33d4bp-14, 0x1.efbe0cdcc210dp-18, 0x1.bee923b7d62f4p-21, 0x1.263fc3625ea2fp-23, 0x1.11ae67e9ba356p-25,
    0x1.6a7344cd22673p-27, 0x1.55a9f9cc7577ap-28, 0x1.829d1fcc1290bp-29, 0x1.254a36ca82ee0p-30, -0x1.af24e3cf13ab4p-31,
    -0x1.eaa487f0aef69p-30, -0x1.e94ee53224c54p-31, 0x1.ce67264e46f84p-31, 0x1.17e74e760e76bp-30,
    -0x1.1e49c762188adp-32, -0x1.6be36e8b0e4c4p-31, 0x1.d70fd1c045b26p-35, 0x1.491ae7892910fp-32,
    -0x1.953fe9306601ap-38, -0x1.7961d6d375c56p-34, 0x1.68c0cc24ba072p-44, 0x1.976c12cc1cdeap-37};
// i1e(x) = x I1_NEAR(t) / (1 + x / 2)^2, t = 2 x / 9 - 1, 0 <= x <= 9: error 6.3e-18
static const double I1_NEAR_LOW = -0x1.14732c1a80c77p-56, I1_NEAR[35] = {0x1.9ae8b6001474cp-2, -0x1.82574f5779da8p-10,
    0x1.c19c8451ce45cp-5, -0x1.823557d09894ep-5, 0x1.0188ebcb7779ap-5, -0x1.dcd10213217fbp-7, 0x1.6bc6d1b6d28e6p-12,
    0x1.21bfdc3020666p-7, -0x1.9c138199fa007p-7, 0x1.8a7ed4130fa75p-7, -0x1.2ca3474d0f208p-7, 0x1.79f4c9177cbdfp-8,
    -0x1.80044ba99ae02p-9, 0x1.16039335f2150p-10, -0x1.3fdedf7ce9c36p-14, -0x1.3dde389076511p-12,
    0x1.7740f6e05924cp-12, -0x1.29bb9f02b757fp-12, 0x1.8815946d6e2ddp-13, -0x1.c8a6a9fe7bc17p-14,
    0x1.e43098c69d3b7p-15, -0x1.db0dd04f4eaf3p-16, 0x1.b3bfb21e90bcap-17, -0x1.78357a06912a7p-18,
    0x1.3384d7b0b69cap-19, -0x1.df9a033db69d5p-21, 0x1.649691c2624f2p-22, -0x1.f046c57be20a3p-24,
    0x1.4d2d2dcb5c065p-25, -0x1.e34744baa5417p-27, 0x1.3ffeb792ef10cp-28, -0x1.d08bd0b97d9a7p-31,
    0x1.9da0fe1988e0cp-33, -0x1.acd3aa1de8491p-33, 0x1.0aa63ba722e29p-34};
// i1e(x) = I1_FAR(t) / sqrt(x), t = 2 u 9 - 1, u = 1 / x, x >= 9: error 4.6e-18
static const double I1_FAR_LOW = 0x1.59245688dbd1fp-56, I1_FAR[24] = {0x1.8fd9be12cbe71p-2, -0x1.1a92ebc891fe5p-7,
    -0x1.632fdc08c3749p-13, -0x1.5023895dc6e73p-17, -0x1.15dc101745f92p-20, -0x1.5b1d1c3d26183p-23,
    -0x1.3740c260934b0p-25, -0x1.90c252d7d046fp-27, -0x1.720f0eb02c157p-28, -0x1.9f2bbbdd344d5p-29,
    -0x1.4152df43066a7p-30, 0x1.a9a857541da51p-31, 0x1.fc7e6fe3b60f6p-30, 0x1.0b37a31a1b318p-30,
    -0x1.c8a89b4312209p-31, -0x1.2ab5a365bf81ap-30, 0x1.f850bf188bbd5p-33, 0x1.8526861fc3a6ap-31,
    -0x1.0f050846ca67ap-35, -0x1.6453f15ad18cap-32, -0x1.c1e7545bb8ef3p-39, 0x1.9fd3040cc5e13p-34,
    0x1.9c6289fc65c8ap-40, -0x1.c9d7dd598975ep-37};
