/* fixture_net.c: the surface of a field, by naive surface nets (Gibson 1998): a vertex in every
 * lattice cell that the surface crosses, a quad around every lattice edge that it crosses.
 *
 * Cells are found by following the surface from a first one, so that only what is near it is
 * evaluated and one connected sheet comes out. Only x >= 0 is worked on. Then rounds of moving
 * each vertex towards the middle of its neighbours and back onto the surface make the quads
 * even. */
#include "fixture_net.h"

#include <stdlib.h>

typedef struct lattice {
  cli_field *field;
  supple_vec3 origin;
  double spacing;
  size_t cells[3], corners[3];
  double *values;     /* of corners; NAN: not yet evaluated */
  uint32_t *vertices; /* of cells; SUPPLE_NONE: not crossed, or not reached */
  size_t *crossed;    /* cells, as they were reached, later by vertex */
  size_t crossed_count, crossed_capacity;
} lattice;

static size_t cell_at(const lattice *l, size_t x, size_t y, size_t z) {
  return (y * l->cells[2] + z) * l->cells[0] + x;
}

static void cell_place(const lattice *l, size_t cell, size_t place[3]) {
  place[0] = cell % l->cells[0];
  place[2] = cell / l->cells[0] % l->cells[2];
  place[1] = cell / l->cells[0] / l->cells[2];
}

static supple_vec3 corner_point(const lattice *l, size_t x, size_t y, size_t z) {
  double h = l->spacing;
  return supple_vec3_make(l->origin.x + h * (double)x, l->origin.y + h * (double)y,
                          l->origin.z + h * (double)z);
}

static double corner_value(lattice *l, size_t x, size_t y, size_t z) {
  double *value = &l->values[(y * l->corners[2] + z) * l->corners[0] + x];
  if (isnan(*value)) *value = l->field(corner_point(l, x, y, z));
  return *value;
}

/* The eight corners of a cell; bits 0, 1, 2 of the number step along x, y, z. Returns which are
 * inside. */
static unsigned cell_corners(lattice *l, const size_t place[3], double values[8]) {
  unsigned inside = 0;
  for (unsigned c = 0; c < 8; c++) {
    values[c] = corner_value(l, place[0] + (c & 1), place[1] + (c >> 1 & 1), place[2] + (c >> 2));
    if (values[c] < 0) inside |= 1u << c;
  }
  return inside;
}

/* Corners of the face of a cell on its low or high side along an axis, as bits. */
static unsigned face_corners(unsigned axis, unsigned high) {
  unsigned bits = 0;
  for (unsigned c = 0; c < 8; c++) {
    if ((c >> axis & 1) == high) bits |= 1u << c;
  }
  return bits;
}

static bool reach_cell(lattice *l, size_t cell) {
  if (l->vertices[cell] != SUPPLE_NONE) return true;
  if (l->crossed_count == l->crossed_capacity) {
    size_t capacity = l->crossed_capacity ? 2 * l->crossed_capacity : 4096;
    size_t *grown = realloc(l->crossed, capacity * sizeof *grown);
    if (!grown) return false;
    l->crossed = grown;
    l->crossed_capacity = capacity;
  }
  l->vertices[cell] = (uint32_t)l->crossed_count;
  l->crossed[l->crossed_count++] = cell;
  return true;
}

/* Follows the surface through the faces that it crosses. */
static bool follow(lattice *l) {
  for (size_t next = 0; next < l->crossed_count; next++) {
    size_t place[3];
    double values[8];
    cell_place(l, l->crossed[next], place);
    unsigned inside = cell_corners(l, place, values);
    for (unsigned side = 0; side < 6; side++) {
      unsigned axis = side / 2, high = side % 2, face = face_corners(axis, high);
      if ((inside & face) == 0 || (inside & face) == face) continue;
      if (high ? place[axis] + 1 == l->cells[axis] : place[axis] == 0) continue;
      size_t neighbour[3] = {place[0], place[1], place[2]};
      neighbour[axis] = high ? neighbour[axis] + 1 : neighbour[axis] - 1;
      if (!reach_cell(l, cell_at(l, neighbour[0], neighbour[1], neighbour[2]))) return false;
    }
  }
  return true;
}

