/**
 * The files of the console: a page that its program fills, with the program and its style. The page's name
 * begins with `_`, so it is not served among the pages of the documentation.
 */
import { asset, type File, htmlPage, textFile } from "../pages/assets.ts";
import { shared } from "../pages/places.ts";

export async function consoleFiles(): Promise<readonly File[]> {
  const assets = await Promise.all([
    asset("console.css", "infra/documents/console/browser/console.css"),
    asset("console.js", "infra/documents/console/browser/main.tsx"),
  ]);
  const body = `<body>
<noscript><p>The console needs JavaScript. <a href="${shared}">The API</a> does not.</p></noscript>
<div id="console"></div>
</body>`;
  return [textFile("_console.html", htmlPage({ title: "Console", folder: shared, assets, body })), ...assets];
}
