/** Makes the Lambda entry point of each endpoint, whose file exports its contract alone. */
import type { Plugin } from "esbuild";
import { functions } from "../../functions/index.ts";
import type { Area } from "../../shared/lambda/contract.ts";

/** The entry point in place of the endpoint's file, which it imports. */
const entryOf = (path: string, area: Area): string => {
  const [name, file] = area === "mobile" ? ["mobileLambda", "mobile-lambda"] : ["lambda", "lambda"];
  return `import { endpoint } from "${path}";
import { ${name} } from "./shared/http/${file}.ts";
export const handler = ${name}(endpoint);
`;
};

export const endpointHandlers: Plugin = {
  name: "endpoint-handlers",
  setup: ({ onResolve, onLoad, initialOptions: { absWorkingDir: resolveDir = "" } }) => {
    onResolve({ filter: /^\.\/functions\// }, ({ path, kind }) => {
      const contract = functions[path.replace(/^\.\/functions\/(.*)\.ts$/, "$1")];
      if (kind !== "entry-point" || contract?.type !== "endpoint") return undefined;
      return { path, namespace: "endpoint", pluginData: entryOf(path, contract.auth) };
    });
    onLoad({ filter: /.*/, namespace: "endpoint" }, ({ pluginData }) => ({
      contents: String(pluginData),
      resolveDir,
    }));
  },
};
