import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { newSecret, signedHeaders } from "../../../shared/webhooks/signature.ts";

const now = () => Math.floor(Date.now() / 1000);
const body = JSON.stringify({ type: "order.created", data: { firstname: "Łukasz 🧦" } });

describe("the signature", () => {
  test("is the one that Standard Webhooks' own library makes", () => {
    const secret = newSecret();
    const timestamp = now();

    const headers = signedHeaders({ id: "evt_1", timestamp, body }, [secret]);

    expect(headers["webhook-signature"]).toBe(
      new Webhook(secret).sign("evt_1", new Date(timestamp * 1000), body),
    );
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  test("after a rotation verifies with the new secret and with the old one, and with no other", () => {
    const [fresh, old, stranger] = [newSecret(), newSecret(), newSecret()];

    const headers = signedHeaders({ id: "evt_1", timestamp: now(), body }, [fresh, old]);

    for (const secret of [fresh, old]) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    expect(() => new Webhook(stranger).verify(body, headers)).toThrow("No matching signature");
    expect(() => new Webhook(fresh).verify(`${body} `, headers)).toThrow("No matching signature");
  });
});

test("secrets have the standard's form, 256 bits each, and no two are the same", () => {
  const secrets = Array.from({ length: 100 }, newSecret);

  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});
