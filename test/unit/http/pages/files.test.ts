import { expect, test } from "vitest";
import { takesGzip } from "../../../../shared/http/pages/files.ts";
import { withMessage } from "../../../../shared/http/pages/forms.ts";

test.each([
  ["gzip, deflate, br", true],
  ["br;q=1.0, GZIP;q=0.5", true],
  ["*", true],
  ["", false],
  ["identity", false],
  ["gzip;q=0", false],
  ["gzip; q=0.000, br", false],
  ["xgzip", false],
])("an Accept-Encoding of %j takes gzip: %s", (header, expected) => {
  expect(takesGzip(header)).toBe(expected);
});

test("a reason stands in the form as text, not as HTML", () => {
  expect(withMessage("<form><!-- message --></form>", `<b onclick="x">$& it's`)).toBe(
    '<form><p class="refusal" role="alert">&lt;b onclick=&quot;x&quot;&gt;$&amp; it&#39;s.</p></form>',
  );
});
