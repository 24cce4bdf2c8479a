/** A wait that can be interrupted, for loops that look for work. */
export class InterruptibleSleep {
  #poked = false;
  #wake: () => void = () => undefined;

  /** Ends the current wait, or the next one. */
  poke(): void {
    this.#poked = true;
    this.#wake();
  }

  /** Waits this long, unless it is interrupted. */
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
