import * as z from "zod/mini";
import type { SessionlessArea } from "../auth/authenticate.ts";
import * as primitive from "../common/primitives.ts";
import { defineEndpoint } from "./define-endpoint.ts";
import { dataOf } from "./responses.ts";

/** Defines the endpoint that tests an area's authentication. It answers pong to valid credentials. */
export const definePing = <A extends SessionlessArea>(auth: A, path: `/${string}`) =>
  defineEndpoint(
    {
      method: "POST",
      path,
      auth,
      summary: "Test the credentials",
      request: z.object({}),
      response: dataOf(z.object({ status: primitive.text, result: primitive.text })),
    },
    async () => ({ data: { status: "success", result: "pong" } }),
  );
