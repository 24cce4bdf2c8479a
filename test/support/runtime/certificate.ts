/** A certificate for tests of TLS, made on the spot, so that no private key lies in the repository. */
import { generateKeyPairSync, sign } from "node:crypto";

/** A value in DER, ASN.1's encoding: its tag, its length, its content. */
function der(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const content = Buffer.concat(contents.map((one) => (typeof one === "string" ? Buffer.from(one) : one)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier("550403"), der(0x0c, name))));

/**
 * A self-signed certificate for one DNS name, with its key: what `tls.createServer` takes. It is valid until
 * 2049.
 */
export function certificateFor(name: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const alternativeName = sequence(identifier("551d11"), der(0x04, sequence(der(0x82, name))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName(name),
    sequence(der(0x17, "240101000000Z"), der(0x17, "491231235959Z")),
    commonName(name),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternativeName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const body = sequence(content, ecdsaWithSha256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
