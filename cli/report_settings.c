/* report_settings.c: what was asked for, what was repaired, what was odd, and how to read the page. */
#include "report_parts.h"

#include "print.h"

enum { MOST_REPAIRS = 60, MOST_NOTES = 60 };

/* ---- settings ---- */
static void print_setting(cli_output *output, const char *title, const char *text) {
  cli_output_format(output, "<dt>%s</dt><dd>", title);
  cli_html_text(output, text);
  cli_output_text(output, "</dd>\n");
}

static void print_motion(const report_page *page) {
  const motion_plan *motion = page->results->motion;
  cli_output *output = page->output;
  cli_output_text(output, "<dt>Motion</dt><dd>");
  if (motion->range)
    cli_output_format(output,
                      "range of motion: %u joints, each twisted ±90° and 180°, bent 90° and 120°",
                      (unsigned)motion->clip_count);
  else
    cli_output_format(output, "%u %s, %zu %s", (unsigned)motion->clip_count,
                      motion->clip_count == 1 ? "clip" : "clips", motion->frame_count,
                      motion->frame_count == 1 ? "time" : "times");
  cli_output_text(output, "</dd>\n");
  const cli_options *options = page->results->options;
  for (uint32_t i = 0; options && i < options->pose_count; i++)
    print_setting(output, "Posed by hand", options->poses[i]);
}

static void print_methods(const report_page *page) {
  cli_output_text(page->output, "<dt>Methods</dt><dd>");
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    if (m) cli_output_text(page->output, ", ");
    cli_output_format(page->output, "%s (%s)", compare_method_title(page->results->methods[m]),
                      compare_method_short(page->results->methods[m]));
  }
  cli_output_text(page->output, "</dd>\n");
}

static void print_settings(const report_page *page) {
  static const char *const scales[] = {"affine", "first", "none"};
  static const char *const signs[] = {"per vertex", "per pose"};
  static const char *const splits[] = {"polar", "Gram-Schmidt"};
  static const char *const weights[] = {"normalise", "keep"};
  const cli_options *options = page->results->options;
  cli_output *output = page->output;
  cli_output_text(output, "<h3>Settings</h3>\n<dl class=\"settings\">\n");
  print_setting(output, "File", page->results->file);
  if (page->results->asset->generator && page->results->asset->generator[0])
    print_setting(output, "Made by", page->results->asset->generator);
  print_methods(page);
  print_motion(page);
  cli_output_text(output, "<dt>Threshold</dt><dd>a joint that keeps less than ");
  report_percent(output, page->results->threshold);
  cli_output_text(output, " collapses</dd>\n");
  if (options) {
    print_setting(output, "Scale in DQS", scales[options->scale]);
    print_setting(output, "Signs in DQS", signs[options->signs]);
    print_setting(output, "Split", splits[options->split]);
    print_setting(output, "Weights", weights[options->weights]);
    print_setting(output, "Vertices without weight",
                  options->unweighted == SUPPLE_UNWEIGHTED_REST
                      ? "keep their rest position"
                      : "belong to the first joint they name");
    if (options->max_influences)
      cli_output_format(output, "<dt>Influences</dt><dd>at most %u a vertex</dd>\n",
                        (unsigned)options->max_influences);
  }
  print_setting(output, "Supple", supple_version());
  cli_output_text(output, "</dl>\n");
}

/* ---- repairs ---- */
/* Whether an earlier instance has the same primitive: bindings are shared, so it was cleaned once. */
static bool seen_before(const comparison *results, uint32_t instance, uint32_t primitive) {
  const supple_primitive *wanted = results->instances[instance].instance->primitives[primitive];
  for (uint32_t i = 0; i <= instance; i++) {
    const supple_instance *other = results->instances[i].instance;
    for (uint32_t p = 0; p < other->primitive_count; p++) {
      if (i == instance && p == primitive) return false;
      if (other->primitives[p] == wanted) return true;
    }
  }
  return false;
}

