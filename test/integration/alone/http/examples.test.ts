/** The calls that the documentation shows, made as they are shown on the data that a new service has. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoMasterKey } from "../../../../infra/demo/registry.ts";
import { at } from "../../../support/http/client.ts";
import { shownCalls } from "../../../support/http/examples.ts";
import { signIn } from "../../../support/http/mobile.ts";
import { type OwnService, startService } from "../../../support/runtime/own-service.ts";

let service: OwnService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.runtime.stop());

/** Comes after the calls that the document shows later: goods are picked before they are checked. */
const last = "mobileCheckShippings";

/** Sign in, which takes a code that no document can know. */
const signIns: ReadonlySet<string> = new Set(["mobileLogin", "mobileVerifyCode"]);

test("every call with a body does as it is shown, one after another", async () => {
  const mobile = await signIn(service, "manager");
  const clientOf = (route: string) => {
    if (route.startsWith("/apiv2/mobile-v1/")) return service.with(mobile.headers);
    if (route.startsWith("/apirest/v4/wms/"))
      return service.with({ userName: "manager", Key: demoMasterKey });
    return service.with(service.credentials);
  };
  const calls = shownCalls().filter(({ operationId }) => !signIns.has(operationId));
  const ordered = [
    ...calls.filter(({ operationId }) => operationId !== last),
    ...calls.filter(({ operationId }) => operationId === last),
  ];
  const answers = new Map<string, unknown>();

  for (const { operationId, method, route, path, body } of ordered) {
    const json = { "content-type": "application/json" };
    const answer = await clientOf(route).send(method, path, JSON.stringify(body), json);
    answers.set(operationId, answer.status === 200 ? at(answer.body, "warnings") : answer.body);
    // A shipment is reverted by a job, and then claimed anew.
    if (route.startsWith("/apirest/v4/wms/")) await service.settled();
  }

  expect(answers).toEqual(new Map(ordered.map(({ operationId }) => [operationId, undefined])));
});