static bool find_first(lattice *l, supple_vec3 seed) {
  size_t x = (size_t)((seed.x - l->origin.x) / l->spacing);
  size_t z = (size_t)((seed.z - l->origin.z) / l->spacing);
  for (size_t y = (size_t)((seed.y - l->origin.y) / l->spacing); y < l->cells[1]; y++) {
    double values[8];
    unsigned inside = cell_corners(l, (size_t[]){x, y, z}, values);
    if (inside != 0 && inside != 0xff) return reach_cell(l, cell_at(l, x, y, z));
  }
  return false;
}

/* Numbers the crossed cells brick by brick, so that vertices with neighbouring numbers are
 * neighbours. */
static void number(lattice *l) {
  enum { BRICK = 8 };
  size_t count = 0;
  for (size_t y = 0; y < l->cells[1]; y += BRICK) {
    for (size_t z = 0; z < l->cells[2]; z += BRICK) {
      for (size_t x = 0; x < l->cells[0]; x += BRICK) {
        for (size_t i = 0; i < BRICK * BRICK * BRICK; i++) {
          size_t place[3] = {x + i % BRICK, y + i / BRICK / BRICK, z + i / BRICK % BRICK};
          if (place[0] >= l->cells[0] || place[1] >= l->cells[1] || place[2] >= l->cells[2])
            continue;
          size_t cell = cell_at(l, place[0], place[1], place[2]);
          if (l->vertices[cell] == SUPPLE_NONE) continue;
          l->vertices[cell] = (uint32_t)count;
          l->crossed[count++] = cell;
        }
      }
    }
  }
}

static bool prepare(lattice *l, cli_field *field, const cli_net_options *options) {
  const double size[3] = {options->most.x - options->least.x, options->most.y - options->least.y,
                          options->most.z - options->least.z};
  l->field = field;
  l->origin = options->least;
  l->spacing = options->spacing;
  for (size_t k = 0; k < 3; k++) {
    l->cells[k] = (size_t)(size[k] / options->spacing) + 1;
    l->corners[k] = l->cells[k] + 1;
  }
  size_t corner_count = l->corners[0] * l->corners[1] * l->corners[2];
  size_t cell_count = l->cells[0] * l->cells[1] * l->cells[2];
  l->values = malloc(corner_count * sizeof *l->values);
  l->vertices = malloc(cell_count * sizeof *l->vertices);
  if (!l->values || !l->vertices) return false;
  for (size_t i = 0; i < corner_count; i++) l->values[i] = (double)NAN;
  for (size_t i = 0; i < cell_count; i++) l->vertices[i] = SUPPLE_NONE;
  if (!find_first(l, options->seed) || !follow(l)) return false;
  number(l);
  return true;
}

/* ---- vertices ---- */

/* The middle of the places where the surface crosses the cell's edges. */
static supple_vec3 cell_vertex(lattice *l, size_t cell) {
  size_t place[3];
  double values[8];
  cell_place(l, cell, place);
  unsigned inside = cell_corners(l, place, values);
  supple_vec3 sum = supple_vec3_make(0, 0, 0);
  double count = 0;
  for (unsigned c = 0; c < 8; c++) {
    for (unsigned axis = 0; axis < 3; axis++) {
      unsigned d = c | 1u << axis;
      if (d == c || (inside >> c & 1) == (inside >> d & 1)) continue;
      double t = values[c] / (values[c] - values[d]);
      supple_vec3 a =
          corner_point(l, place[0] + (c & 1), place[1] + (c >> 1 & 1), place[2] + (c >> 2));
      supple_vec3 b =
          corner_point(l, place[0] + (d & 1), place[1] + (d >> 1 & 1), place[2] + (d >> 2));
      sum = supple_vec3_add(sum,
                            supple_vec3_add(supple_vec3_scale(a, 1 - t), supple_vec3_scale(b, t)));
      count++;
    }
  }
  return supple_vec3_scale(sum, 1 / count);
}

