/* test_vulkan.c: compute shaders run by Vulkan on the software device (lavapipe), against supple_deform: the SPIR-V
 * modules, and GLSL 4.50 and HLSL as glslang compiles them, where it is here. Skipped where there is no Vulkan or no
 * device. */
#include "tests/gpu/gpu_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(SUPPLE_HAS_VULKAN)

int main(void) {
  printf("skipped: built without Vulkan (Debian: libvulkan-dev, mesa-vulkan-drivers)\n");
  return 77;
}

#else

#include <vulkan/vulkan.h>

enum { BUFFERS = 8 }; /* bindings 0 to 7; 0: the parameters, for HLSL */

typedef struct device {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t family, memory_type;
  VkCommandPool commands;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
} device;

/* ---- the device ---- */

static bool open_instance(device *d) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_0};
  VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                               .pApplicationInfo = &application};
  return vkCreateInstance(&info, NULL, &d->instance) == VK_SUCCESS;
}

/* A software device where there is one, so that the result does not depend on the machine; else the first. */
static bool choose_physical(device *d) {
  VkPhysicalDevice devices[16];
  uint32_t count = 16;
  if (vkEnumeratePhysicalDevices(d->instance, &count, devices) < 0 || count == 0) return false;
  d->physical = devices[0];
  VkPhysicalDeviceProperties properties;
  for (uint32_t i = 0; i < count; i++) {
    vkGetPhysicalDeviceProperties(devices[i], &properties);
    if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) d->physical = devices[i];
  }
  vkGetPhysicalDeviceProperties(d->physical, &properties);
  memcpy(d->name, properties.deviceName, sizeof d->name);
  return true;
}

static bool choose_family(device *d) {
  VkQueueFamilyProperties families[16];
  uint32_t count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
  for (uint32_t i = 0; i < count; i++)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) {
      d->family = i;
      return true;
    }
  return false;
}

static bool choose_memory(device *d) {
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(d->physical, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
    if ((memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
      d->memory_type = i;
      return true;
    }
  return false;
}

static VkDescriptorType type_of(uint32_t binding) {
  return binding ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

static bool make_layouts(device *d) {
  VkDescriptorSetLayoutBinding bindings[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                 .descriptorType = type_of(i),
                                                 .descriptorCount = 1,
                                                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo set = {.sType =
                                             VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                         .bindingCount = BUFFERS,
                                         .pBindings = bindings};
  if (vkCreateDescriptorSetLayout(d->device, &set, NULL, &d->set_layout)) return false;
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               sizeof(supple_shader_compute_parameters)};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &d->set_layout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
  VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BUFFERS - 1}};
  VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                     .maxSets = 1,
                                     .poolSizeCount = 2,
                                     .pPoolSizes = sizes};
  return !vkCreatePipelineLayout(d->device, &layout, NULL, &d->layout) &&
         !vkCreateDescriptorPool(d->device, &pool, NULL, &d->pool);
}

static bool open_device(device *d) {
  memset(d, 0, sizeof *d);
  if (!open_instance(d) || !choose_physical(d) || !choose_family(d) || !choose_memory(d))
    return false;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueFamilyIndex = d->family,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queue};
  if (vkCreateDevice(d->physical, &info, NULL, &d->device)) return false;
  vkGetDeviceQueue(d->device, d->family, 0, &d->queue);
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                  .queueFamilyIndex = d->family};
  return !vkCreateCommandPool(d->device, &pool, NULL, &d->commands) && make_layouts(d);
}

static void close_device(device *d) {
  if (d->device) {
    vkDestroyDescriptorPool(d->device, d->pool, NULL);
    vkDestroyPipelineLayout(d->device, d->layout, NULL);
    vkDestroyDescriptorSetLayout(d->device, d->set_layout, NULL);
    vkDestroyCommandPool(d->device, d->commands, NULL);
    vkDestroyDevice(d->device, NULL);
  }
  if (d->instance) vkDestroyInstance(d->instance, NULL);
}

/* ---- buffers ---- */

typedef struct buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *data; /* mapped */
} buffer;

static bool make_buffer(const device *d, buffer *b, const void *data, size_t size) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = size ? size : 16,
                             .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                      VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT};
  if (vkCreateBuffer(d->device, &info, NULL, &b->buffer)) return false;
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(d->device, b->buffer, &needs);
  VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = d->memory_type};
  if (vkAllocateMemory(d->device, &memory, NULL, &b->memory) ||
      vkBindBufferMemory(d->device, b->buffer, b->memory, 0) ||
      vkMapMemory(d->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->data))
    return false;
  if (size && data) memcpy(b->data, data, size);
  return true;
}

static void release_buffer(const device *d, buffer *b) {
  if (b->buffer) vkDestroyBuffer(d->device, b->buffer, NULL);
  if (b->memory) vkFreeMemory(d->device, b->memory, NULL);
}

