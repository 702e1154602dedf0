/* fixture_net.h: the surface of a field as one closed, symmetric mesh of even triangles. */
#ifndef SUPPLE_CLI_FIXTURE_NET_H
#define SUPPLE_CLI_FIXTURE_NET_H

#include "fixture.h"

/* Negative inside, continuous, even in x: field(-x, y, z) == field(x, y, z). */
typedef double cli_field(supple_vec3 p);

typedef struct cli_net_options {
  double spacing;          /* of the lattice */
  supple_vec3 least, most; /* the surface lies within; least.x is 0: the other side is mirrored */
  supple_vec3 seed;        /* inside; straight up from it the surface begins */
  uint32_t rounds;         /* of evening out */
} cli_net_options;

/* Vertices from `half` on are the mirror images of those before. */
typedef struct cli_net {
  uint32_t vertex_count, half, triangle_count;
  supple_vec3 *positions, *normals;
  uint32_t *triangles;
} cli_net;

/* Only the part of the surface that hangs together with the place above the seed. False: out of
 * memory, or there is no surface above the seed. */
bool cli_net_create(cli_net *net, cli_field *field, const cli_net_options *options);
void cli_net_free(cli_net *net);

#endif
