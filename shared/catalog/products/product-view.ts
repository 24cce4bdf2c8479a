import * as z from "zod/mini";
import { setOnce } from "../../common/fields.ts";
import { product } from "./product.ts";

/** A product as clients see it: all fields but its account. */
export const productRecord = z.omit(product, { account_id: true });

/** The calls that change the fields which a PATCH leaves alone. Others follow from what was sent. */
export const productReadOnly = { product_id: setOnce, created_at: setOnce } as const;
