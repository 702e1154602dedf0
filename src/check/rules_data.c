/* rules_data.c: what accessors hold, element by element. */
#include "../base/prologue.h"

#include "rules.h"

#include <math.h>
#include <string.h>

/* What the coarsest type that may hold a unit vector, signed bytes, is off by. */
static const double unit_quaternion_tolerance = 0.00769, unit_vector_tolerance = 0.00674;

/* Elements that are decoded at a time; looks of one accessor that are taken at a time. */
enum { BLOCK = 256, LOOKS = 16, LARGEST_ELEMENT = 16 };

/* ---- reading ---- */

/* Components that lie one after another. */
static void read_components(const unsigned char *p, supplei_component component, unsigned count,
                            double *out) {
  union {
    int16_t i16;
    uint16_t u16;
    uint32_t u32;
    float f32;
  } v;
  switch (component) {
  case SUPPLEI_I8:
    for (unsigned i = 0; i < count; i++) out[i] = (signed char)p[i];
    break;
  case SUPPLEI_U8:
    for (unsigned i = 0; i < count; i++) out[i] = p[i];
    break;
  case SUPPLEI_I16:
    for (unsigned i = 0; i < count; i++) memcpy(&v, p + 2 * i, 2), out[i] = v.i16;
    break;
  case SUPPLEI_U16:
    for (unsigned i = 0; i < count; i++) memcpy(&v, p + 2 * i, 2), out[i] = v.u16;
    break;
  case SUPPLEI_U32:
    for (unsigned i = 0; i < count; i++) memcpy(&v, p + 4 * i, 4), out[i] = v.u32;
    break;
  case SUPPLEI_F32:
    for (unsigned i = 0; i < count; i++) memcpy(&v, p + 4 * i, 4), out[i] = (double)v.f32;
    break;
  }
}

/* One element; columns of matrices start at multiples of four bytes, except in sparse values. */
static void read_element(const unsigned char *p, const supplei_elements *e, bool tight, double *out) {
  size_t column = supplei_component_size(e->component) * e->rows;
  if (tight || e->columns == 1 || column % 4 == 0) {
    read_components(p, e->component, (unsigned)e->rows * e->columns, out);
    return;
  }
  for (unsigned c = 0; c < e->columns; c++)
    read_components(p + c * ((column + 3) / 4 * 4), e->component, e->rows, out + c * e->rows);
}

void supplei_rules_decode(supplei_rules_cursor *cursor, uint32_t count, double *out) {
  const supplei_elements *e = &cursor->elements;
  unsigned components = (unsigned)e->rows * e->columns;
  for (uint32_t i = 0; i < count; i++, out += components) {
    uint32_t index = cursor->next++;
    if (e->sparse_count && supplei_sparse_index(e, cursor->sparse_next) == index) {
      size_t size = supplei_component_size(e->component) * components;
      read_element(e->sparse_values + size * cursor->sparse_next, e, true, out);
      if (cursor->sparse_next + 1 < e->sparse_count) cursor->sparse_next++;
    } else if (e->data) {
      read_element(e->data + e->stride * index, e, false, out);
    } else {
      memset(out, 0, components * sizeof *out);
    }
  }
}

double supplei_rules_normalize(uint32_t component, double value) {
  switch (component) {
  case SUPPLEI_I8: return value < -127 ? -1 : value / 127;
  case SUPPLEI_U8: return value / 255;
  case SUPPLEI_I16: return value < -32767 ? -1 : value / 32767;
  case SUPPLEI_U16: return value / 65535;
  default: return value;
  }
}

/* Part of a view: NULL where it does not lie in it, or not at a multiple of `component`. */
static const unsigned char *part(supplei_rules *rules, uint32_t index, int64_t offset, double bytes,
                                 uint32_t component) {
  if (index >= rules->view_array.count || offset == -1) return NULL;
  const supplei_rules_view *view = &rules->views[index];
  if (view->offset == -1 || view->length == -1 || offset % component ||
      (view->offset + offset) % component || (double)offset + bytes > (double)view->length)
    return NULL;
  const unsigned char *data = supplei_rules_view_bytes(rules, index);
  return data ? data + offset : NULL;
}

