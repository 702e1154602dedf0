/* shader_cost.c: what the shaders cost a vertex: instructions as Mesa's compiler for AMD counts them, and bytes.
 *
 *   RADV_FORCE_FAMILY=navi21 VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/radeon_icd.x86_64.json shader_cost
 *
 * needs no GPU: with RADV_FORCE_FAMILY the driver compiles for hardware that is not there. Any other driver that has
 * VK_KHR_pipeline_executable_properties does as well. Prints a table for docs/performance.md. */
#include <supple/shader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

typedef struct gpu {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkPipelineLayout layout;
  PFN_vkGetPipelineExecutableStatisticsKHR statistics;
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
} gpu;

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "shader_cost: %s\n", why);
  exit(1);
}

static void open_gpu(gpu *g) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_2};
  VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                   .pApplicationInfo = &application};
  uint32_t count = 1;
  if (vkCreateInstance(&instance, NULL, &g->instance)) stop("there is no Vulkan");
  if (vkEnumeratePhysicalDevices(g->instance, &count, &g->physical) < 0 || !count)
    stop("there is no device; see the top of this file");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(g->physical, &properties);
  memcpy(g->name, properties.deviceName, sizeof g->name);
  const float priority = 1;
  const char *const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR wanted = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pipelineExecutableInfo = VK_TRUE};
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &wanted,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &extension};
  if (vkCreateDevice(g->physical, &device, NULL, &g->device))
    stop("the device has no pipeline statistics (VK_KHR_pipeline_executable_properties)");
  g->statistics = (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
      g->device, "vkGetPipelineExecutableStatisticsKHR");
}

/* Seven storage buffers and the parameters. */
static void make_layout(gpu *g) {
  VkDescriptorSetLayoutBinding bindings[7];
  for (uint32_t i = 0; i < 7; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i + 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 .descriptorCount = 1,
                                                 .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  VkDescriptorSetLayoutCreateInfo set = {.sType =
                                             VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                         .bindingCount = 7,
                                         .pBindings = bindings};
  VkDescriptorSetLayout set_layout;
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               sizeof(supple_shader_compute_parameters)};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &set_layout,
                                       .pushConstantRangeCount = 1,
                                       .pPushConstantRanges = &range};
  if (vkCreateDescriptorSetLayout(g->device, &set, NULL, &set_layout) ||
      vkCreatePipelineLayout(g->device, &layout, NULL, &g->layout))
    stop("no pipeline layout");
}

static VkPipeline make_pipeline(const gpu *g, const supple_shader_options *options,
                                uint32_t influences) {
  size_t size;
  if (supple_shader_source(options, NULL, 0, &size, NULL)) stop("no such shader");
  uint32_t *words = malloc(size);
  if (!words || supple_shader_source(options, (char *)words, size, &size, NULL))
    stop("out of memory");
  uint32_t constants[3] = {(uint32_t)options->normals, options->tangents, influences};
  VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
  VkSpecializationInfo special = {3, entries, sizeof constants, constants};
  VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
  VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .pName = "main",
                .pSpecializationInfo = &special},
      .layout = g->layout};
  VkPipeline pipeline;
  if (vkCreateShaderModule(g->device, &module, NULL, &info.stage.module) ||
      vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline))
    stop("the shader does not compile");
  vkDestroyShaderModule(g->device, info.stage.module, NULL);
  free(words);
  return pipeline;
}

/* The statistic whose name has this in it; -1 where there is none. */
static long statistic(const gpu *g, VkPipeline pipeline, const char *name) {
  VkPipelineExecutableInfoKHR executable = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                            .pipeline = pipeline};
  VkPipelineExecutableStatisticKHR all[64];
  uint32_t count = 64;
  for (uint32_t i = 0; i < 64; i++)
    all[i] = (VkPipelineExecutableStatisticKHR){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
  if (g->statistics(g->device, &executable, &count, all) < 0) return -1;
  for (uint32_t i = 0; i < count; i++)
    if (strstr(all[i].name, name)) return (long)all[i].value.u64;
  return -1;
}

static void print_row(const gpu *g, const char *name, supple_shader_options options,
                      uint32_t influences) {
  static const char *const streams[] = {"positions", "+ normals", "+ tangents"};
  const size_t joint = supple_shader_joint_size(supple_shader_layout(&options));
  for (int k = 0; k < 3; k++) {
    options.positions_only = k == 0, options.tangents = k == 2;
    const uint32_t vertex = k == 0 ? 12 : k == 1 ? 24 : 40;
    VkPipeline pipeline = make_pipeline(g, &options, influences);
    printf("| %s | %u | %s | %ld | %ld | %u | %u | %zu |\n", name, (unsigned)influences, streams[k],
           statistic(g, pipeline, "Instructions"), statistic(g, pipeline, "VGPRs"),
           (unsigned)(vertex + influences * 8), (unsigned)vertex, influences * joint);
    vkDestroyPipeline(g->device, pipeline, NULL);
  }
}

int main(void) {
  gpu g;
  open_gpu(&g);
  make_layout(&g);
  printf("%s, compute stage, influences of 8 bytes:\n\n"
         "| method | influences | streams | instructions | registers | read a vertex | written | "
         "of the palette |\n"
         "|---|---:|---|---:|---:|---:|---:|---:|\n",
         g.name);
  supple_shader_options options = {.language = SUPPLE_SHADER_SPIRV, .stage = SUPPLE_SHADER_COMPUTE};
  for (uint32_t influences = 4; influences <= 8; influences += 4) {
    options.method = SUPPLE_LBS;
    print_row(&g, "LBS, 48 bytes a joint", options, influences);
    options.method = SUPPLE_DQS, options.scale = SUPPLE_SCALE_NONE;
    print_row(&g, "DQS rigid, 32", options, influences);
    options.scale = SUPPLE_SCALE_AFFINE;
    print_row(&g, "DQS affine, 64", options, influences);
  }
  return 0;
}
