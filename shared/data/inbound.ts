/** Where replenishments and returns are kept. */
import { replenishment } from "../domain/inbound/replenishment.ts";
import { orderReturn } from "../domain/inbound/return.ts";
import { replenishmentList, returnList } from "../store/lists/definitions.ts";
import { repositoryOf } from "../store/lists/repository.ts";

export const replenishments = repositoryOf(replenishmentList, replenishment, {
  idOf: ({ replenishment_id }) => replenishment_id,
});

export const returns = repositoryOf(returnList, orderReturn, { idOf: ({ return_id }) => return_id });
