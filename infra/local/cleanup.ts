/** Stops what was started, in reverse order, even if starting failed midway. */
export class Cleanup {
  readonly #steps: (() => Promise<void> | void)[] = [];
  #done: Promise<void> | undefined;

  defer(step: () => Promise<void> | void): void {
    this.#steps.push(step);
  }

  /** Takes every step, even if one fails. A second call waits for the same steps. */
  run(): Promise<void> {
    this.#done ??= this.#undo();
    return this.#done;
  }

  async #undo(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "The local runtime did not stop cleanly.");
  }
}
