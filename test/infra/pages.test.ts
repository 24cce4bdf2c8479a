/** The documentation pages: what a reader finds on them. Browsers are in test/integration/documents. */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { guideText } from "../../infra/documents/pages/guides.ts";
import { type Call, referenceOf } from "../../infra/documents/pages/model.ts";
import { placeOf } from "../../infra/documents/pages/places.ts";
import { referenceFiles } from "../../infra/documents/pages/reference.ts";
import { samplesOf } from "../../infra/documents/pages/samples.ts";

const names = ["oms", "wms", "all"] as const;
const filesOf = new Map(
  await Promise.all(names.map(async (name) => [name, await referenceFiles(name)] as const)),
);
const pagesOf = (name: (typeof names)[number]) =>
  new Map(
    (filesOf.get(name) ?? [])
      .filter((file) => file.name.endsWith(".html"))
      .map(({ name: file, content }) => [
        file === "index.html" ? placeOf(name).base : `${placeOf(name).base}/${file.replace(".html", "")}`,
        content.toString(),
      ]),
  );
const calls = referenceOf("all").groups.flatMap((group) => group.calls);
const sent = calls.filter(({ path }) => path !== undefined);

describe.each(names)("the pages of %s", (name) => {
  const pages = pagesOf(name);

  test("link to nothing that is not there", () => {
    const broken = [...pages].flatMap(([url, html]) =>
      [...html.matchAll(/href="([^"]*)"/g)].flatMap(([, href = ""]) => {
        const [path = "", fragment = ""] = href.split("#");
        const target = pages.get(path === "" ? url : path);
        if (target === undefined)
          return path.startsWith(`${placeOf(name).base}/`) && !/\.(?:css|js)$/.test(path) ? [href] : [];
        return fragment === "" || target.includes(`id="${fragment}"`) ? [] : [`${url}: ${href}`];
      }),
    );

    expect(broken).toEqual([]);
  });

  test("show each call once, with its description, samples, an answer and its errors", () => {
    const shown = [...pages.values()].flatMap((html) =>
      [...html.matchAll(/<section class="call" id="(\w+)"(.*?)<\/section>/gs)].map(
        ([, id = "", text = ""]) => ({ id, text }),
      ),
    );

    expect(shown.map(({ id }) => id)).toEqual(
      referenceOf(name).groups.flatMap((group) => group.calls.map(({ operationId }) => operationId)),
    );
    for (const { text } of shown) {
      expect(text).toMatch(/<p>\S.*<ul class="errors"><li>/s);
      expect(text).toMatch(/<div class="aside">.*<pre data-language="json">/s);
    }
  });

  test("have ids that are unique, and no script, style or handler in them", () => {
    for (const html of pages.values()) {
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
      expect(html).not.toMatch(/<script(?! src=)|<style|\sstyle="|\son\w+="/);
    }
  });
});

describe("a sample", () => {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));

  test("for curl sends the example: its method, address, headers and body", () => {
    // A shell reads the samples as a reader's does. In place of curl, a function prints what it is given.
    const script = `curl() { printf '%s\\0' "$@"; printf '\\0'; }\nURL=http://host\n${sent.map((call) => samplesOf(call).curl).join("\n")}`;
    const file = join(folder, "samples.sh");
    writeFileSync(file, script);
    const printed = execFileSync("bash", [file], { encoding: "utf8" })
      .split("\0\0")
      .filter((part) => part !== "");
    rmSync(folder, { recursive: true });

    const given = printed.map((part) => part.split("\0"));
    expect(given).toHaveLength(sent.length);
    for (const [place, { method, path = "", requestBody, credentials }] of sent.entries()) {
      const words = given[place] ?? [];
      const body = words[words.indexOf("-d") + 1];
      const pattern = new RegExp(`^http://host${path.replaceAll(/\{\w+\}/g, "[^/]+")}(?:\\?.*)?$`);
      expect(words.includes("-X") ? words[words.indexOf("-X") + 1] : "GET").toBe(method);
      expect(words.some((word) => pattern.test(word))).toBe(true);
      expect(words.filter((word) => credentials.includes(word.split(":")[0] ?? ""))).toHaveLength(
        credentials.length,
      );
      if (requestBody !== undefined)
        expect(JSON.parse(body ?? "")).toEqual(requestBody.content["application/json"].example);
    }
  });

  test("shows no key", () => {
    for (const call of sent) expect(Object.values(samplesOf(call)).join("\n")).not.toMatch(/demo-\w+-key/);
  });
});

