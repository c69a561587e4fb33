import { useSignal } from '@preact/signals';
import type { Payout } from '../../wire.ts';
import { type Fields, fieldsOf } from '../card.tsx';
import { Small, Their } from '../parts.tsx';

type Detail = Payout['details'][number];

interface Given {
  details: readonly Detail[];
  onSend: (details: Record<string, string>) => void;
}

/** The details that may be wrong: what the failure is about at first, the others behind a click. Only what is written is sent. */
export function Correct({ details, onSend }: Given) {
  const named = details.filter(({ isNamed }) => isNamed);
  const showsAll = useSignal(named.length === 0);
  const changes = useSignal<Fields>({});
  const showAll = (): void => {
    showsAll.value = true;
  };
  return (
    <form
      onInput={(event) => {
        const written = Object.entries(fieldsOf(event.currentTarget)).filter(([, text]) => text !== '');
        changes.value = Object.fromEntries(written);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ ...changes.value });
      }}
    >
      <p class="quiet">Leave empty what stays as it is.</p>
      {(showsAll.value ? details : named).map((one) => (
        <Field key={one.name} {...one} />
      ))}
      <p class="buttons">
        {!showsAll.value && <Small onClick={showAll}>Other details too</Small>}
        <button type="submit" disabled={Object.keys(changes.value).length === 0}>
          Check it
        </button>
      </p>
    </form>
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
