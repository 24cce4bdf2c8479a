/** The search: `/` or Ctrl+K opens it, arrow keys move through the results. */

type Entry = readonly [url: string, title: string, kind: string, text: string];

interface Found {
  readonly entry: Entry;
  readonly score: number;
}

const most = 15;

let loading: Promise<readonly Entry[]> | undefined;

/** The index is loaded when the search is first opened. After a failure, the next call loads it again. */
function entries(): Promise<readonly Entry[]> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<readonly Entry[]> {
  const answer = await fetch(`${document.body.dataset["base"]}/search.json`);
  if (!answer.ok) throw new Error(`the index is ${answer.status}`);
  return answer.json();
}

const escapedForPattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Each word must begin a word of the entry. Words in the title count more, as do words that are adjacent. */
function scoreOf([, title, kind, text]: Entry, words: readonly string[]): number {
  const phrase = words.join(" ");
  let score = title.toLowerCase().includes(phrase) ? 40 : text.toLowerCase().includes(phrase) ? 8 : 0;
  for (const word of words) {
    const pattern = new RegExp(`(?:^|[^a-z0-9])${escapedForPattern(word)}`, "gi");
    const inTitle = pattern.test(title);
    const inText = text.match(pattern)?.length ?? 0;
    if (!inTitle && inText === 0) return 0;
    score += (inTitle ? 20 : 0) + Math.min(inText, 5);
  }
  return kind === "Event" ? score / 2 : score;
}

/** Some words around the first match. */
function excerpt(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word));
  const start = at < 50 ? 0 : text.indexOf(" ", at - 50) + 1;
  return `${start > 0 ? "… " : ""}${text.slice(start, start + 150)}${text.length > start + 150 ? " …" : ""}`;
}

function itemOf([url, title, kind, text]: Entry, [word = ""]: readonly string[]): HTMLElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = url;
  for (const [tag, part] of [
    ["span", kind],
    ["strong", title],
    ["small", excerpt(text, word)],
  ] as const) {
    const made = document.createElement(tag);
    made.textContent = part;
    link.append(made);
  }
  item.append(link);
  return item;
}

async function find(sought: string): Promise<readonly Found[]> {
  const words = sought
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const all = await entries();
  return all
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score);
}

export function prepareSearch(): void {
  const dialog = document.getElementById("search");
  const input = dialog?.querySelector("input");
  const list = dialog?.querySelector("ol");
  const count = dialog?.querySelector(".count");
  if (!(dialog instanceof HTMLDialogElement) || !input || !list || !count) return;
  const fail = () => {
    count.textContent = "The search can't be loaded: reload the page";
  };
  const open = () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    entries().catch(fail);
  };
  const show = async () => {
    const sought = input.value;
    const found = await find(sought);
    if (sought !== input.value) return;
    const words = sought.toLowerCase().split(/\s+/);
    list.replaceChildren(...found.slice(0, most).map(({ entry }) => itemOf(entry, words)));
    count.textContent =
      sought.trim() === "" ? "" : found.length === 0 ? "Nothing found" : `${found.length} found`;
  };
  const move = (step: number) => {
    const stops = [input, ...list.querySelectorAll("a")];
    const at = stops.findIndex((stop) => stop.matches(":focus"));
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
  };
  for (const button of document.querySelectorAll<HTMLElement>("[data-search]")) {
    button.hidden = false;
    button.addEventListener("click", open);
  }
  input.addEventListener("input", () => show().catch(fail));
  list.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    }
    if (event.key === "Enter" && event.target === input) {
      event.preventDefault();
      list.querySelector("a")?.click();
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing =
      event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    const isSlash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey;
    if (!isSlash && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}
