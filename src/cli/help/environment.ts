/** Every variable that remit reads. Those that stand for a flag are told by the flag (globals.ts). */
import { longName } from '../flags/flag.ts';
import { type GlobalFlag, globalFlags } from '../flags/globals.ts';
import type { Row } from './topics.ts';

const CONNECTION: readonly Row[] = [
  ['REMIT_BASE_URL', 'the URL of the service; with the next two it is enough for any command'],
  ['REMIT_API_KEY', 'the API key'],
  ['REMIT_API_SECRET', 'the API secret'],
  ['REMIT_REPORTS_URL', 'where the service keeps its own reports; goes with the three'],
  ['REMIT_PARTNER_PATH', 'the segment before /balance for balance --partner; goes with the three'],
  ['REMIT_PROFILE', 'which profile to use, where none of the three is set'],
];

const OWN: readonly Row[] = [
  ['REMIT_PUBLIC_URL', 'the registered URL, for webhooks listen and verify'],
  ['REMIT_CONFIG_DIR', 'the folder of settings, secrets and journal'],
  ['REMIT_APPROVER_PASSPHRASE_FILE', 'a file with the passphrase of an approver’s key'],
  ['REMIT_STORE', 'the file of the journal and of ids seen before; or postgres://… for webhooks received'],
];

const SHARED: readonly Row[] = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'honoured; this machine is never reached through a proxy'],
  ['NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE', 'honoured; REMIT_COLOR and --color win over them'],
  ['CI', 'where it is set, names are masked too, unless --reveal is given'],
  ['XDG_CONFIG_HOME', 'settings are in its folder remit, unless REMIT_CONFIG_DIR is set'],
];

export function environmentRows(): Row[] {
  const told = new Set(CONNECTION.map(([name]) => name));
  const flags = Object.entries<GlobalFlag>(globalFlags).flatMap(([key, { env }]): Row[] =>
    env === undefined || told.has(env) ? [] : [[env, `the same as ${longName(key)}`]],
  );
  return [...CONNECTION, ...flags, ...OWN, ...SHARED];
}
