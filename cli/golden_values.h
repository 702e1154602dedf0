/* golden_values.h: the hash of each golden row; written by `supple bench --verify --print`. */
{NULL, 0},
