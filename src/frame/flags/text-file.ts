/**
 * Reads a JSON or YAML file whose scalars stay text (docs/rules.md 3): `044` is a bank code and `+2348…` a phone
 * number, and an amount keeps every digit. Only `metadata` keeps JSON's numbers, and JSON's booleans stay booleans.
 */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exactNumber } from '../../core/exact-numbers.ts';
import { secondMember, spotWords } from '../../core/json-members.ts';
import { Problem, usage } from '../../core/problem.ts';
import type { Process } from '../process.ts';

const LARGEST = 1_000_000;

export async function readTextFile(process: Process, path: string): Promise<string> {
  const text =
    path === '-'
      ? await readStdin(process)
      : decodeText(await readFromDisk(resolve(process.cwd, path), path), path);
  if (text.trim() === '') throw usage(`${nameOf(path)} is empty`);
  return text;
}

/**
 * UTF-8, its byte order mark taken off. What is not UTF-8 is refused, not guessed at: a name with wrong letters is a payment
 * that the bank refuses. @throws Problem (usage)
 */
export function decodeText(bytes: Uint8Array, path: string): string {
  const [first, second] = bytes;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (marked || bytes.subarray(0, 4).includes(0))
    throw usage(`${nameOf(path)} is not UTF-8: it reads as UTF-16`, SAVE_AS);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`${nameOf(path)} is not UTF-8`, SAVE_AS);
  }
}

const SAVE_AS = 'save it as UTF-8; in Windows PowerShell: Set-Content -Encoding utf8';

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

async function readFromDisk(absolute: string, path: string): Promise<Buffer> {
  const found = await stat(absolute);
  if (found.isDirectory()) throw usage(`${path} is a folder, not a file`);
  const { size } = found;
  if (size > LARGEST) throw tooLarge(path, size);
  return readFile(absolute);
}

export async function readStdin(process: Process): Promise<string> {
  return decodeText(await readStdinBytes(process), '-');
}

/** Answers the bytes as they came, since a signature covers each of them. */
export async function readStdinBytes({ streams }: Process): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of streams.stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > LARGEST) throw tooLarge('-', size);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (path: string, size: number) =>
  usage(
    `${nameOf(path)} is too large for one transaction: ${Math.round(size / 1000)} kB, at most ${LARGEST / 1000} kB`,
  );

/** The content as an object of texts, lists and objects. @throws Problem (usage) naming line and column */
export async function parseTextFile(text: string, name: string): Promise<Record<string, unknown>> {
  const value = /^\s*[{[]/.test(text) ? await parseJson(text, name) : await parseYaml(text, name);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw usage(`${name} does not hold an object with the members of a transaction`);
}

async function parseJson(text: string, name: string): Promise<unknown> {
  const { isLosslessNumber, parse } = await import('lossless-json');
  const convert = (value: unknown, inMetadata: boolean): unknown => {
    if (isLosslessNumber(value)) return inMetadata ? exactNumber(value.toString()) : value.toString();
    if (Array.isArray(value)) return value.map((item) => convert(item, inMetadata));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, convert(member, inMetadata || key === 'metadata')]),
    );
  };
  try {
    const value = convert(parse(text, undefined, { onDuplicateKey: () => undefined }), false);
    refuseTwice(text, name);
    return value;
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw usage(`${name} is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Refuses a member that stands there twice: of two accounts, the one meant is unknown.
 * @throws Problem (usage)
 */
function refuseTwice(text: string, name: string): void {
  const second = secondMember(text);
  if (second !== undefined)
    throw usage(
      `${name}: ${spotWords(text, second.at)} has the member "${second.name}" a second time`,
      'delete one of the two',
    );
}

async function parseYaml(text: string, name: string): Promise<unknown> {
  const yaml = await import('yaml');
  refuseManyWords(yaml, text, name);
  const { PARSED_WITH, wrongKeyIn } = await import('../../tables/yaml.ts');
  const document = yaml.parseDocument(text, PARSED_WITH);
  const [problem] = document.errors;
  if (problem?.code === 'MULTIPLE_DOCS')
    throw usage(`${name} holds several documents: one transaction a file`);
  if (problem) throw usage(`${name} is not YAML: ${problem.message.split('\n')[0]}`);
  const wrong = wrongKeyIn(yaml, document);
  if (wrong) throw usage(`${name}: ${spotWords(text, wrong.at)} ${wrong.words}`, wrong.next);
  try {
    return document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    throw usage(`${name} is not YAML that can be read: ${(error as Error).message}`);
  }
}

/** Keys and values together: a transaction of a hundred recipients has some three thousand. */
const MOST_WORDS = 20_000;

/** Each key and value takes kilobytes once it is read. The library's lexer alone is fast. @throws Problem (usage) */
function refuseManyWords({ Lexer, CST }: typeof import('yaml'), text: string, name: string): void {
  let words = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === CST.SCALAR && ++words > MOST_WORDS)
      throw usage(
        `${name} has more than ${MOST_WORDS.toLocaleString('en')} keys and values: one transaction a file`,
      );
  }
}

/** The bytes of a file, or of standard input. */
export async function* bytesOfFile({ cwd, streams }: Process, file: string): AsyncGenerator<Uint8Array> {
  if (file === '-') {
    for await (const chunk of streams.stdin) yield Buffer.from(chunk as Uint8Array | string);
    return;
  }
  const { fileBytes } = await import('../../tables/open.ts');
  yield* fileBytes(resolve(cwd, file), file);
}
