/**
 * Clients that nobody here wrote for the audit, in the styles that partners write: what the audit says of each is what its few lines do. Each is a
 * process of its own against a sandbox on loopback.
 */
import { describe, expect, it } from 'vitest';
import type { Audited } from '../../src/audit/asked.ts';
import { readCase } from '../../src/audit/case.ts';
import { type Way, wayInfo, wayNames } from '../../src/audit/loss-modes.ts';
import { auditReport } from '../../src/audit/report/record.ts';
import { auditOf, givesUp, node, optionsFor, python } from '../support/audits.ts';
import { isLong } from '../support/long.ts';

const kindsOf = ({ found }: Audited) => found.map(({ kind, payment }) => `${kind} ${payment}`).sort();
const habitOf = ({ habits }: Audited, name: string) => habits.find((one) => one.name === name);
const TWICE = ['paid_twice 25.50 EUR to …6700 (NGN::Bank)', 'paid_twice 40.00 EUR to …6800 (NGN::Bank)'];

/** The others need minutes, and Python. */
const inLong = it.runIf(isLong);

/** Each of two writes by each way that waits for nobody; in the short form by every third. */
const NOW = wayNames.filter((way) => wayInfo(way).place === 'call' && !wayInfo(way).waits);
const QUICK = NOW.filter((_, at) => isLong || at % 3 === 0);
const SINGLES = 2 * QUICK.length;
const others = wayNames.filter((way) => !QUICK.includes(way));
const killed = { kills: true, program: { starts: 3 } };
const KILLED = SINGLES + 2 * wayNames.filter((way) => wayInfo(way).place === 'kill').length;
const isDone = (way: Way): boolean => wayInfo(way).done === true;

describe('the audit says of', () => {
  it('a new id at each try: paid twice by every way in which a write was done, and by no other', async () => {
    const audited = await auditOf(node('naive'), { most: SINGLES, skip: others });
    expect(kindsOf(audited)).toEqual(TWICE);
    for (const { ways } of audited.found) expect([...ways].sort()).toEqual(QUICK.filter(isDone).sort());
    expect(audited.counts).toMatchObject({ finding: 2 * QUICK.filter(isDone).length, not_met: 0 });
    expect(habitOf(audited, 'looks_first')?.did).toBe(0);
    expect(habitOf(audited, 'keeps_id')?.did).toBe(0);
    expect(habitOf(audited, 'respects_limits')?.did).toBe(0);
    expect(audited.unstable).toEqual(['transactions.create_and_fund transaction.external_id']);
    // The first loss, the second try, and the payment behind it.
    expect(audited.found[0]?.shortest).toHaveLength(1);
    expect(audited.found[0]?.requests.map(({ told, done }) => [told, done])).toEqual([
      ['a broken connection', 201],
      ['201', 201],
      ['201', 201],
    ]);
  });

  inLong(
    'a new id at each try, with a request that lies somewhere until the program gave up: paid twice',
    async () => {
      const skip = wayNames.filter((way) => way !== 'late');
      const audited = await auditOf(node('naive'), {
        ...{ skip, most: 2 },
        program: { env: { ...process.env, ...givesUp } },
      });
      expect(kindsOf(audited)).toEqual(TWICE);
    },
  );

  inLong('the same id at each try: no finding, and it waits as it is told', async () => {
    const audited = await auditOf(node('same-id'), { most: SINGLES, parallel: 2 });
    expect(audited.counts).toMatchObject({ finding: 0, as_wished: SINGLES });
    expect(habitOf(audited, 'keeps_id')).toMatchObject({ did: habitOf(audited, 'sends_again')?.of });
    expect(habitOf(audited, 'respects_limits')).toEqual({ name: 'respects_limits', did: 2, of: 2 });
  });

  inLong(
    'repetition by the HTTP library: it says that it failed though it paid; started again it pays twice',
    async () => {
      const once = await auditOf(python('library_retry'), { most: SINGLES, parallel: 2 });
      expect(once.counts.finding).toBe(0);
      expect(once.counts.said_failed).toBeGreaterThan(0);
      const again = await auditOf(python('library_retry'), {
        ...{ most: SINGLES, parallel: 2 },
        program: { starts: 2 },
      });
      expect(kindsOf(again)).toEqual(TWICE);
    },
  );

  inLong('an id that is kept in memory alone: paid twice where it is killed, and nowhere else', async () => {
    const audited = await auditOf(node('forgetful'), { ...killed, most: KILLED, parallel: 2 });
    expect(kindsOf(audited)).toEqual(TWICE);
    for (const { ways } of audited.found) for (const way of ways) expect(wayInfo(way).place).toBe('kill');
  });

  inLong(
    'an intent that is written first and settled: no finding, killed or not, and it looks first',
    async () => {
      const audited = await auditOf(python('settles'), { ...killed, most: KILLED, parallel: 2 });
      expect(audited.counts).toMatchObject({ finding: 0, as_wished: KILLED });
      expect(habitOf(audited, 'sends_again')?.did).toBe(0);
    },
  );

  inLong(
    'webhooks that are taken without a look: which it takes, and that it answers twice alike',
    async () => {
      const audited = await auditOf(node('paid-by-hook'), {
        skip: wayNames.filter((way) => wayInfo(way).place !== 'webhook'),
        most: 4,
      });
      expect(audited.notTried).not.toContainEqual(expect.stringContaining('webhooks'));
      expect(habitOf(audited, 'verifies')).toMatchObject({ did: 0 });
      const alike = habitOf(audited, 'answers_alike');
      expect(alike?.of).toBeGreaterThan(0);
      expect(alike?.did).toBe(alike?.of);
      // One with a wrong signature it believes.
      expect(kindsOf(audited)).toEqual(['believed_forgery ended with 0']);
      // Without a webhook it does not know that it is paid, and says so.
      expect(audited.counts.said_failed).toBeGreaterThan(0);
    },
  );

  inLong(
    'our own library: no finding, whatever is lost and whenever it is killed',
    async () => {
      const most = Number(process.env.REMIT_AUDIT_CASES ?? 5_000);
      const audited = await auditOf(node('ours'), { ...killed, most, parallel: 2 });
      expect(audited.found.map(({ requests: _, ...one }) => one)).toEqual([]);
      process.stdout.write(`an audit of our own library: ${JSON.stringify(audited.counts)}\n`);
      const { as_wished, gave_up, said_failed, not_met } = audited.counts;
      expect(as_wished + gave_up + said_failed + not_met).toBe(most);
      expect(as_wished).toBeGreaterThan(most / 2);
    },
    3_600_000,
  );
});

