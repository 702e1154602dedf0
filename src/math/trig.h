/* trig.h: elementary functions that quaternions need beyond the public ones. */
#ifndef SUPPLEI_TRIG_H
#define SUPPLEI_TRIG_H

/* Both at once for the price of one reduction; NaN for a non-finite x. */
void supplei_sin_cos(double x, double *sine, double *cosine);

/* e^x and ln x within 4 and 2 units in the last place; ln of anything but a positive finite number
 * is NaN, e^x overflows to infinity and underflows to 0. */
double supplei_exp(double x);
double supplei_log(double x);

#endif
