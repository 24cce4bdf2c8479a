/** Keys: `g` and a letter open a screen, `/` goes to the search, `j` and `k` to the next and previous row. */
import { useEffect, useRef } from "preact/hooks";
import { go } from "./route.ts";
import { Button, Fields, type Of } from "./ui.tsx";

const elements = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];

/** Moves the focus to the next or the previous row: to its first link or button. */
function step(by: 1 | -1): void {
  const rows = elements("#content tbody tr, #content summary");
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at < 0 && by < 0 ? rows.length - 1 : at + by];
  (row?.querySelector<HTMLElement>("a, button") ?? row)?.focus();
}

export function Shortcuts({ of }: Of<readonly { readonly path: string; readonly name: string }[]>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const shortcuts: Readonly<Record<string, readonly [does: string, run: () => void]>> = {
    ...Object.fromEntries(of.map(({ path, name }) => [`g ${path[0]}`, [name, () => go([path])]])),
    "/": ["Search", () => elements("#content form input")[0]?.focus()],
    j: ["Next row", () => step(1)],
    k: ["Previous row", () => step(-1)],
    "?": ["These keys", () => dialog.current?.showModal()],
  };
  useEffect(() => {
    let last = "";
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      const isTyping = target instanceof Element && target.matches("input, select, textarea, dialog *");
      if (ctrlKey || metaKey || altKey || isTyping) return;
      const [, run] = shortcuts[`${last} ${key}`] ?? shortcuts[key] ?? [];
      last = key;
      if (run === undefined) return;
      run();
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const shown = Object.entries(shortcuts).map(([keys, [does]]) => [keys, does]);
  return (
    <dialog ref={dialog} aria-label="Keys">
      <form method="dialog">
        <h2>Keys</h2>
        <Fields of={Object.fromEntries(shown)} />
        <Button of="Close" type="submit" />
      </form>
    </dialog>
  );
}
