import type { Sender } from '../../../contract/resources/sender.ts';
import { senderStates } from '../../../contract/states/sender.ts';
import type { StateInfo } from '../../../contract/states/state.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { senderShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName } from '../../words/person.ts';

export const senderView: View<Sender> = {
  shape: senderShape,
  empty: 'no sender found',
  columns: [
    { name: 'id', id: true, priority: 2, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'name', priority: 1, least: 10, get: (row) => fullName(row) },
    { name: 'external_id', priority: 1, least: 12, get: (row) => row.external_id },
    { name: 'type', priority: 3, get: (row) => row.type },
    { name: 'country', priority: 3, get: (row) => row.country },
    { name: 'created_at', head: 'CREATED', priority: 2, least: 10, time: true, get: (row) => row.created_at },
  ],
  details: (row) => [
    ['sender', row.id],
    ['external id', row.external_id],
    ['state', row.state, { state: lookOf }],
    ['which means', (senderStates as Record<string, StateInfo>)[row.state ?? '']?.meaning],
    ['reason', row.state_reason],
    ['type', row.type],
    ['name', fullName(row)],
    ['phone', [row.phone_country, row.phone_number].filter(Boolean).join(' ')],
    ['email', row.email],
    ['address', [row.street, row.postal_code, row.city, row.country].filter(Boolean).join(', ')],
    ['born', row.birth_date],
    ['created', row.created_at],
  ],
};
