/** Sends any call of the OpenAPI document, and shows the answer, its request id, and the same for curl. */
import { useState } from "preact/hooks";
import { type Operation, type Parameter, readOperations } from "./document.ts";
import { newKey, useCall } from "./parts/calls.ts";
import { Field, onSubmit, Select, textsOf } from "./parts/forms.tsx";
import { go, useRoute } from "./parts/route.ts";
import { type Session, useSession } from "./parts/session.ts";
import { Answer, Copyable, Screen } from "./parts/ui.tsx";

export function Requests() {
  const id = useRoute().path[1] ?? "listOrders";
  const operations = useCall((_, signal) => readOperations(signal));
  return (
    <Screen title="Requests">
      <Answer of={operations}>
        {(all) => (
          <>
            <Select
              label="Call"
              name="call"
              value={id}
              options={all.map((one) => [one.operationId, `${one.method} ${one.path}: ${one.summary}`])}
              onPick={({ value }) => go(["requests", value])}
            />
            {all
              .filter(({ operationId }) => operationId === id)
              .map((operation) => (
                <Request key={id} operation={operation} />
              ))}
          </>
        )}
      </Answer>
    </Screen>
  );
}

/** A request as it is sent, with the credentials apart. */
interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The request that is entered. Fields are named by place and parameter: `query page`. */
function requestOf({ method, path, parameters }: Operation, texts: ReturnType<typeof textsOf>): Outgoing {
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
  const body = texts["body"] || null;
  return {
    method,
    url: `${location.origin}${filled}${query === "" ? "" : `?${query}`}`,
    headers: {
      ...Object.fromEntries(stated("header")),
      ...(body !== null && { "Content-Type": "application/json" }),
    },
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
    ...(body === null ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");

type Sent = Awaited<ReturnType<typeof send>>;

/** Sends a request once, as it is. */
async function send({ url, headers, ...init }: Outgoing, { accountId, key }: Session) {
  const began = performance.now();
  const credentials = { AccountID: String(accountId), Key: key };
  try {
    const response = await fetch(url, { ...init, headers: { ...headers, ...credentials } });
    const text = indented(await response.text());
    const requestId = response.headers.get("x-request-id");
    const milliseconds = Math.round(performance.now() - began);
    return { status: `${response.status} ${response.statusText}`, milliseconds, requestId, text };
  } catch {
    return { status: "No answer", milliseconds: 0, requestId: null, text: "" };
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
  const [sent, setSent] = useState<Sent & { readonly curl: string }>();
  const [isBusy, setBusy] = useState(false);
  // One key for all that is sent until an answer comes.
  const [key, setKey] = useState(newKey);
  const { method, parameters, requestBody } = operation;
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const outgoing = requestOf(operation, textsOf(form));
    setBusy(true);
    const answer = await send(outgoing, session);
    setSent({ ...answer, curl: curlOf(outgoing, session) });
    if (answer.requestId !== null) setKey(newKey);
    setBusy(false);
  };
  return (
    <>
      <form onSubmit={onSubmit(submit)}>
        <div class="filters">
          {parameters.map((parameter) => (
            <ParameterField key={parameter.in + parameter.name} of={parameter} idempotencyKey={key} />
          ))}
        </div>
        {requestBody !== undefined && (
          <label class="field">
            <span>Body</span>
            <textarea name="body" rows={12} spellcheck={false}>
              {JSON.stringify(requestBody.content["application/json"].example, undefined, 2)}
            </textarea>
          </label>
        )}
        {session.mayWrite || method === "GET" ? (
          <p class="buttons">
            <button type="submit" class="primary" disabled={isBusy}>
              Send
            </button>
          </p>
        ) : (
          <p class="faint">This key is read-only: it can send no {method}.</p>
        )}
      </form>
      {sent !== undefined && <Received {...sent} />}
    </>
  );
}

interface ParameterProps {
  readonly of: Parameter;
  readonly idempotencyKey: string;
}

function ParameterField({ of: { name, in: place, required = false }, idempotencyKey }: ParameterProps) {
  const field = { name: `${place} ${name}`, required };
  if (name === "dry_run")
    return (
      <label class="check">
        <input {...field} type="checkbox" value="true" defaultChecked /> <span>Dry run</span>
      </label>
    );
  return <Field {...field} label={name} value={name === "Idempotency-Key" ? idempotencyKey : ""} />;
}

const Received = ({ status, milliseconds, requestId, text, curl }: Sent & { readonly curl: string }) => (
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
