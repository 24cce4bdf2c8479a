/** What signing in and authenticating may do with accounts, users, credentials and sessions. Endpoints add what else they do. */
import type { Area } from "../lambda/contract.ts";
import type { Access } from "../store/access.ts";

/** An account is read; where its requests are limited, each is counted in a bucket beside it. */
const accountAccess: Access = { identity: { "account#": "read", "requests#": "change" } };

/** What each area's authentication reads of who calls. Who signs in is nobody yet. */
export const authenticationAccess: Readonly<Record<Area, Access>> = {
  oms: accountAccess,
  v2: accountAccess,
  wms: { identity: { "user#": "read", "master-key": "read" } },
  mobile: { identity: { "session#": "read", "user#": "read" } },
  "sign-in": {},
};

/** What checking a password takes: nobody else reads credentials, but who checks codes. */
export const passwordAccess: Access = {
  identity: { "user#": "read", "credentials#": "read", "attempts#": ["read", "change"] },
};

/** What checking a code takes, and using it up. */
export const codeAccess: Access = {
  identity: {
    "login#": ["read", "change"],
    "user#": "read",
    "credentials#": ["read", "change"],
    "attempts#": ["read", "change"],
  },
};

/** What beginning a session takes, and ending it. */
export const sessionAccess: Access = { identity: { "session#": ["insert", "change"] } };
