import { Problem } from "../problem.ts";

/** How long events wait for each other: less than the API waits for a function. */
const patienceMilliseconds = 10_000;

/** Events that wait for each other, so that functions begin to work on all of them at the same time. */
export class Meeting {
  readonly #size: number;
  #places: number;
  #arrived = 0;
  readonly #met = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;

  constructor(size: number) {
    this.#size = size;
    this.#places = size;
    this.#timer = setTimeout(() => this.giveUp(), patienceMilliseconds).unref();
    this.#met.promise.catch(() => undefined);
  }

  /** Resolves when all events have come. @throws {Problem} where they did not */
  get met(): Promise<void> {
    return this.#met.promise;
  }

  /** Takes a place for an event. @returns whether there was one left */
  join(): boolean {
    this.#places -= 1;
    return this.#places >= 0;
  }

  /** The event has an instance that is ready. Resolves when all have, or when the meeting is given up. */
  async arrive(): Promise<void> {
    this.#arrived += 1;
    if (this.#arrived === this.#size) {
      clearTimeout(this.#timer);
      this.#met.resolve();
    }
    await this.#met.promise.catch(() => undefined);
  }

  /** Lets those go on that have come. Does nothing where all have. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#met.reject(new Problem(`Only ${this.#arrived} of ${this.#size} events came to meet.`));
  }
}
