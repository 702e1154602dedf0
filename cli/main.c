/* main.c: the program. Everything else of the command is a library, so that tests can reach it.
 *
 * Arguments are UTF-8. On Windows, where main gets them in the process's code page, the program's
 * manifest sets that to UTF-8 (Windows 10 1903 and later). */
#include "command.h"
#include "output.h"

int main(int argc, char **argv) {
  cli_output_guard();
  return cli_run(argc, argv);
}
