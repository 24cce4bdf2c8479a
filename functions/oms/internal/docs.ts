import type { HttpEvent } from "../../../shared/http/gateway.ts";
import { file } from "../../../shared/http/pages/files.ts";
import { requireInternal } from "../../../shared/http/pages/networks.ts";
import { definePage, pageLambda } from "../../../shared/http/pages/page.ts";

const internal = (name: string) => async (event: HttpEvent) => {
  requireInternal(event);
  return file(event, name, "unsaved");
};

export const page = definePage({
  summary: "The documentation of all areas, for internal networks",
  document: "all",
  parts: ["reference"],
  networks: true,
  routes: [
    { method: "GET", path: "/apirest/v4/oms/internal/docs", answer: internal("reference.html") },
    { method: "GET", path: "/apirest/v4/oms/internal/openapi.json", answer: internal("openapi.json") },
  ],
});

export const handler = pageLambda(page);
