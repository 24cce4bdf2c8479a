import * as z from "zod/mini";
import type { Area } from "../contract.ts";
import * as plain from "../domain/plain.ts";
import { defineEndpoint } from "./endpoint.ts";
import { dataOf } from "./pagination.ts";

/** States the endpoint that tests an area's authentication. It answers pong to valid credentials. */
export const definePing = <A extends Area>(auth: A, path: `/${string}`) =>
  defineEndpoint(
    {
      method: "POST",
      path,
      auth,
      summary: "Test the credentials",
      request: z.object({}),
      response: dataOf(z.object({ status: plain.text, result: plain.text })),
    },
    async () => ({ data: { status: "success", result: "pong" } }),
  );
