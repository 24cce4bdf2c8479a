import * as z from "zod/mini";
import { revokeSession } from "../../../shared/accounts/session-repository.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { defineMobileEndpoint } from "../../../shared/http/define-mobile.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { transact } from "../../../shared/store/dynamodb/transact.ts";

export const { endpoint, handler } = defineMobileEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-logout-1",
    auth: "mobile",
    summary: "End the session",
    request: z.object({}),
    response: dataOf(z.object({ status: primitive.text })),
    access: { identity: { "session#": "change" } },
  },
  async (_request, { db, session, now }) => {
    await transact(db, [revokeSession(session.session_id, now)]);
    return { data: { status: "success" } };
  },
);
