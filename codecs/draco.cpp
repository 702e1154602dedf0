// draco.cpp: KHR_draco_mesh_compression by Draco, behind functions of C.
//
// Data may be hostile. Draco checks what it reads, but allocates what a header asks for first: so the header is
// looked at here, and exceptions (out of memory) end here.
#include "decoders.h"

#include <draco/compression/decode.h>
#include <draco/compression/point_cloud/point_cloud_decoder.h>
#include <draco/core/varint_decoding.h>
#include <draco/metadata/metadata_decoder.h>

#include <memory>
#include <new>

namespace {

// No connectivity of so many triangles or vertices a byte has been seen; those of a regular grid are near 100.
constexpr uint64_t most_per_byte = 4096;

struct Counts {
  uint64_t triangles = 0, vertices = 0;
};

template <typename T> bool decode_count(draco::DecoderBuffer *buffer, uint64_t *out) {
  T value = 0;
  const bool fine = buffer->bitstream_version() < DRACO_BITSTREAM_VERSION(2, 2)
                        ? buffer->Decode(&value)
                        : draco::DecodeVarint(&value, buffer);
  *out = value;
  return fine;
}

// The numbers at the begin of the connectivity.
bool decode_counts(draco::DecoderBuffer *buffer, const draco::DracoHeader &header, Counts *counts) {
  if (header.flags & METADATA_FLAG_MASK) {
    draco::GeometryMetadata metadata;
    draco::MetadataDecoder decoder;
    if (!decoder.DecodeGeometryMetadata(buffer, &metadata)) return false;
  }
  if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING)
    return decode_count<uint32_t>(buffer, &counts->triangles) &&
           decode_count<uint32_t>(buffer, &counts->vertices);
  if (header.encoder_method != draco::MESH_EDGEBREAKER_ENCODING) return false;
  uint8_t traversal;
  uint64_t unused;
  if (!buffer->Decode(&traversal)) return false;
  if (buffer->bitstream_version() < DRACO_BITSTREAM_VERSION(2, 2) &&
      !(buffer->bitstream_version() < DRACO_BITSTREAM_VERSION(2, 0)
            ? decode_count<uint32_t>(buffer, &unused)
            : draco::DecodeVarint(&unused, buffer)))
    return false;
  // Varints since 2.0 here.
  if (buffer->bitstream_version() < DRACO_BITSTREAM_VERSION(2, 0))
    return decode_count<uint32_t>(buffer, &counts->vertices) &&
           decode_count<uint32_t>(buffer, &counts->triangles);
  uint32_t vertices, triangles;
  if (!draco::DecodeVarint(&vertices, buffer) || !draco::DecodeVarint(&triangles, buffer))
    return false;
  counts->vertices = vertices;
  counts->triangles = triangles;
  return true;
}

supple_result check_header(const char *data, size_t size, uint64_t most_points,
                           uint64_t most_indices) {
  draco::DecoderBuffer buffer;
  draco::DracoHeader header;
  Counts counts;
  buffer.Init(data, size);
  if (!draco::PointCloudDecoder::DecodeHeader(&buffer, &header).ok()) return SUPPLE_ERROR_FORMAT;
  if (header.encoder_type != draco::TRIANGULAR_MESH) return SUPPLE_ERROR_UNSUPPORTED;
  buffer.set_bitstream_version(
      static_cast<uint16_t>(DRACO_BITSTREAM_VERSION(header.version_major, header.version_minor)));
  if (!decode_counts(&buffer, header, &counts)) return SUPPLE_ERROR_FORMAT;
  const uint64_t most = most_per_byte * size;
  if (counts.triangles > most || counts.vertices > most) return SUPPLE_ERROR_FORMAT;
  return counts.triangles > most_indices / 3 || counts.vertices > most_points ? SUPPLE_ERROR_LIMIT
                                                                              : SUPPLE_OK;
}

supple_result open_mesh(const char *data, size_t size, std::unique_ptr<draco::Mesh> *mesh) {
  draco::DecoderBuffer buffer;
  draco::Decoder decoder;
  buffer.Init(data, size);
  auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok())
    return decoded.status().code() == draco::Status::UNSUPPORTED_VERSION ||
                   decoded.status().code() == draco::Status::UNKNOWN_VERSION ||
                   decoded.status().code() == draco::Status::UNSUPPORTED_FEATURE
               ? SUPPLE_ERROR_UNSUPPORTED
               : SUPPLE_ERROR_FORMAT;
  *mesh = std::move(decoded).value();
  return *mesh && (*mesh)->num_faces() <= UINT32_MAX / 3 ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

