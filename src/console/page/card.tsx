import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Command } from './parts.tsx';

/** The fields of a form by their names, without the blanks around them. */
export type Fields = Readonly<Record<string, string>>;

interface OfCard {
  title: string;
  children?: ComponentChildren;
  form?: ComponentChildren;
  /** The words of the button; none where nothing may be sent. */
  submit: string | false;
  /** The command that does the same. A word in capitals stands for the field of that name. */
  command?: string;
  onSubmit: (fields: Fields) => Promise<unknown>;
}

/** A part of a view, with or without a form. The form works once until its answer is there. */
export function Card({ title, children, form, submit, command, onSubmit }: OfCard) {
  const isBusy = useSignal(false);
  const given = useSignal<Fields>({});
  const own = useRef<HTMLFormElement>(null);
  const read = (): void => {
    if (own.current !== null) given.value = fieldsOf(own.current);
  };
  useEffect(read, []);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    isBusy.value = true;
    await onSubmit(fieldsOf(event.currentTarget as HTMLFormElement)).finally(() => {
      isBusy.value = false;
    });
  };
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {submit !== false && (
        <form class="line" ref={own} onInput={read} onSubmit={send}>
          {form}
          <button type="submit" disabled={isBusy.value}>
            {submit}
          </button>
        </form>
      )}
      {command !== undefined && <Command text={filled(command, given.value)} />}
      {children}
    </section>
  );
}

/** Blanks around a value are left out. */
export const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));

/** A value that a shell would read in another way is left to whoever types it. */
const filled = (command: string, fields: Fields): string =>
  command.replace(/[A-Z]+/g, (word) => {
    const value = fields[word.toLowerCase()] ?? '';
    return /^[\w.:-]+$/.test(value) ? value : word;
  });

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
