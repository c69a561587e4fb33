/** What an agent may: reads, unless the profile says more; and in production it prepares at most, whatever it is sent. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Agent, asProfile, openAgent, payment, signIn, useAgents } from '../support/agents.ts';
import { type Bench, isWriteRequest, useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';

const bench = useBench({ sender: true });
const open = useAgents(bench);
const openConsole = useConsole(bench);

const PRODUCTION = 'https://api.example.com/v1';
const READS = ['search', 'triage', 'story', 'explain', 'balance', 'statement', 'summary', 'calculate'];
const PLANS = ['plan_payment', 'plan_correction', 'plan_cancel', 'plan_run', 'status'];

const live = (settings: string[] = []) =>
  signIn(bench, 'live', { environment: 'production', url: PRODUCTION, settings });

/** Requests that change something at the service, from here on. */
function countWrites(of: Bench): string[] {
  const writes: string[] = [];
  of.intercept(async (request, next) => {
    const isCalculation = request.url.endsWith('/calculate');
    if (isWriteRequest(request) && !isCalculation) writes.push(`${request.method} ${request.url}`);
    return next(request);
  });
  return writes;
}

describe('the tools that are listed', () => {
  it.each([
    ['a sandbox that says nothing', 'sandbox', [], [], READS],
    ['agent=sandbox', 'sandbox', ['agent=sandbox'], [], [...READS, ...PLANS, 'carry_out', 'sandbox']],
    ['agent=sandbox and --read-only', 'sandbox', ['agent=sandbox'], ['--read-only'], READS],
    ['agent=prepare', 'sandbox', ['agent=prepare'], [], [...READS, ...PLANS]],
    ['production that says nothing', 'production', [], [], READS],
    ['production with agent=sandbox', 'production', ['agent=sandbox'], [], READS],
    ['production with agent=prepare', 'production', ['agent=prepare'], [], [...READS, ...PLANS]],
    [
      'production with agent=prepare and read_only',
      'production',
      ['agent=prepare', 'read_only=true'],
      [],
      READS,
    ],
  ] as const)('%s', async (_, environment, settings, flags, tools) => {
    const url = environment === 'production' ? PRODUCTION : undefined;
    await signIn(bench, 'acme', { environment, settings: [...settings], ...(url !== undefined && { url }) });
    const agent = await open({ profile: 'acme', flags });
    expect((await agent.tools()).sort()).toEqual([...tools].sort());
  });

  it('are all that can be called', async () => {
    await live();
    const agent = await open({ profile: 'live' });
    const writes = countWrites(bench);
    for (const tool of [...PLANS, 'carry_out', 'sandbox', 'approve', 'tx_create'])
      await expect(agent.raw(tool, {})).rejects.toThrow(/not found|unknown/i);
    expect(writes).toEqual([]);
  });
});

it('an account by the three variables has no profile, so that agents read', async () => {
  const agent = await open({
    options: {
      env: {
        REMIT_BASE_URL: 'http://127.0.0.1:4010/v1',
        REMIT_PROFILE: undefined,
        REMIT_API_KEY: 'key_test_7f3c',
        REMIT_API_SECRET: 'made-up-secret-for-tests',
      },
    },
  });
  expect(await agent.tools()).toEqual(READS);
});

describe('in production', () => {
  let agent: Agent;
  let writes: string[];
  beforeEach(async () => {
    await live(['agent=prepare']);
    agent = await open({ profile: 'live' });
    writes = countWrites(bench);
  });

  it('a plan names the command by which a person approves it, and nothing that the agent can call sends it', async () => {
    const planned = await agent.call('plan_payment', payment());
    expect(planned).toMatchObject({
      outcome: 'not_applied',
      state: 'planned',
      approve: `remit approve ${planned.handle} --profile live`,
      next: { tool: 'status' },
    });
    for (const more of [
      { confirm: true },
      { approved: true },
      { requestState: 'x' },
      { yes: true },
      { live: 'live' },
    ]) {
      const answer = await agent.raw('status', { handle: planned.handle, ...more });
      expect(answer.isError, JSON.stringify(more)).toBe(true);
    }
    expect(await agent.call('status', { handle: planned.handle })).toMatchObject({ state: 'planned' });
    expect(writes).toEqual([]);
  });

  it('an answer holds no word to type, no address to open and no token', async () => {
    await agent.call('plan_payment', payment());
    const all = agent.lines.join('\n');
    expect(all).not.toMatch(/https?:|token|signature|secret|key_test|0123456700/i);
  });

  it('a program cannot approve: not through a pipe, not with --yes, not with --live', async () => {
    const { handle } = await agent.call('plan_payment', payment());
    for (const flags of [[], ['--yes'], ['--yes', '--live=live'], ['--no-input']]) {
      const { code, stderr } = await bench.run(['approve', handle, ...flags], { env: asProfile('live') });
      expect([code, stderr]).toEqual([2, expect.stringContaining('nothing was sent')]);
    }
    const onTerminal = await bench.run(['approve', handle, '--yes', '--live=live'], {
      env: asProfile('live'),
      tty: true,
    });
    expect(onTerminal.code).toBe(2);
    expect(writes).toEqual([]);
  });

  it('a plan of another account is none of this one', async () => {
    const { handle } = await agent.call('plan_payment', payment());
    await signIn(bench, 'local', { settings: ['agent=sandbox'] });
    const other = await openAgent(bench);
    const answer = await other.call('carry_out', { handle });
    expect(answer).toMatchObject({
      outcome: 'unknown',
      state: 'unknown',
      problem: { category: 'not_found' },
    });
    expect(answer.problem.says).toMatch(
      /^this plan is of another account \(http.*, key ….{4}\); ask with the profile/,
    );
    await other.end();
    expect(writes).toEqual([]);
  });
});

it('what a person approves is listed for them, and said not to be another stands in it', async () => {
  await signIn(bench, 'local', { settings: ['agent=prepare'] });
  const agent = await open();
  const { handle } = await agent.call('plan_payment', payment());
  const listed = await bench.run('approve -o json', { env: asProfile('local') });
  expect(listed.data<unknown[]>()).toEqual([
    expect.objectContaining({ handle, kind: 'payment', state: null, by: 'agent-1', not_the_same_as: [] }),
  ]);
  expect(listed.stdout).not.toContain('0123456700');
  expect(listed.requests).toEqual([]);
});

it('the console lists it with the command to type, until it is carried out or under way', async () => {
  await signIn(bench, 'local', { settings: ['agent=sandbox'] });
  const agent = await open();
  const { handle } = await agent.call('plan_payment', payment());
  const asker = await Asker.from(await openConsole([], asProfile('local') as never));
  expect((await asker.ask('requests', {})).data.rows).toEqual([
    expect.objectContaining({
      id: handle,
      who: 'agent-1',
      state: { word: 'prepared by an agent', look: 'waiting' },
      command: `remit approve ${handle}`,
    }),
  ]);
  await agent.call('carry_out', { handle });
  expect((await asker.ask('requests', {})).data.rows).toEqual([]);
});