enum { COLUMNS = 2 }; /* groups in x: several rows of them, as large meshes need */

static supple_shader_compute_parameters parameters_of(const gpu_case *one) {
  return (supple_shader_compute_parameters){.vertex_count = one->vertex_count,
                                            .rest_stride = GPU_STREAM,
                                            .posed_stride = gpu_case_width(one),
                                            .morph_count = one->morph_count,
                                            .scale = one->scale,
                                            .row = 64 * COLUMNS};
}

/* Parameters, palette, influences, ranges, rest, posed, targets, weights: bindings 0 to 7. */
static bool make_buffers(const device *d, const gpu_case *one, buffer buffers[BUFFERS]) {
  size_t n = one->vertex_count,
         palette =
             supple_shader_palette_size(supple_shader_layout(&one->options), one->joint_count, 0);
  supple_shader_compute_parameters parameters = parameters_of(one);
  return make_buffer(d, &buffers[0], &parameters, sizeof parameters) &&
         make_buffer(d, &buffers[1], one->palette, palette) &&
         make_buffer(d, &buffers[2], one->pairs, one->pairs_size) &&
         make_buffer(d, &buffers[3], one->ranges, n * 8) &&
         make_buffer(d, &buffers[4], one->rest, n * GPU_STREAM * sizeof(float)) &&
         make_buffer(d, &buffers[5], NULL, n * gpu_case_width(one) * sizeof(float)) &&
         make_buffer(d, &buffers[6], one->targets, one->targets_size) &&
         make_buffer(d, &buffers[7], one->morph_weights, one->morph_count * sizeof(float));
}

/* ---- running ---- */

static VkPipeline make_pipeline(const device *d, const gpu_case *one, const char *words,
                                size_t size) {
  uint32_t constants[3] = {(uint32_t)one->options.normals, one->options.tangents, one->influences};
  VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
  VkSpecializationInfo special = {3, entries, sizeof constants, constants};
  uint32_t *aligned = malloc(size);
  if (!aligned) abort();
  memcpy(aligned, words, size);
  VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = aligned};
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (vkCreateShaderModule(d->device, &module_info, NULL, &module) == VK_SUCCESS) {
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &special},
        .layout = d->layout};
    if (vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline))
      pipeline = VK_NULL_HANDLE;
    vkDestroyShaderModule(d->device, module, NULL);
  }
  free(aligned);
  return pipeline;
}

static VkDescriptorSet make_set(const device *d, const buffer buffers[BUFFERS]) {
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = d->pool,
                                      .descriptorSetCount = 1,
                                      .pSetLayouts = &d->set_layout};
  vkResetDescriptorPool(d->device, d->pool, 0);
  if (vkAllocateDescriptorSets(d->device, &info, &set)) return VK_NULL_HANDLE;
  VkDescriptorBufferInfo places[BUFFERS];
  VkWriteDescriptorSet writes[BUFFERS];
  for (uint32_t i = 0; i < BUFFERS; i++) {
    places[i] = (VkDescriptorBufferInfo){buffers[i].buffer, 0, VK_WHOLE_SIZE};
    writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .dstBinding = i,
                                       .descriptorCount = 1,
                                       .descriptorType = type_of(i),
                                       .pBufferInfo = &places[i]};
  }
  vkUpdateDescriptorSets(d->device, BUFFERS, writes, 0, NULL);
  return set;
}

static void record(const device *d, VkCommandBuffer commands, VkPipeline pipeline,
                   VkDescriptorSet set, const gpu_case *one) {
  supple_shader_compute_parameters parameters = parameters_of(one);
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, d->layout, 0, 1, &set, 0, NULL);
  vkCmdPushConstants(commands, d->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof parameters,
                     &parameters);
  vkCmdDispatch(commands, COLUMNS, (one->vertex_count + 64 * COLUMNS - 1) / (64 * COLUMNS), 1);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, NULL, 0, NULL);
}

static bool submit(const device *d, VkPipeline pipeline, VkDescriptorSet set, const gpu_case *one) {
  VkCommandBuffer commands;
  VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = d->commands,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  if (vkAllocateCommandBuffers(d->device, &allocate, &commands)) return false;
  bool fine = !vkBeginCommandBuffer(commands, &begin);
  if (fine) record(d, commands, pipeline, set, one);
  VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
  fine = fine && !vkEndCommandBuffer(commands) &&
         !vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE) && !vkQueueWaitIdle(d->queue);
  vkFreeCommandBuffers(d->device, d->commands, 1, &commands);
  return fine;
}

/* ---- what is run ---- */

typedef struct run {
  device device;
  supple_shader_language language;
  gpu_worst worst;
} run;