static void print_cleaning(const report_page *page, uint32_t instance, uint32_t primitive) {
  const compared_instance *one = &page->results->instances[instance];
  const supple_binding_report *found = &one->cleaning[primitive];
  cli_output *output = page->output;
  cli_output_text(output, "<tr><th scope=\"row\">");
  report_node(page, one->instance->node);
  cli_output_format(output, "<span class=\"soft\"> · primitive %u</span></th>", (unsigned)primitive);
  if (found->vertices == 0) {
    cli_output_text(output, "<td colspan=\"8\">no influences: left out</td></tr>\n");
    return;
  }
  const uint32_t counts[] = {found->vertices,  found->most_influences, found->duplicates,
                             found->negatives, found->renormalised,    found->unweighted,
                             found->limited};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    cli_output_format(output, "<td class=\"n\">%u</td>", (unsigned)counts[i]);
  cli_output_text(output, "<td class=\"n\">");
  report_number(output, (double)found->smallest_sum, 4);
  cli_output_text(output, " to ");
  report_number(output, (double)found->largest_sum, 4);
  cli_output_text(output, "</td></tr>\n");
}

static void print_repairs(const report_page *page) {
  cli_output *output = page->output;
  cli_output_text(output,
                  "<h3>Influences, as cleaned</h3>\n<div class=\"scroll\"><table><thead><tr>"
                  "<th scope=\"col\">Primitive</th><th scope=\"col\" class=\"n\">Vertices</th>"
                  "<th scope=\"col\" class=\"n\">Most a vertex</th>"
                  "<th scope=\"col\" class=\"n\">Merged</th>"
                  "<th scope=\"col\" class=\"n\">Negative</th>"
                  "<th scope=\"col\" class=\"n\">Sum not 1</th>"
                  "<th scope=\"col\" class=\"n\">No weight</th>"
                  "<th scope=\"col\" class=\"n\">Dropped</th>"
                  "<th scope=\"col\" class=\"n\">Sums as stored</th></tr></thead><tbody>\n");
  uint32_t shown = 0, left = 0;
  for (uint32_t i = 0; i < page->results->instance_count; i++)
    for (uint32_t p = 0; p < page->results->instances[i].instance->primitive_count; p++) {
      if (seen_before(page->results, i, p)) continue;
      if (shown < MOST_REPAIRS)
        shown++, print_cleaning(page, i, p);
      else
        left++;
    }
  cli_output_text(output, "</tbody></table></div>\n");
  if (left)
    cli_output_format(output, "<p class=\"soft\">And %u more primitives.</p>\n", (unsigned)left);
}

/* ---- what the joint matrices were, at most over all frames ---- */
static void print_found(const report_page *page, uint32_t instance, uint32_t method) {
  compared_frame most = {0};
  for (size_t f = 0; f < page->results->motion->frame_count; f++) {
    const compared_frame *one = compared_frame_at(page->results, instance, f, method);
    if (one->scaled > most.scaled) most.scaled = one->scaled;
    if (one->sheared > most.sheared) most.sheared = one->sheared;
    if (one->mirrored > most.mirrored) most.mirrored = one->mirrored;
    if (one->singular > most.singular) most.singular = one->singular;
    if (one->fallbacks > most.fallbacks) most.fallbacks = one->fallbacks;
  }
  const uint32_t counts[] = {most.scaled, most.sheared, most.mirrored, most.singular,
                             most.fallbacks};
  cli_output_text(page->output, "<tr><th scope=\"row\">");
  report_node(page, page->results->instances[instance].instance->node);
  cli_output_text(page->output, " · ");
  report_method(page, method);
  cli_output_text(page->output, "</th>");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    cli_output_format(page->output, "<td class=\"n\">%u</td>", (unsigned)counts[i]);
  cli_output_text(page->output, "</tr>\n");
}

