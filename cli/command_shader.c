/* command_shader.c: `supple shader`: the GPU's deformation in any shading language, ready to paste. */
#include "command.h"

#include "output.h"

#include <supple/shader.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct shader_own {
  bool given;
  bool list;
  bool lang_given;
  int lang, stage, scale, signs, influences, normals, palette;
  bool tangents, morph, functions, scale_given, signs_given;
} shader_own;

static supple_shader_options options_of(const cli_invocation *invocation) {
  const shader_own *own = invocation->own;
  const int none = SUPPLE_NORMALS_LINEAR + 1;
  return (supple_shader_options){
      .language = (supple_shader_language)own->lang,
      .stage = (supple_shader_stage)own->stage,
      .method =
          invocation->options.method_given ? (supple_method)invocation->options.method : SUPPLE_DQS,
      .scale = (supple_scale)own->scale,
      .signs = (supple_signs)own->signs,
      .influences = (supple_shader_influences)own->influences,
      .memory = (supple_shader_memory)own->palette,
      .normals = own->normals == none ? SUPPLE_NORMALS_COFACTOR : (supple_normals)own->normals,
      .positions_only = own->normals == none,
      .tangents = own->tangents,
      .morph = own->morph,
      .functions_only = own->functions,
  };
}

/* Every language with the stages it has. */
static int list(const cli_invocation *invocation) {
  cli_output *output =
      cli_output_open(invocation->options.output ? invocation->options.output : "-");
  if (!output) return CLI_FAILED;
  supple_shader_options options = {.method = SUPPLE_DQS};
  for (int language = 0; supple_shader_language_text((supple_shader_language)language); language++) {
    options.language = (supple_shader_language)language;
    options.stage = SUPPLE_SHADER_COMPUTE;
    const bool compute = supple_shader_source(&options, NULL, 0, NULL, NULL) == SUPPLE_OK;
    cli_output_format(output, "%-12s vertex%s\n", supple_shader_language_text(options.language),
                      compute ? ", compute" : "");
  }
  return cli_output_close(output);
}

static int check(const cli_invocation *invocation, const supple_shader_options *options) {
  const shader_own *own = invocation->own;
  if (!own->lang_given)
    return cli_complain(CLI_USAGE, "name a language: --lang glsl-330, …; --list shows them");
  if (options->method == SUPPLE_LBS && (own->scale_given || own->signs_given))
    return cli_complain(CLI_USAGE, "--scale and --signs are of --method dqs");
  if (options->morph && options->language == SUPPLE_SHADER_SPIRV)
    cli_note("the SPIR-V modules always have morph targets; morph_count 0 passes them over");
  return CLI_FINE;
}

static int run(const cli_invocation *invocation) {
  const shader_own *own = invocation->own;
  if (own->list) return list(invocation);
  const supple_shader_options options = options_of(invocation);
  const int wrong = check(invocation, &options);
  if (wrong) return wrong;
  supple_error error;
  size_t size = 0;
  if (supple_shader_source(&options, NULL, 0, &size, &error))
    return cli_complain(CLI_USAGE, "%s", error.message);
  char *text = malloc(size + 1);
  if (!text) return cli_complain(CLI_FAILED, "out of memory");
  cli_output *output = NULL;
  if (supple_shader_source(&options, text, size + 1, &size, &error)) {
    cli_complain(CLI_FAILED, "%s", error.message);
  } else if ((output =
                  cli_output_open(invocation->options.output ? invocation->options.output : "-"))) {
    if (options.language == SUPPLE_SHADER_SPIRV && cli_output_is_terminal(output)) {
      cli_output_abandon(output);
      free(text);
      return cli_complain(CLI_USAGE, "SPIR-V is no text for a terminal; use -o FILE.spv");
    }
    cli_output_write(output, text, size);
  }
  free(text);
  return output ? cli_output_close(output) : CLI_FAILED;
}

static const cli_option own_options[] = {
    {.name = "lang",
     .argument = "glsl-330|glsl-430|glsl-450|glsl-es-300|hlsl|msl|wgsl|spirv",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, lang),
     .given = offsetof(shader_own, lang_given),
     .help = "the language; glsl-450 and spirv are for Vulkan"},
    {.name = "stage",
     .argument = "vertex|compute",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, stage),
     .help = "where it runs (default vertex)"},
    {.name = "scale",
     .argument = "affine|first|none",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, scale),
     .given = offsetof(shader_own, scale_given),
     .help = "dqs: affine takes any joint matrix (default), none rigid ones up to a common scale"},
    {.name = "signs",
     .argument = "vertex|pose",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, signs),
     .given = offsetof(shader_own, signs_given),
     .help = "dqs: whether signs are found by vertex (default) or came with the palette"},
    {.name = "influences",
     .argument = "4|8|n",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, influences),
     .help = "of a vertex (default 4); n: each has its own number"},
    {.name = "normals",
     .argument = "cofactor|unit|linear|none",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, normals),
     .help = "how normals are deformed (default cofactor)"},
    {.name = "tangents",
     .kind = CLI_FLAG,
     .offset = offsetof(shader_own, tangents),
     .help = "deform tangents too"},
    {.name = "morph",
     .kind = CLI_FLAG,
     .offset = offsetof(shader_own, morph),
     .help = "apply morph targets before skinning"},
    {.name = "palette",
     .argument = "best|storage|uniform|texture",
     .kind = CLI_CHOICE,
     .offset = offsetof(shader_own, palette),
     .help =
         "where joint matrices lie (default: a texture in glsl-330 and glsl-es-300, else a storage "
         "buffer)"},
    {.name = "functions",
     .kind = CLI_FLAG,
     .offset = offsetof(shader_own, functions),
     .help = "without entry point, to be pasted into a shader of your own"},
    {.name = "list",
     .kind = CLI_FLAG,
     .offset = offsetof(shader_own, list),
     .help = "show the languages and their stages"},
};

const cli_command cli_command_shader = {
    .name = "shader",
    .summary = "print the vertex or compute shader in any shading language",
    .usage = "--lang LANGUAGE [-o OUT]",
    .description =
        "Prints a whole shader that deforms as `supple skin` does, with what it reads and how it\n"
        "is used said at its top. Palettes and influences in its layout come from the library:\n"
        "<supple/shader.h>.\n"
        "\n"
        "  supple shader --lang glsl-330\n"
        "  supple shader --lang wgsl --stage compute --method lbs --influences n\n"
        "  supple shader --lang spirv --stage compute -o dqs.spv\n",
    .shared = CLI_USES_METHOD | CLI_USES_OUTPUT,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof *own_options,
    .own_size = sizeof(shader_own),
    .least_files = 0,
    .most_files = 0,
    .function = run,
};
