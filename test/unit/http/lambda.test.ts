import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Authenticator } from "../../../shared/auth/callers.ts";
import { endpointOf } from "../../../shared/http/endpoint.ts";
import { lambdaFor, noBody } from "../../../shared/http/lambda-for.ts";
import type { Grant } from "../../../shared/store/access.ts";
import { connect } from "../../../shared/store/dynamodb/database.ts";
import { context, eventOf } from "../samples.ts";

const known: Authenticator<"oms"> = async () => ({
  caller: { account_id: 100 },
  scope: "write",
  actor: "account:100",
});

/** The status and body of an endpoint's answer that holds so many bytes. */
async function answerOf(bytes: number, access: Grant) {
  const endpoint = endpointOf(
    {
      method: "DELETE",
      path: "/x",
      auth: "oms",
      summary: "Answer",
      request: z.object({}),
      response: z.object({ data: z.object({ id: z.number(), text: z.string() }) }),
      access: { inventory: access },
    },
    async () => ({ data: { id: 1, text: "x".repeat(bytes) } }),
  );
  const { statusCode, body = "" } = await lambdaFor(endpoint, known, noBody, async () => connect({}))(
    eventOf(),
    context,
  );
  return { statusCode, body };
}

describe("an answer of more than 5 MB", () => {
  test("is refused to a client that reads, with what to ask for", async () => {
    const { statusCode, body } = await answerOf(5_000_000, "read");

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      response: { success: false, message: expect.stringContaining("per_page") },
    });
  });

  test("is made smaller for a client that wrote, because what was written can't be undone", async () => {
    const { statusCode, body } = await answerOf(5_000_000, "write");

    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({ data: { id: 1 } });
  });
});
