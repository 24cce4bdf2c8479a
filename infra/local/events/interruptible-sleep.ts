/** A wait that can be cut short, for what looks for work again and again. */
export class InterruptibleSleep {
  #poked = false;
  #wake: () => void = () => undefined;

  /** Ends the wait under way, or the next one. */
  poke(): void {
    this.#poked = true;
    this.#wake();
  }

  /** Waits this long, unless there is something to look at before. */
  async sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#poked) resolve();
    const timer = setTimeout(resolve, milliseconds);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = () => undefined;
    this.#poked = false;
  }
}
