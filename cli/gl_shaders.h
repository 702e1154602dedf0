/* gl_shaders.h: the shaders that draw (those that deform are the library's). GLSL 3.30. */
#ifndef SUPPLE_CLI_GL_SHADERS_H
#define SUPPLE_CLI_GL_SHADERS_H

static const char gl_surface_vertex[] =
    "#version 330 core\n"
    "layout(location = 0) in vec3 in_position;\n"
    "layout(location = 1) in vec3 in_normal;\n"
    "layout(location = 2) in vec2 in_texcoord;\n"
    "layout(location = 3) in vec4 in_color;\n"
    "layout(location = 4) in vec3 in_reference;\n"
    "layout(location = 5) in float in_kept;\n"
    "uniform mat4 clip_from_scene;\n"
    "uniform mat4 scene_from_part;\n"
    "uniform mat3 normal_from_part;\n"
    "uniform int heat;\n"
    "uniform float most;\n"
    "uniform vec2 texture_offset;\n"
    "uniform mat2 texture_matrix;\n"
    "out vec3 place, normal;\n"
    "out vec2 texcoord;\n"
    "out vec4 color;\n"
    "out float loss;\n"
    "void main() {\n"
    "  place = (scene_from_part * vec4(in_position, 1.0)).xyz;\n"
    "  normal = normal_from_part * in_normal;\n"
    "  texcoord = texture_matrix * in_texcoord + texture_offset;\n"
    "  color = in_color;\n"
    "  loss = heat == 1 ? distance(in_position, in_reference) / most : 1.0 - in_kept;\n"
    "  gl_Position = clip_from_scene * vec4(place, 1.0);\n"
    "  gl_PointSize = 3.0;\n"
    "}\n";

