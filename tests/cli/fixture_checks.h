/* fixture_checks.h: what every fixture must satisfy, for the tests of the builders. */
#ifndef SUPPLE_TESTS_FIXTURE_CHECKS_H
#define SUPPLE_TESTS_FIXTURE_CHECKS_H

#include "cli/fixture.h"

/* Of a mesh, vertices at the same place counted as one. */
typedef struct mesh_facts {
  uint32_t repeated; /* directed edges that several triangles have */
  uint32_t open;     /* directed edges without their opposite */
  uint32_t pieces;   /* connected components */
  uint32_t inward;   /* triangles that face against their vertices' normals */
  double volume;     /* signed */
} mesh_facts;
mesh_facts mesh_facts_of(const supple_primitive *primitive);

/* Of a vertex's influences as stored: how many have weight; asserts that they come first, fall,
 * name distinct joints below joint_count, sum to 1 within 1e-7 a weight, and that the others are
 * joint 0. */
uint32_t checked_influences(const supple_primitive *primitive, uint32_t vertex,
                            uint32_t joint_count);

/* Builds the fixture twice and asserts that both are the same; that .glb and .gltf load as what
 * was written; that at rest every joint matrix is the identity; that every clip lasts one
 * second, starts at rest, and its mesh is closed (or, not `closed`, open), in one piece, with
 * outward faces. */
void check_fixture(const char *name, bool closed);

/* A fixture written and loaded. */
supple_asset *fixture_asset(const cli_fixture *fixture, cli_gltf_format format);
/* 64 bits of FNV-1a. */
uint64_t fixture_hash(const void *data, size_t size);

#endif
