/* golden_rig.h: meshes and palettes for the golden rows, one kind of joint matrices each. */
#ifndef SUPPLE_CLI_GOLDEN_RIG_H
#define SUPPLE_CLI_GOLDEN_RIG_H

#include <supple/supple.h>

#include <stdint.h>

typedef enum cli_golden_kind {
  CLI_GOLDEN_REST,       /* identities */
  CLI_GOLDEN_SMALL,      /* rigid, turned by up to 0.3 rad */
  CLI_GOLDEN_LARGE,      /* rigid, turned by up to 3.1 rad */
  CLI_GOLDEN_HALF_TURNS, /* rigid, turned by exactly 180 degrees, or not at all */
  CLI_GOLDEN_THIRDS, /* rigid, turned by thirds: under signs per pose opposite quaternions meet */
  CLI_GOLDEN_COMMON, /* one scale for all */
  CLI_GOLDEN_REFLECTED, /* all mirrored */
  CLI_GOLDEN_SCALED,    /* rigid ones, and similarities of several scales */
  CLI_GOLDEN_SHEARED,   /* unevenly scaled, sheared */
  CLI_GOLDEN_MIRRORED,  /* some mirrored, unevenly scaled */
  CLI_GOLDEN_SINGULAR,  /* of rank 0, 1 and 2, and rigid ones */
  CLI_GOLDEN_EXTREME,   /* scales from 1e-9 to 1e9 */
  CLI_GOLDEN_MIXED,     /* mostly rigid, one in eight sheared, mirrored or singular */
  CLI_GOLDEN_KINDS
} cli_golden_kind;

enum { CLI_GOLDEN_JOINTS = 24, CLI_GOLDEN_VERTICES = 311, CLI_GOLDEN_INFLUENCES = 13 };

/* Plain arrays; about 50 KB. */
typedef struct cli_golden_rig {
  float positions[CLI_GOLDEN_VERTICES][3], normals[CLI_GOLDEN_VERTICES][3];
  float tangents[CLI_GOLDEN_VERTICES][4];
  float weights[CLI_GOLDEN_VERTICES][CLI_GOLDEN_INFLUENCES];
  uint16_t joints[CLI_GOLDEN_VERTICES][CLI_GOLDEN_INFLUENCES];
  supple_affine matrices[CLI_GOLDEN_JOINTS];
  supple_quat rotations[CLI_GOLDEN_JOINTS];
  uint8_t mirrored[CLI_GOLDEN_JOINTS];
  uint32_t parents[CLI_GOLDEN_JOINTS];
} cli_golden_rig;

/* Vertices of 1 to 13 influences: joints in a row or anywhere, some named twice, ties, negative and missing
 * weights, sums other than 1. */
void cli_golden_rig_build(cli_golden_rig *rig, cli_golden_kind kind);
/* Both borrow the rig. */
supple_primitive cli_golden_rig_primitive(const cli_golden_rig *rig);
supple_palette cli_golden_rig_palette(cli_golden_rig *rig);

#endif
