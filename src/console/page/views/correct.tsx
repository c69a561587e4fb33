import { useSignal } from '@preact/signals';
import type { Payout } from '../../wire.ts';
import { Their } from '../parts.tsx';

type Detail = Payout['details'][number];

/** The details that may be wrong: what the failure is about at first, the others behind a click. Only what is written is sent. */
export function Correct({
  details,
  onSend,
}: {
  details: readonly Detail[];
  onSend: (details: Record<string, string>) => void;
}) {
  const named = details.filter(({ isNamed }) => isNamed);
  const showsAll = useSignal(named.length === 0);
  const given = useSignal<Record<string, string>>({});
  const shown = showsAll.value ? details : named;
  const changes = Object.fromEntries(Object.entries(given.value).filter(([, text]) => text.trim() !== ''));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend(changes);
      }}
    >
      <p class="quiet">Leave empty what stays as it is.</p>
      {shown.map((one) => (
        <Field
          key={one.name}
          detail={one}
          value={given.value[one.name] ?? ''}
          onInput={(text) => {
            given.value = { ...given.value, [one.name]: text };
          }}
        />
      ))}
      <p class="buttons">
        {!showsAll.value && (
          <button
            type="button"
            class="small"
            onClick={() => {
              showsAll.value = true;
            }}
          >
            Other details too
          </button>
        )}
        <button type="submit" disabled={Object.keys(changes).length === 0}>
          Check it
        </button>
      </p>
    </form>
  );
}

interface Given {
  detail: Detail;
  value: string;
  onInput: (text: string) => void;
}

const Field = ({ detail: { name, label, shown, options }, value, onInput }: Given) => (
  <label for={`detail-${name}`}>
    {label}
    <span class="quiet">
      {' '}
      now <Their text={shown || 'empty'} />
    </span>
    {options === null ? (
      <input
        id={`detail-${name}`}
        name={name}
        value={value}
        autoComplete="off"
        spellcheck={false}
        translate={false}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    ) : (
      <select
        id={`detail-${name}`}
        name={name}
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
      >
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
