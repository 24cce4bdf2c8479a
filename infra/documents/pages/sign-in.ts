/** The form before the pages that only warehouse users may see. */
import { escapeHtml, messageMark } from "../../../shared/http/pages/forms.ts";
import type { DocumentName } from "../../../shared/runtime/contract.ts";
import { documents } from "../openapi/areas.ts";
import { htmlPage } from "./assets.ts";
import { placeOf, shared, sharedAssets } from "./places.ts";

/** The form of a document's pages. It is sent to the first of them. */
export async function signInPage(name: DocumentName): Promise<string> {
  const { title } = documents[name];
  return htmlPage({
    title: `Sign in: ${title}`,
    folder: shared,
    assets: (await sharedAssets()).filter((one) => one.name.endsWith(".css")),
    body: `<body>
<main class="sign-in">
<h1>${escapeHtml(title)}</h1>
<p>The documentation is for warehouse users. Sign in with the name and password of the mobile application.</p>
${messageMark}
<form method="post" action="${placeOf(name).base}">
<label><span>User name</span><input name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100" autofocus></label>
<label><span>Password</span><input name="password" type="password" autocomplete="current-password" required maxlength="255"></label>
<button class="primary">Sign in</button>
</form>
</main>
</body>`,
  });
}
