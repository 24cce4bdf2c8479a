/** Samples: the chosen language, colors, and a button that copies. */

const preference = "samples-language";

/** The language is not a secret, so it is kept for the next visit. */
function choose(language: string): void {
  document.body.dataset["language"] = language;
  for (const button of document.querySelectorAll<HTMLElement>("[data-choose]"))
    button.setAttribute("aria-pressed", String(button.dataset["choose"] === language));
}

/** What is colored in a sample, whatever its language. The name of a field precedes a colon. */
const tokens =
  /(?<key>"[^"\n]*"(?=:))|(?<text>"(?:[^"\\\n]|\\.)*"|`[^`]*`)|(?<comment>(?<=^|\s)(?:#|\/\/) .*)|(?<word>\b(?:true|false|null|None|True|False|import|from|const|await|async|new|for|if|return|def|try|catch|export|func|package|use|namespace|using|class|public|static|string)\b)|(?<number>(?<![\w$-])-?\d+(?:\.\d+)?\b)/gm;

/** Colors code by ranges, so that the page needs no element for each word. */
export function color(places: Iterable<Element>): void {
  if (!("highlights" in CSS)) return;
  for (const place of places) {
    const node = place.firstChild;
    if (node === null) continue;
    for (const { groups = {}, index, 0: found } of (node.textContent ?? "").matchAll(tokens)) {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? "text";
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      const known = CSS.highlights.get(kind) ?? new Highlight();
      known.add(range);
      CSS.highlights.set(kind, known);
    }
  }
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  block.append(button);
}

export function prepareCode(): void {
  choose(localStorage.getItem(preference) ?? document.body.dataset["language"] ?? "curl");
  for (const button of document.querySelectorAll<HTMLElement>("[data-choose]"))
    button.addEventListener("click", () => {
      const before = button.getBoundingClientRect().top;
      const language = button.dataset["choose"] ?? "curl";
      localStorage.setItem(preference, language);
      choose(language);
      // The samples above have changed their heights; the button stays where it was clicked.
      scrollBy(0, button.getBoundingClientRect().top - before);
    });
  // Samples are prepared when they are about to become visible.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        observer.unobserve(target);
        addCopyButton(target);
        color(target.querySelectorAll("code"));
      }
    },
    { rootMargin: "400px" },
  );
  for (const block of document.querySelectorAll("pre[data-language]")) observer.observe(block);
}
