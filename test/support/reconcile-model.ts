/**
 * A second matcher, slow and plain: it looks at every pair of rows, adds up floats nowhere, and shares no code with the program. It knows
 * ids, references, amounts as text and days as numbers.
 */
export interface ModelRow {
  ids: string[];
  reference: string;
  /** In hundredths; below zero where money came in. */
  cents: number;
  currency: string;
  day: number;
}

export interface ModelRecord extends ModelRow {
  kind: 'paid' | 'in_flight' | 'back' | 'not_funded';
}

export interface ModelEndings {
  ledger: string[];
  service: string[];
}

/** For ledgers in which an id names one record and is booked at most once, besides repeats of a row. */
export function modelEndings(
  ledger: readonly ModelRow[],
  service: readonly ModelRecord[],
  days: number,
): ModelEndings {
  const mine: (string | undefined)[] = ledger.map(() => undefined);
  const theirs: (string | undefined)[] = service.map(() => undefined);
  const end = (i: number, j: number, ending: string): void => {
    mine[i] = ending;
    theirs[j] = ending;
  };
  const agreeing = ({ kind }: ModelRecord): string =>
    kind === 'in_flight' ? 'expected' : kind === 'paid' ? 'matched' : 'state_differs';
  const named = (i: number): number =>
    service.findIndex(({ ids }) => ids.some((id) => id !== '' && names(ledger[i] as ModelRow).includes(id)));

  // By id: the best row first, so that a wrong row does not take what a right one names.
  for (const isRight of [true, false])
    for (const [i, row] of ledger.entries()) {
      const j = named(i);
      const record = service[j];
      if (record === undefined || mine[i] !== undefined) continue;
      const isSame = row.currency === record.currency && row.cents === record.cents;
      if (isSame !== isRight) continue;
      if (theirs[j] !== undefined) mine[i] = 'duplicate';
      else if (isSame) end(i, j, agreeing(record));
      else end(i, j, row.currency === record.currency ? 'amount_differs' : 'currency_differs');
    }

  // By reference, amount and currency: the earliest row with the earliest record within reach.
  const isNear = (i: number, j: number): boolean =>
    Math.abs((ledger[i]?.day ?? 0) - (service[j]?.day ?? 0)) <= days;
  const hasReference = (i: number, j: number): boolean =>
    ledger[i]?.reference !== '' && ledger[i]?.reference.toUpperCase() === service[j]?.reference.toUpperCase();
  const isLike = (i: number, j: number): boolean =>
    hasReference(i, j) &&
    ledger[i]?.cents === service[j]?.cents &&
    ledger[i]?.currency === service[j]?.currency;
  const openRows = ledger.map((_, i) => mine[i] === undefined);
  const openRecords = service.map((_, j) => theirs[j] === undefined);
  const rows = byDay(ledger);
  const records = byDay(service);
  for (const i of rows) {
    if (mine[i] !== undefined) continue;
    const j = records.find((one) => theirs[one] === undefined && isLike(i, one) && isNear(i, one));
    if (j !== undefined) end(i, j, agreeing(service[j] as ModelRecord));
  }
  for (const [i, row] of ledger.entries()) {
    if (mine[i] !== undefined) continue;
    const twin = ledger.findIndex(
      (other, at) =>
        mine[at] !== undefined &&
        named(at) < 0 &&
        other.reference.toUpperCase() === row.reference.toUpperCase() &&
        row.reference !== '' &&
        other.cents === row.cents &&
        other.currency === row.currency &&
        other.day === row.day,
    );
    if (twin >= 0) mine[i] = 'duplicate';
  }
  // Alone with a reference on both sides.
  for (const [i, row] of ledger.entries()) {
    if (mine[i] !== undefined) continue;
    const others = service.flatMap((_, j) => (openRecords[j] && hasReference(i, j) ? [j] : []));
    const likes = ledger.filter(
      (other, at) => openRows[at] && other.reference.toUpperCase() === row.reference.toUpperCase(),
    );
    const [j = -1] = others;
    if (others.length !== 1 || likes.length !== 1 || theirs[j] !== undefined || !isNear(i, j)) continue;
    end(i, j, row.currency === service[j]?.currency ? 'amount_differs' : 'currency_differs');
  }
  return {
    ledger: mine.map((ending) => ending ?? 'only_in_ledger'),
    service: theirs.map((ending, j) => ending ?? lone(service[j] as ModelRecord)),
  };
}

const names = ({ ids }: ModelRow): string[] => ids.filter((id) => id !== '');

const byDay = (rows: readonly ModelRow[]): number[] =>
  rows.map((_, i) => i).sort((a, b) => (rows[a]?.day ?? 0) - (rows[b]?.day ?? 0) || a - b);

const lone = ({ kind }: ModelRecord): string =>
  kind === 'in_flight' ? 'expected' : kind === 'not_funded' ? 'not_funded' : 'only_at_service';
