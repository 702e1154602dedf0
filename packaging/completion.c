/* completion.c: shell completions for bash, zsh and fish. */
#include "manual.h"

#include <string.h>

static bool takes_files(const cli_option *option) { return strcmp(option->name, "output") == 0; }

/* The words of a choice, each preceded by a space but the first. */
static void write_words(FILE *out, const char *choices) {
  const char *word;
  size_t length;
  for (int i = 0; cli_choice_word(choices, i, &word, &length); i++)
    fprintf(out, "%s%.*s", i ? " " : "", (int)length, word);
}

static void write_command_names(FILE *out) {
  for (const cli_command *const *command = cli_commands; *command; command++)
    fprintf(out, "%s ", (*command)->name);
}

static void write_argument_words(FILE *out, const cli_command *command) {
  const char *word;
  for (size_t i = 0; (word = manual_argument_word(command, i)) != NULL; i++)
    fprintf(out, "%s%s", i ? " " : "", word);
}

/* Text within single quotes of a POSIX shell: a quote ends them, is said by itself, and they begin again.
 * `special` gets a backslash, for what zsh reads inside of the quotes. */
static void write_quoted(FILE *out, const char *text, const char *special) {
  for (; *text; text++) {
    const char letter[2] = {*text, '\0'};
    if (*text == '\'')
      fputs("'\\''", out);
    else
      manual_text(out, letter, special);
  }
}

/* ---- bash ---- */

static void write_bash_command(FILE *out, const cli_command *command) {
  const cli_option *option;
  fprintf(out, "  %s)\n    case $previous in\n", command->name);
  for (size_t i = 0; (option = manual_option(command, i)) != NULL; i++) {
    if (option->kind == CLI_FLAG) continue;
    fputs("    ", out);
    if (option->letter) fprintf(out, "-%c | ", option->letter);
    fprintf(out, "--%s) ", option->name);
    if (option->kind == CLI_CHOICE) {
      fputs("kind=words words='", out);
      write_words(out, option->argument);
      fputs("' ;;\n", out);
    } else {
      fputs(takes_files(option) ? "kind=files ;;\n" : "kind=nothing ;;\n", out);
    }
  }
  fputs("    esac\n    options='", out);
  for (size_t i = 0; (option = manual_option(command, i)) != NULL; i++) {
    if (option->letter) fprintf(out, "-%c ", option->letter);
    fprintf(out, "--%s ", option->name);
  }
  fputs("'\n", out);
  if (manual_argument_word(command, 0)) {
    fputs("    arguments='", out);
    write_argument_words(out, command);
    fputs("'\n", out);
  }
  fputs("    ;;\n", out);
}

void completion_write_bash(FILE *out) {
  fputs("# supple.bash: what can be typed after supple; written from the command's table of "
        "options.\n"
        "_supple() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  local kind='' words='' options='' arguments='' commands='",
        out);
  write_command_names(out);
  fputs("'\n"
        "  # --name=value comes as three words\n"
        "  if [[ $current == '=' ]]; then\n"
        "    current=''\n"
        "  elif [[ $previous == '=' && $COMP_CWORD -gt 2 ]]; then\n"
        "    previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "  fi\n"
        "  local IFS=$' \\t\\n'\n"
        "  COMPREPLY=()\n"
        "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
        "    COMPREPLY=($(compgen -W \"${commands}help --help --version\" -- \"$current\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${COMP_WORDS[1]} in\n"
        "  help) kind=words words=$commands ;;\n",
        out);
  for (const cli_command *const *command = cli_commands; *command; command++)
    write_bash_command(out, *command);
  fputs("  *) return ;;\n"
        "  esac\n"
        "  if [[ -z $kind && $current == -* ]]; then\n"
        "    kind=words words=$options\n"
        "  elif [[ -z $kind && -n $arguments ]]; then\n"
        "    kind=words words=$arguments\n"
        "  fi\n"
        "  case $kind in\n"
        "  nothing) ;;\n"
        "  words) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
        "  files)\n"
        "    IFS=$'\\n'\n"
        "    COMPREPLY=($(compgen -f -- \"$current\"))\n"
        "    ;;\n"
        "  *)\n"
        "    IFS=$'\\n'\n"
        "    COMPREPLY=($(compgen -d -- \"$current\") $(compgen -f -X '!*.gl[bt]*' -- "
        "\"$current\"))\n"
        "    ;;\n"
        "  esac\n"
        "}\n"
        "complete -o filenames -F _supple supple\n",
        out);
}

/* ---- zsh ---- */

