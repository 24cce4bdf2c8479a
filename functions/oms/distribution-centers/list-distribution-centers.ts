import { defineWholeList } from "../../../shared/http/lists/define-read.ts";
import {
  distributionCenter,
  distributionCenters,
  registryReadAccess,
} from "../../../shared/registries/registry-repository.ts";

/** Distribution centers belong to the warehouse, so every account sees all of them. */
export const { endpoint, handler } = defineWholeList(
  {
    path: "/apirest/v4/oms/distribution_centers",
    summary: "List distribution centers",
    record: distributionCenter,
    access: registryReadAccess("distributionCenters"),
  },
  ({ db }) => distributionCenters(db),
);
