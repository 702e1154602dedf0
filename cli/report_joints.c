/* report_joints.c: one card for each of the worst joints: its section drawn, plotted, and in numbers. */
#include "report_parts.h"

#include "print.h"

#include <math.h>
#include <string.h>

/* One number of a joint over a clip, into a plot. offset: of a float in compared_joint. */
static void add_series(const report_page *page, report_plot *plot, const verdict_joint *row,
                       uint32_t method, bool dashed, const char *name, size_t offset) {
  double *values = report_plot_add(plot, method, dashed, name);
  for (uint32_t t = 0; values && t < plot->clip->time_count; t++) {
    float value;
    memcpy(&value,
           (const char *)compared_joint_at(page->results, row->instance,
                                           plot->clip->first_frame + t, method, row->joint) +
               offset,
           sizeof value);
    values[t] = (double)value;
  }
}

static report_plot start_plot(const report_page *page, const verdict_joint *row, const char *title) {
  const motion_clip *clip =
      &page->results->motion->clips[motion_find(page->results->motion, row->frame)];
  return (report_plot){.title = title,
                       .unit = "%",
                       .width = 400,
                       .height = 270,
                       .scale = 100,
                       .clip = clip,
                       .methods = page->results->methods,
                       .least = 0,
                       .most = 100,
                       .threshold = (double)NAN,
                       .mark = row->frame - clip->first_frame};
}

static void draw_plots(const report_page *page, const verdict_joint *row) {
  report_plot kept = start_plot(page, row, "Smallest section (solid), kept (dashed)");
  kept.threshold = 100 * page->results->threshold;
  report_plot bulge = start_plot(page, row, "Bulge (solid), smallest radius (dashed)");
  const supple_measured_joint *known = &page->results->instances[row->instance].joints[row->joint];
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    static const char *const quantities[4] = {"smallest section", "kept", "bulge",
                                              "smallest radius"};
    add_series(page, &kept, row, m, false, quantities[0], offsetof(compared_joint, worst));
    add_series(page, &kept, row, m, true, quantities[1], offsetof(compared_joint, own_kept));
    if (!known->sections[SUPPLE_SECTION_AT_JOINT]) continue;
    add_series(page, &bulge, row, m, false, quantities[2], offsetof(compared_joint, bulge));
    add_series(page, &bulge, row, m, true, quantities[3], offsetof(compared_joint, radius));
  }
  report_plot_draw(page->output, &kept);
  report_plot_draw(page->output, &bulge);
}

static void print_numbers(const report_page *page, const verdict_joint *row) {
  cli_output *output = page->output;
  const double threshold = page->results->threshold;
  cli_output_text(output,
                  "<div class=\"scroll\"><table class=\"numbers\"><caption>At that moment, "
                  "in % of rest</caption><thead><tr><td></td>"
                  "<th scope=\"col\" class=\"n\">Kept</th>"
                  "<th scope=\"col\" class=\"n\">Smallest section</th>"
                  "<th scope=\"col\" class=\"n\">at offset</th>"
                  "<th scope=\"col\" class=\"n\">Section at the joint</th>"
                  "<th scope=\"col\" class=\"n\">projected</th>"
                  "<th scope=\"col\" class=\"n\">Smallest radius</th>"
                  "<th scope=\"col\" class=\"n\">Bulge</th>"
                  "<th scope=\"col\" class=\"n\">Least of all clips</th></tr></thead><tbody>\n");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    const compared_joint *one =
        compared_joint_at(page->results, row->instance, row->frame, m, row->joint);
    cli_output_text(output, "<tr><th scope=\"row\">");
    report_method(page, m);
    cli_output_text(output, "</th>");
    report_cell_percent(output, (double)one->own_kept, threshold);
    report_cell_percent(output, (double)one->worst, threshold);
    cli_output_text(output, "<td class=\"n\">");
    report_number(output,
                  one->worst_offset < SUPPLE_SECTION_COUNT ? supple_section_offset(one->worst_offset)
                                                           : (double)NAN,
                  2);
    cli_output_text(output, "</td>");
    report_cell_percent(output, (double)one->section, 0);
    report_cell_percent(output, (double)one->projected, 0);
    report_cell_percent(output, (double)one->radius, 0);
    report_cell_percent(output, (double)one->bulge, 0);
    report_cell_percent(output, row->lowest[m], threshold);
    cli_output_text(output, "</tr>\n");
  }
  cli_output_text(output, "</tbody></table></div>\n");
}

