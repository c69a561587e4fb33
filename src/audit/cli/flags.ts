/** The flags of `sandbox audit`. */

import { isLoopback } from '../../core/hosts.ts';
import { usage } from '../../core/problem.ts';
import { flags, type Input } from '../../frame/flags/flag.ts';
import { durationIn } from '../../payments/cli/flags/watch.ts';
import { type AuditCase, readCase } from '../case.ts';
import { isWay, type Way, wayNames } from '../loss-modes.ts';

export const auditFlags = flags({
  env: {
    value: 'name=what',
    summary: 'also set this variable to url, key, secret or host; repeat it',
    many: true,
  },
  before: {
    value: 'command',
    summary: 'run this first in every case, split at blanks, such as a reset of its database',
  },
  after: { value: 'command', summary: 'run this last in every case' },
  copy: { summary: 'give every case a copy of this folder to work in' },
  kill: { summary: 'also kill the program at its writes, and start it again' },
  attach: { value: 'port', summary: 'audit a service that runs already, and takes http://127.0.0.1:PORT/v1' },
  trigger: { value: 'command', summary: 'with --attach, what makes it pay, split at blanks' },
  idle: {
    value: 'duration',
    summary: 'with --attach, a case is over when no request came for so long; 10s if you do not say',
  },
  tries: {
    value: 'count',
    summary: 'start it at most so often, where it does not end with 0; 3 with --kill, else 1',
  },
  webhook: { value: 'url', summary: 'send it webhooks here, or to http://127.0.0.1:PORT/ for a port' },
  publicUrl: {
    value: 'url',
    summary: 'the URL of --webhook as the program knows it behind a proxy: webhooks are signed for it',
  },
  ready: { value: 'url', summary: 'start, or trigger, when this URL answers 2xx or 3xx, or this port' },
  wish: { value: 'same:count', summary: 'the same payment may be made so often where something fails' },
  mustPay: { summary: 'a payment that is missing is a finding, whatever the program says' },
  skip: { value: 'way', summary: 'leave this way out; repeat it', many: true, choices: wayNames },
  case: { value: 'case', summary: 'only this case, as a report prints it' },
  for: { value: 'duration', summary: 'go on at random until then, such as 10m' },
  budget: { value: 'duration', summary: 'end by then; the most telling cases come first' },
  cases: { value: 'count', summary: 'end after so many cases' },
  limit: { value: 'duration', summary: 'the longest that one start may take; 60s if you do not say' },
  parallel: { value: 'count', summary: 'cases at once; 1 if you do not say' },
  seed: { value: 'seed', summary: 'the same seed gives the same cases and ids; 1 if you do not say' },
  report: {
    value: 'path',
    summary: 'write the report here: .json, .html or .xml (JUnit); repeat it',
    many: true,
  },
  as: { value: 'name', summary: 'sign the report with the key of this approver' },
});

export type AuditFlags = { kind: 'verify'; file: string } | AuditRun;

export interface AuditRun {
  kind: 'audit';
  command: string[];
  attach: { port: number; idleMs: number } | undefined;
  before: string[] | undefined;
  after: string[] | undefined;
  names: Record<string, 'url' | 'key' | 'secret' | 'host'>;
  isCopied: boolean;
  kills: boolean;
  starts: number;
  webhook: string | undefined;
  publicUrl: string | undefined;
  ready: string | undefined;
  same: number;
  mustPay: boolean;
  skip: Way[];
  replay: AuditCase | undefined;
  forMs: number | undefined;
  budgetMs: number | undefined;
  most: number | undefined;
  limitMs: number;
  parallel: number;
  seed: string;
  reports: string[];
  signer: string | undefined;
}

const LIMIT_MS = 60_000;

