/**
 * The credentials of test requests: entered once, sent only as headers, and kept in the tab's session
 * storage, which ends with the tab. They are never part of an address.
 */

const place = "credentials";

function stored(): Record<string, string> {
  const found: unknown = JSON.parse(sessionStorage.getItem(place) ?? "{}");
  return typeof found === "object" && found !== null
    ? Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
    : {};
}

/** Keeps these credentials beside those of other pages. */
const store = (more: Readonly<Record<string, string>>): void =>
  sessionStorage.setItem(place, JSON.stringify({ ...stored(), ...more }));

/** The value of the dialog's button that accepts the input; closing the dialog otherwise has no value. */
const used = "use";

const dialog = (): HTMLDialogElement | undefined => {
  const found = document.getElementById("credentials");
  return found instanceof HTMLDialogElement ? found : undefined;
};

const inputs = (): readonly HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>("[data-credential]"),
];

/** The value of a header for a kind of caller, such as the `Key` of the `warehouse`. */
export const credential = (owner: string, header: string): string => stored()[`${owner}.${header}`] ?? "";

/** Keeps credentials from an answer: that of the mobile application's sign-in. */
export function keep(owner: string, values: Readonly<Record<string, string>>): void {
  const more = Object.fromEntries(Object.entries(values).map(([name, value]) => [`${owner}.${name}`, value]));
  store(more);
}

/** Asks for credentials, starting at the missing one, and settles when the dialog is closed. */
export function askCredentials(owner = "", header = ""): Promise<void> {
  const open = dialog();
  if (open === undefined) return Promise.resolve();
  const known = stored();
  for (const input of inputs()) input.value = known[input.dataset["credential"] ?? ""] ?? "";
  open.returnValue = "";
  open.showModal();
  inputs()
    .find((input) => input.dataset["credential"] === `${owner}.${header}`)
    ?.focus();
  return new Promise((settle) => open.addEventListener("close", () => settle(), { once: true }));
}

export function prepareCredentials(): void {
  const open = dialog();
  open?.addEventListener("close", () => {
    const entered = inputs().map((input) => [input.dataset["credential"] ?? "", input.value.trim()]);
    if (open.returnValue === used) store(Object.fromEntries(entered));
    for (const input of inputs()) input.value = "";
  });
  open?.querySelector("[data-forget]")?.addEventListener("click", () => {
    sessionStorage.removeItem(place);
    open.close();
  });
  document
    .querySelector("[data-sign-out]")
    ?.addEventListener("submit", () => sessionStorage.removeItem(place));
  for (const button of document.querySelectorAll<HTMLElement>("header [data-credentials]")) {
    button.hidden = false;
    button.addEventListener("click", () => askCredentials());
  }
}