/* Text compiled by glslang; NULL, with a message, where it does not. */
static char *compile(const char *text, supple_shader_language language, size_t *size) {
  static const char *const source = SUPPLE_SCRATCH "/shader.comp", *const module =
                                                                       SUPPLE_SCRATCH "/shader.spv";
  char line[3000];
  FILE *file = fopen(source, "wb");
  if (!file || fputs(text, file) < 0 || fclose(file)) return NULL;
  snprintf(line, sizeof line, "glslangValidator %s -S comp -o %s %s >%s/glslang.txt 2>&1",
           language == SUPPLE_SHADER_HLSL ? "-D -V -e main" : "-V", module, source, SUPPLE_SCRATCH);
  if (system(line) != 0 || !(file = fopen(module, "rb"))) {
    printf("%s does not compile; see glslang.txt beside it\n", source);
    return NULL;
  }
  char *words = malloc(1 << 20);
  if (!words) abort();
  *size = fread(words, 1, 1 << 20, file);
  fclose(file);
  return words;
}

static char *words_of(const run *r, const gpu_case *one, size_t *size) {
  char *text = gpu_case_source(one, r->language, SUPPLE_SHADER_COMPUTE, SUPPLE_SHADER_BEST, size);
  if (!text || r->language == SUPPLE_SHADER_SPIRV) return text;
  char *words = compile(text, r->language, size);
  free(text);
  return words;
}

/* The SPIR-V modules find signs by vertex; those for all streams read targets of three vec4. */
static bool has_module(const gpu_case *one) {
  return one->options.signs != SUPPLE_SIGNS_PER_POSE && !(one->options.morph && one->streams == 2);
}

static bool run_case(const run *r, const gpu_case *one, const char *words, size_t size,
                     float *posed) {
  const device *d = &r->device;
  buffer buffers[BUFFERS] = {{0}};
  uint32_t width = gpu_case_width(one);
  VkPipeline pipeline = make_pipeline(d, one, words, size);
  bool fine = pipeline && make_buffers(d, one, buffers);
  VkDescriptorSet set = fine ? make_set(d, buffers) : VK_NULL_HANDLE;
  fine = set && submit(d, pipeline, set, one);
  for (uint32_t v = 0; v < one->vertex_count && fine; v++)
    memcpy(posed + (size_t)v * GPU_STREAM, (const float *)buffers[5].data + (size_t)v * width,
           width * sizeof(float));
  if (!fine) printf("%s: Vulkan failed\n", one->name);
  for (int i = 0; i < BUFFERS; i++) release_buffer(d, &buffers[i]);
  vkDestroyPipeline(d->device, pipeline, NULL);
  return fine;
}

static bool visit(void *user, const gpu_case *one) {
  run *r = user;
  if (r->language == SUPPLE_SHADER_SPIRV && !has_module(one)) return true;
  size_t size = 0;
  char *words = words_of(r, one, &size);
  if (!words) return false;
  float *posed = calloc((size_t)one->vertex_count * GPU_STREAM, sizeof(float));
  if (!posed) abort();
  bool fine = run_case(r, one, words, size, posed) && gpu_case_check(one, posed, &r->worst);
  free(words), free(posed);
  return fine;
}

static bool run_language(run *r, supple_shader_language language, uint32_t every, uint32_t first) {
  static const gpu_places places = {SUPPLE_CORPUS, SUPPLE_COMMAND, SUPPLE_SCRATCH};
  r->language = language;
  memset(&r->worst, 0, sizeof r->worst);
  bool fine = gpu_cases_visit(&places, every, first, visit, r);
  printf(
      "%s on %s: %u cases, %llu vertices (%llu in doubt): position %.3g of the size, normal %.3g, "
      "tangent %.3g\n",
      supple_shader_language_text(language), r->device.name, (unsigned)r->worst.cases,
      (unsigned long long)r->worst.vertices, (unsigned long long)r->worst.doubts, r->worst.position,
      r->worst.normal, r->worst.tangent);
  return fine;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static run r;
  int status = 77;
  bool glslang = system("glslangValidator --version >" SUPPLE_SCRATCH "/version.txt 2>&1") == 0;
  if (open_device(&r.device)) {
    bool fine = run_language(&r, SUPPLE_SHADER_SPIRV, 4, 0);
    if (glslang && fine)
      fine = run_language(&r, SUPPLE_SHADER_GLSL_450, 8, 3) &&
             run_language(&r, SUPPLE_SHADER_HLSL, 8, 6);
    else if (fine)
      printf("GLSL 4.50 and HLSL were not run: there is no glslangValidator\n");
    status = fine ? 0 : 1;
  } else {
    printf("skipped: there is no Vulkan device\n");
  }
  close_device(&r.device);
  return status;
}

#endif
