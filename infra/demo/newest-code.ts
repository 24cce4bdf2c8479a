/** Builds functions from their sources as they are called, for `--watch` and `--inspect`. */
import { watch } from "node:fs";
import { join } from "node:path";
import { functions } from "../../functions/index.ts";
import { bundleForDebugging } from "../bundle/bundle.ts";

interface Places {
  /** The checkout whose functions are built. */
  readonly root: string;
  readonly outdir: string;
}

/** The files that a build imports; undefined if it failed. */
type Sources = ReadonlySet<string> | undefined;

/** The newest code of functions. Each is built at its next event, so a change of a shared file is cheap. */
export class NewestCode {
  readonly #places: Places;
  readonly #report: (line: string) => void;
  readonly #builds = new Map<string, Promise<Sources>>();
  /** The folder of each function's last build that succeeded. */
  readonly #folders = new Map<string, string>();
  #count = 0;

  constructor(places: Places, report: (line: string) => void) {
    this.#places = places;
    this.#report = report;
  }

  /**
   * Rebuilds the functions that import a changed file.
   * @returns a function that stops this
   */
  watch(): () => void {
    const watchers = ["functions", "shared"].map((folder) =>
      watch(join(this.#places.root, folder), { recursive: true }, (_, name) => {
        if (name !== null) this.#changed(join(this.#places.root, folder, name));
      }),
    );
    return () => {
      for (const one of watchers) one.close();
    };
  }

  /** The folder of a function's code; undefined if the code stays as it was synthesized. */
  async folderOf(name: string): Promise<string | undefined> {
    const contract = functions[name];
    // A page consists of code and files, which are generated from the documents together.
    if (contract === undefined || contract.type === "page") return undefined;
    const building = this.#builds.get(name) ?? this.#build(name);
    this.#builds.set(name, building);
    await building;
    return this.#folders.get(name);
  }

  /** A running build may have read the file before it changed. */
  #changed(path: string): void {
    for (const [name, building] of this.#builds)
      void building.then((sources) => {
        const isConcerned = sources === undefined || sources.has(path);
        if (isConcerned && this.#builds.get(name) === building) this.#builds.delete(name);
      });
  }

  async #build(name: string): Promise<Sources> {
    const { root, outdir } = this.#places;
    this.#count += 1;
    const began = performance.now();
    try {
      const { folder, sources } = await bundleForDebugging(name, {
        root,
        outdir: join(outdir, String(this.#count)),
      });
      this.#folders.set(name, folder);
      this.#report(`${name}: built in ${Math.round(performance.now() - began)} ms`);
      return new Set(sources);
    } catch (error) {
      this.#report(`${name}: its code stays as it was. ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }
}
