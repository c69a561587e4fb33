/** Shows what a partner's own program does when its answers are lost: does it pay twice? */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { interrupted, type Problem, refuse, usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { withProgress } from '../../frame/terminal/progress.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { type Result, result } from '../../payments/cli/result.ts';
import { fingerprintOf } from '../../profiles/approver-key.ts';
import { signerOf } from '../../profiles/cli/signer.ts';
import { auditShape } from '../../sandbox/cli/shapes.ts';
import type { Gate } from '../gate.ts';
import { htmlOf } from '../report/html.ts';
import { junitOf } from '../report/junit.ts';
import type { AuditReport } from '../report/record.ts';
import { signedBy, signReport } from '../report/signed.ts';
import type { Program } from '../run-case.ts';
import { type AuditRun, auditFlags, readAudit } from './flags.ts';
import { auditView } from './view.ts';

export const command = defineCommand({
  description: `Runs CMD again and again, each time in a fresh sandbox, and meets each of its writes in the ways in which answers are lost: done and the connection breaks, done and a gateway answers 502, sent twice by a relay, and others. Then it reads the sandbox's ledger. What two runs without a fault pay is what the program wishes to pay; whatever a case pays beyond that is paid twice, whatever its id.

CMD gets REMIT_BASE_URL, REMIT_API_KEY, REMIT_API_SECRET and REMIT_AUDIT_DIR, an empty folder that stays from one start to the next. It must end by itself. It ends with 0 where nothing was found, with 10 where something was, and with 2 where nothing could be audited. docs/audit.md begins with an example of twenty lines.

\`remit sandbox audit verify FILE\` says whether a report is as its approver signed it.`,
  args: [
    { name: 'CMD', summary: 'the program to audit, after --; or verify', optional: true },
    { name: 'ARGS', summary: 'its arguments; or the report', optional: true, many: true },
  ],
  flags: auditFlags,
  shows: [auditView],
  exits: [exitCodes.check, exitCodes.interrupted],
  examples: [
    'remit sandbox audit -- node pay.mjs',
    'remit sandbox audit --kill --env API_URL=url --env API_TOKEN=key -- python3 pay.py',
    'remit sandbox audit --budget 3m --report audit.json --report audit.xml -- ./pay',
    'remit sandbox audit --attach 4010 --trigger "curl -fs localhost:8080/pay" --idle 2s',
    'remit sandbox audit --webhook 8080 --public-url https://pay.example.com/hooks -- ./pay',
    'remit sandbox audit --case a55ae8:cut -- node pay.mjs',
    'remit sandbox audit verify audit.json',
  ],
  read: readAudit,
  async run(context, options) {
    return options.kind === 'verify' ? verifyReport(context, options.file) : runAudit(context, options);
  },
});

/** @throws Problem (usage) where nothing was audited */
async function runAudit(context: Context, options: AuditRun): Promise<Result> {
  const { process } = context;
  const [{ audit }, { auditReport }, { openGate }, { ACCOUNT }] = await Promise.all([
    import('../audit.ts'),
    import('../report/record.ts'),
    import('../gate.ts'),
    import('../run-case.ts'),
  ]);
  const files = options.reports.map((path) => resolve(process.cwd, path));
  const taken = files.find((path) => existsSync(path));
  if (taken !== undefined)
    throw usage(`${taken} exists`, 'give the report another name, or remove that file');
  const signer = options.signer === undefined ? undefined : signerOf(context, options.signer);
  const privateKey = await signer?.privateKey();
  const gate = options.attach && (await openAt(openGate, options.attach.port));
  const attached = gate && { gate, idleMs: options.attach?.idleMs ?? 0 };
  const program: Program = { ...options, cwd: process.cwd, env: process.env, attached };
  if (gate)
    context.note(
      `The service takes ${gate.url}, key ${ACCOUNT.key}, secret ${ACCOUNT.secret}. Each case is a sandbox of its own there.`,
    );
  const end = await withProgress(context, 'auditing', (progress) => {
    let findings = 0;
    return audit({
      ...options,
      program,
      clock: process.clock,
      signal: process.interrupt,
      onCase: (verdict, count) => {
        if (verdict.ended === 'finding') findings += 1;
        progress.say(findings === 0 ? 'auditing' : `auditing, ${findings} cases with a finding`);
        progress.tell(count);
      },
    });
  }).finally(() => gate?.close());
  if (end.kind === 'nothing_audited' && process.interrupt.aborted) throw interrupted();
  if (end.kind === 'nothing_audited')
    throw refuse('usage', 'nothing_audited', `nothing was audited: ${end.why}`, {
      hint: end.hint ?? 'it must end with 0, and send at least one write, where nothing fails',
      fields: lastLines(end.printed),
    });
  const plain = await auditReport({
    ...{ audited: end.audited, program, seed: options.seed, remit: process.version, at: process.clock.now() },
    replay: (one) => replayOf(options, one),
  });
  const report =
    signer === undefined || privateKey === undefined ? plain : signReport(plain, signer, privateKey);
  for (const path of files) await writeFile(path, fileOf(path, report), { flag: 'wx' });
  const exit =
    report.findings.length > 0
      ? exitCodes.check
      : process.interrupt.aborted
        ? exitCodes.interrupted
        : exitCodes.ok;
  return result(auditView, report, { exit, notes: files.map((path) => `The report is in ${path}.`) });
}

async function openAt(open: (port: number) => Promise<Gate>, port: number): Promise<Gate> {
  return open(port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? usage(`port ${port} is taken`, 'choose another one, such as --attach 4711')
      : error;
  });
}

