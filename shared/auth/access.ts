/** What signing in and authenticating may do with accounts, users, credentials and sessions. Endpoints add what else they do. */
import type { Area } from "../contract.ts";
import type { Access } from "../store/access.ts";

/** What each area's authentication reads of who calls. Who signs in is nobody yet. */
export const authenticationAccess: Readonly<Record<Area, Access>> = {
  oms: { identity: { "account#": "read" } },
  v2: { identity: { "account#": "read" } },
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
