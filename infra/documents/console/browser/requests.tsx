/** Sends any call of the OpenAPI document, and shows the answer, its request id, and the same for curl. */
import { ServiceError } from "order-inventory-warehouse-client";
import { useState } from "preact/hooks";
import * as z from "zod/mini";
import { Field, onSubmit, type Texts, textsOf } from "./parts/forms.tsx";
import { go } from "./parts/route.ts";
import { apiPath, type Credentials, newKey, useAction, useCall, useSigned } from "./parts/service.ts";
import { Answer, Button, Code, Failure, type Of, Screen } from "./parts/ui.tsx";

const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.optional(z.boolean()),
});
const content = z.object({ "application/json": z.object({ example: z.unknown() }) });
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  parameters: z.array(parameter),
  requestBody: z.optional(z.object({ content })),
});
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

type Operation = Awaited<ReturnType<typeof readOperations>>[number];

/** Reads the document that the service serves: of each call, what a form needs. */
async function readOperations(signal: AbortSignal) {
  const answer = await fetch(`${apiPath}/openapi.json`, { signal });
  if (!answer.ok) throw new ServiceError({ message: "The document can't be read", status: answer.status });
  const { paths } = z.parse(document, await answer.json());
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ ...call, path, method: method.toUpperCase() })),
  );
}

export function Requests() {
  const id = useSigned().route.path[1] ?? "listOrders";
  const operations = useCall((_, signal) => readOperations(signal));
  const optionOf = ({ operationId, method, path, summary }: Operation) =>
    [operationId, `${method} ${path}: ${summary}`] as const;
  const pick = onSubmit((form) => go(["requests", textsOf(form)["call"] ?? ""]));
  return (
    <Screen title="Requests">
      <Answer of={operations}>
        {(all) => (
          <>
            <form onChange={pick}>
              <Field label="Call" name="call" value={id} options={all.map(optionOf)} />
            </form>
            {all.map((one) => one.operationId === id && <RequestForm key={id} of={one} />)}
          </>
        )}
      </Answer>
    </Screen>
  );
}

/** The entered request. Fields are named by place and parameter: `query page`. */
function requestOf({ method, path, parameters }: Operation, texts: Texts, { accountId, key }: Credentials) {
  const url = new URL(location.origin + path);
  const headers = new Headers({ AccountID: String(accountId), Key: key, "Content-Type": "application/json" });
  for (const { in: place, name } of parameters) {
    const text = texts[`${place} ${name}`] ?? "";
    if (text === "") continue;
    if (place === "header") headers.set(name, text);
    else if (place === "query") url.searchParams.set(name, text);
    else if (/[/?]/.test(text)) {
      const message = `${name} can't hold / or ? in a path; use a filter of the list to find the record`;
      throw new ServiceError({ message, status: 400 });
    } else url.pathname = url.pathname.replace(encodeURI(`{${name}}`), () => encodeURIComponent(text));
  }
  return { url: url.href, method, headers, body: texts["body"] || null };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The key is a shell variable, so that the command can be shown and shared. */
function curlOf({ method, url, headers, body }: ReturnType<typeof requestOf>): string {
  const stated = [...headers].map(([name, value]) =>
    name === "key" ? '-H "Key: $KEY"' : `-H ${quoted(`${name}: ${value}`)}`,
  );
  const sent = body === null ? [] : [`-d ${quoted(body)}`];
  return [`curl -X ${method} ${quoted(url)}`, ...stated, ...sent].join(" \\\n  ");
}

/** Sends a request once, as it is. @returns what is shown of the answer */
async function send({ url, ...init }: ReturnType<typeof requestOf>) {
  const began = performance.now();
  const answer = await fetch(url, init);
  const isJson = answer.headers.get("content-type")?.includes("json");
  const text = isJson ? JSON.stringify(await answer.json(), undefined, 2) : await answer.text();
  const title = `${answer.status} ${answer.statusText} in ${Math.round(performance.now() - began)} ms`;
  return { title, text, request: `Request ${answer.headers.get("x-request-id") ?? "unknown"}` };
}

function RequestForm({ of: operation }: Of<Operation>) {
  const signed = useSigned();
  const { isBusy, failure, run } = useAction();
  const [curl, setCurl] = useState("");
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof send>>>();
  // One key for all attempts until an answer comes.
  const [key, setKey] = useState(newKey);
  const { method, parameters, requestBody } = operation;
  const maySend = signed.mayWrite || method === "GET";
  const example = JSON.stringify(requestBody?.content["application/json"].example, undefined, 2);
  const submit = onSubmit((form) =>
    run(async () => {
      setAnswer(undefined);
      const request = requestOf(operation, textsOf(form), signed);
      setCurl(curlOf(request));
      setAnswer(await send(request));
      setKey(newKey);
    }),
  );
  const fields = parameters.map(({ in: place, name, required = false }) => {
    const field = { key: `${place} ${name}`, name: `${place} ${name}`, label: name, required };
    if (name === "dry_run")
      return <Field {...field} label="Dry run" type="checkbox" value="true" defaultChecked />;
    return <Field {...field} value={name === "Idempotency-Key" ? key : ""} />;
  });
  return (
    <>
      <form onSubmit={submit}>
        <div class="filters">{fields}</div>
        {requestBody && (
          <label class="field">
            <span>Body</span>
            <textarea name="body" rows={12} spellcheck={false} defaultValue={example} />
          </label>
        )}
        {maySend && <Button of="Send" type="submit" class="primary" aria-disabled={isBusy} />}
        {!maySend && `This key is read-only: it can send no ${method}.`}
      </form>
      <div role="status">
        <Failure of={failure} />
        {answer && [<h2 key="title">{answer.title}</h2>, <p key="request">{answer.request}</p>]}
      </div>
      {answer && <Code label="Answer" of={answer.text} />}
      {curl !== "" && <Code label="The same call by curl, with the key in the variable KEY" of={curl} />}
    </>
  );
}
