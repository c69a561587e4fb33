/**
 * The tables of pay runs, in the file of the journal: one version counts the tables of all that is kept there. A draft is
 * a run not shown yet; a `gone` run is being removed. A trigger keeps the sums, so that a status of a million rows reads a few of them.
 */

export const SUM_KEY = 'state, type, currency, input_currency';
export const SUMMED = ['rows', 'amount', 'estimate', 'cost', 'arrives'] as const;

/**
 * SQL that adds to the tables what a version before had not: holds, and whom a row pays. Prints of rows that are older are not known, and
 * these are compared with nothing.
 */
export const payeeColumns = (prefix: string, integer: 'INTEGER' | 'bigint'): string => `
  ALTER TABLE ${prefix}payruns ADD COLUMN hold TEXT;
  ALTER TABLE ${prefix}payrun_rows ADD COLUMN payee ${integer};
  ALTER TABLE ${prefix}payrun_rows ADD COLUMN person ${integer};
  ALTER TABLE ${prefix}payrun_rows ADD COLUMN holder TEXT;
  CREATE INDEX ${prefix}payrun_rows_payee ON ${prefix}payrun_rows (payee) WHERE payee IS NOT NULL;
  CREATE INDEX ${prefix}payrun_rows_person ON ${prefix}payrun_rows (person) WHERE person IS NOT NULL;
  CREATE INDEX ${prefix}payrun_rows_key ON ${prefix}payrun_rows (key, run);
`;

/** Stands in the place of a print that is to be made again: no print is below 0. */
export const STALE_PRINT = -2;
/** Ends of the names of details that an earlier version did not take for a part of the account. */
const LATER_ROUTES = [
  ...['provider', 'phone_country', 'account_type', 'pix_key_type', 'bank_country'],
  ...['routing_number', 'swift_code'],
];

/** SQL that adds what a later version has: whom the service shows as the payee of a row, and when no edit of this journal changed that. */
export const standingColumns = (prefix: string, integer: 'INTEGER' | 'bigint'): string => `
  ALTER TABLE ${prefix}payrun_rows ADD COLUMN stands TEXT;
  ALTER TABLE ${prefix}payrun_rows ADD COLUMN elsewhere ${integer};
  UPDATE ${prefix}payrun_rows SET payee = ${STALE_PRINT} WHERE payee IS NOT NULL AND (${LATER_ROUTES.map((name) => `body LIKE '%${name}":%'`).join(' OR ')});
`;

const summed = SUMMED.join(', ');
const signed = (sign: '+' | '-', of: (name: string) => string): string =>
  SUMMED.map((name) => `${name} = ${name} ${sign} ${of(name)}`).join(', ');
const worth = (row: 'OLD' | 'NEW') => (name: string) =>
  name === 'rows' ? '1' : `COALESCE(${row}.${name}, 0)`;
const keyOf = (row: 'OLD' | 'NEW'): string =>
  SUM_KEY.split(', ')
    .map((name) => `${row}.${name}`)
    .join(', ');
const ADD = `INSERT INTO payrun_sums (run, ${SUM_KEY}, ${summed})
    VALUES (NEW.run, ${keyOf('NEW')}, ${SUMMED.map(worth('NEW')).join(', ')})
    ON CONFLICT DO UPDATE SET ${signed('+', (name) => `excluded.${name}`)};`;

/** Brings version 14 of the file on to the next. */
export const PAYEES = payeeColumns('', 'INTEGER');
/** Brings version 17 on. */
export const STANDING = standingColumns('', 'INTEGER');
export const PAYRUN_TABLES = `
  CREATE TABLE payruns (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    base_url TEXT NOT NULL,
    environment TEXT NOT NULL,
    profile TEXT NOT NULL,
    key_last4 TEXT NOT NULL,
    maker TEXT,
    window_size INTEGER NOT NULL,
    digest TEXT NOT NULL DEFAULT '',
    plan TEXT NOT NULL DEFAULT '',
    rows INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL,
    why TEXT,
    approval TEXT,
    rates TEXT,
    rates_at INTEGER,
    fence INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    checked_at INTEGER,
    forgotten_at INTEGER,
    forget_owed INTEGER,
    accepted_before INTEGER,
    statements TEXT,
    rejection TEXT
  ) STRICT;
  CREATE UNIQUE INDEX payruns_name ON payruns (base_url, name) WHERE state NOT IN ('draft', 'gone');
  CREATE INDEX payruns_unfinished ON payruns (state) WHERE state IN ('draft', 'gone');
  CREATE TABLE payrun_windows (
    run INTEGER NOT NULL,
    "window" INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    fence INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    until INTEGER,
    PRIMARY KEY (run, "window")
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE payrun_rows (
    run INTEGER NOT NULL,
    n INTEGER NOT NULL,
    "window" INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'planned',
    key TEXT NOT NULL,
    external_id TEXT NOT NULL,
    type TEXT NOT NULL,
    amount INTEGER NOT NULL,
    currency TEXT NOT NULL,
    input_currency TEXT NOT NULL,
    estimate INTEGER NOT NULL,
    content TEXT NOT NULL,
    account INTEGER NOT NULL,
    intent_id TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    transaction_id TEXT,
    recipient_id TEXT,
    cost INTEGER,
    arrives INTEGER,
    code TEXT,
    why TEXT,
    updated_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    handed TEXT,
    found TEXT,
    PRIMARY KEY (run, n),
    UNIQUE (run, key),
    UNIQUE (run, external_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX payrun_rows_state ON payrun_rows (run, state, n);
  CREATE INDEX payrun_rows_account ON payrun_rows (account);
  CREATE INDEX payrun_rows_found ON payrun_rows (run) WHERE found IS NOT NULL;
  CREATE TABLE payrun_sums (
    run INTEGER NOT NULL,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    input_currency TEXT NOT NULL,
    rows INTEGER NOT NULL CHECK (rows >= 0),
    amount INTEGER NOT NULL,
    estimate INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    arrives INTEGER NOT NULL,
    PRIMARY KEY (run, ${SUM_KEY})
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER payrun_rows_changed AFTER UPDATE OF state, cost, arrives ON payrun_rows
  WHEN OLD.state IS NOT NEW.state OR OLD.cost IS NOT NEW.cost OR OLD.arrives IS NOT NEW.arrives BEGIN
    UPDATE payrun_sums SET ${signed('-', worth('OLD'))} WHERE run = OLD.run AND (${SUM_KEY}) = (${keyOf('OLD')});
    ${ADD}
  END;
  ${PAYEES}
  ${STANDING}
`;
