// run.hpp: reads a case (tests/gpu/gpu_files.h), so that the Metal shaders can be run on it.
#ifndef SUPPLE_TEST_RUN_HPP
#define SUPPLE_TEST_RUN_HPP

#include <cstdio>
#include <cstdlib>
#include <metal_stdlib>
#include <vector>

struct gpu_data {
  metal::uint head[16];
  std::vector<float> rest, morph_weights, weights;
  std::vector<metal::uint2> ranges, pairs;
  std::vector<metal::float4> palette, targets;
  std::vector<metal::uint> joints;
  std::vector<float> posed; // [vertex][10]

  metal::uint vertices() const { return head[0]; }
  float scale() const { return metal::as_type<float>(head[9]); }
};

template <typename T> void read_into(std::FILE *file, std::vector<T> &into, std::size_t count) {
  into.resize(count + 1); // never empty, so that data() is something
  if (std::fread(into.data(), sizeof(T), count, file) != count) std::exit(3);
}

inline gpu_data read_case(const char *path) {
  gpu_data d;
  std::FILE *file = std::fopen(path, "rb");
  if (!file || std::fread(d.head, 4, 16, file) != 16) std::exit(3);
  std::size_t n = d.head[0];
  read_into(file, d.rest, n * 10);
  read_into(file, d.ranges, n);
  read_into(file, d.pairs, d.head[6]);
  read_into(file, d.palette, d.head[7]);
  read_into(file, d.targets, d.head[8]);
  read_into(file, d.morph_weights, d.head[2]);
  read_into(file, d.joints, n * 8);
  read_into(file, d.weights, n * 8);
  std::fclose(file);
  d.posed.resize(n * 10);
  return d;
}

inline void write_case(const char *path, const gpu_data &d) {
  std::FILE *file = std::fopen(path, "wb");
  if (!file || std::fwrite(d.posed.data(), 4, d.posed.size(), file) != d.posed.size() || std::fclose(file))
    std::exit(4);
}

inline metal::uint4 joints_at(const gpu_data &d, metal::uint v, metal::uint set) {
  const metal::uint *at = d.joints.data() + v * d.head[4] + set * 4;
  return metal::uint4{at[0], at[1], at[2], at[3]};
}

inline metal::float4 weights_at(const gpu_data &d, metal::uint v, metal::uint set) {
  const float *at = d.weights.data() + v * d.head[4] + set * 4;
  return metal::float4(at[0], at[1], at[2], at[3]);
}

#endif
