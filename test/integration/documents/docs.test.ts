import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { documentOf } from "../../../infra/documents/openapi/document.ts";
import { at, numberAt } from "../../support/http/client.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const service = await sharedService();

/** What a document comes to as JSON, which has no undefined values. */
const asJson = (name: Parameters<typeof documentOf>[0]): unknown =>
  JSON.parse(JSON.stringify(documentOf(name)));

describe("the page of the OMS", () => {
  test.each(["docs", "console"])(
    "%s is open, and lets no script run but the service's own files",
    async (name) => {
      const page = await service.browse(`/apirest/v4/oms/${name}`);
      const html = await page.text();

      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("content-encoding")).toBe("gzip");
      expect(page.headers.get("cache-control")).toBe("no-cache");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      expect(page.headers.get("referrer-policy")).toBe("same-origin");
      const policy = page.headers.get("content-security-policy")?.split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(html).not.toMatch(/<script(?! src=)|<style|style=|https?:/);
    },
  );

  test("names files that a browser may keep, in either encoding, and others are 404", async () => {
    const html = await (await service.browse("/apirest/v4/oms/docs")).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path);

    const [script = "", ...others] = paths.filter((path) => path.endsWith(".js"));
    const packed = await service.browse(script);
    const plain = await service.browse(script, { headers: { "accept-encoding": "identity" } });
    const missing = await service.browse(script.replace(/-\w{4}/, "-0000"));
    const page = await service.browse("/apirest/v4/oms/docs/index.html");

    expect(paths).toHaveLength(2);
    expect(others).toHaveLength(0);
    expect(packed.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(packed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect([packed.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual([
      "gzip",
      null,
    ]);
    expect((await packed.text()) === (await plain.text())).toBe(true);
    expect([missing.status, page.status]).toEqual([404, 404]);
    expect(at(await missing.json(), "response.message")).toMatch(
      /^There is no such file; load the page again/,
    );
  });

  test("has pages of records and guides below it, which are asked for again each time, and no others", async () => {
    const paths = ["orders", "errors", "search.json", "nowhere", "openapi.json", "console", "_console"];

    const answers = await Promise.all(paths.map((path) => service.browse(`/apirest/v4/oms/docs/${path}`)));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 404, 404]);
    expect(answers[0]?.headers.get("cache-control")).toBe("no-cache");
    expect(await answers[0]?.text()).toContain('href="/apirest/v4/oms/console"');
    expect(await answers[1]?.text()).toContain("What a failed call answers");
  });

  test("has a guide whose first order works as it is printed", async () => {
    const guide = readFileSync("docs/guides/quick-start.md", "utf8");
    const commands = [...guide.matchAll(/```sh\n(.*?)```/gs)].map(([, command = ""]) => command);
    const { origin } = new URL((await service.browse("/apirest/v4/oms/docs")).url);
    const { AccountID: ACCOUNT, Key: KEY } = service.credentials;

    // The service runs in this very process, so the test must not block while the shell calls it.
    const { stdout, stderr } = await promisify(execFile)("bash", ["-e", "-c", commands.join("\necho\n")], {
      env: { ...process.env, URL: origin, ACCOUNT, KEY },
    });
    const [ping, product, order, found, stock] = stdout.split("\n").map((line): unknown => JSON.parse(line));

    expect(stderr).toBe("");
    expect(at(ping, "data.result")).toBe("pong");
    expect(at(product, "data.0.sku")).toBe("FIRST-LAMP");
    expect(at(order, "data.0.status")).toBe("Pending");
    expect(at(found, "data.order_id")).toBe(numberAt(order, "data.0.order_id"));
    expect(at(stock, "data.0.reserved")).toBe(2);
  });
});

describe("an OpenAPI document", () => {
  test.each([
    ["/apirest/v4/oms/openapi.json", "oms"],
    ["/apiv2/openapi.json", "v2"],
  ] as const)("at %s is open, and what `npm run openapi` writes", async (path, name) => {
    const answer = await service.browse(path);

    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual(asJson(name));
  });

  test("of the WMS is served only with the credentials of its calls", async () => {
    const known = await service.wms.get("/openapi.json");
    const stranger = await service.browse("/apirest/v4/wms/openapi.json");

    expect(known.body).toEqual(asJson("wms"));
    expect(known.headers.get("cache-control")).toBe("no-store");
    expect(stranger.status).toBe(401);
    expect(at(await stranger.json(), "response.message")).toBe(
      "Header value invalid; UserName is missing or empty",
    );
  });
});

describe("the internal page", () => {
  /**
   * A call from another address of this machine, which Linux has all of 127.0.0.0/8 for. It says that it
   * comes from an internal one.
   */
  async function fromOutside(path: string) {
    const url = (await service.browse("/apirest/v4/oms/docs")).url.replace("/apirest/v4/oms/docs", path);
    const headers = { "x-forwarded-for": "127.0.0.1" };
    const { promise, resolve, reject } = Promise.withResolvers<{
      status?: number | undefined;
      body: string;
    }>();
    get(url, { localAddress: "127.0.0.2", headers }, async (answer) =>
      resolve({ status: answer.statusCode, body: await text(answer) }),
    ).on("error", reject);
    return promise;
  }

  test("shows every area to the configured networks", async () => {
    const page = await service.browse("/apirest/v4/oms/internal/docs");
    const document = await service.browse("/apirest/v4/oms/internal/openapi.json");

    expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await page.text()).toContain("/apirest/v4/oms/internal/openapi.json");
    expect(await document.json()).toEqual(asJson("all"));
  });

  test.each(["docs", "docs/orders", "openapi.json"])(
    "and its document are 403 to all others, whatever they say of themselves: %s",
    async (name) => {
      const { status, body } = await fromOutside(`/apirest/v4/oms/internal/${name}`);

      expect(status).toBe(403);
      expect(at(JSON.parse(body), "response.message")).toMatch(
        /^This is for internal networks only, and 127\.0\.0\.2 is in none of them/,
      );
    },
  );
});
