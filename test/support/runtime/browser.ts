import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * The browser of this machine; the variable `CHROMIUM` names one elsewhere. Undefined where there is none.
 */
export const browserHere: string | undefined = [process.env["CHROMIUM"] ?? "", ...places].find(
  (path) => path !== "" && existsSync(path),
);

if (browserHere === undefined) {
  process.stderr.write(
    "No Chromium on this machine: the tests in a browser are skipped (apt-get install chromium).\n",
  );
}

let started: Promise<Browser> | undefined;

/** The browser that all files of this worker share. It is closed after the last one. */
export function sharedBrowser(): Promise<Browser> {
  if (started === undefined) {
    started = chromium.launch(browserHere === undefined ? {} : { executablePath: browserHere });
    const browser = started;
    globalThis.endOfWorker.push(async () => (await browser).close());
  }
  return started;
}

/** Closes what a file has opened in the browser. */
export const closePages = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()));
};

/** A page, and what went on in it that should not. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console, those thrown by scripts, and calls to any other host. */
  readonly troubles: string[];
}

/** A new page of a browser that has no cookies, for this service alone. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const troubles: string[] = [];
  const page = await (await browser.newContext({ ...options, baseURL: origin })).newPage();
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) troubles.push(`called ${url}`);
  });
  return { page, troubles };
}
