/* codes.c: what each code means, what viewers do, and what mends it. */
#include "../base/prologue.h"

#include "check_state.h"

/* name, severity (without its prefix), meaning, consequence, fix, and true where it is only looked for under `strict` */
#define CODE(name, severity, ...)                                                                  \
  [SUPPLEI_CODE_##name] = {#name, SUPPLE_SEVERITY_##severity, __VA_ARGS__}

static const supple_code table[] = {
#include "codes_rules.inl"

    /* ---- what breaks in practice (practice_*.c) ---- */
    CODE(SKINNING_WEIGHT_SUMS, WARNING, "The weights of a vertex sum to 1.",
         "three.js and this library divide by the sum; viewers that take weights as stored move "
         "the vertex towards the origin or away from it, the farther the character walks, the "
         "more.",
         "default", false),
    CODE(SKINNING_VERTICES_UNWEIGHTED, WARNING, "Every skinned vertex has some weight.",
         "three.js and this library give it to the first joint it names, viewers that add up "
         "nothing put it at the origin, editors leave it where the mesh has it.",
         "default", false),
    CODE(SKINNING_INFLUENCES_MANY, WARNING, "No vertex follows more than four joints.",
         "three.js, PlayCanvas and many engines read JOINTS_0 alone, others up to eight "
         "influences; Blender, OpenUSD and this library use all.",
         "--influences 4", false),
    CODE(SKINNING_SETS_UNORDERED, WARNING, "JOINTS_0 holds the largest weights of each vertex.",
         "Viewers that read JOINTS_0 alone, such as three.js, drop larger weights than they need"
         " to.",
         "default", false),
    CODE(SKINNING_SETS_EMPTY, HINT, "Every set of influences carries weight.",
         "Viewers that read it spend memory and time on nothing; others warn that they left it "
         "out.",
         "default", false),
    CODE(SKINNING_JOINTS_UNUSED, INFORMATION, "Every joint of a skin moves some vertex.",
         "Viewers compute matrices for nothing, unless the joint is there to hang things on.", "",
         false),
    CODE(SKINNING_JOINTS_MANY, INFORMATION, "Skins have at most 64 joints.",
         "Viewers that keep joint matrices in uniforms split the mesh, draw it without skinning,"
         " or refuse it; those that keep them in textures or storage buffers do not mind.",
         "--max-joints 64", false),
    CODE(SKINNING_SKIN_DUPLICATE, HINT, "No two skins are the same.",
         "Viewers compute the same matrices again; Blender and engines with skeletons of their "
         "own make another armature.",
         "", false),
    CODE(SKINNING_INVERSE_BINDS_MISSING, WARNING, "A skin has inverse bind matrices.",
         "Identities are taken, which is seldom meant: the mesh is moved by its joints' whole "
         "transforms; importers that derive the bind pose find all bones at the origin.",
         "--rebind", false),
    CODE(SKINNING_INVERSE_BIND_SINGULAR, WARNING, "Every inverse bind matrix has an inverse.",
         "Viewers flatten the vertices of the joint; importers that derive the bind pose, such "
         "as Blender's, fail or lose the bone.",
         "--rebind", false),
    CODE(SKINNING_INVERSE_BINDS_SHARED, INFORMATION,
         "Skins with different joints have inverse bind matrices of their own.",
         "Viewers do not mind; tools that change one skin's change the other's.", "", false),
    CODE(SKINNING_REST_NOT_BIND, INFORMATION, "The nodes as stored are the bind pose.",
         "Viewers show the stored pose until a clip plays; tools that keep one pose alone, and "
         "those that retarget, take one for the other.",
         "", false),
    CODE(SKINNING_POSE_NOT_FINITE, WARNING, "Joint matrices are finite in every pose.",
         "Viewers lose the mesh, or its vertices on that joint, in that pose.", "", false),
    CODE(SKINNING_NAME_MISSING, INFORMATION, "Joints have names.",
         "Viewers make names up, each its own; retargeting and scripts that look for names find "
         "nothing.",
         "default", false),
    CODE(SKINNING_NAME_DUPLICATE, WARNING, "Names of joints are unique.",
         "three.js, Godot and Blender rename the second one, Unity and tools that look joints up"
         " by name take the first for both.",
         "default", false),
    CODE(SKINNING_NAME_UNSAFE, INFORMATION,
         "Names of joints hold no white space and none of [ ] . : /.",
         "three.js leaves these characters out and makes white space an underscore, so that code"
         " that looks for the name finds nothing; elsewhere paths to the joint break.",
         "default", false),
    CODE(SKINNING_NAME_COLLISION, WARNING,
         "Names of joints differ in more than white space and [ ] . : /.",
         "three.js, which leaves these out, takes one joint for the other or renames it.",
         "default", false),
    CODE(SKINNING_NODE_ANIMATED, WARNING, "No clip moves a node that has a skin.",
         "By the specification nothing moves; viewers that apply the node's transform let the "
         "mesh slide away from its joints.",
         "default", false),
    CODE(SKINNING_NODE_MOVED, INFORMATION,
         "The world transform of a node that has a skin is the identity.",
         "By the specification it is ignored; viewers that apply it show the mesh elsewhere, and"
         " those that light or cull by it are wrong.",
         "default", false),
    CODE(SKINNING_INSTANCED, WARNING, "A node that has a skin has no EXT_mesh_gpu_instancing.",
         "The extension says nothing of skins: some viewers draw one copy, some unskinned ones, "
         "this library moves each skinned copy by its instance.",
         "", false),
    CODE(SKINNING_NORMALS_MISSING, INFORMATION, "Skinned triangles have normals.",
         "Flat normals are to be computed; viewers that do so before skinning light bent parts "
         "as if straight.",
         "", false),
    CODE(SKINNING_BOUNDS_EXCEEDED, INFORMATION,
         "The box of POSITION, moved by the skinned node, holds the mesh in every pose.",
         "Viewers that cull, pick or cast shadows by that box, as three.js does unless told "
         "otherwise, lose the mesh while it is still in view.",
         "", false),
    CODE(SKINNING_JOINTS_SCALED, INFORMATION, "Joint matrices do not scale.",
         "Linear blend skinning is exact; dual quaternion skinning elsewhere drops the scale, or"
         " treats it each in its own way.",
         "", false),
    CODE(SKINNING_JOINTS_STRETCHED, INFORMATION, "Joint matrices do not scale unevenly.",
         "Positions of linear blend skinning are exact, normals wrong where viewers do not use "
         "the inverse transpose; dual quaternion skinning elsewhere drops the scale, or treats "
         "it each in its own way.",
         "", false),
    CODE(SKINNING_JOINTS_MIRRORED, WARNING, "Joint matrices do not mirror.",
         "Triangles turn inside out: viewers that cull back faces show the inside, and lighting "
         "is reversed; dual quaternions cannot mirror, so these viewers show another shape.",
         "", false),
    CODE(SKINNING_JOINTS_SINGULAR, INFORMATION, "Joint matrices scale nothing to zero.",
         "The usual way to hide a part: linear blend skinning flattens it, normals are "
         "undefined, and dual quaternion skinning elsewhere shows it, or fails.",
         "", false),
    CODE(SKINNING_WORLD_SHEARED, WARNING, "World transforms of joints do not shear.",
         "Viewers that keep matrices show it, three.js among them; engines that keep "
         "translation, rotation and scale for each bone, and most importers, drop the shear.",
         "", false),
    CODE(SKINNING_STRICT_SKELETON_MISSING, WARNING, "Strict: a skin names its skeleton.",
         "Engines that have skeletons must guess where this one begins.", "", true),
    CODE(SKINNING_STRICT_SKELETON_ROOT, WARNING,
         "Strict: the skeleton of a skin is the lowest common root of its joints.",
         "Engines that have skeletons take in nodes that are none of it, or lose joints.", "", true),
    CODE(SKINNING_STRICT_JOINT_OUTSIDE, WARNING,
         "Strict: joints are the skeleton's node or lie below it.",
         "Engines that have skeletons do not find the joint.", "", true),
    CODE(SKINNING_STRICT_JOINTS_APART, WARNING,
         "Strict: the joints of a skin are one tree, with no other nodes between them.",
         "Engines that have skeletons add bones, or drop the transforms of nodes between.", "", true),
    CODE(SKINNING_STRICT_JOINT_ORDER, WARNING, "Strict: a joint comes after the joint above it.",
         "Engines that compute bones in one pass renumber them, and what refers to them by "
         "number breaks.",
         "", true),
    CODE(SKINNING_STRICT_SKELETON_SHARED, WARNING, "Strict: a joint belongs to one skin.",
         "Engines that have skeletons make one for each skin, and clips move only one of them.", "",
         true),
    CODE(SKINNING_STRICT_JOINT_SCALED, WARNING, "Strict: joints have no scale, stored or animated.",
         "Engines without scale on bones drop it; others inherit it each in its own way.", "", true),
    CODE(SKINNING_STRICT_JOINT_MATRIX, WARNING,
         "Strict: joints have translation, rotation and scale, not a matrix.",
         "Viewers split the matrix, each in its own way.", "", true),
    CODE(SKINNING_STRICT_NAMES, WARNING, "Strict: joints have names.",
         "Engines that map bones by name cannot map these.", "default", true),
    CODE(SKINNING_STRICT_INVERSE_BINDS, WARNING, "Strict: a skin has inverse bind matrices.",
         "Engines that derive the bind pose have nothing to derive it from.", "--rebind", true),
    CODE(SKINNING_STRICT_REST_POSE, WARNING, "Strict: the nodes as stored are the bind pose.",
         "Engines with one pose a skeleton lose one of the two.", "", true),
    CODE(SKINNING_STRICT_NODE, WARNING,
         "Strict: a node that has a skin is a root without a transform.",
         "Engines that keep the node apply its transform, or its parent's.", "default", true),
};

#undef CODE

const supple_code *supple_check_code(uint32_t index) {
  return index < SUPPLEI_CODE_COUNT ? &table[index] : NULL;
}

const char *supple_severity_text(supple_severity severity) {
  static const char *const texts[] = {"error", "warning", "information", "hint"};
  return (unsigned)severity < sizeof texts / sizeof *texts ? texts[severity] : "";
}