it('a bank that is another one is found beside a name that differs in every run, which is left out and said', async () => {
  const skip = wayNames.filter((way) => way !== 'error-before');
  const audited = await auditOf(node('rebanks'), { skip, most: 1 });
  expect(audited.found.map(({ kind }) => kind)).toEqual(['other_details']);
  expect(audited.wished.left).toEqual(['last_name of a payee (NGN::Bank EUR)']);
});

it('a finding of many faults is told by the fewest that show it, and its text plays it again', async () => {
  const [first, second] = (await auditOf(node('naive'), { most: 1 })).writes;
  expect(
    readCase(`${first?.write}:limited+${second?.write}:cut+${second?.write}#2:error-before`),
  ).toHaveLength(3);
  const replay = [
    { way: 'limited', write: first?.write ?? '', nth: 1 },
    { way: 'cut', write: second?.write ?? '', nth: 1 },
    { way: 'error-before', write: second?.write ?? '', nth: 2 },
  ] as const;
  const audited = await auditOf(node('naive'), { replay });
  expect(kindsOf(audited)).toEqual(TWICE.slice(1));
  expect(audited.found[0]?.shortest).toEqual([replay[1]]);
});

inLong('a payment that may be made three times is no finding when it is made twice', async () => {
  const audited = await auditOf(node('naive'), { most: SINGLES, same: 3, parallel: 2 });
  expect(audited.counts.finding).toBe(0);
});

it('a case whose fault had no occasion counts for nothing in the verdict, run or not, and is said', async () => {
  const skip = wayNames.filter((way) => way !== 'cut' && way !== 'error-after');
  const audited = await auditOf(node('once'), { skip });
  // Two writes by two ways. No second try comes after a loss, and no second payment: four pairs show it, four more follow from them, and two across.
  expect(audited.counts).toEqual({ as_wished: 0, said_failed: 2, gave_up: 2, finding: 0, not_met: 6 });
  expect(audited.notTried).toContainEqual(expect.stringContaining('6 cases whose fault had no occasion'));
  expect(audited.notTried).toContainEqual(expect.stringContaining('4 cases that wait for the same'));
  const { program } = optionsFor(node('once'));
  const report = await auditReport({
    audited,
    program,
    seed: '1',
    remit: '0',
    at: 0,
    replay: (text) => text,
  });
  expect(report.verdict).toBe('no finding in 4 cases');
});