export function readAudit({ args, flags: given }: Input<typeof auditFlags>): AuditFlags {
  const [first = '', second] = args;
  if (first === 'verify' && second !== undefined && args.length === 2)
    return { kind: 'verify', file: second };
  const attach = readAttach(given);
  const command = attach === undefined ? [...args] : (wordsOf(given.trigger) ?? []);
  if (command.length === 0) throw usage('which program is audited?', 'remit sandbox audit -- node pay.mjs');
  return {
    kind: 'audit',
    command,
    attach,
    before: wordsOf(given.before),
    after: wordsOf(given.after),
    names: Object.fromEntries(given.env.map(readName)),
    isCopied: given.copy,
    kills: given.kill,
    starts: readCount('--tries', given.tries, 9) ?? (given.kill ? 3 : 1),
    webhook: readAddress('--webhook', given.webhook),
    publicUrl: readPublicUrl(given),
    ready: readAddress('--ready', given.ready),
    same: readSame(given.wish),
    mustPay: given.mustPay,
    skip: given.skip.filter(isWay),
    replay: readReplay(given.case),
    forMs: readTime('--for', given.for),
    budgetMs: readTime('--budget', given.budget),
    most: readCount('--cases', given.cases, 1_000_000),
    limitMs: readTime('--limit', given.limit) ?? LIMIT_MS,
    parallel: readCount('--parallel', given.parallel, 64) ?? 1,
    seed: given.seed ?? '1',
    reports: given.report.map(checkReport),
    signer: given.as,
  };
}

const IDLE_MS = 10_000;

type Given = Input<typeof auditFlags>['flags'];

/** @throws Problem (usage) */
function readAttach({ attach, trigger, idle, kill, tries }: Given): AuditRun['attach'] {
  if (attach === undefined) {
    if (trigger === undefined && idle === undefined) return undefined;
    throw usage('--trigger and --idle are for a service that runs already', '--attach 4010 --trigger CMD');
  }
  const port = readCount('--attach', attach, 65_535) ?? 0;
  if (trigger === undefined) throw usage('--attach needs --trigger: what makes the service pay?');
  if (kill || tries !== undefined)
    throw usage(
      'a service that runs already is neither killed nor started again',
      'leave out --kill and --tries',
    );
  return { port, idleMs: readTime('--idle', idle) ?? IDLE_MS };
}

const wordsOf = (text: string | undefined): string[] | undefined =>
  text?.split(/\s+/).filter((word) => word !== '');

const WHAT = ['url', 'key', 'secret', 'host'] as const;

function readName(text: string): [string, (typeof WHAT)[number]] {
  const [, name = '', word = ''] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(text) ?? [];
  const what = WHAT.find((one) => one === word);
  if (what === undefined)
    throw usage(`--env ${text} is not NAME=url, NAME=key, NAME=secret or NAME=host`, '--env API_URL=url');
  return [name, what];
}

function readCount(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(text) && Number(text) <= most) return Number(text);
  throw usage(`${flag} ${text} is no count from 1 to ${most}`);
}

const readTime = (flag: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : durationIn(flag, text);

function readSame(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, count] = /^same:([1-9]\d{0,3})$/.exec(text) ?? [];
  if (count === undefined) throw usage(`--wish ${text} is no wish`, 'such as --wish same:3');
  return Number(count);
}

function readReplay(text: string | undefined): AuditCase | undefined {
  if (text === undefined) return undefined;
  const found = readCase(text);
  if (found === undefined)
    throw usage(`${text} is no case`, 'a report prints each as one, such as a55ae8:cut');
  return found;
}

/** It may be anywhere, since nothing is sent to it. */
function readPublicUrl({ publicUrl, webhook }: Given): string | undefined {
  if (publicUrl === undefined) return undefined;
  if (webhook === undefined)
    throw usage('--public-url needs --webhook: where on this machine does it lead to?');
  if (/^https?:/.test(publicUrl) && URL.canParse(publicUrl)) return publicUrl;
  throw usage(`--public-url ${publicUrl} is not a URL`, 'such as https://pay.example.com/hooks');
}

function readAddress(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return `http://127.0.0.1:${Number(text)}/`;
  if (URL.canParse(text) && isLoopback(new URL(text).hostname)) return text;
  throw usage(`${flag} ${text} is neither a port nor a URL on this machine`);
}

function checkReport(path: string): string {
  if (/\.(?:json|html|xml)$/.test(path)) return path;
  throw usage(`--report ${path} ends with none of .json, .html and .xml`);
}
