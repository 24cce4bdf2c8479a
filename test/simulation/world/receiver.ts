/** The receiver of all webhooks: it is slow at times, rejects some posts, and notes what it got. */

import * as z from "zod";
import type { PostResult } from "../../../shared/webhooks/delivery.ts";
import type { World } from "./world.ts";

const sentEvent = z.object({ id: z.string(), sequence: z.int() });

/** Posts that are rejected in one schedule. After five in a row the receiver would be probed for hours. */
const maxRejected = 4;

export class Receiver {
  /** The sequences of accepted events, by the URL that they were posted to. */
  readonly accepted = new Map<string, number[]>();
  #rejected = 0;

  async post(world: World, url: string, body: string): Promise<PostResult> {
    const { scheduler, random } = world;
    const { sequence } = sentEvent.parse(JSON.parse(body));
    await scheduler.sleep(random.of([0, 20, 20, 400, 3_000]), `post ${sequence}`);
    const fate = world.fate((drawn) => `post ${sequence} to ${url}${drawn === "go" ? "" : ` ${drawn}`}`);
    if (fate === "die-before") return scheduler.die();
    const rejects = fate === "throttle" || fate === "fail" || fate === "conflict";
    if (rejects && this.#rejected < maxRejected) {
      this.#rejected += 1;
      return { status: 503, body: "", error: null };
    }
    this.accepted.set(url, [...(this.accepted.get(url) ?? []), sequence]);
    if (fate === "die-after") return scheduler.die();
    const isLost = fate === "lose-response" && this.#rejected < maxRejected;
    if (isLost) this.#rejected += 1;
    return isLost
      ? { status: null, body: null, error: "no answer within 10 s" }
      : { status: 200, body: "", error: null };
  }
}