const LINES = 5;

function lastLines(printed: string): { path: string; words: string[] }[] {
  const words = printed
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LINES);
  return words.length === 0 ? [] : [{ path: 'it printed', words }];
}

function fileOf(path: string, report: AuditReport): string {
  if (path.endsWith('.html')) return htmlOf(report);
  return path.endsWith('.xml') ? junitOf(report) : `${JSON.stringify(report, null, 2)}\n`;
}

/** The flags that decide what a case is; the others say how many there are, and where they are reported. */
function replayOf(options: AuditRun, one: string): string {
  const { names, before, after, isCopied, kills, starts, webhook, same, mustPay, seed, command } = options;
  const { attach, publicUrl, ready } = options;
  const words = [
    ...(attach === undefined
      ? []
      : [`--attach ${attach.port} --trigger ${quoted(command.join(' '))} --idle ${attach.idleMs}ms`]),
    ...Object.entries(names).map(([name, what]) => `--env ${name}=${what}`),
    ...(before === undefined ? [] : [`--before ${quoted(before.join(' '))}`]),
    ...(after === undefined ? [] : [`--after ${quoted(after.join(' '))}`]),
    ...(isCopied ? ['--copy'] : []),
    ...(kills ? ['--kill'] : []),
    ...(starts > 1 ? [`--tries ${starts}`] : []),
    ...(webhook === undefined ? [] : [`--webhook ${quoted(webhook)}`]),
    ...(publicUrl === undefined ? [] : [`--public-url ${quoted(publicUrl)}`]),
    ...(ready === undefined ? [] : [`--ready ${quoted(ready)}`]),
    ...(same > 0 ? [`--wish same:${same}`] : []),
    ...(mustPay ? ['--must-pay'] : []),
    ...(seed === '1' ? [] : [`--seed ${quoted(seed)}`]),
  ];
  const program = attach === undefined ? ['--', ...command.map(quoted)] : [];
  return ['remit sandbox audit', ...words, `--case ${one}`, ...program].join(' ');
}

const quoted = (word: string): string =>
  /^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** @throws Problem (usage, check) */
async function verifyReport(context: Context, file: string): Promise<Result> {
  const path = resolve(context.process.cwd, file);
  const read = auditShape.schema.safeParse(jsonIn(path));
  if (!read.success)
    throw usage(`${path} is no report of an audit`, 'the JSON of --report is what is signed');
  const by = signedBy(read.data);
  if (by === 'unsigned')
    throw unverified(`${path} is not signed`, 'remit sandbox audit --as NAME signs a report');
  if (by === 'changed') throw unverified(`${path} is not as it was signed`, 'ask for the report again');
  const notes = [`Unchanged since ${by.approver} signed it, with the key ${fingerprintOf(by.key)}.`];
  return result(auditView, read.data, { notes });
}

const unverified = (message: string, hint: string): Problem =>
  refuse('check', 'not_as_signed', message, { hint });

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw usage(`${path} cannot be read: ${(error as Error).message}`);
    return undefined;
  }
}