template <typename T>
bool read_values(const draco::PointAttribute &attribute, uint32_t points, uint32_t components,
                 T *out) {
  for (uint32_t i = 0; i < points; i++) {
    const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(i));
    if (value.value() >= attribute.size()) return false;
    if (!attribute.ConvertValue<T>(value, static_cast<int8_t>(components),
                                   out + i * size_t(components)))
      return false;
  }
  return true;
}

supple_result read_triangles(const draco::Mesh &mesh, uint32_t *out) {
  for (uint32_t f = 0; f < mesh.num_faces(); f++) {
    const draco::Mesh::Face &face = mesh.face(draco::FaceIndex(f));
    for (size_t k = 0; k < 3; k++) {
      if (face[k].value() >= mesh.num_points()) return SUPPLE_ERROR_FORMAT;
      *out++ = face[k].value();
    }
  }
  return mesh.num_faces() ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

// Whether numbers of an attribute can become those of a type of glTF. Draco's own conversion reads any byte as a
// bool, and casts NaN to integers, so these are not for it.
bool can_become(draco::DataType from, uint32_t type) {
  switch (from) {
  case draco::DT_INT8:
  case draco::DT_UINT8:
  case draco::DT_INT16:
  case draco::DT_UINT16:
  case draco::DT_INT32:
  case draco::DT_UINT32: return true;
  case draco::DT_FLOAT32: return type == 5126;
  default: return false; // glTF has neither 64 bits nor bool
  }
}

supple_result read_attribute(const draco::Mesh &mesh, uint32_t id, uint32_t type,
                             uint32_t components, void *out) {
  const draco::PointAttribute *attribute = mesh.GetAttributeByUniqueId(id);
  if (!attribute || components < 1 || components > 4 || attribute->num_components() != components)
    return SUPPLE_ERROR_FORMAT;
  if (!can_become(attribute->data_type(), type)) return SUPPLE_ERROR_FORMAT;
  // A map shorter than the points would be read past its end.
  if (!attribute->is_mapping_identity() && attribute->indices_map_size() < mesh.num_points())
    return SUPPLE_ERROR_FORMAT;
  // Values that its buffer does not hold would be read past its end.
  const uint64_t held = attribute->buffer() ? attribute->buffer()->data_size() : 0;
  const int64_t stride = attribute->byte_stride(), offset = attribute->byte_offset();
  const int64_t element = int64_t(components) * draco::DataTypeLength(attribute->data_type());
  if (stride < element || offset < 0 ||
      uint64_t(offset) + uint64_t(attribute->size()) * uint64_t(stride) > held)
    return SUPPLE_ERROR_FORMAT;
  const uint32_t points = mesh.num_points();
  bool fine = false;
  switch (type) {
  case 5120: fine = read_values(*attribute, points, components, static_cast<int8_t *>(out)); break;
  case 5121: fine = read_values(*attribute, points, components, static_cast<uint8_t *>(out)); break;
  case 5122: fine = read_values(*attribute, points, components, static_cast<int16_t *>(out)); break;
  case 5123:
    fine = read_values(*attribute, points, components, static_cast<uint16_t *>(out));
    break;
  case 5125:
    fine = read_values(*attribute, points, components, static_cast<uint32_t *>(out));
    break;
  case 5126: fine = read_values(*attribute, points, components, static_cast<float *>(out)); break;
  default: break;
  }
  return fine ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

// No exception may reach C.
template <typename Function> supple_result guarded(const Function &function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return SUPPLE_ERROR_MEMORY;
  } catch (...) {
    return SUPPLE_ERROR_FORMAT;
  }
}

} // namespace

supple_result supplei_codecs_draco_open(void *, const void *data, size_t size, void **mesh,
                                        uint32_t *point_count, uint32_t *index_count) {
  *mesh = nullptr;
  return guarded([&]() {
    std::unique_ptr<draco::Mesh> decoded;
    const char *bytes = static_cast<const char *>(data);
    supple_result result = check_header(bytes, size, *point_count, *index_count);
    if (!result) result = open_mesh(bytes, size, &decoded);
    if (result) return result;
    *point_count = decoded->num_points();
    *index_count = 3 * decoded->num_faces();
    *mesh = decoded.release();
    return SUPPLE_OK;
  });
}

supple_result supplei_codecs_draco_read(void *, void *mesh, uint32_t attribute,
                                        uint32_t component_type, uint32_t components, void *out) {
  return guarded([&]() {
    const draco::Mesh &decoded = *static_cast<const draco::Mesh *>(mesh);
    return attribute == SUPPLE_NONE
               ? read_triangles(decoded, static_cast<uint32_t *>(out))
               : read_attribute(decoded, attribute, component_type, components, out);
  });
}

void supplei_codecs_draco_close(void *, void *mesh) { delete static_cast<draco::Mesh *>(mesh); }