static bool open_sparse(supplei_rules *rules, const supplei_rules_accessor *a, supplei_elements *e) {
  if (a->sparse_count > a->count || !a->sparse_component) return false;
  uint32_t size = (uint32_t)supplei_component_size((supplei_component)a->sparse_component),
           component = (uint32_t)supplei_component_size((supplei_component)a->component);
  double count = (double)a->sparse_count;
  e->sparse_indices =
      part(rules, a->sparse_indices_view, a->sparse_indices_offset, count * size, size);
  e->sparse_values = part(rules, a->sparse_values_view, a->sparse_values_offset,
                          count * component * a->rows * a->columns, component);
  e->sparse_component = (supplei_component)a->sparse_component;
  e->sparse_count = (uint32_t)a->sparse_count;
  return e->sparse_indices && e->sparse_values;
}

bool supplei_rules_open(supplei_rules *rules, uint32_t index, supplei_rules_cursor *cursor) {
  const supplei_rules_accessor *a = &rules->accessors[index];
  *cursor = (supplei_rules_cursor){0};
  if (a->value == SUPPLE_NONE || !a->component || !a->rows || a->count == -1 ||
      a->count >= SUPPLE_NONE || (a->view == SUPPLE_NONE && a->sparse == SUPPLE_NONE))
    return false;
  supplei_elements *e = &cursor->elements;
  *e = (supplei_elements){.count = (uint32_t)a->count,
                          .component = (supplei_component)a->component,
                          .rows = a->rows,
                          .columns = a->columns,
                          .normalized = a->normalized};
  size_t size = supplei_element_size(e->component, e->rows, e->columns);
  e->stride = size;
  if (a->view != SUPPLE_NONE) {
    if (rules->views[a->view].stride != -1) e->stride = (size_t)rules->views[a->view].stride;
    if (e->stride < size) return false;
    e->data =
        part(rules, a->view, a->offset, (double)e->stride * ((double)a->count - 1) + (double)size,
             (uint32_t)supplei_component_size(e->component));
    if (!e->data) return false;
  }
  return a->sparse == SUPPLE_NONE || open_sparse(rules, a, e);
}

bool supplei_rules_afford(supplei_rules *rules, double work) {
  if (work <= (double)rules->work_left) {
    rules->work_left -= (uint64_t)work;
    return true;
  }
  if (!rules->work_told)
    supplei_rules_found(rules, SUPPLEI_CODE_SKINNING_CHECK_INCOMPLETE, 0,
                        "its accessors make far more data than the file holds; some of it was not "
                        "looked at (limits.memory_bytes)");
  rules->work_told = true;
  return false;
}

/* ---- looks ---- */

/* How often something was seen, and where first. */
typedef struct tally {
  uint64_t count;
  uint32_t element;
  double value;
} tally;

static void add(tally *t, uint32_t element, double value) {
  if (!t->count++) {
    t->element = element;
    t->value = value;
  }
}

typedef struct look {
  supplei_rules_look kind;
  int64_t vertices; /* of indices */
  bool triangles;
  tally tallies[3];
  double last[3]; /* the key before; the corners of a triangle */
} look;

static void look_at_times(look *l, uint32_t element, double time) {
  if (time < 0) {
    add(&l->tallies[0], element, time);
  } else {
    if (element && time <= l->last[0]) add(&l->tallies[1], element, time);
    l->last[0] = time;
  }
}

static void look_at_index(look *l, uint32_t element, double index, double restart) {
  if (l->vertices != -1 && index >= (double)l->vertices) add(&l->tallies[0], element, index);
  if (index == restart) add(&l->tallies[1], element, index);
  if (!l->triangles) return;
  l->last[element % 3] = index;
  if (element % 3 == 2 &&
      (l->last[0] == l->last[1] || l->last[1] == l->last[2] || l->last[2] == l->last[0]))
    add(&l->tallies[2], element / 3, index);
}

static double length_of(const supplei_elements *e, const double *v, unsigned count) {
  double sum = 0;
  for (unsigned i = 0; i < count; i++) {
    double x = e->normalized ? supplei_rules_normalize(e->component, v[i]) : v[i];
    sum += x * x;
  }
  return sqrt(sum);
}

