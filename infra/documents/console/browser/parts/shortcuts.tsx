/** Keys: `g` and a letter open a screen, `/` goes to the search, `j` and `k` to the next and previous row. */
import { useEffect, useRef } from "preact/hooks";
import { go } from "./route.ts";

interface Screen {
  readonly path: string;
  readonly name: string;
  readonly letter: string;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);

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

/** What the keys do: those of the screens, and `?`, which shows the help. */
function useKeys(screens: readonly Screen[], help: () => void): void {
  useEffect(() => {
    let last = "";
    const press = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const screen = last === "g" ? screens.find(({ letter }) => letter === key) : undefined;
      last = key;
      if (screen !== undefined) go([screen.path]);
      else if (key === "/") elements("#content form input")[0]?.focus();
      else if (key === "j") step(1);
      else if (key === "k") step(-1);
      else if (key === "?") help();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [screens]);
}

export function Shortcuts({ screens }: { readonly screens: readonly Screen[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys(screens, () => dialog.current?.showModal());
  return (
    <dialog ref={dialog} aria-label="Keys">
      <form method="dialog">
        <h2>Keys</h2>
        <dl class="keys">
          {screens.map(({ letter, name }) => (
            <Key key={letter} keys={["g", letter]} does={name} />
          ))}
          <Key keys={["/"]} does="Search" />
          <Key keys={["j"]} does="Next row" />
          <Key keys={["k"]} does="Previous row" />
          <Key keys={["?"]} does="These keys" />
        </dl>
        <div class="buttons">
          <button type="submit">Close</button>
        </div>
      </form>
    </dialog>
  );
}

const Key = ({ keys, does }: { readonly keys: readonly string[]; readonly does: string }) => (
  <div>
    <dt>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dt>
    <dd>{does}</dd>
  </div>
);
