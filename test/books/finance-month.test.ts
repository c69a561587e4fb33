/** The month of docs/finance.md, day by day: each command of the page, and each line of its screens, in a sandbox whose clock goes along. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answering, only, type Run, type RunOptions, senderFlags, useBench } from '../support/cli.ts';
import { writeExampleFiles } from '../support/example-files.ts';
import { linesOf, parseLine, runLine } from '../support/shell.ts';

const page = readFileSync(new URL('../../docs/finance.md', import.meta.url), 'utf8');
const [, month = ''] = page.split('\n## A month\n');
const [section = ''] = month.split(/^## /m);
const HEADER = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
const OCTOBER = [
  HEADER,
  'E-1,NGN::Bank,250000,EUR,employer,Ada,Obi,044,0123456700',
  'E-2,NGN::Bank,180000,EUR,employer,Chidi,Eze,044,0123456800',
  'E-3,NGN::Bank,120000,EUR,employer,Bola,Ade,058,0123456900',
].join('\n');
const REFUSED =
  '{"object":{"errors":{"recipients.0.payout_method.bank_account":[{"error":"invalid"}]}},"meta":{}}';
const bench = useBench();

/** What a terminal of 100 columns has, as one reads it: one blank for many. */
const asRead = (text: string): string => text.replace(/\s+/g, ' ').trim();

it('goes as the page says', async () => {
  writeExampleFiles(bench.dir);
  const env = { HOME: bench.dir };
  const run = (argv: string[], options: RunOptions): Promise<Run> =>
    bench.run(argv, { ...options, env, columns: 100 });
  const plain = async (...argv: string[]): Promise<void> => {
    const made = await run(argv, {});
    expect(made.code, `${argv.join(' ')}: ${made.stderr}`).toBe(0);
  };
  const at = (day: string) => plain('sandbox', 'clock', 'set', day);
  await at('2026-10-01T00:00:00Z');
  await plain('sender', 'create', ...senderFlags('employer'));
  await plain('books', 'sync');
  writeFileSync(join(bench.dir, 'october.csv'), `${OCTOBER}\n`);
  await at('2026-10-25T08:00:00Z');
  await plain('books', 'sync');
  await plain('batch', 'plan', 'october.csv', '--name', 'october', '--max-input', 'EUR=500');
  await plain('batch', 'run', 'october');
  await at('2026-10-31T22:30:00Z');
  await plain('books', 'sync');
  await plain(
    'tx',
    'create',
    ...['--from', 'october:E-1', '--external-id', 'advance-1', '--fund'],
    ...[...['--detail', 'bank_account=0123456701', '--amount', '5000', '--max-input', '10']],
  );

  const report = (await run(['batch', 'report', 'october', '-o', 'json'], {})).data<
    { external_id: string; cost: string }[]
  >();
  const booked = report.map(({ external_id: id, cost }) => `${id},2026-10-25,${cost},EUR`);
  writeFileSync(
    join(bench.dir, 'october-ledger.csv'),
    `reference,date,amount,currency\n${booked.join('\n')}\nadvance-1,2026-10-31,3.00,EUR\n`,
  );

  const wrong: string[] = [];
  let screen = '';
  for (const part of section.split(/^### /m).slice(1)) {
    const day = Number(/^Day (\d+)/.exec(part)?.[1]);
    await at(`2026-11-${String(day).padStart(2, '0')}T08:00:00Z`);
    if (day === 5) await plain('sandbox', 'balance', 'EUR', '+5000');
    if (day === 25)
      bench.intercept(only(({ body }) => body?.includes('"0123456900"') === true, answering(422, REFUSED)));
    for (const [, kind, block = ''] of part.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
      if (kind === 'csv') writeFileSync(join(bench.dir, 'november.csv'), block);
      if (kind === 'text')
        wrong.push(
          ...block.split('\n').filter((line) => line.trim() !== '' && !screen.includes(asRead(line))),
        );
      if (kind !== 'sh') continue;
      screen = '';
      for (const line of linesOf(block)) {
        const made = await runLine(parseLine(line), bench.dir, (argv, options) => {
          const isList = !['plan', 'run', 'fix', 'triage'].includes(argv[1] ?? '');
          return run(argv, {
            ...options,
            tty: isList && !line.includes('>'),
          });
        });
        const shown = `${made?.stdout}${made?.stderr}`;
        screen += ` ${asRead(shown)}`;
        if (made?.code !== Number(/# ends with (\d+)/.exec(line)?.[1] ?? 0))
          wrong.push(`${line}: ${made?.code} ${made?.stderr}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});
