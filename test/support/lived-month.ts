/** A week of January at a sandbox, and the books that saw it. */
import { expect } from 'vitest';
import { type Bench, collectionFlags, payArgv } from './cli.ts';

export function monthOn(bench: Bench) {
  const did = async (...argv: string[]): Promise<string> => {
    const run = await bench.run(argv);
    expect(run.code, run.stderr).toBe(0);
    return run.stdout;
  };
  const sync = (): Promise<string> => did('books', 'sync');
  const advance = (time: string): Promise<string> => did('sandbox', 'clock', 'advance', time);
  const pay = (ending: string, id: string) => bench.run(payArgv(`01234567${ending}`, '--external-id', id));

  /** Six days with payouts of two corridors: paid, failed and refunded, stuck; a collection, and a top-up. */
  async function live(): Promise<void> {
    await sync();
    await pay('00', 'paid-1');
    await pay('19', 'failed-1');
    await advance('1d');
    await sync();
    await pay('01', 'stuck-1');
    await did('sandbox', 'payout', 'stuck-1', '--outcome', 'stuck');
    await did(
      'tx',
      'create',
      ...collectionFlags(),
      '--payin-detail',
      'mobile_provider=mtn',
      '--external-id',
      'c-1',
    );
    await did('sandbox', 'payin', 'c-1');
    await did('sandbox', 'seed', '--rounds', '1');
    await sync();
    await advance('2d');
    await did('sandbox', 'balance', 'EUR', '+500');
    await sync();
    await pay('00', 'paid-2');
    await advance('3d');
    await sync();
  }
  return { did, sync, advance, pay, live };
}
