/** `POST /oms/ping` as one would write it by hand, without a framework. */
import { type Answer, answer, type Event, isKnown } from "./client.ts";

export const handler = async (event: Event): Promise<Answer> =>
  (await isKnown(event))
    ? answer(200, { data: { status: "success", result: "pong" } })
    : answer(401, { response: { success: false, message: "unauthorized" } });
