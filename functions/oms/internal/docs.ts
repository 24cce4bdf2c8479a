import type { HttpEvent } from "../../../shared/http/http-handler.ts";
import { file, namedPage } from "../../../shared/http/pages/files.ts";
import { requireInternal } from "../../../shared/http/pages/networks.ts";
import { definePage } from "../../../shared/http/pages/page.ts";
import type { HttpResponse } from "../../../shared/http/responses.ts";

/** An answer for callers in internal networks only. */
const internal = (answer: (event: HttpEvent) => Promise<HttpResponse>) => async (event: HttpEvent) => {
  requireInternal(event);
  return answer(event);
};

export const { page, handler } = definePage({
  summary: "The documentation of all areas, for internal networks",
  document: "all",
  parts: ["reference"],
  networks: true,
  routes: [
    {
      method: "GET",
      path: "/apirest/v4/oms/internal/docs",
      answer: internal((event) => file(event, "index.html", "unsaved")),
    },
    {
      method: "GET",
      path: "/apirest/v4/oms/internal/docs/{file}",
      answer: internal((event) => namedPage(event, "unsaved")),
    },
    {
      method: "GET",
      path: "/apirest/v4/oms/internal/openapi.json",
      answer: internal((event) => file(event, "openapi.json", "unsaved")),
    },
  ],
});