/* Value and gradient from the corners of a small tetrahedron. */
static supple_vec3 gradient(cli_field *field, supple_vec3 p, double *value) {
  static const double step = 1e-6;
  double a = field(supple_vec3_make(p.x + step, p.y - step, p.z - step));
  double b = field(supple_vec3_make(p.x - step, p.y + step, p.z - step));
  double c = field(supple_vec3_make(p.x - step, p.y - step, p.z + step));
  double d = field(supple_vec3_make(p.x + step, p.y + step, p.z + step));
  *value = (a + b + c + d) / 4;
  return supple_vec3_make((a + d - b - c) / (4 * step), (b + d - a - c) / (4 * step),
                          (c + d - a - b) / (4 * step));
}

/* One step of Newton's method along the gradient. */
static supple_vec3 project(cli_field *field, supple_vec3 p) {
  double value;
  supple_vec3 g = gradient(field, p, &value);
  double square = supple_vec3_dot(g, g);
  if (square < 1e-6) return p;
  return supple_vec3_subtract(p, supple_vec3_scale(g, value / square));
}

static supple_vec3 mirror(supple_vec3 p) { return supple_vec3_make(-p.x, p.y, p.z); }

/* The middle of the vertices of the cells behind the crossed faces. */
static supple_vec3 neighbours_middle(lattice *l, const supple_vec3 *positions, size_t vertex) {
  size_t place[3];
  double values[8];
  cell_place(l, l->crossed[vertex], place);
  unsigned inside = cell_corners(l, place, values);
  supple_vec3 sum = supple_vec3_make(0, 0, 0);
  double count = 0;
  for (unsigned side = 0; side < 6; side++) {
    unsigned axis = side / 2, high = side % 2, face = face_corners(axis, high);
    if ((inside & face) == 0 || (inside & face) == face) continue;
    if (!high && place[axis] == 0) { /* across the middle it is the vertex's own image */
      sum = supple_vec3_add(sum, mirror(positions[vertex]));
    } else {
      size_t n[3] = {place[0], place[1], place[2]};
      n[axis] = high ? n[axis] + 1 : n[axis] - 1;
      sum = supple_vec3_add(sum, positions[l->vertices[cell_at(l, n[0], n[1], n[2])]]);
    }
    count++;
  }
  return supple_vec3_scale(sum, 1 / count);
}

static bool put_vertices(cli_net *net, lattice *l, uint32_t rounds) {
  size_t half = l->crossed_count;
  net->positions = malloc(2 * half * sizeof *net->positions);
  net->normals = malloc(2 * half * sizeof *net->normals);
  if (!net->positions || !net->normals) return false;
  supple_vec3 *now = net->positions,
              *next = net->normals; /* normals come last: their room is free */
  for (size_t i = 0; i < half; i++) now[i] = cell_vertex(l, l->crossed[i]);
  for (uint32_t round = 0; round < rounds; round++) {
    for (size_t i = 0; i < half; i++) {
      supple_vec3 middle = neighbours_middle(l, now, i);
      next[i] = project(l->field, supple_vec3_scale(supple_vec3_add(now[i], middle), 0.5));
    }
    for (size_t i = 0; i < half; i++) now[i] = next[i];
  }
  for (size_t i = 0; i < half; i++) {
    double value;
    supple_vec3 p = project(l->field, project(l->field, now[i]));
    supple_vec3 normal =
        supple_vec3_normalise(gradient(l->field, p, &value), supple_vec3_make(0, 1, 0));
    net->positions[i] = p;
    net->positions[half + i] = mirror(p);
    net->normals[i] = normal;
    net->normals[half + i] = mirror(normal);
  }
  net->half = (uint32_t)half;
  net->vertex_count = (uint32_t)(2 * half);
  return true;
}

