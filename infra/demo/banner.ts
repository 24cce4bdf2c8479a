import type { Sink } from "./sink.ts";

export const banner = (url: string, dataDir: string | undefined, sink?: Sink): string => `
The service runs at ${url}
Console: ${url}/apirest/v4/oms/console
Documentation: ${url}/apirest/v4/oms/docs, ${url}/apirest/v4/wms/docs
Data: ${dataDir ?? "in memory, gone at the end (--data-dir DIR keeps them)"}
${sink === undefined ? "" : aboutSink(sink)}
Demo accounts          100  demo-oms-key-100    Demo Store (sandbox)
                       101  demo-oms-key-101    Second Store (sandbox)
                       102  demo-oms-key-102    Dormant Store (not activated)
                       103  demo-oms-key-103    Read Only Store (read-only key)
                       104  demo-oms-key-104    Plain Store
Warehouse master key   demo-master-key
Warehouse users        manager, dormant (not activated), viewer (no WMS permission)
  on the mobile app    password demo-password, authenticator secret JBSWY3DPEHPK3PXP

Try:
${examples(url).join("\n")}

Ctrl-C ends it.
`;

const aboutSink = ({ webhookId, url }: Sink): string =>
  `Webhook ${webhookId} of account 100 posts to ${url} and each event is printed here\n`;

const examples = (url: string): readonly string[] => {
  const oms = "-H 'AccountID: 100' -H 'Key: demo-oms-key-100'";
  const wms = "-H 'userName: manager' -H 'Key: demo-master-key'";
  const recount = `[{"account_id":100,"skus":[{"sku":"DEMO-CAP","bins":[{"location":"B1","bin":"01","qty":5}]}]}]`;
  return [
    `  curl -X POST ${url}/apirest/v4/oms/ping ${oms}`,
    `  curl ${url}/apirest/v4/oms/orders ${oms}`,
    `  curl ${url}/apirest/v4/oms/inventory/stock ${oms}`,
    `  curl ${url}/apirest/v4/wms/recount ${wms} -H 'Content-Type: application/json' \\\n    -d '${recount}'`,
    "docs/guides/walkthrough.md walks through more.",
  ];
};
