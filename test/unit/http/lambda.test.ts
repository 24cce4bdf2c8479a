import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Authenticator } from "../../../shared/auth/callers.ts";
import { defineEndpoint } from "../../../shared/http/endpoint.ts";
import { lambdaFor } from "../../../shared/http/lambda.ts";
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
  const endpoint = defineEndpoint(
    {
      method: "DELETE",
      path: "/x",
      auth: "oms",
      summary: "Answer",
      request: z.object({}),
      response: z.object({ data: z.string() }),
      access: { inventory: access },
    },
    async () => ({ data: "x".repeat(bytes) }),
  );
  const { statusCode, body = "" } = await lambdaFor(endpoint, known, async () => connect({}))(
    eventOf(),
    context,
  );
  return { statusCode, body };
}

describe("an answer that is larger than Lambda hands out", () => {
  test("is refused to who reads, with what to ask for", async () => {
    const { statusCode, body } = await answerOf(6_300_000, "read");

    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      response: { success: false, message: expect.stringContaining("per_page") },
    });
  });

  test("is not refused to who wrote, as what was done can't be taken back", async () => {
    expect((await answerOf(6_300_000, "write")).statusCode).toBe(200);
  });
});
