/* command_view.c: `supple view`: one page that shows a file by both methods, with the file inside. */
#include "command.h"

#include "output.h"
#include "view_write.h"

static int run_view(const cli_invocation *invocation) {
  const cli_options *options = &invocation->options;
  int exit_code = CLI_FINE;
  if (!options->output) return cli_complain(CLI_USAGE, "-o PAGE.html is missing");
  cli_output *page = view_write(invocation->files[0], options, options->output, &exit_code);
  return page ? cli_output_close(page) : exit_code;
}

const cli_command cli_command_view = {
    .name = "view",
    .summary = "write a page that shows the file by both methods, to be turned and played",
    .usage = "FILE -o PAGE.html",
    .description =
        "Writes one page with FILE inside, which a browser opens from the disk, without a server "
        "and without a network: linear blend skinning on the left, dual quaternion skinning on "
        "the right, every clip, joints worst first to be twisted and bent by hand, what is kept "
        "of each, sections and colours on the mesh, what supple check says, and the repaired file "
        "to be downloaded.\n\n"
        "The page needs WebGL 2 and is about 1.3 MB larger than FILE times 4/3, or 1.7 MB where "
        "textures are KTX2 (KHR_texture_basisu), whose decoder comes along. Compressed meshes "
        "(Draco, meshopt) are decompressed and images taken in.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_DRY_RUN | CLI_USES_LOADING,
    .least_files = 1,
    .most_files = 1,
    .function = run_view,
};
