import * as z from "zod/mini";
import { parseId } from "../../../shared/common/fields.ts";
import { notFound } from "../../../shared/common/problem.ts";
import { defineRead, idOrName } from "../../../shared/http/lists/define-read.ts";
import {
  distributionCenter,
  distributionCenterWithId,
  registryReadAccess,
} from "../../../shared/registries/registry-repository.ts";

export const { endpoint, handler } = defineRead(
  {
    path: "/apirest/v4/oms/distribution_centers/{distribution_center_id}",
    summary: "Read one distribution center",
    request: z.object({ params: z.object({ distribution_center_id: idOrName }) }),
    record: distributionCenter,
    access: registryReadAccess("distributionCenters"),
  },
  async ({ params: { distribution_center_id: text } }, { db }) => {
    const id = parseId(text);
    const found = id === undefined ? undefined : await distributionCenterWithId(db, id);
    if (found !== undefined) return found;
    throw notFound(`There is no distribution center with distribution_center_id ${text}`);
  },
);