/* Three lights that stand by the camera, and a sky. Everything is linear; the framebuffer turns it into sRGB. */
static const char gl_surface_fragment[] =
    "#version 330 core\n"
    "in vec3 place, normal;\n"
    "in vec2 texcoord;\n"
    "in vec4 color;\n"
    "in float loss;\n"
    "uniform vec4 base_color;\n"
    "uniform vec3 emissive;\n"
    "uniform float metallic, roughness, cutoff;\n"
    "uniform int heat, alpha_pass, flat_normals, unlit;\n"
    "uniform float facing;\n"
    "uniform bool has_texture;\n"
    "uniform sampler2D base_texture;\n"
    "uniform vec3 ramp[5];\n"
    "uniform mat3 camera;\n" /* columns: right, up, back */
    "uniform vec3 eye;\n"
    "out vec4 result;\n"
    "vec3 sky(vec3 way) {\n"
    "  return mix(vec3(0.105, 0.098, 0.09), vec3(0.30, 0.325, 0.365), 0.5 + 0.5 * way.y);\n"
    "}\n"
    "vec3 heat_color(float x) {\n"
    "  float t = clamp(x, 0.0, 1.0) * 4.0;\n"
    "  int i = int(min(t, 3.0));\n"
    "  return mix(ramp[i], ramp[i + 1], t - float(i));\n"
    "}\n"
    "void light(vec3 way, vec3 strength, vec3 n, vec3 v, float shine, inout vec3 soft, inout vec3 "
    "hard) {\n"
    "  float lit = max(dot(n, way), 0.0);\n"
    "  soft += strength * lit;\n"
    "  hard += strength * lit * (shine + 8.0) / 25.0 * pow(max(dot(n, normalize(way + v)), 0.0), "
    "shine);\n"
    "}\n"
    "vec3 shoulder(vec3 c) {\n" /* bright parts bend towards white instead of being cut */
    "  vec3 over = max(c - 0.8, 0.0);\n"
    "  return min(c, 0.8) + 0.2 * (1.0 - exp(-over / 0.2));\n"
    "}\n"
    "void main() {\n"
    "  vec4 base = base_color * color;\n"
    "  if (has_texture) base *= texture(base_texture, texcoord);\n"
    "  float alpha = alpha_pass == 0 ? 1.0 : base.a;\n"
    "  if (alpha_pass == 1 && base.a < cutoff) discard;\n"
    "  if (alpha_pass == 1) alpha = 1.0;\n"
    "  if (alpha_pass == 2 && base.a < 0.99) discard;\n"
    "  if (alpha_pass == 3 && (base.a >= 0.99 || base.a < 0.004)) discard;\n"
    "  vec3 v = normalize(eye - place);\n"
    "  vec3 across = cross(dFdx(place), dFdy(place));\n"
    "  vec3 n = flat_normals != 0 || dot(normal, normal) < 1e-12 ? across : normal;\n"
    "  n = dot(n, n) > 0.0 ? normalize(n) : v;\n"
    "  if (flat_normals != 0) { if (dot(n, v) < 0.0) n = -n; }\n"
    "  else if (gl_FrontFacing != (facing > 0.0)) n = -n;\n"
    "  vec3 albedo = heat != 0 ? heat_color(loss) : base.rgb;\n"
    "  float rough = heat != 0 ? 1.0 : roughness, metal = heat != 0 ? 0.0 : metallic;\n"
    "  float a = max(rough * rough, 0.06);\n"
    "  vec3 soft = vec3(0.0), hard = vec3(0.0);\n"
    "  float shine = 2.0 / (a * a) - 2.0;\n"
    "  light(camera * normalize(vec3(-0.62, 0.62, 0.48)), vec3(0.80, 0.775, 0.735), n, v, shine, "
    "soft, hard);\n"
    "  light(camera * normalize(vec3(0.85, 0.12, 0.5)), vec3(0.12, 0.135, 0.165), n, v, shine, "
    "soft, hard);\n"
    "  light(camera * normalize(vec3(0.35, 0.55, -0.75)), vec3(0.36, 0.37, 0.39), n, v, shine, "
    "soft, hard);\n"
    "  vec3 first = mix(vec3(0.04), albedo, metal);\n"
    "  float edge = pow(1.0 - max(dot(n, v), 0.0), 5.0);\n"
    "  vec3 mirror = (first + (1.0 - first) * edge * (1.0 - a)) * sky(reflect(-v, n)) * (1.0 - 0.6 "
    "* rough);\n"
    "  vec3 lit = albedo * (1.0 - 0.55 * metal) * (sky(n) + soft) + first * hard * (1.0 - rough) + "
    "mirror;\n"
    "  if (heat == 0) lit += emissive;\n"
    "  if (heat != 0) lit = albedo * (0.55 + 0.50 * (sky(n) + soft));\n"
    "  if (heat == 0 && unlit != 0) lit = base.rgb;\n"
    "  else lit = shoulder(lit);\n"
    "  result = vec4(lit * alpha, alpha);\n"
    "}\n";

static const char gl_wire_vertex[] =
    "#version 330 core\n"
    "layout(location = 0) in vec3 in_position;\n"
    "uniform mat4 clip_from_scene;\n"
    "uniform mat4 scene_from_part;\n"
    "void main() { gl_Position = clip_from_scene * (scene_from_part * vec4(in_position, 1.0)); }\n";

static const char gl_line_vertex[] = "#version 330 core\n"
                                     "layout(location = 0) in vec4 in_clip;\n"
                                     "void main() { gl_Position = in_clip; }\n";

static const char gl_plain_fragment[] = "#version 330 core\n"
                                        "uniform vec4 plain_color;\n" /* premultiplied, linear */
                                        "out vec4 result;\n"
                                        "void main() { result = plain_color; }\n";

/* A triangle that covers everything, and a gradient that is brightest behind what is looked at. */
static const char gl_backdrop_vertex[] =
    "#version 330 core\n"
    "out vec2 at;\n"
    "void main() {\n"
    "  at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "  gl_Position = vec4(at, 0.0, 1.0);\n"
    "}\n";

static const char gl_backdrop_fragment[] =
    "#version 330 core\n"
    "in vec2 at;\n"
    "uniform vec3 inner, outer;\n" /* sRGB: a gradient looks even in it */
    "out vec4 result;\n"
    "vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), "
    "step(0.04045, c)); }\n"
    "void main() {\n"
    "  float t = smoothstep(0.0, 1.6, length(at - vec2(0.0, 0.12)));\n"
    "  result = vec4(linear(mix(inner, outer, t)), 1.0);\n"
    "}\n";

#endif
