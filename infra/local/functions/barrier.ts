import { LocalProblem } from "../problem.ts";

/** How long events wait for each other, in milliseconds: less than the API waits for a function. */
const meetingLimitMs = 10_000;

/** Events that wait for each other, so that functions start to handle all of them at the same time. */
export class Barrier {
  readonly #size: number;
  #places: number;
  #arrived = 0;
  readonly #met = Promise.withResolvers<void>();
  readonly #timer: NodeJS.Timeout;

  constructor(size: number) {
    this.#size = size;
    this.#places = size;
    this.#timer = setTimeout(() => this.giveUp(), meetingLimitMs).unref();
    this.#met.promise.catch(() => undefined);
  }

  /** Resolves when all events have arrived. @throws {LocalProblem} if they did not */
  get met(): Promise<void> {
    return this.#met.promise;
  }

  /**
   * Takes a place for an event.
   * @returns whether one was left
   */
  join(): boolean {
    this.#places -= 1;
    return this.#places >= 0;
  }

  /** Reports that the event has an instance. Resolves when all have one, or the barrier is abandoned. */
  async arrive(): Promise<void> {
    this.#arrived += 1;
    if (this.#arrived === this.#size) {
      clearTimeout(this.#timer);
      this.#met.resolve();
    }
    await this.#met.promise.catch(() => undefined);
  }

  /** Lets the events that have arrived continue. Has no effect if all have arrived. */
  giveUp(): void {
    clearTimeout(this.#timer);
    this.#met.reject(new LocalProblem(`Only ${this.#arrived} of ${this.#size} events came to meet.`));
  }
}
