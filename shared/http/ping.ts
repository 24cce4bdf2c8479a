import * as z from "zod/mini";
import * as primitive from "../common/primitives.ts";
import type { Area } from "../runtime/contract.ts";
import { defineEndpoint } from "./endpoint.ts";
import { dataOf } from "./responses.ts";

/** States the endpoint that tests an area's authentication. It answers pong to valid credentials. */
export const definePing = <A extends Area>(auth: A, path: `/${string}`) =>
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
