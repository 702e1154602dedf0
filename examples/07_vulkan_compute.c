/* 07_vulkan_compute.c: vertices deformed by a Vulkan compute shader, compared with the CPU.
 *
 * Concept. The library hands out SPIR-V for each method, and packs what the module reads into plain
 * bytes: influences and rest once a mesh, the palette once a frame. Dispatching it is your own
 * Vulkan, as everything else you do with it.
 *
 * Usage. 07_vulkan_compute FILE.glb [SECONDS]
 * Prints the largest difference between the GPU's positions and supple_deform's for each method,
 * over all skinned primitives of the file.
 *
 * Implementation. Bindings 1 to 5 of set 0 are storage buffers in one block of memory that the CPU
 * sees (a real program keeps rest and influences on the device); parameters are push constants; the
 * number of influences is a constant to specialise. No window, no layers, Vulkan 1.0. */
#include <supple/supple.h>

#include <vulkan/vulkan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PALETTE = 1, INFLUENCES, RANGES, REST, POSED, BINDINGS = 8, MODULE_MOST = 1 << 18 };

/* Everything of Vulkan that stays. */
typedef struct gpu {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t memory_type;
  VkDescriptorSetLayout set_layout;
  VkPipelineLayout layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  VkCommandPool commands;
  VkPipeline pipelines[2]; /* by method */
} gpu;

typedef struct buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *data; /* mapped */
} buffer;

static void need(bool fine, const char *what) {
  if (fine) return;
  fprintf(stderr, "%s failed\n", what);
  exit(1);
}

/* ---- once a program ---- */

static void open_device(gpu *g) {
  const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkPhysicalDevice devices[8];
  VkPhysicalDeviceProperties properties;
  uint32_t count = 8, family = 0;
  need(!vkCreateInstance(&instance, NULL, &g->instance), "Vulkan");
  need(vkEnumeratePhysicalDevices(g->instance, &count, devices) >= 0 && count, "finding a device");
  g->physical = devices[0];
  vkGetPhysicalDeviceProperties(g->physical, &properties);
  printf("on %s\n", properties.deviceName);
  VkQueueFamilyProperties families[8];
  count = 8;
  vkGetPhysicalDeviceQueueFamilyProperties(g->physical, &count, families);
  while (family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) family++;
  need(family < count, "finding a compute queue");
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue};
  need(!vkCreateDevice(g->physical, &device, NULL, &g->device), "opening the device");
  vkGetDeviceQueue(g->device, family, 0, &g->queue);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                        .queueFamilyIndex = family};
  need(!vkCreateCommandPool(g->device, &pool, NULL, &g->commands), "a command pool");
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(g->physical, &memory);
  while ((memory.memoryTypes[g->memory_type].propertyFlags & wanted) != wanted) g->memory_type++;
}

static void make_layouts(gpu *g) {
  VkDescriptorSetLayoutBinding bindings[BINDINGS];
  for (uint32_t i = 0; i < BINDINGS; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                 VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  const VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = BINDINGS,
      .pBindings = bindings};
  need(!vkCreateDescriptorSetLayout(g->device, &set, NULL, &g->set_layout), "a set layout");
  const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                     sizeof(supple_shader_compute_parameters)};
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &g->set_layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
  need(!vkCreatePipelineLayout(g->device, &layout, NULL, &g->layout), "a pipeline layout");
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = 1,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  need(!vkCreateDescriptorPool(g->device, &pool, NULL, &g->pool), "a descriptor pool");
  const VkDescriptorSetAllocateInfo one = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                           .descriptorPool = g->pool,
                                           .descriptorSetCount = 1,
                                           .pSetLayouts = &g->set_layout};
  need(!vkAllocateDescriptorSets(g->device, &one, &g->set), "a descriptor set");
}

static supple_shader_options options_of(supple_method method) {
  return (supple_shader_options){.language = SUPPLE_SHADER_SPIRV,
                                 .stage = SUPPLE_SHADER_COMPUTE,
                                 .method = method,
                                 .influences = SUPPLE_SHADER_ANY,
                                 .positions_only = true};
}

static void make_pipeline(gpu *g, supple_method method) {
  static uint32_t words[MODULE_MOST / 4];
  const supple_shader_options options = options_of(method);
  size_t size;
  need(!supple_shader_source(&options, (char *)words, sizeof words, &size, NULL), "the module");
  const VkShaderModuleCreateInfo code = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
  VkShaderModule module;
  need(!vkCreateShaderModule(g->device, &code, NULL, &module), "the module");
  const uint32_t influences = 0; /* each vertex its own number: a range */
  const VkSpecializationMapEntry entry = {2, 0, 4};
  const VkSpecializationInfo special = {1, &entry, 4, &influences};
  const VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &special},
      .layout = g->layout};
  need(!vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &pipeline, NULL,
                                 &g->pipelines[method]),
       "the pipeline");
  vkDestroyShaderModule(g->device, module, NULL);
}

/* ---- once a mesh ---- */

static buffer make_buffer(const gpu *g, uint32_t binding, size_t size) {
  buffer b;
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = size ? size : 16,
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  need(!vkCreateBuffer(g->device, &info, NULL, &b.buffer), "a buffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(g->device, b.buffer, &needs);
  const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = g->memory_type};
  need(!vkAllocateMemory(g->device, &memory, NULL, &b.memory), "memory of the device");
  need(!vkBindBufferMemory(g->device, b.buffer, b.memory, 0), "memory of the device");
  need(!vkMapMemory(g->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.data), "mapping memory");
  const VkDescriptorBufferInfo place = {b.buffer, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = g->set,
                                      .dstBinding = binding,
                                      .descriptorCount = 1,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = &place};
  vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
  return b;
}

