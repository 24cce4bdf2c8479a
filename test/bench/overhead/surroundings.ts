/** What functions run in: the deployment's tables and queues, reached as on AWS, over TLS. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { awsEnvironment } from "../../../infra/local/index.ts";
import { certificateFor } from "../../support/runtime/certificate.ts";
import type { Deployment } from "../scale/deployment.ts";

export interface Surroundings {
  /** The environment of every function. */
  readonly env: Record<string, string>;
  stop(): void;
}

/** Takes TLS connections for a server that takes plain ones. */
async function openTls(endpoint: string, certificate: { readonly key: string; readonly cert: string }) {
  const { hostname, port } = new URL(endpoint);
  const server = createServer(certificate, (socket) => {
    const plain = connect(Number(port), hostname).setNoDelay(true);
    socket.setNoDelay(true).pipe(plain).pipe(socket);
    socket.on("error", () => plain.destroy());
    plain.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return { server, url: `https://localhost:${isTcp(address) ? address.port : 0}` };
}

const isTcp = (address: AddressInfo | string | null): address is AddressInfo =>
  address !== null && typeof address === "object";

export async function surroundingsOf({ runtime }: Deployment): Promise<Surroundings> {
  const folder = mkdtempSync(join(tmpdir(), "overhead-"));
  const certificate = certificateFor("localhost");
  writeFileSync(join(folder, "cert.pem"), certificate.cert);
  const dynamodb = await openTls(runtime.dynamodb.endpoint, certificate);
  return {
    env: {
      ...runtime.dynamodb.tables,
      ...runtime.sqs.queues,
      NODE_EXTRA_CA_CERTS: join(folder, "cert.pem"),
      AWS_REGION: awsEnvironment.region,
      AWS_ACCESS_KEY_ID: runtime.dynamodb.accessKeyId,
      AWS_SECRET_ACCESS_KEY: "local",
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      AWS_ENDPOINT_URL_SQS: runtime.sqs.endpoint,
      AWS_LAMBDA_FUNCTION_NAME: "bench",
      AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    },
    stop: () => {
      dynamodb.server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
