import { file, openFile } from "../../shared/http/pages/files.ts";
import { definePage } from "../../shared/http/pages/page.ts";

export const { page, handler } = definePage({
  summary: "The documentation of the OMS, the console, and what all pages load",
  document: "oms",
  parts: ["reference", "assets", "console"],
  routes: [
    {
      method: "GET",
      path: "/apirest/v4/oms/docs",
      answer: (event) => file(event, "index.html", "checked"),
    },
    { method: "GET", path: "/apirest/v4/oms/docs/{file}", answer: openFile },
    {
      method: "GET",
      path: "/apirest/v4/oms/console",
      answer: (event) => file(event, "_console.html", "checked"),
    },
    {
      method: "GET",
      path: "/apirest/v4/oms/openapi.json",
      answer: (event) => file(event, "openapi.json", "checked"),
    },
  ],
});
