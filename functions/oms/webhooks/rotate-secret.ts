import * as z from "zod/mini";
import { invalid } from "../../../shared/common/problem.ts";
import { nextVersion } from "../../../shared/common/versioned.ts";
import { defineEndpoint } from "../../../shared/http/define-endpoint.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { untilFresh } from "../../../shared/store/dynamodb/transact.ts";
import { storeOnce } from "../../../shared/store/idempotency.ts";
import { insertSecret, removeSecret } from "../../../shared/webhooks/secret-repository.ts";
import { newSecret } from "../../../shared/webhooks/signature.ts";
import { maxSecrets, rotateSecrets } from "../../../shared/webhooks/webhook.ts";
import { saveWebhook } from "../../../shared/webhooks/webhook-repository.ts";
import { getWebhook } from "../../../shared/webhooks/webhook-requests.ts";
import { presentWebhook, webhookPath, webhookWithSecret } from "../../../shared/webhooks/webhook-view.ts";

const response = dataOf(webhookWithSecret);

export const { endpoint, handler } = defineEndpoint(
  {
    method: "POST",
    path: "/apirest/v4/oms/webhooks/{webhook_id}/rotate",
    auth: "oms",
    summary: "Give a webhook a new secret; for 24 hours the old one signs as well",
    request: z.object({ params: webhookPath }),
    response,
    access: { webhooks: ["read", "change"], secrets: ["insert", "remove"] },
  },
  async ({ params }, context) => {
    const secret = newSecret();
    return untilFresh(context.db, async () => {
      const { webhook: before, progress } = await getWebhook(context, params.webhook_id);
      const { webhook_id } = before;
      const secrets = rotateSecrets(before.secrets, context.now);
      if (secrets === undefined)
        throw invalid(
          `The webhook has had ${maxSecrets} secrets within a day; try again once the oldest has expired`,
        );
      const over = before.secrets.filter(({ version }) => !secrets.some((one) => one.version === version));
      const changed = { secrets: [...secrets] };
      const shown = presentWebhook({ webhook: nextVersion(before, changed, context.now), progress });
      return storeOnce<z.input<typeof response>>(
        context,
        [
          saveWebhook(before, changed, context.now),
          insertSecret(webhook_id, secrets[0].version, secret),
          ...over.map(({ version }) => removeSecret(webhook_id, version)),
        ],
        { data: { ...shown, secret } },
        { data: { ...shown, secret: null } },
      );
    });
  },
);