/* ---- what the numbers do not say by themselves ---- */

/* kept is never above own_kept; where it is below, a neighbour bends the vertices that the two share. */
static void print_neighbours_kept(const report_page *page, const verdict_joint *row) {
  cli_output *output = page->output;
  const uint32_t method_count = page->results->method_count;
  bool differs = false;
  for (uint32_t m = 0; m < method_count; m++) {
    const compared_joint *one =
        compared_joint_at(page->results, row->instance, row->frame, m, row->joint);
    differs = differs || one->kept < (isnan(one->own_kept) ? 1 : one->own_kept) - 0.0005f;
  }
  if (!differs) return;
  cli_output_text(output, "<p class=\"soft\">Vertices that it shares with a joint that turns more "
                          "are that joint’s, and are not held against this one; with them it would "
                          "keep ");
  for (uint32_t m = 0; m < method_count; m++) {
    const compared_joint *one =
        compared_joint_at(page->results, row->instance, row->frame, m, row->joint);
    if (m) cli_output_text(output, m + 1 < method_count ? ", " : " and ");
    report_percent(output, (double)one->kept);
    cli_output_format(output, " under %s", compare_method_short(page->results->methods[m]));
  }
  cli_output_text(output, ".</p>\n");
}

/* The frame in which the smallest section under a method is below the threshold although every vertex keeps
 * its area: of these frames the worst. SIZE_MAX: none. */
static size_t lost_between_vertices(const report_page *page, const verdict_joint *row,
                                    uint32_t method) {
  const comparison *results = page->results;
  size_t found = SIZE_MAX;
  float least = (float)results->threshold;
  for (size_t f = 0; f < results->motion->frame_count; f++) {
    const compared_joint *one = compared_joint_at(results, row->instance, f, method, row->joint);
    const float kept = isnan(one->own_kept) ? one->kept : one->own_kept;
    if (!(kept >= 0.99f && one->worst < least)) continue;
    least = one->worst;
    found = f;
  }
  return found;
}

/* Under a method that squeezes no vertex, it is not the method that loses the section. */
static void print_not_the_method(const report_page *page, const verdict_joint *row) {
  cli_output *output = page->output;
  const uint32_t method_count = page->results->method_count;
  for (uint32_t m = method_count > 1; m < method_count; m++) {
    const size_t frame = lost_between_vertices(page, row, m);
    if (frame == SIZE_MAX) continue;
    cli_output_format(output, "<p>Under %s the section falls to ",
                      compare_method_short(page->results->methods[m]));
    report_percent(
        output,
        (double)compared_joint_at(page->results, row->instance, frame, m, row->joint)->worst);
    if (frame != row->frame) {
      cli_output_text(output, " (at ");
      report_when(page, frame);
      cli_output_text(output, " of ");
      report_clip(page, frame);
      cli_output_text(output, ")");
    }
    cli_output_text(output,
                    " although no vertex is squeezed: the weights or the mesh lose it there (long "
                    "triangles across the joint, say), not the method.</p>\n");
  }
}

/* " · between upper and lower": the bones' other ends. */
static void print_neighbours(const report_page *page, const compared_instance *instance,
                             uint32_t joint) {
  const supple_measured_joint *known = &instance->joints[joint];
  const supple_skin *skin = instance->instance->skin;
  const bool parent = known->parent < skin->joint_count, child = known->child < skin->joint_count;
  cli_output *output = page->output;
  if (!parent && !child) return;
  cli_output_text(output, parent && child ? " · between " : parent ? " · after " : " · before ");
  if (parent) report_node(page, skin->joints[known->parent]);
  if (parent && child) cli_output_text(output, " and ");
  if (child) report_node(page, skin->joints[known->child]);
}

