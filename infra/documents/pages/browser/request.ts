/** Test requests: the form of a call, and the answer of the service. */
import { color } from "./code.ts";
import { askCredentials, credential, keep } from "./credentials.ts";

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const element = (tag: string, text: string, className = ""): HTMLElement => {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = className;
  return made;
};

const enteredIn = (input: Input): string => {
  if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked ? "true" : "";
  return input.value.trim();
};

/** The filled-in fields of a form for one place in the request. */
const filled = (form: HTMLFormElement, place: string): readonly (readonly [string, string])[] =>
  [...form.querySelectorAll<Input>(`[data-in="${place}"]`)].flatMap((input) => {
    const value = enteredIn(input);
    return value === "" ? [] : [[input.dataset["name"] ?? "", value] as const];
  });

/** The credentials of the call. Asks for missing ones; undefined if one is still missing. */
async function headersOf({ dataset }: HTMLFormElement): Promise<Record<string, string> | undefined> {
  const { owner = "", headers = "" } = dataset;
  const names = headers.split(" ").filter((name) => name !== "");
  const missing = () => names.find((name) => credential(owner, name) === "");
  const first = missing();
  if (first !== undefined) await askCredentials(owner, first);
  if (missing() !== undefined) return undefined;
  return Object.fromEntries(
    names.map((name) => {
      const value = credential(owner, name);
      return [name, name === "Authorization" ? `Bearer ${value.replace(/^Bearer /, "")}` : value];
    }),
  );
}

function urlOf(form: HTMLFormElement): string {
  const inPath = Object.fromEntries(filled(form, "path"));
  const path = (form.dataset["path"] ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ""),
  );
  const query = new URLSearchParams(filled(form, "query").map(([name, value]) => [name, value])).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** The value of JSON; undefined for other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON with a line for each field; other text as it is. */
function shown(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The answers to the two steps of the mobile application's sign-in become the credentials of its calls. */
function keepSession(text: string): void {
  const answer = parsed(text);
  if (!isObject(answer) || !isObject(answer["data"])) return;
  const { jwt, token, user_id } = answer["data"];
  if (typeof jwt === "string" && typeof token === "string")
    keep("mobile", { Authorization: jwt, Token: token, "User-Id": String(user_id) });
}

/** Says how a request went, in the line that screen readers announce. */
function say(outcome: Element, isRefusal: boolean, ...parts: readonly (Node | string)[]): void {
  outcome.classList.toggle("refusal", isRefusal);
  outcome.replaceChildren(...parts);
}

interface Places {
  readonly outcome: Element;
  readonly answer: Element;
}

function showAnswer({ outcome, answer }: Places, response: Response, text: string, milliseconds: number) {
  say(
    outcome,
    false,
    element("code", String(response.status), response.ok ? "status good" : "status bad"),
    ` in ${milliseconds} ms, request ${response.headers.get("x-request-id") ?? "unknown"}`,
  );
  const headers = ["etag", "retry-after", "ratelimit", "ratelimit-policy", "idempotent-replayed", "allow"]
    .map((name) => [name, response.headers.get(name)])
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`);
  const block = element("pre", "");
  const code = element("code", shown(text));
  block.append(code);
  answer.replaceChildren(...(headers.length > 0 ? [element("pre", headers.join("\n"))] : []), block);
  color([code]);
}

async function send(form: HTMLFormElement): Promise<void> {
  const outcome = form.querySelector(".outcome");
  const answer = form.querySelector(".answer");
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  if (outcome === null || answer === null || button === null) return;
  const credentials = await headersOf(form);
  if (credentials === undefined) {
    say(outcome, true, "The call needs credentials: open Credentials, and enter them once.");
    return;
  }
  if (filled(form, "path").some(([, value]) => /[/?]/.test(value))) {
    say(
      outcome,
      true,
      "A path can't hold / or ? in a name, even encoded: find the record by a filter of its list.",
    );
    return;
  }
  const { method = "GET" } = form.dataset;
  const body = form.querySelector<HTMLTextAreaElement>('[data-in="body"]')?.value;
  const headers = {
    ...credentials,
    ...Object.fromEntries(filled(form, "header")),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  button.disabled = true;
  answer.replaceChildren();
  say(outcome, false, "Sending …");
  const started = performance.now();
  try {
    const sent = { method, headers, credentials: "omit", cache: "no-store" } as const;
    const response = await fetch(urlOf(form), body === undefined ? sent : { ...sent, body });
    const text = await response.text();
    showAnswer({ outcome, answer }, response, text, Math.round(performance.now() - started));
    if (response.ok && form.dataset["owner"] === "mobile") keepSession(text);
  } catch (error) {
    say(outcome, true, `No answer: ${error instanceof Error ? error.message : error}`);
  } finally {
    button.disabled = false;
  }
}

/** Opens the form of a call below its sample, or closes it. */
function toggle(button: HTMLElement, panel: Element): void {
  const open = panel.querySelector("form.try");
  button.setAttribute("aria-expanded", String(open === null));
  button.textContent = open === null ? "Close" : "Test request";
  panel.classList.toggle("testing", open === null);
  open?.remove();
  const template = panel.querySelector("template");
  if (open !== null || template === null) return;
  panel.append(template.content.cloneNode(true));
  const form = panel.querySelector<HTMLFormElement>("form.try");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  form
    ?.querySelector("[data-credentials]")
    ?.addEventListener("click", () => askCredentials(form.dataset["owner"]));
}

export function prepareRequests(): void {
  for (const button of document.querySelectorAll<HTMLElement>(".tryit")) {
    const panel = button.closest(".panel");
    if (panel === null) continue;
    button.hidden = false;
    button.addEventListener("click", () => toggle(button, panel));
  }
}
