/** Sends any call of the OpenAPI document, and shows the answer, its request id, and the same for curl. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Operation, type Parameter, readOperations } from "./document.ts";
import { Field, onSubmit, Select, textsOf } from "./parts/forms.tsx";
import { go, useRoute } from "./parts/route.ts";
import { type Session, useSession } from "./parts/session.ts";
import { Answer, Copyable, useTitle } from "./parts/ui.tsx";
import { useCall } from "./parts/use-call.ts";

export function Requests() {
  useTitle("Requests");
  const { path } = useRoute();
  const operations = useCall(readOperations, []);
  const id = path[1] ?? "listOrders";
  return (
    <>
      <h1>Requests</h1>
      <Answer of={operations}>
        {(all) => {
          const chosen = all.find((operation) => operation.id === id);
          return (
            <>
              <Select
                label="Call"
                name="call"
                value={id}
                options={all.map(({ id, method, path, summary }) => [id, `${method} ${path}: ${summary}`])}
                onPick={({ value }) => go(["requests", value])}
              />
              {chosen !== undefined && <Request key={id} operation={chosen} />}
            </>
          );
        }}
      </Answer>
    </>
  );
}

type Texts = ReturnType<typeof textsOf>;

/** A request as it is sent, with the credentials apart. */
interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The request that is entered. Fields are named by place and parameter: `query page`. */
function requestOf({ method, path, parameters }: Operation, texts: Texts): Outgoing {
  const stated = (place: Parameter["in"]) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name }) => [name, texts[`${place} ${name}`] ?? ""])
      .filter(([, text]) => text !== "");
  const filled = stated("path").reduce(
    (url, [name, text = ""]) => url.replace(`{${name}}`, encodeURIComponent(text)),
    path,
  );
  const query = new URLSearchParams(stated("query")).toString();
  const body = texts["body"] || undefined;
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  return {
    method,
    url: `${location.origin}${filled}${query === "" ? "" : `?${query}`}`,
    headers: { ...Object.fromEntries(stated("header")), ...type },
    body,
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The key is a variable of the shell, so that the command can be shown and shared. */
const curlOf = ({ method, url, headers, body }: Outgoing, { accountId }: Session): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    `-H 'AccountID: ${accountId}'`,
    `-H "Key: $KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");

interface Sent {
  readonly status: string;
  readonly milliseconds: number;
  readonly requestId: string | null;
  readonly text: string;
  readonly curl: string;
}

async function send(outgoing: Outgoing, session: Session): Promise<Sent> {
  const { method, url, headers, body } = outgoing;
  const began = performance.now();
  const credentials = { AccountID: String(session.accountId), Key: session.key };
  const init = { method, headers: { ...headers, ...credentials }, ...(body === undefined ? {} : { body }) };
  const curl = curlOf(outgoing, session);
  try {
    const response = await fetch(url, init);
    const text = indented(await response.text());
    const milliseconds = Math.round(performance.now() - began);
    const requestId = response.headers.get("x-request-id");
    return { status: `${response.status} ${response.statusText}`, milliseconds, requestId, text, curl };
  } catch {
    return { status: "No answer", milliseconds: 0, requestId: null, text: "", curl };
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function Request({ operation }: { readonly operation: Operation }) {
  const session = useSession();
  const [sent, setSent] = useState<Sent | "busy">();
  const mayBeSent = session.mayWrite || operation.method === "GET";
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setSent("busy");
    setSent(await send(requestOf(operation, textsOf(form)), session));
  };
  return (
    <>
      <form onSubmit={onSubmit(submit)}>
        <div class="filters">
          {operation.parameters.map((parameter) => (
            <ParameterField key={`${parameter.in} ${parameter.name}`} of={parameter} />
          ))}
        </div>
        {operation.example !== undefined && (
          <label class="field">
            <span>Body</span>
            <textarea name="body" rows={12} spellcheck={false}>
              {JSON.stringify(operation.example, undefined, 2)}
            </textarea>
          </label>
        )}
        {mayBeSent ? (
          <p class="buttons">
            <button type="submit" class="primary" disabled={sent === "busy"}>
              Send
            </button>
          </p>
        ) : (
          <p class="faint">This key is read-only: it can send no {operation.method}.</p>
        )}
      </form>
      {sent !== undefined && sent !== "busy" && <Received {...sent} />}
    </>
  );
}

function ParameterField({ of: { name, in: place, isRequired, isDryRun } }: { readonly of: Parameter }) {
  if (isDryRun)
    return (
      <label class="check">
        <input type="checkbox" name={`${place} ${name}`} value="true" checked /> <span>Dry run</span>
      </label>
    );
  return <Field label={name} name={`${place} ${name}`} required={isRequired} />;
}

const Received = ({ status, milliseconds, requestId, text, curl }: Sent): ComponentChildren => (
  <>
    <div role="status">
      <h2>
        {status} <span class="faint">in {milliseconds} ms</span>
      </h2>
      Request <code>{requestId ?? "unknown"}</code>
    </div>
    {text !== "" && <Copyable label="Answer" text={text} />}
    <Copyable label="The same call by curl, with the key in the variable KEY" text={curl} />
  </>
);
