import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CommandText } from './parts.tsx';

/** The fields of a form by their names, without the blanks around them. */
export type Fields = Readonly<Record<string, string>>;

const fieldsOf = (form: HTMLFormElement): Fields =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));

/** The fields whose names begin so, by the rest of their names. */
export const fieldsUnder = (start: string, fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith(start) ? [[name.slice(start.length), value]] : [],
    ),
  );

interface OfForm extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  onSubmit: (fields: Fields) => unknown;
  /** Called with each letter that is written. */
  onFields?: (fields: Fields) => void;
}

/** A form that the page reads: the browser sends it nowhere, and offers nothing that was typed before. */
export const PageForm = ({ onSubmit, onFields, ...rest }: OfForm) => (
  <form
    {...rest}
    autoComplete="off"
    onInput={(event) => onFields?.(fieldsOf(event.currentTarget))}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit(fieldsOf(event.currentTarget));
    }}
  />
);

type Valued = readonly [value: string, words: string];
interface OfField {
  name: string;
  label: ComponentChildren;
  value?: string | undefined;
  hint?: string;
  /** A number of characters: the width, and the most that are taken. */
  size?: number;
  most?: number;
  isOptional?: boolean;
  /** The pattern that it must have, and the words for it. */
  form?: { pattern: string; title: string };
  /** The choices; a choice may have a value that differs from its words. */
  of?: readonly (string | Valued)[] | undefined;
}

interface OfCard {
  title: string;
  children?: ComponentChildren;
  fields?: readonly OfField[];
  /** Stands behind the fields. */
  more?: ComponentChildren;
  /** The words of the button; none where nothing may be sent. */
  submit: string | false;
  /** The command that does the same. A word in capitals stands for the field of that name. */
  command?: string;
  onSubmit: (fields: Fields) => Promise<unknown>;
}

/** A part of a view, with or without a form. The form works once until its answer is there. */
export function Card({ title, children, fields = [], more, submit, command, onSubmit }: OfCard) {
  const [isBusy, setBusy] = useState(false);
  const first = fields.map(({ name, value, of }) => [name, value ?? of?.[0]?.toString() ?? '']);
  const [given, setGiven] = useState<Fields>(submit === false ? {} : Object.fromEntries(first));
  const send = (written: Fields): void => {
    setBusy(true);
    void onSubmit(written).finally(() => setBusy(false));
  };
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {submit !== false && (
        <PageForm class="row line" onFields={setGiven} onSubmit={send}>
          {fields.map((one) => (
            <FormField key={`${one.name} ${one.value}`} {...one} />
          ))}
          {more}
          <button type="submit" disabled={isBusy}>
            {submit}
          </button>
        </PageForm>
      )}
      {command !== undefined && <CommandText text={filled(command, given)} />}
      {children}
    </section>
  );
}

/** A value that a shell would read in another way is left to the user to type. */
const filled = (command: string, fields: Fields): string =>
  command.replace(/[A-Z]+/g, (word) => {
    const value = fields[word.toLowerCase()] ?? '';
    return /^[\w.:-]+$/.test(value) ? value : word;
  });

export const FormField = ({ of, ...given }: OfField) =>
  of === undefined ? <Text {...given} /> : <Choice {...given} of={of} />;

const Choice = ({ name, label, of = [], isOptional }: OfField) => (
  <label>
    {label}{' '}
    <select name={name}>
      {isOptional && <option value="">as it is</option>}
      {of.map((one) => {
        const [value, words] = typeof one === 'string' ? [one, one] : one;
        return (
          <option key={value} value={value}>
            {words}
          </option>
        );
      })}
    </select>
  </label>
);

export const Text = ({ name, label, value, hint, size = 22, most = 200, isOptional, form }: OfField) => (
  <label>
    {label}{' '}
    <input
      name={name}
      defaultValue={value ?? ''}
      placeholder={hint}
      size={size}
      {...form}
      required={!isOptional}
      maxLength={most}
    />
  </label>
);
