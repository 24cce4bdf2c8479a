/** A Postman collection of all calls, generated from the OpenAPI document, with the demo's credentials. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { documentOf } from "../openapi/document.ts";
import type { Operation } from "../openapi/operation.ts";
import { headerOf } from "../openapi/security.ts";
import { callsIn } from "../pages/model.ts";
import { packageName } from "./typescript.ts";

/** The collection's variables. The last ones are set by the answers to a mobile sign-in and to a new hold. */
const variables = {
  base_url: "http://127.0.0.1:3000",
  account_id: "100",
  key: "demo-oms-key-100",
  user_name: "manager",
  master_key: "demo-master-key",
  device_id: "postman",
  app: "picking",
  app_version: "1.0.0",
  system_version: "1",
  code: "",
  login_id: "",
  jwt: "",
  token: "",
  user_id: "",
  hold_id: "",
};

/** The variable with a scheme's value: its name in snake case, except for these. */
const otherVariables: Readonly<Record<string, keyof typeof variables>> = {
  Authorization: "key",
  Session: "jwt",
};
const variableOf = (scheme: string): string =>
  otherVariables[scheme] ?? scheme.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase();

/** Bodies with values of earlier answers. */
const bodies: Readonly<Record<string, object>> = {
  mobileVerifyCode: { login_id: "{{login_id}}", code: "{{code}}" },
};

/** Stores the fields of an answer's first record in variables. */
const keeping = {
  listen: "test",
  script: {
    type: "text/javascript",
    exec: [
      "const [record = {}] = [pm.response.json().data ?? []].flat();",
      "for (const [name, value] of Object.entries(record))",
      "  pm.collectionVariables.set(name, value);",
    ],
  },
};
const kept: ReadonlySet<string> = new Set(["mobileLogin", "mobileVerifyCode", "createHolds"]);

/** The collection can be run from its first to its last request: requests that remove something come last. */
const isLast = (method: string, { operationId }: Operation): number => {
  if (method === "DELETE" || operationId === "mobileLogout") return 2;
  return operationId === "mobileCheckShippings" ? 1 : 0;
};

/** The headers of a call's credentials. A session's token is sent as a bearer token. */
const credentialsOf = ({ security: [required = {}] }: Operation) =>
  Object.keys(required).map((scheme) => {
    const variable = scheme === "Key" && "userName" in required ? "master_key" : variableOf(scheme);
    return { key: headerOf(scheme), value: `${scheme === "Session" ? "Bearer " : ""}{{${variable}}}` };
  });

function requestOf(path: string, method: string, operation: Operation) {
  const { parameters, description, requestBody } = operation;
  const stated = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, example = "", description, required = false }) => ({
        key: name,
        value: place === "path" && name in variables ? `{{${name}}}` : String(example),
        description,
        ...(!required && { disabled: true }),
      }));
  const steps = path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1");
  const body = bodies[operation.operationId] ?? requestBody?.content["application/json"].example;
  return {
    method,
    description,
    header: [...credentialsOf(operation), ...stated("header")],
    url: {
      raw: `{{base_url}}/${steps}`,
      host: ["{{base_url}}"],
      path: steps.split("/"),
      variable: stated("path"),
      query: stated("query"),
    },
    ...(body !== undefined && {
      body: {
        mode: "raw",
        raw: JSON.stringify(body, undefined, 2),
        options: { raw: { language: "json" } },
      },
    }),
  };
}

/** The collection, with a folder for each tag of the document. */
export function postmanCollection() {
  const document = documentOf("all", { hasDryRuns: false });
  const calls = callsIn(document.paths).toSorted(
    (left, right) => isLast(left.method, left.operation) - isLast(right.method, right.operation),
  );
  const folders = Map.groupBy(calls, ({ operation }) => operation.tags[0]);
  const { title, description } = document.info;
  return {
    info: {
      name: title,
      description,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: [...folders].map(([name, members]) => ({
      name,
      item: members.map(({ path, method, operation }) => ({
        name: operation.summary,
        ...(kept.has(operation.operationId) && { event: [keeping] }),
        request: requestOf(path, method, operation),
      })),
    })),
  };
}

/**
 * Writes the collection into a folder.
 * @returns the path of its file
 */
export function writePostman(folder: string): string {
  const file = join(resolve(folder), `${packageName}.postman_collection.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(postmanCollection(), undefined, 2));
  return file;
}