describe("the catalogue of errors", () => {
  const rows = [...guideText("errors").matchAll(/^\| (`[^|]+`) \|.*$/gm)].map(([row, shown = ""]) => ({
    messages: [...shown.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
    isOfGateway: row.includes("API Gateway answers"),
  }));
  /** The fixed texts of a message; `…` between them stands for any text. */
  const partsOf = (message: string): readonly string[] => message.split("…").map((part) => part.trim());
  const patterns = rows
    .flatMap(({ messages }) => messages)
    .map(
      (message) =>
        new RegExp(
          partsOf(message)
            .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
            .join(".*"),
        ),
    );
  const failure = z.object({
    response: z.optional(
      z.object({ message: z.string(), errors: z.optional(z.array(z.object({ message: z.string() }))) }),
    ),
    message: z.optional(z.string()),
  });
  const messagesOf = ({ responses }: Call): readonly string[] =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      if (status === "200" || content === undefined) return [];
      const { message, response } = failure.parse(content["application/json"].example);
      return [message, response?.message, ...(response?.errors ?? []).map((error) => error.message)].filter(
        (text) => text !== undefined,
      );
    });

  test("has every message that the document shows", () => {
    const messages = [...new Set(sent.flatMap(messagesOf))];

    expect(messages.length).toBeGreaterThan(10);
    expect(messages.filter((message) => !patterns.some((pattern) => pattern.test(message)))).toEqual([]);
  });

  test("has no message whose longest fixed text is not in the code", () => {
    const code = globSync("{shared,functions}/**/*.ts")
      .map((file) => readFileSync(file, "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, ""))
      .join("\n");
    const messages = rows.filter(({ isOfGateway }) => !isOfGateway).flatMap((row) => row.messages);

    const unknown = messages.filter((message) => {
      const [longest = ""] = partsOf(message).toSorted((left, right) => right.length - left.length);
      return !code.includes(longest);
    });

    expect(unknown).toEqual([]);
    expect(messages.length).toBeGreaterThan(50);
  });
});

describe("the search", () => {
  const entrySchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);
  const entries = z
    .array(entrySchema)
    .parse(
      JSON.parse(
        (filesOf.get("oms") ?? []).find((file) => file.name === "search.json")?.content.toString() ?? "",
      ),
    );

  test.each([
    ["429", "Guide"],
    ["rate limit", "Guide"],
    ["retry", "Guide"],
    ["types=order.*", "Guide"],
    ["if_short", "Call"],
    ["lag_seconds", "Call"],
    ["limited_by", "Record"],
    ["webhook-signature", "Guide"],
  ])("finds %s in a %s", (sought, kind) => {
    const found = entries.filter((entry) => entry.join(" ").toLowerCase().includes(sought));

    expect(found.map(([, , one]) => one)).toContain(kind);
  });
});

describe("the code that verifies webhooks", () => {
  const secret = `whsec_${Buffer.from("a secret of 24 bytes ...").toString("base64")}`;
  const body = '{"type":"webhook.test"}';
  const at = new Date();
  const headers = {
    "webhook-id": "1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("1", at, body),
  };
  const codeOf = (language: string): string =>
    [...guideText("receive-webhooks").matchAll(/```(\w+)\n(.*?)```/gs)].find(
      ([, one]) => one === language,
    )?.[2] ?? "";

  test("accepts a signed body in Python, and rejects others and missing or malformed headers", () => {
    const program = `${codeOf("python")}
import json, sys
secret, headers, body = json.loads(sys.argv[1])
print(is_signed(secret, headers, body.encode()), is_signed(secret, headers, (body + " ").encode()))
for name in headers:
    print(is_signed(secret, headers | {name: "é"}, body.encode()), is_signed(secret, {}, body.encode()))`;

    const printed = execFileSync("python3", ["-c", program, JSON.stringify([secret, headers, body])], {
      encoding: "utf8",
    });

    expect(printed.trim().split("\n")).toEqual([
      "True False",
      ...Object.keys(headers).map(() => "False False"),
    ]);
  });

  test("is there in four languages", () => {
    for (const language of ["js", "python", "go", "java"]) expect(codeOf(language)).toContain("webhook");
  });
});

test("the guides of the project are all served to integrators", () => {
  const index = readFileSync("docs/integrators.md", "utf8");
  const linked = [...index.matchAll(/guides\/([\w-]+)\.md/g)].map(([, slug = ""]) => slug);

  const served = new Set(
    (["oms", "wms"] as const).flatMap((name) =>
      [...pagesOf(name).keys()].map((url) => url.slice(placeOf(name).base.length + 1)),
    ),
  );

  expect(linked.filter((slug) => !served.has(slug))).toEqual([]);
  expect(linked.length).toBeGreaterThan(15);
});
