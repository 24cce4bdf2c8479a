/**
 * Decides in which order concurrent work goes on. All work of a schedule runs in actors: a client, a call of
 * a function. An actor asks for its turn before each call to the store or to a queue; the scheduler lets one
 * go on, waits until it asks again, sleeps or ends, and chooses the next by the seed. Time is virtual: it
 * passes with each turn, and jumps if all actors sleep.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextLoop } from "node:timers/promises";
import type { Random } from "./random.ts";

/** What happens to a call. A lost response is of a call that was carried out. */
export type Fate = "go" | "throttle" | "conflict" | "fail" | "lose-response" | "die-before" | "die-after";

/** How the work of an actor ended. */
export type Ending<T> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "died" };

interface Actor {
  readonly name: string;
  /** How often it is chosen, compared to others. */
  readonly weight: number;
  /** Epoch milliseconds at which it is killed, as Lambda ends a function that takes too long. */
  readonly deadline: number;
  isDead: boolean;
  readonly die: () => void;
}

interface Step {
  readonly actor: Actor;
  readonly weight: number;
  readonly what: string;
  /** Epoch milliseconds before which it does not go on. */
  readonly at: number;
  readonly resume: () => void;
}

/** Work that begins if there is something to do, such as the delivery of a message. */
export interface Source {
  readonly weight: number;
  /** When it has something to do: epoch milliseconds, or undefined if there is nothing. */
  readonly dueAt: () => number | undefined;
  readonly begin: () => void;
}

/**
 * Waits until no work that is ready is left: a tick that a microtask asks for comes after all other
 * microtasks. One that the handler of an event asks for would come before them.
 */
const drained = (): Promise<void> => new Promise((settle) => queueMicrotask(() => process.nextTick(settle)));

const never = new Promise<never>(() => undefined);

const current = new AsyncLocalStorage<{ readonly scheduler: Scheduler; readonly actor: Actor }>();

/** The scheduler whose work is running, if any is. */
export const runningScheduler = (): Scheduler | undefined => current.getStore()?.scheduler;

/** How many turns one schedule takes at most. More are a livelock. */
const maxTurns = 20_000;

/** How often the scheduler waits for something that is not an actor's call. */
const maxSpins = 1_000;

export class Scheduler {
  readonly random: Random;
  /** The lines of the story that a failed schedule tells. */
  readonly story: string[] = [];
  #now: number;
  #turns = 0;
  #switches = 0;
  readonly #steps = new Set<Step>();
  readonly #sources: readonly Source[];
  readonly #tells: boolean;
  /** How often the actor that went on last goes on next, if it can. */
  readonly #stays: number;
  #last: Actor | undefined;

  /** @param tells whether the schedule's story is kept */
  constructor(random: Random, now: number, sources: readonly Source[], tells: boolean) {
    this.random = random;
    this.#now = now;
    this.#sources = sources;
    this.#tells = tells;
    this.#stays = random.of([0, 0, 0.5, 0.9]);
  }

  /** Epoch milliseconds. */
  get now(): number {
    return this.#now;
  }

  get turns(): number {
    return this.#turns;
  }

  /** How often another actor went on than before. */
  get switches(): number {
    return this.#switches;
  }

  /** Adds a line to the story, if it is told: a line of a call costs more than the call. */
  note(line: () => string): void {
    if (!this.#tells) return;
    const actor = current.getStore()?.actor.name ?? "schedule";
    this.story.push(`${String(this.#turns).padStart(5)} ${actor.padEnd(18)} ${line()}`);
  }

  /** Begins an actor, which is killed after `limitMs`. */
  begin<T>(name: string, work: () => Promise<T>, limitMs = Number.POSITIVE_INFINITY): Promise<Ending<T>> {
    return new Promise((settle) => {
      const actor: Actor = {
        name,
        // Some are starved, and some are favored, so that one overtakes another by many turns.
        weight: this.random.of([0.03, 1, 1, 1, 30]),
        deadline: this.#now + limitMs,
        isDead: false,
        die: () => settle({ kind: "died" }),
      };
      current.run({ scheduler: this, actor }, () =>
        work().then(
          (value) => settle({ kind: "returned", value }),
          (error: unknown) => settle({ kind: "threw", error }),
        ),
      );
    });
  }

  /** Waits for the actor's turn. A dead actor never gets one. */
  turn(what: string): Promise<void> {
    return this.sleep(0, what);
  }

  /** Waits for a time, and then for the actor's turn. */
  async sleep(milliseconds: number, what = "sleep", signal?: AbortSignal): Promise<void> {
    const actor = current.getStore()?.actor;
    if (actor === undefined) throw new Error("only actors wait");
    if (actor.isDead) return never;
    await new Promise<void>((resume, fail) => {
      const step: Step = {
        actor,
        weight: actor.weight,
        what,
        at: this.#now + Math.ceil(milliseconds),
        resume,
      };
      this.#steps.add(step);
      signal?.addEventListener("abort", () => {
        this.#steps.delete(step);
        fail(new DOMException("The operation was aborted", "AbortError"));
      });
    });
  }

  /** Kills the running actor: whatever it waits for never comes. */
  die(): Promise<never> {
    const actor = current.getStore()?.actor;
    if (actor !== undefined) this.#kill(actor);
    return never;
  }

  #kill(actor: Actor): void {
    this.note(() => `${actor.name} dies`);
    actor.isDead = true;
    for (const step of this.#steps) if (step.actor === actor) this.#steps.delete(step);
    actor.die();
  }

  /** Lets time pass. */
  leap(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** Runs until `isDone`. @throws if the work never ends */
  async run(isDone: () => boolean): Promise<void> {
    for (;;) {
      await drained();
      if (isDone()) return;
      if (this.#turns++ > maxTurns) throw new Error(`the schedule did not end within ${maxTurns} turns`);
      const chosen = this.#chosenOf(await this.#choices());
      this.#now += 1 + this.random.below(12);
      if ("begin" in chosen) chosen.begin();
      else this.#resume(chosen);
    }
  }

  #chosenOf(choices: readonly (Step | Source)[]): Step | Source {
    const last = choices.find((choice) => "actor" in choice && choice.actor === this.#last);
    if (last !== undefined && this.random.happens(this.#stays)) return last;
    return this.random.weighted(choices, ({ weight }) => weight);
  }

  /** What can go on now. If nothing can, time passes to the first that can. @throws if nothing ever can */
  async #choices(): Promise<readonly (Step | Source)[]> {
    for (let spins = 0; spins < maxSpins; spins += 1) {
      const all: (Step | Source)[] = [...this.#steps];
      const times = all.map((step) => ("at" in step ? step.at : 0));
      for (const source of this.#sources) {
        const at = source.dueAt();
        if (at === undefined) continue;
        all.push(source);
        times.push(at);
      }
      if (all.length > 0) {
        const now = Math.max(this.#now, Math.min(...times));
        this.#now = now;
        return all.filter((_, position) => (times[position] ?? now) <= now);
      }
      // Something that no scheduler delays, such as the loading of a module.
      await nextLoop();
    }
    throw new Error("nothing can go on, and something is not done");
  }

  #resume(step: Step): void {
    this.#steps.delete(step);
    if (step.actor !== this.#last) this.#switches += 1;
    this.#last = step.actor;
    if (this.#now > step.actor.deadline) this.#kill(step.actor);
    else step.resume();
  }
}
