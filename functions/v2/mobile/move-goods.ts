import * as z from "zod/mini";
import { name, optionalId, optionalName, quantity } from "../../../shared/common/fields.ts";
import * as primitive from "../../../shared/common/primitives.ts";
import { defineMobileEndpoint } from "../../../shared/http/define-mobile.ts";
import { dataOf } from "../../../shared/http/responses.ts";
import { registryReadAccess } from "../../../shared/registries/registry-repository.ts";
import { layer } from "../../../shared/stock/bins/goods.ts";
import { type MovedGoods, moveGoods } from "../../../shared/stock/bins/move-goods.ts";

const binInput = z.object({ location: name, bin: name });
const binRecord = z.extend(binInput, { bin_id: primitive.int });

const response = dataOf(
  z.object({
    product_id: primitive.int,
    account_id: primitive.int,
    sku: primitive.text,
    quantity: primitive.int,
    from: binRecord,
    to: binRecord,
    lots: z.array(layer),
  }),
);

const presentMove = ({ product: { account_id, product_id, sku }, layers, ...moved }: MovedGoods) => ({
  data: { ...moved, account_id, product_id, sku, lots: [...layers] },
});

export const { endpoint, handler } = defineMobileEndpoint(
  {
    method: "POST",
    path: "/apiv2/mobile-v1/pp-move-1",
    auth: "mobile",
    summary: "Move goods from one bin to another",
    request: z.object({
      body: z.object({
        product_id: optionalId,
        sku: optionalName,
        account_id: optionalId,
        quantity,
        from: binInput,
        to: binInput,
      }),
    }),
    response,
    bodyNamesRecord: true,
    access: { inventory: "write-records", ...registryReadAccess("bins", "allBins") },
  },
  ({ body: { quantity, from, to, ...product } }, context) =>
    moveGoods(context, product, { quantity, from, to }, presentMove),
);
