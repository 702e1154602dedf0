/* report_statuses.c: every joint of the file with its status and the least it keeps. */
#include "report_parts.h"

#include <math.h>

typedef struct status_text {
  supple_joint_status status;
  const char *meaning;
} status_text;

static const status_text statuses[] = {
    {SUPPLE_JOINT_OK, "it has a closed section around its bone"},
    {SUPPLE_JOINT_AMBIGUOUS,
     "the loop around its bone belongs mostly to other joints, as at shoulders and "
     "hips (less than 80\u202f% of the loop's weight is on this joint, its parent and "
     "its child)"},
    {SUPPLE_JOINT_OPEN, "the surface does not close around it: cloth, hair cards"},
    {SUPPLE_JOINT_OUTSIDE, "there are closed loops, but none around its bone"},
    {SUPPLE_JOINT_RIGID, "it shares no vertex with another joint: nothing bends there"},
    {SUPPLE_JOINT_UNWEIGHTED, "no vertex has weight on it"},
    {SUPPLE_JOINT_SKIPPED, "not looked at: there are too many joints for a mesh of this size"},
};
enum { STATUS_COUNT = sizeof statuses / sizeof *statuses };

static void print_meanings(const report_page *page) {
  cli_output_text(page->output, "<dl class=\"meanings\">\n");
  for (int s = 0; s < STATUS_COUNT; s++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < page->all->joint_count; i++)
      count += page->all->joints[i].status == statuses[s].status;
    if (!count) continue;
    cli_output_format(
        page->output, "<dt><b>%u</b> <span class=\"status\">%s</span></dt><dd>%s</dd>\n",
        (unsigned)count, supple_joint_status_text(statuses[s].status), statuses[s].meaning);
  }
  cli_output_text(page->output, "</dl>\n");
}

/* The least section and the least own_kept of a joint node, over the instances that have it and all frames. */
static void least_of(const comparison *results, uint32_t node, uint32_t method, double *section,
                     double *kept) {
  *section = *kept = (double)NAN;
  for (uint32_t i = 0; i < results->instance_count; i++) {
    const supple_skin *skin = results->instances[i].instance->skin;
    for (uint32_t j = 0; j < skin->joint_count; j++) {
      if (skin->joints[j] != node) continue;
      for (size_t f = 0; f < results->motion->frame_count; f++) {
        const compared_joint *one = compared_joint_at(results, i, f, method, j);
        if (!((double)one->worst >= *section) && !isnan(one->worst)) *section = (double)one->worst;
        if (!((double)one->own_kept >= *kept) && !isnan(one->own_kept))
          *kept = (double)one->own_kept;
      }
    }
  }
}

static void print_row(const report_page *page, uint32_t index) {
  const verdict_joint *row = &page->all->joints[index];
  cli_output *output = page->output;
  cli_output_text(output, "<tr><th scope=\"row\">");
  if (index < page->outline_count)
    cli_output_format(output, "<a href=\"#joint-%u\">", (unsigned)index + 1);
  report_node(page, row->node);
  if (index < page->outline_count) cli_output_text(output, "</a>");
  cli_output_format(output, "</th><td><span class=\"status\">%s</span>%s</td>",
                    supple_joint_status_text(row->status),
                    row->bad ? " <span class=\"collapses\">collapses</span>" : "");
  double sections[CLI_METHODS_MOST], kept[CLI_METHODS_MOST];
  const uint32_t method_count = page->results->method_count;
  const double threshold = page->results->threshold;
  for (uint32_t m = 0; m < method_count; m++)
    least_of(page->results, row->node, m, &sections[m], &kept[m]);
  for (uint32_t m = 0; m < method_count; m++) report_cell_percent(output, sections[m], threshold);
  for (uint32_t m = 0; m < method_count; m++) report_cell_percent(output, kept[m], threshold);
  cli_output_text(output, "<td class=\"apart\">");
  if (row->measured) report_clip(page, row->frame);
  if (row->measured && motion_is_clip(page->results->motion, row->frame)) {
    cli_output_text(output, ", <span class=\"at\">");
    report_when(page, row->frame);
    cli_output_text(output, "</span>");
  }
  cli_output_text(output, "</td></tr>\n");
}

static void print_method_heads(const report_page *page) {
  for (uint32_t m = 0; m < page->results->method_count; m++) {
    cli_output_text(page->output, "<th scope=\"col\" class=\"n\">");
    report_method(page, m);
    cli_output_text(page->output, "</th>");
  }
}

void report_statuses(const report_page *page) {
  cli_output *output = page->output;
  const unsigned methods = page->results->method_count;
  cli_output_text(output, "<section id=\"joints\"><h2>All joints</h2>\n");
  print_meanings(page);
  cli_output_format(
      output,
      "<div class=\"scroll\"><table><caption>The least of all times, in %% of rest; – where "
      "it does not exist</caption><thead><tr><th scope=\"col\" rowspan=\"2\">Joint</th>"
      "<th scope=\"col\" rowspan=\"2\">Status</th>"
      "<th scope=\"colgroup\" colspan=\"%u\" class=\"n\">Section</th>"
      "<th scope=\"colgroup\" colspan=\"%u\" class=\"n\">Kept</th>"
      "<th scope=\"col\" rowspan=\"2\" class=\"apart\">Worst in</th></tr><tr>",
      methods, methods);
  print_method_heads(page);
  print_method_heads(page);
  cli_output_text(output, "</tr></thead><tbody>\n");
  for (uint32_t i = 0; i < page->all->joint_count; i++) print_row(page, i);
  cli_output_text(output, "</tbody></table></div>\n</section>\n");
}
