/** The table access that authentication and sign-in need. Endpoints declare the rest of theirs. */
import type { Area } from "../runtime/contract.ts";
import type { Access } from "../store/access.ts";

/** Reads the account. If its requests are limited, each is counted in the account's bucket. */
const accountAccess: Access = { identity: { "account#": "read", "requests#": "change" } };

/** The access of each area's authentication. `sign-in` identifies no caller. */
export const authenticationAccess: Readonly<Record<Area, Access>> = {
  oms: accountAccess,
  v2: accountAccess,
  wms: { identity: { "user#": "read", "master-key": "read" } },
  mobile: { identity: { "session#": "read", "user#": "read" } },
  "sign-in": {},
};

/** Access to check a password. Only password and code checks may read credentials. */
export const passwordAccess: Access = {
  identity: { "user#": "read", "credentials#": "read", "attempts#": ["read", "change"] },
};

export const codeAccess: Access = {
  identity: {
    "login#": ["read", "change"],
    "user#": "read",
    "credentials#": ["read", "change"],
    "attempts#": ["read", "change"],
  },
};

export const sessionAccess: Access = { identity: { "session#": ["insert", "change"] } };
