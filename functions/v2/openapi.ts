import { file } from "../../shared/http/pages/files.ts";
import { definePage } from "../../shared/http/pages/page.ts";

export const { page, handler } = definePage({
  summary: "The OpenAPI document of v2, mobile picking and Pro put-away",
  document: "v2",
  parts: [],
  routes: [
    {
      method: "GET",
      path: "/apiv2/openapi.json",
      answer: (event) => file(event, "openapi.json", "checked"),
    },
  ],
});
