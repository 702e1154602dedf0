/* usd_names.h: identifiers that are valid in USD, and each given once. */
#ifndef SUPPLE_CLI_USD_NAMES_H
#define SUPPLE_CLI_USD_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Names that stand side by side. */
typedef struct cli_usd_names cli_usd_names;

/* NULL: out of memory. */
cli_usd_names *cli_usd_names_create(void);
/* NULL is fine. */
void cli_usd_names_free(cli_usd_names *names);

/* An identifier made of `wanted` (`otherwise`, a valid one, where that has no letter or digit): letters, digits and
 * underscores of ASCII, at most 100, not beginning with a digit; "_2", "_3", … is added where it is taken. As
 * long as `names`. NULL: out of memory. */
const char *cli_usd_names_take(cli_usd_names *names, const char *wanted, const char *otherwise);
/* The same with a number after `otherwise`: "joint_12". */
const char *cli_usd_names_take_numbered(cli_usd_names *names, const char *wanted,
                                        const char *otherwise, uint32_t number);
/* Keeps an identifier from being given. False: out of memory. */
bool cli_usd_names_reserve(cli_usd_names *names, const char *identifier);

#endif
