# view_page.cmake: cmake -DPAGE=… -DSOURCE=… -P view_page.cmake: writes the bytes of PAGE, NAME.html, as the C source
# SOURCE with NAME_numbers and NAME_size.
# Eight bytes a number, the first one highest: read quickly by compilers, which a byte a number is not.
file(READ "${PAGE}" bytes HEX)
string(LENGTH "${bytes}" length)
math(EXPR size "${length} / 2")
math(EXPR missing "(16 - ${length} % 16) % 16")
string(REPEAT "0" ${missing} zeros)
string(REGEX REPLACE "(................)" "0x\\1u,\n" numbers "${bytes}${zeros}")
get_filename_component(name "${PAGE}" NAME_WE)
file(WRITE "${SOURCE}.new" "/* Made from ${name}.html by view_page.cmake. */
#include \"view_page.h\"
const uint64_t ${name}_numbers[] = {
${numbers}};
const size_t ${name}_size = ${size};
")
file(COPY_FILE "${SOURCE}.new" "${SOURCE}" ONLY_IF_DIFFERENT)
file(TOUCH "${SOURCE}")
file(REMOVE "${SOURCE}.new")
