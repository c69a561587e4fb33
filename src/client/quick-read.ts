/**
 * Reads what fits its schema in place: no result, list of issues and copy around each value, as zod makes them (a fifth of a
 * whole request, bench/README.md). It reads what `zod` would read and nothing more: a misfit, and any kind of schema that is
 * not here, is left to zod, and so is every message.
 */
import type * as z from 'zod/mini';

export const MISFIT = Symbol('misfit');

/** The value as zod would give it, its members in the order they came; or MISFIT, with the value half changed. */
type Reader = (value: unknown) => unknown;

type Schema = z.core.$ZodType;

const readers = new WeakMap<Schema, Reader>();

export function quickReader(schema: Schema): Reader {
  const known = readers.get(schema);
  if (known) return known;
  const made = readerOf(schema);
  readers.set(schema, made);
  return made;
}

const left: Reader = () => MISFIT;
const finite: Reader = (value) => (Number.isFinite(value) ? value : MISFIT);
const asIs: Reader = (value) => value;
const ofType =
  (type: string): Reader =>
  (value) =>
    typeof value === type ? value : MISFIT;

const text = ofType('string');
const flag = ofType('boolean');

function readerOf(schema: Schema): Reader {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  if ('checks' in definition && definition.checks?.length) return left;
  switch (definition.type) {
    case 'string':
      return text;
    case 'boolean':
      return flag;
    case 'number':
      return finite;
    case 'unknown':
      return asIs;
    case 'optional':
      return allowing(undefined, definition.innerType);
    case 'nullable':
      return allowing(null, definition.innerType);
    case 'array':
      return arrayReader(quickReader(definition.element));
    case 'object':
      return definition.catchall?._zod.def.type === 'unknown' ? objectReader(definition.shape) : left;
    case 'record':
      return recordReader(quickReader(definition.keyType), quickReader(definition.valueType));
    case 'union':
      return unionReader(definition.options);
    case 'pipe':
      return pipeReader(quickReader(definition.in), definition.out);
    default:
      return left;
  }
}

/** Members are mostly texts that may be absent or null: one look each, not one for every layer of the schema. */
const nullishText: Reader = (value) =>
  typeof value === 'string' || value === undefined || value === null ? value : MISFIT;

function allowing(absent: null | undefined, inner: Schema): Reader {
  if (isNullishText(absent, inner)) return nullishText;
  const read = quickReader(inner);
  return (value) => (value === absent ? value : read(value));
}

function isNullishText(absent: null | undefined, inner: Schema): boolean {
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (def.type !== 'nullable' && def.type !== 'optional') return false;
  const other = def.type === 'nullable' ? null : undefined;
  return absent !== other && quickReader(def.innerType) === text;
}

function arrayReader(read: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) return MISFIT;
    for (let i = 0; i < value.length; i++) {
      const item = read(value[i]);
      if (item === MISFIT) return MISFIT;
      if (item !== value[i]) value[i] = item;
    }
    return value;
  };
}

/** Goes by what is there: of sixty members that a sender may have, an answer has twenty. */
function objectReader(shape: Readonly<Record<string, Schema>>): Reader {
  const members = new Map(Object.entries(shape).map(([name, schema]) => [name, quickReader(schema)]));
  const needed = [...members].filter(([, read]) => read(undefined) !== undefined).map(([name]) => name);
  return (value) => {
    if (!isRecord(value)) return MISFIT;
    for (const name in value) {
      const read = members.get(name);
      if (read === undefined) {
        // A member of this name is dropped by zod.
        if (name === '__proto__') return MISFIT;
        continue;
      }
      const before = value[name];
      const after = read(before);
      if (after === MISFIT) return MISFIT;
      if (after !== before) value[name] = after;
    }
    for (let i = 0; i < needed.length; i++) if (!Object.hasOwn(value, needed[i] as string)) return MISFIT;
    return value;
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordReader(readName: Reader, read: Reader): Reader {
  return (value) => {
    if (!isRecord(value) || Object.hasOwn(value, '__proto__')) return MISFIT;
    for (const name in value) {
      const before = value[name];
      const after = readName(name) === name ? read(before) : MISFIT;
      if (after === MISFIT) return MISFIT;
      if (after !== before) value[name] = after;
    }
    return value;
  };
}

/** Of options that change nothing: one that changed half of an object would spoil it for the next. */
function unionReader(options: readonly Schema[]): Reader {
  if (options.some(changes)) return left;
  const reads = options.map(quickReader);
  return (value) => {
    for (const read of reads) if (read(value) !== MISFIT) return value;
    return MISFIT;
  };
}

function changes(schema: Schema): boolean {
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  switch (definition.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return false;
    case 'array':
      return changes(definition.element);
    case 'object':
      return Object.values(definition.shape).some(changes);
    default:
      return true;
  }
}

function pipeReader(read: Reader, out: Schema): Reader {
  const definition = (out as z.core.$ZodTypes)._zod.def;
  if (definition.type !== 'transform') return left;
  const { transform } = definition;
  const context = { value: undefined as unknown, issues: [] as z.core.$ZodRawIssue[] };
  return (value) => {
    if (read(value) === MISFIT) return MISFIT;
    context.value = value;
    const made: unknown = transform(value, context);
    if (context.issues.length === 0) return made;
    context.issues.length = 0;
    return MISFIT;
  };
}
