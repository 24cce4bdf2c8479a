import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoPassword } from "../../../infra/demo/registry.ts";
import { newUser } from "../../support/http/mobile.ts";
import { browserHere, openPage, startBrowser } from "../../support/runtime/browser.ts";
import type { Service } from "../../support/runtime/service.ts";
import { sharedService } from "../../support/runtime/shared-service.ts";

const phone = { viewport: { width: 390, height: 844 } };
const desk = { viewport: { width: 1280, height: 900 } };

describe.skipIf(browserHere === undefined)("in a browser", () => {
  let service: Service;
  let browser: Browser;
  let origin: string;
  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), startBrowser()]);
    origin = new URL((await service.browse("/apirest/v4/wms/docs")).url).origin;
  });
  afterAll(() => browser.close());

  test("the OMS page opens without an error, with samples in three languages, and a call that it sends succeeds", async () => {
    const { page, troubles } = await openPage(browser, origin, desk);

    await page.goto("/apirest/v4/oms/docs");
    const tabs = page.locator(".client-libraries-tabs").getByRole("tab");
    await tabs.first().waitFor();
    const inSight = await tabs.allInnerTexts();
    await page.getByRole("button", { name: "Select from all clients" }).click();
    const offered = await page.getByRole("option").allInnerTexts();
    await page.keyboard.press("Escape");
    await page
      .getByLabel("Value")
      .nth(0)
      .fill(service.credentials["AccountID"] ?? "");
    await page
      .getByLabel("Value")
      .nth(1)
      .fill(service.credentials["Key"] ?? "");
    // What is out of sight is shown once it is asked for.
    await page
      .getByRole("link", { name: /Test the credentials/ })
      .first()
      .click();
    await page
      .getByRole("button", { name: /test request/i })
      .first()
      .click();
    const answered = page.waitForResponse(`${origin}/apirest/v4/oms/ping`);
    await page.getByRole("button", { name: /^send/i }).first().click();
    const answer = await answered;

    expect(inSight.map((name) => name.trim())).toEqual(["Shell", "Node.js", "Python"]);
    expect(offered.map((name) => name.trim()).toSorted()).toEqual([
      "Curl",
      "Fetch",
      "Requests",
      "http.client",
      "undici",
    ]);
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toEqual({ data: { status: "success", result: "pong" } });
    expect(troubles).toEqual([]);
  });

  test("it fits a phone, in dark colors and in light ones, as the phone has them", async () => {
    const { page, troubles } = await openPage(browser, origin, { ...phone, colorScheme: "dark" });
    const look = async () => [
      await page.evaluate("document.documentElement.scrollWidth"),
      await page.evaluate("document.body.classList.contains('dark-mode')"),
    ];

    await page.goto("/apirest/v4/oms/internal/docs");
    await page.getByRole("heading", { name: "First order in five minutes" }).waitFor();
    const dark = await look();
    await page.emulateMedia({ colorScheme: "light" });
    await page.locator("body.light-mode").waitFor();
    const light = await look();

    expect(dark).toEqual([phone.viewport.width, true]);
    expect(light).toEqual([phone.viewport.width, false]);
    expect(troubles).toEqual([]);
  });

  test("the WMS page refuses a wrong password, opens by keyboard after a right one, and closes", async () => {
    const user = await newUser(service);
    const { page, troubles } = await openPage(browser, origin, phone);
    const enter = async (password: string) => {
      await page.getByLabel("User name").focus();
      await page.keyboard.type(user);
      await page.keyboard.press("Tab");
      await page.keyboard.type(password);
      await page.keyboard.press("Enter");
    };

    await page.goto("/apirest/v4/wms/docs");
    await enter("wrong");
    const rejection = await page.getByRole("alert").innerText();
    await enter(demoPassword);
    await page.getByRole("heading", { name: "Trying a call" }).waitFor();
    const width = await page.evaluate("document.documentElement.scrollWidth");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Password").waitFor();

    expect(rejection).toBe("The user name or the password is wrong.");
    expect(width).toBe(phone.viewport.width);
    expect(await page.context().cookies()).toEqual([]);
    // A browser notes every rejection on its console.
    expect(troubles).toEqual([expect.stringContaining("401 (Unauthorized)")]);
  });
});
