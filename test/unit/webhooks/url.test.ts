import { afterEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { loopbackVariable } from "../../../shared/runtime/shared-names.ts";
import { webhookUrl } from "../../../shared/webhooks/url.ts";
import { webhookInput } from "../../../shared/webhooks/webhook-input.ts";

afterEach(() => void vi.unstubAllEnvs());

const unreached = "must name a host that the internet reaches";

describe("a webhook's URL", () => {
  test.each([
    ["https://example.com/hooks", "https://example.com/hooks"],
    ["https://EXAMPLE.com", "https://example.com/"],
    ["https://example.com.:443/a", "https://example.com/a"],
    ["https://example.com:1024/a?key=b", "https://example.com:1024/a?key=b"],
    ["https://8.8.8.8/", "https://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
  ])("is kept in its normal form: %s", (sent, url) => {
    expect(webhookUrl(sent, false)).toEqual({ url });
  });

  test.each([
    ["example.com", "must be a URL, such as https://example.com/webhooks"],
    ["", "must be a URL, such as https://example.com/webhooks"],
    ["http://example.com/", "must begin with https://"],
    ["ftp://example.com/", "must begin with https://"],
    ["javascript:alert(1)", "must begin with https://"],
    ["file:///etc/passwd", "must begin with https://"],
    ["https://me@example.com/", "must hold no user name and no password"],
    ["https://:secret@example.com/", "must hold no user name and no password"],
    ["https://me:secret@example.com/", "must hold no user name and no password"],
    ["https://example.com/#a", "must hold no fragment (#)"],
    ["https://example.com/#", "must hold no fragment (#)"],
    ["https://example.com:1023/", "must name port 443 or one from 1024 to 65535"],
    ["https://example.com:0/", "must name port 443 or one from 1024 to 65535"],
  ])("is refused for its form: %s", (sent, problem) => {
    expect(webhookUrl(sent, false)).toEqual({ problem });
  });

  test("has at most 2000 characters", () => {
    const longest = "https://example.com/".padEnd(2_000, "a");

    expect(webhookUrl(longest, false)).toEqual({ url: longest });
    expect(webhookUrl(`${longest}a`, false)).toEqual({ problem: "must have at most 2000 characters" });
  });

  test.each([
    "https://localhost/",
    "https://localhost./",
    "https://localhost../",
    "https://127.0.0.1../",
    "https://./",
    "https://../",
    "https://LOCALHOST/",
    "https://intranet/",
    "https://printer.local/",
    "https://a.localhost/",
    "https://metadata.google.internal/",
    "https://127.0.0.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.01/",
    "https://127.1/",
    "https://%31%32%37.0.0.1/",
    "https://１２７.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://10.0.0.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
  ])("is rejected if it leads into a network: %s", (sent) => {
    expect(webhookUrl(sent, false)).toEqual({ problem: unreached });
  });

  test.each(["http://127.0.0.1:8080/a", "http://localhost:8080/a", "https://[::1]:8443/a"])(
    "may name this machine in the local runtime, also by http: %s",
    (sent) => {
      expect(webhookUrl(sent, true)).toEqual({ url: sent });
    },
  );

  test.each(["http://example.com/", "https://10.0.0.1/", "http://[::ffff:127.0.0.1]/", "https://intranet/"])(
    "may name nothing else there: %s",
    (sent) => {
      expect(webhookUrl(sent, true)).toEqual({ problem: expect.any(String) });
    },
  );
});

test.each([
  ["allowed", true],
  ["yes", false],
  [undefined, false],
])("a webhook of this machine, where the environment says %s: %s", (setting, accepted) => {
  vi.stubEnv(loopbackVariable, setting);

  const { success } = z.safeParse(webhookInput, { url: "http://127.0.0.1:8080/a" });

  expect(success).toBe(accepted);
});