static void look_at_element(look *l, const supplei_elements *e, uint32_t element, const double *v) {
  switch (l->kind) {
  case SUPPLEI_LOOK_TIMES: look_at_times(l, element, v[0]); break;
  case SUPPLEI_LOOK_INDICES:
    look_at_index(l, element, v[0],
                  e->component == SUPPLEI_U8    ? 255
                  : e->component == SUPPLEI_U16 ? 65535
                                                : 4294967295.0);
    break;
  case SUPPLEI_LOOK_CUBIC_QUATERNIONS:
    if (element % 3 != 1) break; /* a tangent */
    /* fallthrough */
  case SUPPLEI_LOOK_QUATERNIONS: {
    double length = length_of(e, v, 4);
    if (fabs(length - 1) > unit_quaternion_tolerance) add(&l->tallies[0], element, length);
    break;
  }
  case SUPPLEI_LOOK_INVERSE_BINDS:
    for (int i = 3; i < 16; i += 4)
      if (v[i] != (i == 15 ? 1 : 0)) {
        add(&l->tallies[0], element, v[i]);
        break;
      }
    break;
  case SUPPLEI_LOOK_TANGENTS: {
    double sign = e->normalized ? supplei_rules_normalize(e->component, v[3]) : v[3];
    if (sign != 1 && sign != -1) add(&l->tallies[1], element, sign);
  }
    /* fallthrough */
  case SUPPLEI_LOOK_NORMALS: {
    double length = length_of(e, v, 3);
    if (fabs(length - 1) > unit_vector_tolerance) add(&l->tallies[0], element, length);
    break;
  }
  case SUPPLEI_LOOK_COLORS:
    for (int i = 0; i < e->rows; i++)
      if (v[i] < 0 || v[i] > 1) {
        add(&l->tallies[0], element, v[i]);
        break;
      }
    break;
  }
}

static void tell_look(supplei_rules *rules, const look *l, supple_value user, uint32_t count) {
  static const struct {
    supplei_code code;
    const char *text;
  } codes[][3] = {
      [SUPPLEI_LOOK_TIMES] = {{SUPPLEI_CODE_ACCESSOR_ANIMATION_INPUT_NEGATIVE, "times below zero"},
                              {SUPPLEI_CODE_ACCESSOR_ANIMATION_INPUT_NON_INCREASING,
                               "times not above the one before"}},
      [SUPPLEI_LOOK_QUATERNIONS] =
          {{SUPPLEI_CODE_ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION,
            "rotations not of unit length"}},
      [SUPPLEI_LOOK_CUBIC_QUATERNIONS] =
          {{SUPPLEI_CODE_ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION,
            "rotations not of unit length"}},
      [SUPPLEI_LOOK_INVERSE_BINDS] = {{SUPPLEI_CODE_ACCESSOR_INVALID_IBM,
                                       "matrices whose last row is not 0, 0, 0, 1"}},
      [SUPPLEI_LOOK_NORMALS] = {{SUPPLEI_CODE_ACCESSOR_VECTOR3_NON_UNIT,
                                 "vectors not of unit length"}},
      [SUPPLEI_LOOK_TANGENTS] = {{SUPPLEI_CODE_ACCESSOR_VECTOR3_NON_UNIT,
                                  "vectors not of unit length"},
                                 {SUPPLEI_CODE_ACCESSOR_INVALID_SIGN,
                                  "tangents whose sign is neither 1 nor -1"}},
      [SUPPLEI_LOOK_COLORS] = {{SUPPLEI_CODE_ACCESSOR_NON_CLAMPED, "colours out of 0 to 1"}},
      [SUPPLEI_LOOK_INDICES] = {
          {SUPPLEI_CODE_ACCESSOR_INDEX_OOB, "indices past the last vertex"},
          {SUPPLEI_CODE_ACCESSOR_INDEX_PRIMITIVE_RESTART, "indices that mean primitive restart"},
          {SUPPLEI_CODE_ACCESSOR_INDEX_TRIANGLE_DEGENERATE, "triangles with two equal corners"}}};
  for (int i = 0; i < 3; i++) {
    const tally *t = &l->tallies[i];
    if (!t->count) continue;
    bool triangles = l->kind == SUPPLEI_LOOK_INDICES && i == 2;
    supplei_rules_found_many(rules, codes[l->kind][i].code, user, t->count,
                             "%llu of %u %s; the first is number %u: %.9g",
                             (unsigned long long)t->count, (unsigned)(triangles ? count / 3 : count),
                             codes[l->kind][i].text, (unsigned)t->element, t->value);
  }
}

/* ---- bounds ---- */