static void print_matrices(const report_page *page) {
  cli_output *output = page->output;
  bool any = false;
  for (uint32_t m = 0; m < page->results->method_count; m++)
    any = any || page->results->methods[m] != SUPPLE_LBS;
  if (!any) return;
  cli_output_text(output,
                  "<h3>Joint matrices</h3>\n<div class=\"scroll\"><table><caption>The most in any "
                  "frame</caption><thead><tr><th scope=\"col\">Instance</th>"
                  "<th scope=\"col\" class=\"n\">Scaled apart</th>"
                  "<th scope=\"col\" class=\"n\">Sheared or uneven</th>"
                  "<th scope=\"col\" class=\"n\">Mirrored</th>"
                  "<th scope=\"col\" class=\"n\">Singular</th>"
                  "<th scope=\"col\" class=\"n\">Vertices fallen back to LBS</th></tr></thead>"
                  "<tbody>\n");
  for (uint32_t i = 0; i < page->results->instance_count && i < MOST_REPAIRS; i++)
    for (uint32_t m = 0; m < page->results->method_count; m++)
      if (page->results->methods[m] != SUPPLE_LBS) print_found(page, i, m);
  cli_output_text(output, "</tbody></table></div>\n");
}

static void print_notes(const report_page *page) {
  const supple_asset *asset = page->results->asset;
  cli_output *output = page->output;
  if (!asset->note_count) return;
  cli_output_text(output, "<h3>Notes on the file</h3>\n<ul class=\"notes\">\n");
  for (uint32_t i = 0; i < asset->note_count && i < MOST_NOTES; i++) {
    cli_output_text(output, "<li><code>");
    cli_html_text(output, asset->notes[i].pointer[0] ? asset->notes[i].pointer : "/");
    cli_output_text(output, "</code> ");
    cli_html_text(output, asset->notes[i].text);
    cli_output_text(output, "</li>\n");
  }
  if (asset->note_count > MOST_NOTES)
    cli_output_format(output, "<li>and %u more</li>\n", (unsigned)(asset->note_count - MOST_NOTES));
  cli_output_text(output, "</ul>\n");
}

static const char glossary[] =
    "<h3>How to read this</h3>\n<dl class=\"glossary\">\n"
    "<dt>Section</dt><dd>The skin at rest is cut by nine planes perpendicular to the bone, from "
    "0.6 of its "
    "length before the joint to 0.6 after it. The closed loop around the bone is followed as the "
    "skin moves. "
    "Its size is the length of its vector area; 100\u202f% is the size at rest.</dd>\n"
    "<dt>Projected</dt><dd>The loop's vector area along the posed bisector of the two bones. It "
    "also falls "
    "when the loop merely tilts; for comparison with published figures.</dd>\n"
    "<dt>Radius, bulge</dt><dd>The smallest and the largest distance of the loop at the joint from "
    "the bone's "
    "axis, over rest.</dd>\n"
    "<dt>Kept</dt><dd>At each vertex, how much the deformation leaves of any area across it: the "
    "product of "
    "the two smaller stretches. A joint's is the least over the vertices that it shares with other "
    "joints, "
    "each vertex being charged to that one of its joints that turns most against its parent: a "
    "crease at a "
    "raised thigh is the thigh's, though the pelvis shares it. It needs no closed surface.</dd>\n"
    "<dt>Turn</dt><dd>The angle between the joint's and its parent's rotation from the bind pose, "
    "twist and "
    "bend together, at the joint's worst moment; 180° at most.</dd>\n"
    "<dt>Skin area that collapses</dt><dd>The share of the skin whose vertices keep less than the "
    "threshold.</dd>\n"
    "<dt>Volume</dt><dd>Of the closed shells, over rest.</dd>\n"
    "<dt>Deviation</dt><dd>The largest distance of a vertex from where the first method puts "
    "it.</dd>\n"
    "</dl>\n";

void report_settings(const report_page *page) {
  cli_output_text(page->output, "<section id=\"settings\"><h2>Settings and repairs</h2>\n");
  print_settings(page);
  print_repairs(page);
  print_matrices(page);
  print_notes(page);
  cli_output_text(page->output, glossary);
  cli_output_text(page->output, "</section>\n");
}