static void write_zsh_option(FILE *out, const cli_option *option) {
  fputs("      ", out);
  if (option->letter)
    fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
            option->argument ? "+" : "", option->name, option->argument ? "=" : "");
  else
    fprintf(out, "'%s--%s%s", option->kind == CLI_CUSTOM ? "*" : "", option->name,
            option->argument ? "=" : "");
  fputc('[', out);
  write_quoted(out, option->help, "[]\\");
  fputc(']', out);
  if (option->kind == CLI_CHOICE) {
    fprintf(out, ":%s:(", option->name);
    write_words(out, option->argument);
    fputc(')', out);
  } else if (option->argument) {
    fputc(':', out);
    write_quoted(out, option->argument, ":\\");
    fputs(takes_files(option) ? ":_files" : ": ", out);
  }
  fputs("' \\\n", out);
}

static void write_zsh_command(FILE *out, const cli_command *command) {
  const cli_option *option;
  fprintf(out, "    %s)\n      _arguments -s -S \\\n", command->name);
  for (size_t i = 0; (option = manual_option(command, i)) != NULL; i++)
    write_zsh_option(out, option);
  if (manual_argument_word(command, 0)) {
    fputs("      '*:name:(", out);
    write_argument_words(out, command);
    fputs(")'\n      ;;\n", out);
  } else {
    fputs("      '*:file:_files -g \"*.(glb|gltf)\"'\n      ;;\n", out);
  }
}

void completion_write_zsh(FILE *out) {
  fputs("#compdef supple\n"
        "# _supple: what can be typed after supple; written from the command's table of options.\n"
        "_supple() {\n"
        "  local context state state_descr line ret=1\n"
        "  typeset -A opt_args\n"
        "  local -a commands\n"
        "  commands=(\n",
        out);
  for (const cli_command *const *command = cli_commands; *command; command++) {
    fprintf(out, "    '%s:", (*command)->name);
    write_quoted(out, (*command)->summary, "\\");
    fputs("'\n", out);
  }
  fputs("    'help:print the options of a command'\n"
        "  )\n"
        "  _arguments -C '(- *)'{-h,--help}'[print the list of commands]' \\\n"
        "    '(- *)--version[print the version]' '1: :->command' '*:: :->arguments' && ret=0\n"
        "  case $state in\n"
        "  command) _describe -t commands command commands && ret=0 ;;\n"
        "  arguments)\n"
        "    case $words[1] in\n"
        "    help) _describe -t commands command commands ;;\n",
        out);
  for (const cli_command *const *command = cli_commands; *command; command++)
    write_zsh_command(out, *command);
  fputs("    esac && ret=0\n"
        "    ;;\n"
        "  esac\n"
        "  return ret\n"
        "}\n"
        "if [[ $funcstack[1] == _supple ]]; then\n"
        "  _supple \"$@\"\n"
        "else\n"
        "  compdef _supple supple\n"
        "fi\n",
        out);
}

/* ---- fish ---- */

static void write_fish_command(FILE *out, const cli_command *command) {
  const cli_option *option;
  char when[128];
  snprintf(when, sizeof when, "complete -c supple -n '__fish_seen_subcommand_from %s'",
           command->name);
  fprintf(out, "\ncomplete -c supple -n __fish_use_subcommand -a %s -d '", command->name);
  manual_text(out, command->summary, "\\'");
  fputs("'\n", out);
  for (size_t i = 0; (option = manual_option(command, i)) != NULL; i++) {
    fputs(when, out);
    if (option->letter) fprintf(out, " -s %c", option->letter);
    fprintf(out, " -l %s", option->name);
    if (option->kind == CLI_CHOICE) {
      fputs(" -x -a '", out);
      write_words(out, option->argument);
      fputc('\'', out);
    } else if (option->argument) {
      fputs(takes_files(option) ? " -r -F" : " -x", out);
    }
    fputs(" -d '", out);
    manual_text(out, option->help, "\\'");
    fputs("'\n", out);
  }
  fputs(when, out);
  if (manual_argument_word(command, 0)) {
    fputs(" -a '", out);
    write_argument_words(out, command);
    fputs("'\n", out);
  } else {
    fputs(" -k -a '(__fish_complete_suffix .glb; __fish_complete_suffix .gltf)'\n", out);
  }
}

void completion_write_fish(FILE *out) {
  fputs("# supple.fish: what can be typed after supple; written from the command's table of "
        "options.\n"
        "complete -c supple -f\n"
        "complete -c supple -n __fish_use_subcommand -s h -l help -d 'print the list of commands'\n"
        "complete -c supple -n __fish_use_subcommand -l version -d 'print the version'\n"
        "complete -c supple -n __fish_use_subcommand -a help -d 'print the options of a command'\n"
        "complete -c supple -n '__fish_seen_subcommand_from help' -a '",
        out);
  write_command_names(out);
  fputs("'\n", out);
  for (const cli_command *const *command = cli_commands; *command; command++)
    write_fish_command(out, *command);
}