/* What every accessor is looked at for. */
typedef struct extremes {
  double least[LARGEST_ELEMENT], most[LARGEST_ELEMENT]; /* as stored */
  double min[LARGEST_ELEMENT], max[LARGEST_ELEMENT];    /* as declared */
  uint64_t below[LARGEST_ELEMENT], above[LARGEST_ELEMENT];
  tally non_finite;
} extremes;

static void read_declared(const supplei_rules *rules, supple_value array, bool single,
                          double otherwise, double *out) {
  for (uint32_t i = 0; i < LARGEST_ELEMENT; i++) {
    out[i] = otherwise;
    supple_value item = supple_document_child(rules->document, array, i);
    if (supple_document_number(rules->document, item, &out[i]) && single)
      out[i] = (double)(float)out[i];
  }
}

/* A first value that is not a number stays, as in the validator. */
static void look_at_bounds(extremes *x, bool first, const double *v, unsigned components) {
  for (unsigned i = 0; i < components; i++) {
    if (first || x->least[i] > v[i]) x->least[i] = v[i];
    if (first || x->most[i] < v[i]) x->most[i] = v[i];
    x->below[i] += v[i] < x->min[i];
    x->above[i] += v[i] > x->max[i];
  }
}

/* What is finite less itself is 0: a sum of these tells of all at once. */
static void look_at_floats(extremes *x, uint32_t element, const double *v, unsigned components) {
  double sum = 0;
  for (unsigned i = 0; i < components; i++) sum += v[i] - v[i];
  if (sum == 0) return;
  for (unsigned i = 0; i < components; i++)
    if (!isfinite(v[i])) add(&x->non_finite, element, v[i]);
}

static void tell_side(supplei_rules *rules, supple_value array, const double *declared,
                      const double *actual, const uint64_t *outside, bool is_min) {
  uint32_t count = supple_document_count(rules->document, array);
  for (uint32_t i = 0; i < count && i < LARGEST_ELEMENT; i++) {
    supple_value item = supple_document_child(rules->document, array, i);
    if (declared[i] == actual[i]) continue;
    supplei_rules_found(
        rules, is_min ? SUPPLEI_CODE_ACCESSOR_MIN_MISMATCH : SUPPLEI_CODE_ACCESSOR_MAX_MISMATCH,
        item, "is %.9g, but the %s of the data is %.9g", declared[i],
        is_min ? "minimum" : "maximum", actual[i]);
    if (outside[i])
      supplei_rules_found_many(rules,
                               is_min ? SUPPLEI_CODE_ACCESSOR_ELEMENT_OUT_OF_MIN_BOUND
                                      : SUPPLEI_CODE_ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND,
                               item, outside[i], "%llu elements are %s %.9g",
                               (unsigned long long)outside[i], is_min ? "below" : "above",
                               declared[i]);
  }
}

static void tell_bounds(supplei_rules *rules, const supplei_rules_accessor *accessor,
                        const extremes *x) {
  tell_side(rules, accessor->min, x->min, x->least, x->below, true);
  tell_side(rules, accessor->max, x->max, x->most, x->above, false);
  if (x->non_finite.count)
    supplei_rules_found_many(
        rules, SUPPLEI_CODE_ACCESSOR_INVALID_FLOAT, accessor->value, x->non_finite.count,
        "%llu numbers are not finite; the first is in element %u",
        (unsigned long long)x->non_finite.count, (unsigned)x->non_finite.element);
}

/* ---- accessors ---- */

/* The looks that wishes from `from` on ask for, equal ones once, until there are too many; returns the wish
 * after them. */
static supplei_rules_wish *gather(supplei_rules_wish *from, look *looks, unsigned *count) {
  *count = 0;
  for (; from; from = from->next) {
    unsigned i = 0;
    while (i < *count && (looks[i].kind != from->look || looks[i].vertices != from->vertices ||
                          looks[i].triangles != from->triangles))
      i++;
    if (i == LOOKS) return from;
    if (i == *count)
      looks[(*count)++] =
          (look){.kind = from->look, .vertices = from->vertices, .triangles = from->triangles};
    from->number = (uint8_t)i;
  }
  return NULL;
}

