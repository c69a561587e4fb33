/** The time in which payments were created: words that the desk reads, in the zone that is named. */
import { useEffect, useState } from 'preact/hooks';
import { PageForm } from './card.tsx';
import { zone } from './parts.tsx';

/** `30m`, `2026-11-20` or `2026-11-20T14:00`; empty where it has no bound. */
export interface Times {
  since: string;
  until: string;
}

const KINDS = {
  '': 'any time',
  '30m': 'the last 30 minutes',
  '24h': 'the last 24 hours',
  day: 'a day',
  between: 'from … to …',
} as const;
type Kind = keyof typeof KINDS;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

function kindOf({ since, until }: Times): Kind {
  if (until === '' && (since === '' || since === '30m' || since === '24h')) return since;
  return since === until && DAY.test(since) ? 'day' : 'between';
}

/** A day that was named stands with its first or last minute. */
const minuteOf = (text: string, clock: string): string => (DAY.test(text) ? `${text}T${clock}` : text);

export function PeriodChoice({ since, until, onChange }: Times & { onChange: (times: Times) => void }) {
  const [kind, setKind] = useState<Kind>(kindOf({ since, until }));
  useEffect(() => setKind(kindOf({ since, until })), [since, until]);
  const field = (label: string, name: keyof Times, type: 'date' | 'datetime-local', value: string) => (
    <label key={label}>
      {label} <input type={type} name={name} value={value} required={kind === 'day'} />
    </label>
  );
  return (
    <PageForm
      class="row period"
      onSubmit={({ since = '', until = '' }) => onChange({ since, until: kind === 'day' ? since : until })}
    >
      <label>
        Created{' '}
        <select
          value={kind}
          onChange={(event) => {
            const chosen = event.currentTarget.value as Kind;
            setKind(chosen);
            if (chosen !== 'day' && chosen !== 'between') onChange({ since: chosen, until: '' });
          }}
        >
          {Object.entries(KINDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {kind === 'day' && field('Day', 'since', 'date', DAY.test(since) ? since : '')}
      {kind === 'between' && (
        <>
          {field('From', 'since', 'datetime-local', minuteOf(since, '00:00'))}
          {field('To', 'until', 'datetime-local', minuteOf(until, '23:59'))}
        </>
      )}
      {(kind === 'day' || kind === 'between') && (
        <button type="submit" class="small">
          Show
        </button>
      )}
      <span class="quiet">in the time zone {zone.value}</span>
    </PageForm>
  );
}
