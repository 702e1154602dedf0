/* supple.h: the whole library. */
#ifndef SUPPLE_SUPPLE_H
#define SUPPLE_SUPPLE_H

#include "base.h"
#include "check.h"
#include "deform.h"
#include "document.h"
#include "fix.h"
#include "gltf.h"
#include "math.h"
#include "measure.h"
#include "mesh.h"
#include "rig.h"
#include "shader.h"

#endif
