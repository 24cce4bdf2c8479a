/** Optional settings that the emulator can take. Each is deployed as a deployment of its own, round by round. */
import type { Context } from "./assembly.ts";

interface SettingToTry {
  readonly title: string;
  readonly rounds: readonly Context[];
}

const certificateArn = "arn:aws:acm:eu-west-1:000000000000:certificate/00000000-0000-0000-0000-000000000000";

export const settingsToTry: readonly SettingToTry[] = [
  {
    title: "creates a second deployment beside the first, and switches its events off and on",
    rounds: [
      { deployment: "second" },
      { deployment: "second", events: "off" },
      { deployment: "second", events: "on", eventsWindow: 5 },
    ],
  },
  {
    title: "copies all tables to another region, and stops doing so",
    rounds: [
      { deployment: "copied", replicas: { home: "eu-west-1", others: ["eu-central-1"] } },
      { deployment: "copied" },
    ],
  },
  {
    title: "takes the other settings: a domain, backups, tracing, networks, mail, deployment at once",
    rounds: [
      {
        deployment: "third",
        alarmEmail: "operator@example.com",
        backups: "daily",
        deploys: "all-at-once",
        domainName: "api.example.com",
        certificateArn,
        internalNetworks: "10.0.0.0/8",
        tracing: "on",
      },
    ],
  },
];
