/* command_fixture.c: `supple fixture`: the arm, the ring and the nasty ones, as real assets. */
#include "command.h"

#include "fixture.h"
#include "gltf_write.h"
#include "output.h"
#include "print.h"

#include <stddef.h>
#include <string.h>

typedef struct fixture_own {
  bool given;
  bool list;
} fixture_own;

static void list_as_json(cli_output *output) {
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  cli_json_array(&json, "fixtures");
  for (const cli_fixture_kind *kind = cli_fixtures; kind->name; kind++) {
    cli_json_object(&json, NULL);
    cli_json_text(&json, "name", kind->name);
    cli_json_text(&json, "summary", kind->summary);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static void list_as_text(cli_output *output) {
  for (const cli_fixture_kind *kind = cli_fixtures; kind->name; kind++) {
    cli_output_format(output, "%-8s %s\n", kind->name, kind->summary);
  }
}

static int list(const cli_invocation *invocation) {
  const cli_options *options = &invocation->options;
  if (invocation->file_count) return cli_complain(CLI_USAGE, "--list takes no name");
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (options->json)
    list_as_json(output);
  else
    list_as_text(output);
  return cli_output_close(output);
}

static int write_fixture(const cli_fixture_kind *kind, const char *path) {
  cli_fixture *fixture = cli_fixture_create(kind);
  if (!fixture) return cli_complain(CLI_FAILED, "out of memory");
  cli_output *output = cli_output_open(path);
  if (!output) {
    cli_fixture_free(fixture);
    return CLI_FAILED;
  }
  supple_error error;
  supple_result result = cli_gltf_write(output, &fixture->gltf, cli_gltf_format_of(path), &error);
  cli_fixture_free(fixture);
  if (result) {
    cli_output_abandon(output);
    return cli_complain(CLI_FAILED, "%s: %s", path, error.message);
  }
  return cli_output_close(output);
}

static int run(const cli_invocation *invocation) {
  const fixture_own *own = invocation->own;
  if (own->list) return list(invocation);
  if (invocation->options.json) return cli_complain(CLI_USAGE, "--json goes with --list");
  if (invocation->file_count == 0)
    return cli_complain(CLI_USAGE, "name a fixture; --list shows them");
  const char *name = invocation->files[0];
  const cli_fixture_kind *kind = cli_fixture_find(name);
  if (!kind) {
    cli_nearest nearest;
    memset(&nearest, 0, sizeof nearest);
    for (const cli_fixture_kind *k = cli_fixtures; k->name; k++)
      cli_nearest_offer(&nearest, name, k->name);
    char hint[128];
    return cli_complain(CLI_USAGE, "there is no fixture '%s'%s", name,
                        cli_nearest_text(&nearest, hint, sizeof hint));
  }
  if (!invocation->options.output) {
    return cli_complain(CLI_USAGE,
                        "say where to write it: -o FILE.glb, -o FILE.gltf, or -o - for stdout");
  }
  return write_fixture(kind, invocation->options.output);
}

static const cli_option own_options[] = {
    {.name = "list",
     .kind = CLI_FLAG,
     .offset = offsetof(fixture_own, list),
     .help = "show the fixtures and their clips"},
};

const cli_command cli_command_fixture = {
    .name = "fixture",
    .summary = "write a test rig as a real asset: an arm, a ring, a human figure, nasty ones",
    .usage = "NAME -o FILE.glb",
    .description =
        "Writes a skinned mesh built by arithmetic, the same bytes on every machine, with\n"
        "its poses as clips of one second: from rest to the full pose. FILE.gltf gets\n"
        "the text form with the data inside, any other name the binary form.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_DRY_RUN | CLI_USES_JSON,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof *own_options,
    .own_size = sizeof(fixture_own),
    .least_files = 0,
    .most_files = 1,
    .function = run,
};
