/** The details of a payout that a correction may change, as the user is asked for them. */
import { loadCorridor, loadOptionsOf } from '../contract/corridors/index.ts';
import type { Recipient } from '../contract/resources/transaction.ts';
import { fieldsNamedBy, recipientKindOf } from './edit-recipient.ts';
import type { Correctable } from './shapes/pieces.ts';
import { type MaskLevel, maskData } from './words/mask.ts';

export async function correctableOf(recipient: Recipient, mask: MaskLevel): Promise<Correctable[]> {
  const method = recipient.payout_method;
  const corridor = await loadCorridor(method?.type ?? '');
  const fields = corridor?.recipientKinds[recipientKindOf(recipient)] ?? [];
  const optionsOf = corridor && (await loadOptionsOf(corridor));
  const shown = maskData(method?.details ?? {}, mask, 'details') as Record<string, unknown>;
  const named = fieldsNamedBy(recipient);
  const names = [...new Set([...fields.map(({ name }) => String(name)), ...Object.keys(shown)])];
  return names.map((name) => {
    const field = fields.find((one) => one.name === name);
    const given = field?.options;
    const options = Object.entries((typeof given === 'string' ? optionsOf?.(given) : given) ?? {});
    return {
      name,
      label: field?.label ?? name.replaceAll('_', ' '),
      shown: String(shown[name] ?? ''),
      isNamed: named.includes(name) && (field !== undefined || shown[name] !== undefined),
      options: options.length === 0 ? null : options.map(([code, label]) => ({ code, label: String(label) })),
    };
  });
}
