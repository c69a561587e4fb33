/** Pairs that perhaps go together are asked about, in a real terminal. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useService } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';

const service = useService();
const at = (name: string): string => join(service.dir, name);
const decided = (): number => readFileSync(at('rules.yaml'), 'utf8').match(/what: accept/g)?.length ?? 0;

function open(): Terminal {
  writeFileSync(
    at('ledger.csv'),
    'reference,date,amount,currency\nINV-1,2026-01-06,500,EUR\nINV-2,2026-01-05,100,EUR\n',
  );
  writeFileSync(
    at('bank.sta'),
    ':20:S\n:25:1/2\n:28C:1\n:60F:C260104EUR600,\n:61:2601060106D500,NTRFNONREF\n:86:Invoice INV-1\n:61:2601060106D100,NTRFNONREF\n:86:PAY/INV-2\n:62F:C260106EUR0,\n',
  );
  const argv = ['reconcile', at('ledger.csv'), '--payments', 'plus', '--against', at('bank.sta')];
  return openTerminal([...argv, '--rules', at('rules.yaml')], service.env);
}

it('one is accepted, and Ctrl-C at the next keeps it; then the screen has what is open', async () => {
  const first = open();
  await first.sees('4 differences to look at');
  await first.answers(/INV-1.*\s+.*Accept it\?/, 'y');
  await first.sees(/INV-2.*\s+.*Accept it\?/);
  await first.listens();
  first.types(keys.ctrlC);
  await first.sees('2 differences are accepted');
  await first.sees('2 differences to look at');
  expect(await first.exit).toBe(130);
  expect(decided()).toBe(1);

  const next = open();
  await next.sees('INV-2');
  await next.answers('Accept it?', 'y');
  await next.sees('Nothing is left to look at');
  expect(await next.exit).toBe(0);
  expect(next.screen()).not.toContain('INV-1');
  expect(decided()).toBe(2);
  const last = open();
  await last.sees('Nothing is left to look at');
  expect(await last.exit).toBe(0);
});
