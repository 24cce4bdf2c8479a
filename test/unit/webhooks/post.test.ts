import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener, type Server } from "node:http";
import https from "node:https";
import { createServer as createTcpServer } from "node:net";
import tls from "node:tls";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type PostOptions, post } from "../../../shared/webhooks/sending/post.ts";
import { certificateFor } from "../../support/runtime/certificate.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function portOf(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.close();
    if (server instanceof http.Server) server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return address.port;
}

async function receiver(answer: RequestListener) {
  const requests: { readonly request: IncomingMessage; readonly body: string }[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    requests.push({ request, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  const port = await portOf(server);
  return { port, url: `http://127.0.0.1:${port}/hooks?a=b`, requests };
}

const sent = { headers: { "webhook-id": "evt_1" }, body: '{"name":"Łukasz"}' };
const here: PostOptions = { loopback: true, limit: 2_000 };
const leadingTo = (...addresses: readonly string[]) => ({ resolve: async () => addresses });

describe("a post", () => {
  test("carries body and headers, and tells the status and the body of the answer", async () => {
    const { url, port, requests } = await receiver((_request, response) => response.end("thanks"));

    const posted = await post(url, sent, here);

    expect(posted).toEqual({ status: 200, body: "thanks", error: null });
    expect(requests.map(({ body }) => body)).toEqual([sent.body]);
    expect(requests[0]?.request).toMatchObject({
      method: "POST",
      url: "/hooks?a=b",
      headers: { host: `127.0.0.1:${port}`, "webhook-id": "evt_1", "content-length": "18" },
    });
  });

  test("follows no redirect", async () => {
    const target = await receiver((_request, response) => response.end());
    const { url } = await receiver((_request, response) =>
      response.writeHead(307, { location: target.url }).end("there"),
    );

    const posted = await post(url, sent, here);

    expect(posted).toEqual({ status: 307, body: "there", error: null });
    expect(target.requests).toEqual([]);
  });

  test("reads the first KB of an answer's body, and ends an answer that never ends", async () => {
    let ended = false;
    const { url } = await receiver((_request, response) => {
      response.on("close", () => {
        ended = true;
      });
      const more = () => void (response.destroyed || response.write("x".repeat(10_000), more));
      more();
    });

    const posted = await post(url, sent, here);

    expect(posted).toEqual({ status: 200, body: "x".repeat(1024), error: null });
    await expect.poll(() => ended).toBe(true);
  });

  test("counts the status of an answer whose body hangs", async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(204);
      response.flushHeaders();
    });

    expect(await post(url, sent, here)).toMatchObject({ status: 204, error: null });
  });

  test("gives up a receiver that does not answer in time, and one that answers by drops", async () => {
    const silent = await receiver(() => undefined);
    const dripping = await portOf(
      createTcpServer((socket) => {
        const timer = setInterval(() => socket.write("H"), 20);
        socket.on("error", () => undefined);
        socket.on("close", () => clearInterval(timer));
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      }),
    );
    const error = "no answer within 0.2 s";

    const posted = await Promise.all([
      post(silent.url, sent, { ...here, limit: 200 }),
      post(`http://127.0.0.1:${dripping}/`, sent, { ...here, limit: 200 }),
    ]);

    expect(posted).toEqual([
      { status: null, body: null, error },
      { status: null, body: null, error },
    ]);
  });

  test("gives up a receiver after 10 s unless it is told otherwise", async () => {
    const silent = await receiver(() => undefined);
    const { timeout } = AbortSignal;
    const spied = vi.spyOn(AbortSignal, "timeout").mockImplementation((limit) => timeout(limit / 100));
    onTestFinished(() => spied.mockRestore());

    expect(await post(silent.url, sent, { loopback: true })).toMatchObject({
      error: "no answer within 10 s",
    });
    expect(spied.mock.calls).toEqual([[10_000]]);
  });

  test("gives up a name whose servers do not answer in time", async () => {
    const silent: PostOptions = { loopback: false, limit: 100, resolve: () => new Promise(() => undefined) };

    expect((await post("https://silent.example/", sent, silent)).error).toBe("no answer within 0.1 s");
  });

  test("says what is wrong without a word of the receiver's", async () => {
    const ending = await portOf(createTcpServer((socket) => socket.destroy()));
    const speaking = await portOf(createTcpServer((socket) => socket.end("SSH-2.0-secret\r\n")));
    const closed = await receiver(() => undefined);
    closing.pop()?.();

    const posted = await Promise.all(
      [closed.port, ending, speaking].map((port) => post(`http://127.0.0.1:${port}/`, sent, here)),
    );

    expect(posted.map(({ error }) => error)).toEqual([
      "the connection was refused",
      "the receiver ended the connection without an answer",
      expect.stringMatching(/^the connection failed \(HPE_\w+\)$/),
    ]);
  });

  test("takes no other protocol in the place of an answer", async () => {
    const port = await portOf(
      createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: tea\r\n\r\n");
      }),
    );

    const posted = await post(`http://127.0.0.1:${port}/`, sent, here);

    expect(posted.error).toBe("the receiver answered with another protocol");
  });

  test("uses no proxy that the environment names", async () => {
    const proxy = await receiver((_request, response) => response.end("proxy"));
    const { url } = await receiver((_request, response) => response.end("receiver"));
    const before = http.globalAgent;
    // What Node does where it is told to heed these variables.
    http.globalAgent = new http.Agent({ proxyEnv: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` } });
    try {
      const [response]: IncomingMessage[] = await once(http.get(url), "response");
      expect((await response?.toArray())?.join("")).toBe("proxy");
      expect((await post(url, sent, here)).body).toBe("receiver");
    } finally {
      http.globalAgent = before;
    }
  });
});

describe("a receiver that the internet does not reach", () => {
  const refused = "the host has an address that the internet does not reach";

  test.each([
    ["a private address", ["10.0.0.1"]],
    ["a public address and a private one", ["8.8.8.8", "192.168.0.1"]],
    ["a public address and loopback in IPv6", ["8.8.8.8", "::1"]],
    ["metadata", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:10.0.0.1"]],
    ["something that is no address", ["localhost"]],
  ])("is not connected to: its name has %s", async (_what, addresses) => {
    const posted = await post("https://example.com/", sent, { loopback: false, ...leadingTo(...addresses) });

    expect(posted).toEqual({ status: null, body: null, error: refused });
  });

  test.each(["https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/", "http://127.0.0.1:80/"])(
    "is not connected to if its address is literal, however the URL got here: %s",
    async (url) => {
      expect((await post(url, sent, { loopback: false })).error).toBe(refused);
    },
  );

  test("is not connected to by this machine's name, which no name server knows", async () => {
    const posted = await post("https://localhost/", sent, { loopback: false, ...leadingTo() });

    expect(posted.error).toBe("the host's name has no address");
  });
});

describe("the connection goes to the address that was checked", () => {
  test("with the host's name in the headers, and the name is looked up once", async () => {
    const { port, requests } = await receiver((_request, response) => response.end());
    const names: string[] = [];
    // What a name that is bound anew would lead to at a second look.
    const resolve = async (name: string) => {
      names.push(name);
      return names.length === 1 ? ["127.0.0.1"] : ["169.254.169.254"];
    };

    const posted = await post(`http://receiver.example:${port}/`, sent, { ...here, resolve });

    expect(posted.status).toBe(200);
    expect(names).toEqual(["receiver.example"]);
    expect(requests[0]?.request.headers.host).toBe(`receiver.example:${port}`);
  });

  test.each([
    ["two, to the one that answers", ["127.0.0.2", "127.0.0.1"], 200],
    ["five, not to the fifth", ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"], null],
  ])("if a name resolves to %s", async (_case, addresses, status) => {
    const { port } = await receiver((_request, response) => response.end());

    const posted = await post(`http://receiver.example:${port}/`, sent, {
      ...here,
      ...leadingTo(...addresses),
    });

    expect(posted.status).toBe(status);
  });
});

describe("TLS", () => {
  const certificate = certificateFor("receiver.example");

  /** A receiver with the certificate; the names that it was asked for. */
  async function secureReceiver() {
    const names: (string | false)[] = [];
    const server = https.createServer(certificate, (_request, response) => response.end("secure"));
    server.on("secureConnection", ({ servername }: tls.TLSSocket) => names.push(servername ?? false));
    server.on("tlsClientError", () => undefined);
    const port = await portOf(server);
    closing.push(() => server.closeAllConnections());
    return { port, names };
  }

  test("rejects a certificate that no known authority signed", async () => {
    const { port } = await secureReceiver();

    const posted = await post(`https://receiver.example:${port}/`, sent, {
      ...here,
      ...leadingTo("127.0.0.1"),
    });

    expect(posted).toEqual({ status: null, body: null, error: "the receiver's certificate is self-signed" });
  });

  test("names the host to the receiver, and takes a certificate for that name alone", async () => {
    const { port, names } = await secureReceiver();
    const trusted = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...trusted, certificate.cert]);
    const posting = (host: string) =>
      post(`https://${host}:${port}/`, sent, { ...here, ...leadingTo("127.0.0.1") });
    try {
      const [right, wrong] = [await posting("receiver.example"), await posting("other.example")];

      expect(right).toEqual({ status: 200, body: "secure", error: null });
      expect(wrong).toMatchObject({ status: null, error: "the receiver's certificate is for another name" });
      expect(names[0]).toBe("receiver.example");
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
  });
});
