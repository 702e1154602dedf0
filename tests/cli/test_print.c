/* test_print.c: JSON, escaped text, UTF-8. */
#include "cli/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

typedef void writer(cli_output *output, const char *text);

static void expect(writer *write, const char *text, const char *wanted) {
  cli_output *output = cli_output_open_memory();
  assert_non_null(output);
  write(output, text);
  assert_string_equal(cli_output_contents(output, NULL), wanted);
  cli_output_abandon(output);
}

static void json_strings(void **state) {
  (void)state;
  expect(cli_json_quote, "", "\"\"");
  expect(cli_json_quote, "a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
  expect(cli_json_quote, "\n\r\t\x01\x1f\x7f", "\"\\n\\r\\t\\u0001\\u001f\\u007f\"");
  expect(cli_json_quote, "</script>", "\"\\u003c/script>\"");
  expect(cli_json_quote, "\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\"");
  expect(cli_json_quote, "Gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\xa6\xb4",
         "\"Gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\xa6\xb4\"");
  /* a lone continuation byte, an overlong slash, a surrogate, a cut character */
  expect(cli_json_quote, "a\x80z", "\"a\xef\xbf\xbdz\"");
  expect(cli_json_quote, "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
  expect(cli_json_quote, "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  expect(cli_json_quote, "\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"");
  expect(cli_json_quote, "\xf5\x80\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  expect(cli_json_quote, "\xef\xbf\xbd", "\"\xef\xbf\xbd\"");
}

static void html_text(void **state) {
  (void)state;
  expect(cli_html_text, "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;");
  expect(cli_html_text, "x\x1b[31m\xff", "x\xef\xbf\xbd[31m\xef\xbf\xbd");
  expect(cli_html_text, "\xc3\xa9\n", "\xc3\xa9\n");
}

static void plain_text(void **state) {
  (void)state;
  expect(cli_plain_text, "a\x1b[2Jb\nc", "a?[2Jb?c");
  expect(cli_plain_text,
         "\xc2\x9b"
         "31m",
         "?31m"); /* C1 CSI */
  expect(cli_plain_text,
         "\xe2\x80\xae"
         "gpj.exe",
         "?gpj.exe"); /* right-to-left override */
  expect(cli_plain_text, "\xc3\xa9\xff", "\xc3\xa9?");
}

static void widths(void **state) {
  (void)state;
  assert_int_equal(cli_text_width("wrist.L"), 7);
  assert_int_equal(cli_text_width("\xc3\xa9"
                                  "e\xcc\x81"),
                   2); /* composed, and e with a mark */
  assert_int_equal(cli_text_width("\xe6\x89\x8b\xe9\xa6\x96"), 4);
  assert_int_equal(cli_text_width("\xf0\x9f\xa6\xb4"), 2);
}

static void json_structure(void **state) {
  (void)state;
  static const char *const wanted[2] = {
      "{\"file\":\"a\",\"empty\":{},\"none\":[],\"n\":[1,-2,null,0.5],\"list\":[{\"x\":true},[]],"
      "\"i\":null,\"j\":7,\"z\":null}\n",
      "{\n  \"file\": \"a\",\n  \"empty\": {},\n  \"none\": [],\n  \"n\": [1, -2, null, 0.5],\n"
      "  \"list\": [\n    {\n      \"x\": true\n    },\n    []\n  ],\n  \"i\": null,\n  \"j\": 7,\n"
      "  \"z\": null\n}\n"};
  for (int indent = 0; indent < 2; indent++) {
    const double numbers[] = {1, -2, (double)NAN, 0.5};
    cli_output *output = cli_output_open_memory();
    cli_json json = cli_json_start(output, indent == 1);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", "a");
    cli_json_object(&json, "empty");
    cli_json_end(&json);
    cli_json_array(&json, "none");
    cli_json_end(&json);
    cli_json_doubles(&json, "n", numbers, 4);
    cli_json_array(&json, "list");
    cli_json_object(&json, NULL);
    cli_json_bool(&json, "x", true);
    cli_json_end(&json);
    cli_json_array(&json, NULL);
    cli_json_end(&json);
    cli_json_end(&json);
    cli_json_index(&json, "i", UINT32_MAX);
    cli_json_index(&json, "j", 7);
    cli_json_text(&json, "z", NULL);
    cli_json_end(&json);
    assert_int_equal(json.depth, 0);
    assert_string_equal(cli_output_contents(output, NULL), wanted[indent]);
    cli_output_abandon(output);
  }
}

static void json_numbers(void **state) {
  (void)state;
  const float floats[] = {0.1f, INFINITY, -0.0f};
  cli_output *output = cli_output_open_memory();
  cli_json json = cli_json_start(output, false);
  cli_json_array(&json, NULL);
  cli_json_floats(&json, NULL, floats, 3);
  cli_json_float(&json, NULL, 0.1f);
  cli_json_double(&json, NULL, (double)0.1f);
  cli_json_integer(&json, NULL, INT64_MIN);
  cli_json_end(&json);
  assert_string_equal(cli_output_contents(output, NULL),
                      "[[0.1,null,-0],0.1,0.10000000149011612,-9223372036854775808]\n");
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_strings),   cmocka_unit_test(html_text),
      cmocka_unit_test(plain_text),     cmocka_unit_test(widths),
      cmocka_unit_test(json_structure), cmocka_unit_test(json_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
