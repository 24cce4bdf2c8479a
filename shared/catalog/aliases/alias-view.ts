import * as z from "zod/mini";
import { setOnce } from "../../common/fields.ts";
import { alias } from "./alias.ts";

/** An alias as clients see it. The distribution center is named by its code. */
export const aliasRecord = z.omit(alias, { account_id: true, distribution_center_id: true });

/** The calls that change the fields which a PATCH leaves alone. Others follow from what was sent. */
export const aliasReadOnly = { created_at: setOnce } as const;
