/**
 * A call in three languages, with the values of its example: curl, and the typed clients of `npm run client`.
 * The mobile application's calls have no client, so they are sent by `fetch` and by httpx.
 */
import { packageName } from "../client/typescript.ts";
import { columns, json, literal, python, type Style, typescript } from "./literals.ts";
import type { Call } from "./model.ts";

export const languages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;
export type Language = keyof typeof languages;

/** The variables of a shell that hold credentials, by their headers. */
const variables: Readonly<Record<string, string>> = {
  AccountID: "$ACCOUNT",
  Key: "$KEY",
  userName: "$USER_NAME",
  Authorization: "Bearer $JWT",
  Token: "$TOKEN",
  "User-Id": "$USER_ID",
  "Device-Id": "$DEVICE_ID",
  App: "picking",
  "App-Version": "1.0.0",
  "System-Version": "1",
};

/** The clients by the paths of their calls, and the setting that says in whose name each calls. */
const clients = [
  { prefix: "/apirest/v4/oms", name: "oms", caller: "accountId" },
  { prefix: "/apirest/v4/wms", name: "wms", caller: "userName" },
  { prefix: "/apiv2", name: "v2", caller: "accountId" },
] as const;

const clientOf = ({ path = "", credentials }: Call) =>
  credentials.includes("Device-Id") ? undefined : clients.find(({ prefix }) => path.startsWith(prefix));

/** The parameters of an example: the required ones. */
const exampleOf = ({ parameters }: Call, place: "path" | "query"): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    parameters.flatMap((one) =>
      one.in === place && one.required === true ? [[one.name, typed(one.example, one.schema.type)]] : [],
    ),
  );

/** An id in a path may be sent as a number, as answers show it. */
const typed = (example: unknown, type: string | readonly string[] | undefined): unknown =>
  /^[1-9]\d*$/.test(String(example)) && [type].flat().includes("integer") ? Number(example) : example;

const bodyOf = ({ requestBody }: Call): unknown => requestBody?.content["application/json"].example;

/** The path and query of the example. */
function addressOf(call: Call): string {
  const inPath = exampleOf(call, "path");
  const path = (call.path ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath[name])),
  );
  const query = Object.entries(exampleOf(call, "query")).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

function curlOf(call: Call): string {
  const body = bodyOf(call);
  const method = call.method === "GET" ? "" : `-X ${call.method} `;
  const lines = [
    `curl ${method}"$URL${addressOf(call)}"`,
    ...call.credentials.map((header) => `-H "${header}: ${variables[header]}"`),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${literal(body, json).replaceAll("'", "'\\''")}'`]),
  ];
  return lines.join(" \\\n  ");
}

/** A function call: its arguments on one line, or each on its own. */
function called(name: string, parts: readonly string[], { indent, lastComma }: Style): string {
  const inLine = `${name}(${parts.join(", ")})`;
  if (inLine.length <= columns && !inLine.includes("\n")) return inLine;
  return `${name}(\n${parts.map((part) => indent + part).join(",\n")}${lastComma}\n)`;
}

function typescriptOf(call: Call): string {
  const client = clientOf(call);
  const body = bodyOf(call);
  if (client === undefined) return fetchOf(call);
  const params = Object.fromEntries(
    (["path", "query"] as const)
      .map((place) => [place, exampleOf(call, place)] as const)
      .filter(([, values]) => Object.keys(values).length > 0),
  );
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
  };
  const path = JSON.stringify((call.path ?? "").slice(client.prefix.length));
  const start = `const answer = await ${client.name}.${call.method}(${path}`;
  const given =
    Object.keys(options).length === 0 ? "" : `, ${literal(options, typescript, "", start.length)}`;
  return [
    `import { ${client.name}Client }\n  from "${packageName}";`,
    "",
    `const ${client.name} = ${client.name}Client({ url, ${client.caller}, key });`,
    `${start}${given});`,
  ].join("\n");
}

function fetchOf(call: Call): string {
  const body = bodyOf(call);
  const headers = `{ ${call.credentials.map((header) => typescript.key(header)).join(", ")} }`;
  const sent = body === undefined ? "" : `\n  body: JSON.stringify(${literal(body, typescript, "  ", 24)}),`;
  return [
    `// headers: ${headers}`,
    `const response = await fetch(\`\${url}${addressOf(call)}\`, {`,
    `  method: "${call.method}",`,
    `  headers,${sent}`,
    "});",
    "const answer = await response.json();",
  ].join("\n");
}

/** The generator's names: `v2GetOrders` is `v_2_get_orders`, of the model `V2GetOrdersBody`. */
const snakeCase = (name: string): string =>
  name
    .split(/([A-Z]?[a-z]+)/)
    .flatMap((part) => part.split(/[\s_-]+/))
    .filter((part) => part !== "")
    .join("_")
    .toLowerCase();

const pythonModule = packageName.replaceAll("-", "_");

const imported = (from: string, name: string): string => {
  const inLine = `from ${pythonModule}.${from} import ${name}`;
  return inLine.length <= columns ? inLine : `from ${pythonModule}.${from} import (\n    ${name},\n)`;
};

function pythonOf(call: Call): string {
  const client = clientOf(call);
  const body = bodyOf(call);
  if (client === undefined) return httpxOf(call);
  const module = snakeCase(call.operationId);
  const model = `${call.operationId.charAt(0).toUpperCase()}${call.operationId.slice(1)}Body`;
  const made = (type: string, value: unknown, indent: string) =>
    `${type}.from_dict(${literal(value, python, indent, indent.length + type.length + 16)})`;
  const sent = Array.isArray(body)
    ? `[${body.map((element) => made(`${model}Item`, element, "    ")).join(", ")}]`
    : made(model, body, "    ");
  const parts = [
    ...Object.values(exampleOf(call, "path")).map((value) => JSON.stringify(value)),
    `client=${client.name}`,
    ...Object.entries(exampleOf(call, "query")).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
    ...(body === undefined ? [] : [`body=${sent}`]),
  ];
  return [
    imported(`api.${snakeCase(call.tags[0])}`, module),
    imported("connect", `${client.name}_client`),
    ...(body === undefined ? [] : [imported("models", Array.isArray(body) ? `${model}Item` : model)]),
    "",
    `${client.name} = ${client.name}_client(url, ${snakeCase(client.caller)}, key)`,
    `answer = ${called(`${module}.sync`, parts, python)}`,
  ].join("\n");
}

function httpxOf(call: Call): string {
  const body = bodyOf(call);
  const parts = [
    `f"{url}${addressOf(call)}"`,
    "headers=headers",
    ...(body === undefined ? [] : [`json=${literal(body, python, "    ", 9)}`]),
  ];
  return [
    "import httpx",
    "",
    `# headers: ${call.credentials.join(", ")}`,
    `answer = ${called("httpx.post", parts, python)}`,
  ].join("\n");
}

/** The samples of a call. Webhooks have none. */
export const samplesOf = (call: Call): Readonly<Record<Language, string>> => ({
  curl: curlOf(call),
  typescript: typescriptOf(call),
  python: pythonOf(call),
});
