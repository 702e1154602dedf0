/* render_camera.h: where a picture is taken from: directions from two angles, and a distance that shows a box. */
#ifndef SUPPLE_CLI_RENDER_CAMERA_H
#define SUPPLE_CLI_RENDER_CAMERA_H

#include <supple/supple.h>

/* A perspective camera that looks at `target`. right, up and back are unit and right-handed; back points from what
 * is seen to the eye. */
typedef struct render_camera {
  supple_vec3 right, up, back;
  supple_vec3 target;
  double distance;         /* of the eye from the target */
  double nearest, most;    /* depths, as distances from the eye, between which things are drawn */
  double slope_x, slope_y; /* half of what is seen at distance 1 */
} render_camera;

/* What is seen, in the camera's directions: low and high along right, up and back. */
typedef struct render_box {
  double low[3], high[3]; /* empty while low > high */
} render_box;

/* The directions for a camera turned to the right about +Y by `turn` and raised by `tilt`, in degrees: at 0, 0 it looks
 * along -Z at the front of a glTF asset. The rest is zero. */
render_camera render_camera_make(double turn, double tilt);

/* The empty box, and the box that holds a point more, or another box. */
render_box render_box_empty(void);
void render_box_add(render_box *box, const render_camera *camera, supple_vec3 point);
void render_box_join(render_box *box, const render_box *other);

/* Looks at the middle of the box (which must not be empty) from where all of it is seen in a picture `aspect` times as
 * wide as high, with some air around it, `zoom` times as large. */
void render_camera_fit(render_camera *camera, const render_box *box, double aspect, double zoom);
/* Looks at `point` from where a sphere about it is seen; `box` is what is there at all. */
void render_camera_aim(render_camera *camera, supple_vec3 point, double radius,
                       const render_box *box, double aspect, double zoom);

/* Clip space from the scene, column-major. */
void render_camera_matrix(const render_camera *camera, float matrix[16]);
/* The eye. */
supple_vec3 render_camera_eye(const render_camera *camera);

#endif