static void look_through(supplei_rules *rules, uint32_t index, supplei_rules_cursor cursor,
                         extremes *x, look *looks, unsigned look_count) {
  const supplei_rules_accessor *accessor = &rules->accessors[index];
  const supplei_elements *e = &cursor.elements;
  unsigned components = (unsigned)e->rows * e->columns;
  double block[BLOCK * LARGEST_ELEMENT];
  bool single = accessor->component == SUPPLEI_F32,
       bounded = accessor->min != SUPPLE_NONE || accessor->max != SUPPLE_NONE;
  for (uint32_t begin = 0; begin < e->count; begin += BLOCK) {
    uint32_t count = e->count - begin < BLOCK ? e->count - begin : BLOCK;
    supplei_rules_decode(&cursor, count, block);
    for (uint32_t i = 0; i < count; i++) {
      const double *v = block + (size_t)i * components;
      if (x && bounded) look_at_bounds(x, !(begin + i), v, components);
      if (x && single) look_at_floats(x, begin + i, v, components);
      for (unsigned k = 0; k < look_count; k++) look_at_element(&looks[k], e, begin + i, v);
    }
    if (begin > UINT32_MAX - BLOCK) break;
  }
}

static void look_at_accessor(supplei_rules *rules, uint32_t index) {
  const supplei_rules_accessor *accessor = &rules->accessors[index];
  bool single = accessor->component == SUPPLEI_F32, first = true;
  supplei_rules_cursor cursor;
  if (!accessor->wishes && accessor->min == SUPPLE_NONE && accessor->max == SUPPLE_NONE && !single)
    return;
  if (!supplei_rules_open(rules, index, &cursor)) return;
  extremes x = {0};
  read_declared(rules, accessor->min, single, -HUGE_VAL, x.min);
  read_declared(rules, accessor->max, single, HUGE_VAL, x.max);
  supplei_rules_wish *wish = accessor->wishes;
  do {
    look looks[LOOKS];
    unsigned count;
    supplei_rules_wish *next = gather(wish, looks, &count);
    double components = (double)accessor->count * accessor->rows * accessor->columns;
    if (!supplei_rules_afford(rules, components * (1 + count))) return;
    look_through(rules, index, cursor, first ? &x : NULL, looks, count);
    for (; wish != next; wish = wish->next)
      tell_look(rules, &looks[wish->number], wish->user, cursor.elements.count);
    if (first) tell_bounds(rules, accessor, &x);
    first = false;
  } while (wish);
}

static void look_at_sparse(supplei_rules *rules, uint32_t index) {
  const supplei_rules_accessor *accessor = &rules->accessors[index];
  supplei_elements e = {0};
  if (accessor->sparse == SUPPLE_NONE || !accessor->sparse_component || !accessor->component ||
      !accessor->rows || accessor->count == -1 || accessor->sparse_count >= SUPPLE_NONE)
    return;
  uint32_t size = (uint32_t)supplei_component_size((supplei_component)accessor->sparse_component);
  e.sparse_component = (supplei_component)accessor->sparse_component;
  e.sparse_indices = part(rules, accessor->sparse_indices_view, accessor->sparse_indices_offset,
                          (double)accessor->sparse_count * size, size);
  if (!e.sparse_indices || !supplei_rules_afford(rules, (double)accessor->sparse_count)) return;
  tally order = {0}, outside = {0};
  uint32_t last = 0;
  for (uint32_t i = 0; i < (uint32_t)accessor->sparse_count; i++) {
    uint32_t element = supplei_sparse_index(&e, i);
    if (i && element <= last) add(&order, i, element);
    if ((int64_t)element >= accessor->count) add(&outside, i, element);
    last = element;
  }
  if (order.count)
    supplei_rules_found_many(rules, SUPPLEI_CODE_ACCESSOR_SPARSE_INDICES_NON_INCREASING,
                             accessor->sparse, order.count,
                             "%llu indices are not above the one before; the first is number %u",
                             (unsigned long long)order.count, (unsigned)order.element);
  if (outside.count)
    supplei_rules_found_many(rules, SUPPLEI_CODE_ACCESSOR_SPARSE_INDEX_OOB, accessor->sparse,
                             outside.count,
                             "%llu indices are past the last of %lld elements; the first is number "
                             "%u: %.0f",
                             (unsigned long long)outside.count, (long long)accessor->count,
                             (unsigned)outside.element, outside.value);
}

void supplei_rules_data(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->accessor_array.count; i++) {
    if (rules->accessors[i].value == SUPPLE_NONE) continue;
    look_at_sparse(rules, i);
    look_at_accessor(rules, i);
  }
}
