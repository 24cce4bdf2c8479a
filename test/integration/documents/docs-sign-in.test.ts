import { describe, expect, test } from "vitest";
import { demoPassword } from "../../../infra/demo/registry.ts";
import { at } from "../../support/http/client.ts";
import { login, newUser } from "../../support/http/mobile.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const path = "/apirest/v4/wms/docs";
const formMark = 'name="password"';

const service = await sharedService();

const own = { "sec-fetch-site": "same-origin" };

const send = (user_name: string, password = demoPassword, headers: Record<string, string> = own) =>
  service.browse(path, { method: "POST", headers, form: { user_name, password } });

/** The cookie of an answer as the browser sends it back, and its flags. */
function cookieOf(answer: Response) {
  const [cookie = "", ...flags] = answer.headers.getSetCookie()[0]?.split("; ") ?? [];
  return { cookie, flags };
}

describe("signing in to the documentation of the WMS", () => {
  test("shows a form first, which is kept nowhere", async () => {
    const answer = await service.browse(path);

    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await answer.text()).toContain(formMark);
  });

  test("shows the form for pages that exist, and answers 404 for others", async () => {
    const answers = [await service.browse(`${path}/index`), await service.browse(`${path}/nope`)];

    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  });

  test("opens page and document for a session of 8 hours, until it is ended", async () => {
    const answer = await send(await newUser(service));
    const { cookie, flags } = cookieOf(answer);
    const headers = { cookie };
    const page = await service.browse(path, { headers });
    const document = await service.browse("/apirest/v4/wms/openapi.json", { headers });
    const end = { method: "POST", headers: { ...own, cookie } } as const;
    const ended = await service.browse(`${path}/sign-out`, end);
    const after = await service.browse(path, { headers });

    expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
    expect(flags.toSorted()).toEqual(["HttpOnly", "Max-Age=28800", "Path=/", "SameSite=Lax", "Secure"]);
    expect(await page.text()).not.toContain(formMark);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(at(await document.json(), "info.title")).toBe("WMS v4");
    expect([ended.status, cookieOf(ended).cookie, cookieOf(ended).flags]).toEqual([
      303,
      expect.stringMatching(/=$/),
      expect.arrayContaining(["Max-Age=0"]),
    ]);
    expect(await after.text()).toContain(formMark);
  });

  test("refuses wrong passwords with the reason, and those without the permission or a field", async () => {
    const answers = [
      await send(await newUser(service), "wrong"),
      await send(await newUser(service, { wms: false })),
      await send(await newUser(service), ""),
    ];
    const pages = await Promise.all(answers.map((answer) => answer.text()));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 400]);
    expect(answers.map((answer) => answer.headers.getSetCookie())).toEqual([[], [], []]);
    expect(pages[0]).toContain("The user name or the password is wrong.");
    expect(pages[1]).toContain("The user name or the password is wrong.");
    expect(pages[2]).toContain("password is required.");
    for (const page of pages) expect(page).toContain(formMark);
  });

  test("counts failures as the mobile application does, and together with it", async () => {
    const user = await newUser(service);
    for (const _ of "12345") await send(user, "wrong");

    const refused = await send(user);
    const onPhone = await login(service, user);

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await refused.text()).toContain("Too many sign-ins of this user have failed; try again later.");
    expect(onPhone.status).toBe(429);
  });

  test.each([
    ["another site, as the browser says", { "sec-fetch-site": "cross-site" }],
    ["a neighbor of the service's host", { "sec-fetch-site": "same-site" }],
    ["another origin, in an older browser", { origin: "https://example.com" }],
    ["nowhere", {}],
  ])("takes no form from %s", async (_, headers) => {
    const user = await newUser(service);

    const answer = await send(user, demoPassword, headers);
    const ended = await service.browse(`${path}/sign-out`, { method: "POST", headers });

    expect([answer.status, ended.status]).toEqual([403, 403]);
    expect([...answer.headers.getSetCookie(), ...ended.headers.getSetCookie()]).toEqual([]);
    expect(at(await answer.json(), "response.message")).toBe(
      "The form came from another site, or from no browser; a program gets openapi.json with userName and Key as headers",
    );
  });

  test("takes the form of an older browser, which states the origin alone", async () => {
    const { origin } = new URL((await service.browse(path)).url);

    expect((await send(await newUser(service), demoPassword, { origin })).status).toBe(303);
  });

  test("shows the form for a cookie that the service did not sign", async () => {
    const { cookie } = cookieOf(await send(await newUser(service)));

    const answer = await service.browse(path, { headers: { cookie: `${cookie.slice(0, -4)}AAAA` } });

    expect(await answer.text()).toContain(formMark);
  });
});
