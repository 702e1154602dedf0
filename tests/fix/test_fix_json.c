/* test_fix_json.c: questions to a document, uses of accessors, copies of values. */
#include "tests/fix/fix_at_work.h"

#include "src/fix/fix_json.h"

static void uses_are_counted(void **state) {
  (void)state;
  strip s = clean_strip();
  s.primitive = ",'targets':[{'POSITION':0}]";
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','"
            "translation':[0,1,0],"
            "'children':[3]},{'name':'c','translation':[0,1,0],'extensions':{'EXT_mesh_gpu_"
            "instancing':{'attributes':"
            "{'TRANSLATION':0}}}}";
  supple_document *document = open_strip(&s);
  uint32_t uses[7] = {0};
  static const uint32_t wanted[7] = {3, 1, 1, 1, 1, 1, 1};
  supplei_fix_count_uses(document, uses, 7);
  assert_memory_equal(uses, wanted, sizeof uses);
  supple_document_free(document);
}

static void values_are_found_and_set(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  supple_document *document = work.fix.document;
  const supple_value primitive = supplei_fix_primitive(document, 0, 0);
  assert_int_equal(supplei_fix_index(document, primitive, "indices"), 6);
  assert_int_equal(supplei_fix_index(document, primitive, "material"), SUPPLE_NONE);
  assert_int_equal(supplei_fix_item(document, "nodes", 2),
                   supple_document_find(document, "/nodes/2"));
  assert_int_equal(supplei_fix_primitive(document, 1, 0), SUPPLE_NONE);
  assert_int_equal(supplei_fix_set_index(&work.fix, primitive, "material", 12), SUPPLE_OK);
  assert_int_equal(supplei_fix_index(document, primitive, "material"), 12);
  assert_int_equal(supplei_fix_remove(&work.fix, primitive, "material"), SUPPLE_OK);
  assert_int_equal(supplei_fix_remove(&work.fix, primitive, "material"), SUPPLE_OK);
  assert_false(is_at(document, "/meshes/0/primitives/0/material"));
  close_work(&work);
}

static void values_are_copied(void **state) {
  (void)state;
  static char json[8192], deep[2048];
  const size_t depth = 200;
  for (size_t i = 0; i < depth; i++) deep[i] = '[', deep[depth + 1 + i] = ']';
  deep[depth] = '7';
  snprintf(json, sizeof json,
           "{'asset':{'version':'2.0'},'extras':{'a':[1,-2.5e-3,'x\\n\\u00e9\\\\',true,false,null,{"
           "},[]],'b':{'c \\u0001':"
           "0.1},'d':%s}}",
           deep);
  for (char *c = json; *c; c++)
    if (*c == '\'') *c = '"';
  supple_error error;
  supple_document *document = supple_document_load_memory(json, strlen(json), NULL, &error);
  if (!document) fail_msg("%s", error.message);
  supplei_output output = {.allocator = supplei_allocator(NULL)};
  static const char *const without[] = {"b", NULL};
  const supple_value extras = supple_document_find(document, "/extras");
  supplei_output_text(&output, "{");
  assert_true(supplei_fix_put_members(&output, document, extras, without, true));
  supplei_fix_put_key(&output, "whole", false);
  supplei_fix_put_value(&output, document, extras);
  supplei_output_put(&output, "}", 2);
  assert_false(output.failed);
  supple_document *copy =
      supple_document_load_memory(output.data, strlen(output.data), NULL, &error);
  if (!copy) fail_msg("%s: %s", error.message, output.data);
  assert_false(is_at(copy, "/b"));
  assert_true(number_at(copy, "/a/1") == -2.5e-3 && number_at(copy, "/whole/b/c \x01") == 0.1);
  assert_text_at(copy, "/whole/a/2", "x\n\xC3\xA9\\");
  assert_int_equal(supple_document_type(copy, supple_document_find(copy, "/a/5")),
                   SUPPLE_VALUE_NULL);
  assert_int_equal(supple_document_count(copy, supple_document_find(copy, "/a")), 8);
  supple_value at = supple_document_find(copy, "/d");
  for (size_t i = 0; i < depth; i++) at = supple_document_child(copy, at, 0);
  assert_int_equal(supple_document_index(copy, at), 7);
  supplei_output_release(&output);
  supple_document_free(copy);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uses_are_counted),
      cmocka_unit_test(values_are_found_and_set),
      cmocka_unit_test(values_are_copied),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
