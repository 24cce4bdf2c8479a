/** The pages as HTML: the reference of each document, and the form before the WMS's. */

import { escaped, messageMark } from "../../../shared/http/pages/forms.ts";
import type { DocumentName } from "../../../shared/lambda/contract.ts";
import { documents } from "../openapi/areas.ts";
import { htmlPage } from "./assets.ts";
import { configurationOf, viewerFiles } from "./viewer.ts";

/** The folder of the function that serves the files that all pages load. */
const shared = "/apirest/v4/oms/docs";

interface Place {
  readonly documentUrl: string;
  /** The credentials that the page asks for first, by their names in the document. */
  readonly credentials: readonly string[];
  /** Where the form to sign out is sent, if the page needs a sign-in. */
  readonly signOut?: string;
}

const account = ["AccountID", "Key"] as const;

const places: Readonly<Record<DocumentName, Place>> = {
  oms: { documentUrl: "/apirest/v4/oms/openapi.json", credentials: account },
  wms: {
    documentUrl: "/apirest/v4/wms/openapi.json",
    credentials: ["userName", "Key"],
    signOut: "/apirest/v4/wms/docs/sign-out",
  },
  v2: { documentUrl: "/apiv2/openapi.json", credentials: account },
  all: { documentUrl: "/apirest/v4/oms/internal/openapi.json", credentials: account },
};

const signOutForm = (action: string): string =>
  `<header class="bar"><form method="post" action="${action}"><button>Sign out</button></form></header>`;

/** The page of a document. */
export async function referencePage(name: DocumentName): Promise<string> {
  const { viewer, start, style } = await viewerFiles();
  const { documentUrl, credentials, signOut } = places[name];
  const configuration = escaped(JSON.stringify(configurationOf(documentUrl, credentials)));
  return htmlPage({
    title: documents[name].title,
    folder: shared,
    assets: [style, viewer, start],
    body: `<body${signOut === undefined ? "" : ' class="signed-in"'}>
${signOut === undefined ? "" : signOutForm(signOut)}
<noscript><p class="notice">This page needs JavaScript. <a href="${documentUrl}">The OpenAPI document</a> does not.</p></noscript>
<div id="reference" data-configuration="${configuration}"></div>
</body>`,
  });
}

/** The sign-in form of a page that only warehouse users may see. It is sent to the page's own address. */
export async function signInPage(name: DocumentName): Promise<string> {
  const { style } = await viewerFiles();
  return htmlPage({
    title: `Sign in: ${documents[name].title}`,
    folder: shared,
    assets: [style],
    body: `<body>
<main class="sign-in">
<h1>${escaped(documents[name].title)}</h1>
<p>The documentation is for warehouse users. Sign in with the name and password of the mobile application.</p>
${messageMark}
<form method="post">
<label>User name <input name="user_name" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="100" autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="255"></label>
<button>Sign in</button>
</form>
</main>
</body>`,
  });
}
