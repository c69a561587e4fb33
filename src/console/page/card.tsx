import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The fields of a form by their names, without the blanks around them. */
export type Fields = Readonly<Record<string, string>>;

/** A part of a view, with or without a form. The form works once until its answer is there. */
export function Card({
  title,
  children,
  form,
  submit,
  onSubmit,
}: {
  title: string;
  children?: ComponentChildren;
  form?: ComponentChildren;
  /** The words of the button; none where nothing may be sent. */
  submit: string | false;
  onSubmit: (fields: Fields) => Promise<unknown>;
}) {
  const isBusy = useSignal(false);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    isBusy.value = true;
    await onSubmit(
      Object.fromEntries([...given].map(([name, value]) => [name, String(value).trim()])),
    ).finally(() => {
      isBusy.value = false;
    });
  };
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {submit !== false && (
        <form class="line" onSubmit={send}>
          {form}
          <button type="submit" disabled={isBusy.value}>
            {submit}
          </button>
        </form>
      )}
      {children}
    </section>
  );
}

export const Field = (given: {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  /** In characters. */
  size?: number;
  isOptional?: boolean;
  /** Digits alone are taken. */
  isNumber?: boolean;
}) => (
  <label>
    {given.label}{' '}
    <input
      name={given.name}
      defaultValue={given.value ?? ''}
      placeholder={given.hint}
      size={given.size ?? 22}
      {...(given.isNumber === true ? { pattern: '\\d{1,6}', inputMode: 'numeric' as const } : {})}
      required={given.isOptional !== true}
      maxLength={200}
      autoComplete="off"
      spellcheck={false}
    />
  </label>
);

export const Choice = ({ name, label, of }: { name: string; label: string; of: readonly string[] }) => (
  <label>
    {label}{' '}
    <select name={name}>
      {of.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  </label>
);
