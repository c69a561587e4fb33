import { useState } from 'preact/hooks';
import type { Payout } from '../../wire.ts';
import type { Send } from '../act.tsx';
import { type Fields, Form } from '../card.tsx';
import { Small, Their } from '../parts.tsx';

type Detail = Payout['details'][number];

/** The details that may be wrong: what the failure is about at first, the others behind a click. Only what is written is sent. */
export function Correct({ details, onSend }: { details: readonly Detail[]; onSend: Send }) {
  const named = details.filter(({ isNamed }) => isNamed);
  const [showsAll, showAll] = useState(named.length === 0);
  const [changes, setChanges] = useState<Fields>({});
  const change = (fields: Fields): void =>
    setChanges(Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')));
  return (
    <Form onFields={change} onSubmit={() => onSend(changes)}>
      <p class="quiet">Leave empty what stays as it is.</p>
      {(showsAll ? details : named).map((one) => (
        <Field key={one.name} {...one} />
      ))}
      <p class="row buttons">
        {!showsAll && <Small onClick={() => showAll(true)}>Other details too</Small>}
        <button type="submit" disabled={Object.keys(changes).length === 0}>
          Check it
        </button>
      </p>
    </Form>
  );
}

const Field = ({ name, label, shown, options }: Detail) => (
  <label for={`detail-${name}`}>
    {label}
    <span class="quiet">
      {' '}
      now <Their text={shown || 'empty'} />
    </span>
    {options === null ? (
      <input id={`detail-${name}`} name={name} autoComplete="off" spellcheck={false} translate={false} />
    ) : (
      <select id={`detail-${name}`} name={name}>
        <option value="">as it is</option>
        {options.map((one) => (
          <option key={one.code} value={one.code}>
            {one.label} ({one.code})
          </option>
        ))}
      </select>
    )}
  </label>
);
