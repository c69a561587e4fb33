/** The closing of a month: what is open, the manifest of its papers, and how these stand when they are read back. */
import * as z from 'zod/mini';
import { amountOrNull, number, own, shape, text, textOrNull, time } from '../../frame/shape.ts';
import { correctionSum, dayBalanceShape, statementTotalsShape } from '../shapes.ts';

/** An unexplained difference. */
export const openPointShape = shape(
  'open_point',
  own({
    /** The paper that shows it. */
    paper: z.enum(['statement', 'in_flight', 'reconciliation']),
    what: text,
    currency: textOrNull,
    amount: amountOrNull,
    day: textOrNull,
    /** The case of a reconciliation, by which a decision names it. */
    case: textOrNull,
  }),
);

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const file = {
  /** Below the folder; `/` between its parts. */
  name: z.string().check(z.regex(/^(?:sources\/)?[\w-][\w.-]{0,150}$/)),
  what: text,
  bytes: number,
  /** SHA-256, in hex. */
  sha256: digest,
};

export const closingManifestShape = shape(
  'closing_manifest',
  own({
    month: text,
    zone: text,
    /** `until` does not count. */
    from: time,
    until: time,
    /** A digest of the base URL and the key. */
    account: text,
    environment: text,
    closed_at: time,
    /** Until when the books knew everything, by the service's clock. */
    known_until: time,
    says: text,
    balances: z.array(statementTotalsShape.schema),
    in_flight: z.array(dayBalanceShape.schema),
    /** Unexplained differences: they are in open.csv. */
    open: number,
    /** Corrections of months that were closed before, which came in this one. */
    corrections: z.array(correctionSum),
    files: z.array(own(file)),
  }),
);

export const monthClosedShape = shape(
  'month_closed',
  own({
    month: text,
    zone: text,
    folder: text,
    files: number,
    open: number,
    /** SHA-256 of manifest.json, in hex: the books keep it too. */
    manifest: digest,
    closed_at: time,
    known_until: time,
  }),
);

export const closingFileShape = shape(
  'closing_file',
  own({
    name: text,
    what: textOrNull,
    state: z.enum(['same', 'changed', 'missing', 'not in the manifest']),
    bytes: z.nullable(number),
    sha256: z.nullable(digest),
  }),
);
