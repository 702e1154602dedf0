/* codes.h: the names of all codes: those of the Khronos glTF-Validator, then ours. */
SUPPLEI_CODE(GLTF_UNREADABLE)
