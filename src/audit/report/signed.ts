/** A report that an approver signed: that it is unchanged since, and nothing else, is what a signature says. */
import { type KeyObject, sign, verify } from 'node:crypto';
import { publicKeyOf } from '../../profiles/approver-key.ts';
import type { AuditReport } from './record.ts';

/** The first line of the text: a signed report never reads as an approval of a pay run. */
const VERSION = 'remit audit report 1';

/** Members in the order of their names, at every depth: a file that was formatted anew is still the same. */
function textOf({ signature: _, ...report }: AuditReport): string {
  return `${VERSION}\n${JSON.stringify(ordered(report))}\n`;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

export function signReport(
  report: AuditReport,
  { name, key }: { name: string; key: string },
  privateKey: KeyObject,
): AuditReport {
  const signature = sign(null, Buffer.from(textOf(report)), privateKey).toString('base64');
  return { ...report, signature: { approver: name, key, signature } };
}

/** `unsigned` without a signature. */
export function reportSigner(
  report: AuditReport,
): 'unsigned' | 'changed' | { approver: string; key: string } {
  const { signature } = report;
  if (signature === null) return 'unsigned';
  const { approver, key } = signature;
  try {
    const isTrue = verify(
      null,
      Buffer.from(textOf(report)),
      publicKeyOf(key),
      Buffer.from(signature.signature, 'base64'),
    );
    return isTrue ? { approver, key } : 'changed';
  } catch {
    return 'changed';
  }
}
