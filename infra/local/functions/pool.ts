import type { Instance } from "./instance.ts";

/**
 * How long an event waits for a busy instance before another one starts, in milliseconds: about as long as a
 * start takes.
 */
const waitBeforeStartMs = 100;

/**
 * The instances of one function. Each handles one event at a time. If all are busy, further events wait.
 * (Lambda would start more instances instead. On one machine they would only slow each other down.)
 */
export class Pool {
  /** The maximum number of instances. */
  limit: number;
  readonly #start: () => Instance;
  readonly #isOutdated: (instance: Instance) => boolean;
  readonly #all = new Set<Instance>();
  /** The instance used last is at the end, and is used again first, so that the others age and can end. */
  readonly #idle: Instance[] = [];
  readonly #waiting: (() => void)[] = [];
  #stopped = false;
  /** Incremented when waiting events are rejected. */
  #turn = 0;

  /** @param isOutdated whether there is newer code than an instance's, which then gets no more events */
  constructor(limit: number, start: () => Instance, isOutdated: (instance: Instance) => boolean) {
    this.limit = limit;
    this.#start = start;
    this.#isOutdated = isOutdated;
  }

  get size(): number {
    return this.#all.size;
  }

  get idle(): readonly Instance[] {
    return this.#idle;
  }

  /**
   * Lends an instance to `work` until the work is done.
   * @param atOnce whether to start another instance without waiting for a busy one
   */
  async use<Result>(work: (instance: Instance) => Promise<Result>, atOnce: boolean): Promise<Result> {
    const instance = await this.#take(atOnce);
    try {
      return await work(instance);
    } finally {
      this.#giveBack(instance);
    }
  }

  remove(instance: Instance): void {
    const place = this.#idle.indexOf(instance);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#all.delete(instance);
    instance.kill();
  }

  /**
   * Ends the busy instances and, of idle ones beyond the limit, those that have been idle longest. Waiting
   * events are not begun.
   */
  endBusy(): void {
    this.#turnAway();
    for (const instance of this.#all) if (!this.#idle.includes(instance)) instance.kill();
    const surplus = Math.max(0, this.#idle.length - this.limit);
    for (const instance of this.#idle.slice(0, surplus)) this.remove(instance);
  }

  /** Ends all instances. Waiting events are not begun. */
  endAll(): void {
    this.#turnAway();
    for (const instance of [...this.#all]) this.remove(instance);
  }

  /** Ends idle instances that are outdated. Busy ones end after their event. */
  endOutdated(): void {
    for (const instance of this.#idle.filter(this.#isOutdated)) this.remove(instance);
  }

  #turnAway(): void {
    this.#turn += 1;
    for (const go of this.#waiting.splice(0)) go();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const go of this.#waiting.splice(0)) go();
    const instances = [...this.#all];
    this.#all.clear();
    this.#idle.length = 0;
    await Promise.all(instances.map((instance) => instance.stop()));
  }

  async #take(atOnce: boolean): Promise<Instance> {
    const turn = this.#turn;
    let isUrgent = atOnce;
    while (true) {
      if (this.#stopped) throw new Error("The runtime has stopped.");
      if (turn !== this.#turn) throw new Error("The runtime began anew.");
      const idle = this.#idle.pop();
      if (idle?.alive) return idle;
      if (idle !== undefined) {
        this.#all.delete(idle);
        continue;
      }
      const mayStart = this.#all.size < this.limit;
      if (this.#all.size === 0 || (mayStart && isUrgent)) return this.#startOne();
      // A busy instance is usually free before another one has started.
      const came = await this.#freed(mayStart ? waitBeforeStartMs : undefined);
      isUrgent = atOnce || !came;
    }
  }

  /**
   * Waits for an instance, for at most the limit if there is one.
   * @returns whether one became free
   */
  async #freed(limitMs: number | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const go = (): void => resolve(true);
    this.#waiting.push(go);
    if (limitMs === undefined) return promise;
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(go);
      if (place >= 0) this.#waiting.splice(place, 1);
      resolve(false);
    }, limitMs);
    const came = await promise;
    clearTimeout(timer);
    return came;
  }

  #startOne(): Instance {
    const instance = this.#start();
    this.#all.add(instance);
    return instance;
  }

  #giveBack(instance: Instance): void {
    if (this.#isOutdated(instance)) this.remove(instance);
    else if (instance.alive && !this.#stopped) this.#idle.push(instance);
    else this.#all.delete(instance);
    this.#waiting.shift()?.();
  }
}