static void print_place(const report_page *page, uint32_t index) {
  const verdict_joint *row = &page->all->joints[index];
  const compared_outline *outline = &page->outlines[index];
  const compared_instance *instance = &page->results->instances[row->instance];
  cli_output *output = page->output;
  cli_output_text(output, "<p class=\"place\">");
  if (motion_is_clip(page->results->motion, row->frame)) {
    report_when(page, row->frame);
    cli_output_text(output, " of ");
  }
  report_clip(page, row->frame);
  if (page->results->instance_count > 1) {
    cli_output_text(output, " · on ");
    report_node(page, instance->instance->node);
  }
  print_neighbours(page, instance, row->joint);
  if (isfinite(compared_turn_at(page->results, row->instance, row->frame, row->joint))) {
    cli_output_text(output, " · turned ");
    report_turn(page, row);
    cli_output_text(output, " against its parent");
  }
  if (outline->point_count) {
    const double offset = supple_section_offset(outline->offset);
    cli_output_text(output, " · section drawn ");
    if (outline->offset != SUPPLE_SECTION_AT_JOINT) {
      report_number(output, fabs(offset), 2);
      cli_output_text(output, offset < 0 ? " of the bone before " : " of the bone after ");
    } else {
      cli_output_text(output, "at ");
    }
    cli_output_text(output, "the joint");
  }
  cli_output_text(output, "</p>\n");
}

/* A picture of the moment, its bytes in the page. */
static void print_picture(const report_page *page, uint32_t index) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const compared_outline *outline = &page->outlines[index];
  const unsigned char *p = outline->picture;
  cli_output *output = page->output;
  if (!p) return;
  cli_output_format(
      output,
      "<figure><img width=\"%u\" height=\"%u\" alt=\"The joint at that moment, method "
      "beside method\" src=\"data:image/png;base64,",
      (unsigned)outline->picture_width, (unsigned)outline->picture_height);
  for (size_t i = 0; i < outline->picture_size; i += 3) {
    const size_t left = outline->picture_size - i;
    const uint32_t bits = (uint32_t)p[i] << 16 | (left > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                          (left > 2 ? (uint32_t)p[i + 2] : 0);
    const char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63],
                          left > 1 ? digits[bits >> 6 & 63] : '=',
                          left > 2 ? digits[bits & 63] : '='};
    cli_output_write(output, text, sizeof text);
  }
  cli_output_text(output, "\"></figure>\n");
}

static void print_card(const report_page *page, uint32_t index) {
  const verdict_joint *row = &page->all->joints[index];
  cli_output *output = page->output;
  cli_output_format(output,
                    "<article class=\"card\" id=\"joint-%u\"><h3><span class=\"rank\">%u</span> ",
                    (unsigned)index + 1, (unsigned)index + 1);
  report_node(page, row->node);
  cli_output_text(output, " <span class=\"keeps\">keeps ");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    if (m) cli_output_text(output, " · ");
    cli_output_format(output, "<b class=\"m%u\">", report_colour(page->results->methods[m]));
    report_percent(output, row->keeps[m]);
    cli_output_format(output, "</b> %s", compare_method_short(page->results->methods[m]));
  }
  cli_output_text(output, "</span></h3>\n");
  print_place(page, index);
  print_picture(page, index);
  cli_output_text(output, "<div class=\"drawn\">\n<div>");
  if (page->outlines[index].point_count) {
    report_outline(page, index);
  } else {
    cli_output_text(output, "<p class=\"none\">No section to draw (");
    cli_output_text(output, supple_joint_status_text(row->status));
    cli_output_text(output, "): it is judged by what its vertices keep.</p>");
  }
  cli_output_text(output, "</div>\n");
  draw_plots(page, row);
  cli_output_text(output, "</div>\n");
  print_numbers(page, row);
  print_not_the_method(page, row);
  print_neighbours_kept(page, row);
  cli_output_text(output, "</article>\n");
}

void report_joints(const report_page *page) {
  cli_output *output = page->output;
  if (!page->outline_count) return;
  cli_output_text(output,
                  "<section id=\"worst\"><h2>The worst joints</h2>\n<p>Each at its worst moment. "
                  "On the left the cross-section, cut perpendicular to the bone and seen along it; "
                  "the cross is the bone. The plots run over the clip; the dotted upright is that "
                  "moment, the dashed level the threshold.</p>\n");
  report_legend(page, true);
  for (uint32_t i = 0; i < page->outline_count; i++) print_card(page, i);
  if (page->all->bad_count > page->outline_count)
    cli_output_format(output,
                      "<p class=\"soft\">%u more joints collapse; they stand in the table of <a "
                      "href=\"#joints\">all joints</a>.</p>\n",
                      (unsigned)(page->all->bad_count - page->outline_count));
  cli_output_text(output, "</section>\n");
}