/* ---- once a frame ---- */

static void dispatch(const gpu *g, supple_method method, uint32_t vertex_count) {
  const supple_shader_compute_parameters parameters = {
      .vertex_count = vertex_count, .rest_stride = 3, .posed_stride = 3, .row = 64 * 64};
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  const VkCommandBufferAllocateInfo allocate = {.sType =
                                                    VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = g->commands,
                                                .commandBufferCount = 1};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  VkCommandBuffer list;
  need(!vkAllocateCommandBuffers(g->device, &allocate, &list), "a command buffer");
  need(!vkBeginCommandBuffer(list, &begin), "recording");
  vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_COMPUTE, g->pipelines[method]);
  vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_COMPUTE, g->layout, 0, 1, &g->set, 0, NULL);
  vkCmdPushConstants(list, g->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof parameters,
                     &parameters);
  vkCmdDispatch(list, 64, (vertex_count + 4095) / 4096, 1);
  vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &barrier, 0, NULL, 0, NULL);
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
  need(!vkEndCommandBuffer(list) && !vkQueueSubmit(g->queue, 1, &submit, VK_NULL_HANDLE) &&
           !vkQueueWaitIdle(g->queue),
       "running");
  vkFreeCommandBuffers(g->device, g->commands, 1, &list);
}

/* Deforms a primitive on both, and returns the largest difference of a coordinate. */
static double difference(const gpu *g, const supple_primitive *primitive,
                         const supple_palette *palette, supple_method method) {
  const uint32_t n = primitive->vertex_count;
  supple_binding *binding = supple_binding_create(primitive, NULL, NULL);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, NULL, NULL) : NULL;
  float *cpu = malloc((size_t)n * 12);
  need(prepared && cpu && !supple_prepared_update(prepared, binding, palette, method), "preparing");
  const supple_shader_options options = options_of(method);
  const supple_palette_layout layout = supple_shader_layout(&options);
  const size_t pairs = supple_shader_pairs_size(binding, 0, 0);
  const size_t matrices = supple_shader_palette_size(layout, palette->joint_count, 0);
  buffer buffers[BINDINGS];
  for (uint32_t i = 0; i < BINDINGS; i++) /* 6 and 7 are morph targets, of which there are none */
    buffers[i] = make_buffer(g, i,
                             i == PALETTE      ? matrices
                             : i == INFLUENCES ? pairs
                                               : (size_t)n * 12);
  need(!supple_shader_palette_pack(prepared, layout, buffers[PALETTE].data, matrices, NULL) &&
           !supple_shader_pairs_pack(binding, 0, buffers[INFLUENCES].data, pairs,
                                     buffers[RANGES].data, NULL) &&
           !supple_shader_rest_pack(primitive, 1, NULL, buffers[REST].data, 3),
       "packing");
  dispatch(g, method, n);
  const supple_job job = {
      .prepared = prepared, .positions = {primitive->positions, 12}, .out_positions = {cpu, 12}};
  need(!supple_deform(&job), "deforming");
  const float *posed = buffers[POSED].data;
  double largest = 0;
  for (size_t i = 0; i < 3 * (size_t)n; i++)
    if (!(fabs((double)posed[i] - (double)cpu[i]) <= largest))
      largest = fabs((double)posed[i] - (double)cpu[i]);
  for (uint32_t i = 0; i < BINDINGS; i++) {
    vkDestroyBuffer(g->device, buffers[i].buffer, NULL);
    vkFreeMemory(g->device, buffers[i].memory, NULL);
  }
  free(cpu);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  return largest;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: %s FILE.glb [SECONDS]\n", argv[0]), 2;
  supple_error error;
  gpu g = {.memory_type = 0};
  supple_asset *asset = supple_asset_load(argv[1], NULL, &error);
  if (!asset) return fprintf(stderr, "%s: %s\n", argv[1], error.message), 1;
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  need(pose != NULL, "a pose");
  if (asset->clip_count) supple_pose_sample(pose, &asset->clips[0], argc > 2 ? atof(argv[2]) : 0);
  open_device(&g);
  make_layouts(&g);
  for (int m = 0; m < 2; m++) {
    double largest = 0;
    make_pipeline(&g, (supple_method)m);
    for (uint32_t i = 0; i < asset->instance_count; i++) {
      const supple_instance *instance = &asset->instances[i];
      supple_palette *palette =
          supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
      need(palette != NULL, "a palette");
      supple_palette_compose(palette, pose, instance);
      for (uint32_t p = 0; p < instance->primitive_count; p++) {
        const double d = difference(&g, instance->primitives[p], palette, (supple_method)m);
        if (!(d <= largest)) largest = d;
      }
      supple_palette_destroy(palette);
    }
    printf("%s: largest difference %.2g\n", m ? "dqs" : "lbs", largest);
  }
  for (int m = 0; m < 2; m++) vkDestroyPipeline(g.device, g.pipelines[m], NULL);
  vkDestroyCommandPool(g.device, g.commands, NULL);
  vkDestroyDescriptorPool(g.device, g.pool, NULL);
  vkDestroyPipelineLayout(g.device, g.layout, NULL);
  vkDestroyDescriptorSetLayout(g.device, g.set_layout, NULL);
  vkDestroyDevice(g.device, NULL);
  vkDestroyInstance(g.instance, NULL);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return 0;
}
