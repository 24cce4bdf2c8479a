/** Keys: `g` and a letter open a screen, `/` goes to the search, `j` and `k` to the next and previous row. */
import { useEffect, useRef } from "preact/hooks";
import { go } from "./route.ts";

const elements = (selector: string): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>(selector),
];

/** Moves the focus to the next or the previous row: to its first link or button. */
function step(by: 1 | -1): void {
  const rows = elements("#content tbody tr, #content summary");
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at < 0 && by < 0 ? rows.length - 1 : at + by];
  (row?.querySelector<HTMLElement>("a, button") ?? row)?.focus();
}

interface Shortcut {
  readonly does: string;
  readonly run: () => void;
}

interface ShortcutsProps {
  readonly screens: readonly { readonly path: string; readonly name: string }[];
}

/** Handles the keys, and shows them. */
export function Shortcuts({ screens }: ShortcutsProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const shortcuts: Readonly<Record<string, Shortcut>> = {
    ...Object.fromEntries(
      screens.map(({ path, name }) => [`g ${path.slice(0, 1)}`, { does: name, run: () => go([path]) }]),
    ),
    "/": { does: "Search", run: () => elements("#content form input")[0]?.focus() },
    j: { does: "Next row", run: () => step(1) },
    k: { does: "Previous row", run: () => step(-1) },
    "?": { does: "These keys", run: () => dialog.current?.showModal() },
  };
  useEffect(() => {
    let last = "";
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isTyping =
        target instanceof Element && target.closest("input, select, textarea, dialog") !== null;
      if (ctrlKey || metaKey || altKey || isTyping) return;
      const shortcut = shortcuts[`${last} ${key}`] ?? shortcuts[key];
      last = key;
      if (shortcut === undefined) return;
      shortcut.run();
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <dialog ref={dialog} aria-label="Keys">
      <form method="dialog">
        <h2>Keys</h2>
        <dl class="keys">
          {Object.entries(shortcuts).map(([keys, { does }]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <div class="buttons">
          <button type="submit">Close</button>
        </div>
      </form>
    </dialog>
  );
}
