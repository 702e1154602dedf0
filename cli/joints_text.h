/* joints_text.h: inverse bind matrices and rest transforms as a text to be read and edited by people.
 *
 *     skin 0 "rig"
 *       joint 1 "wrist" node 7
 *         inverse-bind
 *           1 0 0 0
 *           0 1 0 -1.25
 *           0 0 1 0
 *         translation 0 1.25 0
 *
 * Rows of four numbers, as they stand on paper; of rest transforms either translation, rotation (x y z w) and scale,
 * as far as the file has them, or a matrix in three rows. '#' begins a comment. */
#ifndef SUPPLE_CLI_JOINTS_TEXT_H
#define SUPPLE_CLI_JOINTS_TEXT_H

#include "output.h"

/* Writes all skins of a document. `name` is what the document came from. CLI_FAILED, reported, where it is wrong. */
int cli_joints_export(supple_document *document, const char *name, cli_output *output);

/* Reads the text file `path` and changes in the document what differs. Every joint of a skin that the text has must be
 * there; skins may be left out, and parts of a joint. CLI_FAILED with line and column of the first mistake; the
 * document may then hold a part of the changes. *changed: how many joints got something new. */
int cli_joints_import(supple_document *document, const char *name, const char *path,
                      uint32_t *changed);

#endif
