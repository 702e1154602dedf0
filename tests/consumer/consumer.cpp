// consumer.cpp: the same program as C++17.
#include "consumer.c"

static_assert(__cplusplus >= 201703L, "C++17");
