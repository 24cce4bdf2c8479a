/** The pages' interactive parts: samples, credentials, test requests, search, earlier addresses. */
import { prepareCode } from "./code.ts";
import { prepareCredentials } from "./credentials.ts";
import { prepareRequests } from "./request.ts";
import { prepareSearch } from "./search.ts";

/** The decoded text; empty if its encoding is invalid, such as `#100%`. */
function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return "";
  }
}

/** Release 1.0.0 had one page, with addresses such as `#tag/orders/POST/apirest/v4/oms/orders`. */
function followEarlierAddress(): void {
  const [, method = "", path = ""] =
    /\/(get|post|put|patch|delete)(\/.*)$/i.exec(decoded(location.hash)) ?? [];
  const call = `${method.toUpperCase()} ${path}`;
  const target = [...document.querySelectorAll<HTMLElement>("[data-call]")].find(
    ({ dataset }) => dataset["call"] === call,
  );
  const address = target?.querySelector("a")?.href;
  if (address !== undefined) location.replace(address);
}

/** On a narrow screen the menu covers the page, so it closes when a link on the same page is followed. */
function prepareMenu(): void {
  const menu = document.getElementById("nav");
  menu?.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("a") && menu.matches(":popover-open"))
      menu.hidePopover();
  });
  const current = menu?.querySelector<HTMLElement>("details[open], [aria-current]");
  if (menu && current && menu.scrollHeight > menu.clientHeight) menu.scrollTop = current.offsetTop - 80;
}

followEarlierAddress();
addEventListener("hashchange", followEarlierAddress);
prepareCode();
prepareCredentials();
prepareRequests();
prepareSearch();
prepareMenu();