/* ---- triangles ---- */

static double distance(const cli_net *net, uint32_t a, uint32_t b) {
  return supple_vec3_length(supple_vec3_subtract(net->positions[a], net->positions[b]));
}

/* Splits along the shorter diagonal. Counts alone where there is no room yet. */
static void put_quad(cli_net *net, const uint32_t quad[4]) {
  if (net->triangles) {
    uint32_t *to = net->triangles + (size_t)3 * net->triangle_count;
    unsigned first = distance(net, quad[0], quad[2]) <= distance(net, quad[1], quad[3]) ? 0 : 1;
    for (unsigned k = 0; k < 3; k++) to[k] = quad[(first + k) % 4];
    for (unsigned k = 0; k < 3; k++) to[3 + k] = quad[(first + 2 + k) % 4];
  }
  net->triangle_count += 2;
}

static uint32_t image(const cli_net *net, uint32_t vertex) {
  return vertex < net->half ? vertex + net->half : vertex - net->half;
}

/* The quad around the lattice edge that leaves the cell's lowest corner along `axis`, if it is
 * crossed. */
static void put_edge_quad(cli_net *net, lattice *l, const size_t place[3], unsigned axis) {
  unsigned u = (axis + 1) % 3, v = (axis + 2) % 3;
  size_t end[3] = {place[0], place[1], place[2]};
  end[axis]++;
  bool from = corner_value(l, place[0], place[1], place[2]) < 0,
       to = corner_value(l, end[0], end[1], end[2]) < 0;
  if (from == to || (u > 0 && place[u] == 0) || (v > 0 && place[v] == 0)) return;
  uint32_t quad[4];
  bool across = false;
  for (unsigned k = 0; k < 4; k++) {
    /* Counter-clockwise as seen from the axis's end: steps along -u -v, -v, none, -u. */
    bool back_u = k == 0 || k == 3, back_v = k < 2;
    bool left = (u == 0 && back_u && place[0] == 0) || (v == 0 && back_v && place[0] == 0);
    size_t cell[3] = {place[0], place[1], place[2]};
    if (back_u && !(u == 0 && left)) cell[u]--;
    if (back_v && !(v == 0 && left)) cell[v]--;
    uint32_t vertex = l->vertices[cell_at(l, cell[0], cell[1], cell[2])];
    if (vertex == SUPPLE_NONE) return; /* of another sheet */
    quad[from ? k : 3 - k] = left ? image(net, vertex) : vertex;
    across = across || left;
  }
  put_quad(net, quad);
  if (across) return; /* it is its own image */
  const uint32_t mirrored[4] = {image(net, quad[0]), image(net, quad[3]), image(net, quad[2]),
                                image(net, quad[1])};
  put_quad(net, mirrored);
}

static bool put_triangles(cli_net *net, lattice *l) {
  for (unsigned pass = 0; pass < 2; pass++) {
    net->triangle_count = 0;
    for (size_t i = 0; i < l->crossed_count; i++) {
      size_t place[3];
      cell_place(l, l->crossed[i], place);
      for (unsigned axis = 0; axis < 3; axis++) put_edge_quad(net, l, place, axis);
    }
    if (pass == 0) {
      net->triangles = malloc((size_t)net->triangle_count * 3 * sizeof *net->triangles);
      if (!net->triangles) return false;
    }
  }
  return true;
}

bool cli_net_create(cli_net *net, cli_field *field, const cli_net_options *options) {
  *net = (cli_net){0};
  lattice l = {0};
  bool made = prepare(&l, field, options) && put_vertices(net, &l, options->rounds) &&
              put_triangles(net, &l);
  free(l.values);
  free(l.vertices);
  free(l.crossed);
  if (!made) cli_net_free(net);
  return made;
}

void cli_net_free(cli_net *net) {
  free(net->positions);
  free(net->normals);
  free(net->triangles);
  *net = (cli_net){0};
}
