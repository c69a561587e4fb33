/**
 * The public surface (docs/policy.md) as lines that can be compared: what a line says no longer stands in the program when it goes away or
 * becomes another one. A line more is an addition.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describeCommands, describeShapes } from '../../src/program/help/describe.ts';
import { ROOT } from './source-tree.ts';

type Schema = Record<string, unknown>;

/** Each exported name of a library as it was built, its members one by one, as far down as the types are written out. */
export function exportLines(library: string): string[] {
  const built = readFileSync(join(ROOT, 'dist', `${library}.d.cts`), 'utf8');
  const source = ts.createSourceFile('types.d.ts', built, ts.ScriptTarget.Latest, true);
  return source.statements.filter(isExported).flatMap((statement) => {
    const at = `${library} ${nameOf(statement)}`;
    if (ts.isInterfaceDeclaration(statement) || ts.isClassDeclaration(statement))
      return [
        `${at}${tail(statement.heritageClauses)}`,
        ...statement.members.flatMap((member) => memberLines(at, member)),
      ];
    if (ts.isTypeAliasDeclaration(statement)) return typeLines(at, statement.type);
    return [`${at}: ${plain(statement)}`];
  });
}

const isExported = (statement: ts.Statement): boolean =>
  ts.isExportDeclaration(statement) ||
  (ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true);

const plain = (node: ts.Node): string =>
  node
    .getText()
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
const tail = (clauses: readonly ts.Node[] | undefined): string =>
  (clauses ?? []).map((one) => ` ${plain(one)}`).join('');
const nameOf = (node: ts.Node): string =>
  'name' in node && node.name !== undefined ? plain(node.name as ts.Node) : plain(node).slice(0, 60);

function memberLines(at: string, member: ts.TypeElement | ts.ClassElement): string[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [`${at}.${plain(member)}`];
  return typeLines(`${at}.${nameOf(member)}${member.questionToken ? '?' : ''}`, member.type);
}

function typeLines(at: string, type: ts.TypeNode): string[] {
  if (ts.isTypeLiteralNode(type)) return type.members.flatMap((member) => memberLines(at, member));
  if (ts.isArrayTypeNode(type)) return typeLines(`${at}[]`, type.elementType);
  if (ts.isParenthesizedTypeNode(type)) return typeLines(at, type.type);
  if (ts.isUnionTypeNode(type)) return type.types.flatMap((one) => typeLines(at, one));
  return [`${at}: ${plain(type)}`];
}

/** Each command with its arguments, flags, exit codes and kinds of results. Words for people are no promise. */
export async function commandLines(): Promise<string[]> {
  const commands = await describeCommands();
  const flag = ({
    long,
    short,
    value,
    choices,
    env,
  }: (typeof commands)[number]['flags'][number]): string[] => [
    `${long}${value === null ? '' : ' <value>'}`,
    ...(short === null ? [] : [`${long} is ${short}`]),
    ...(env === null ? [] : [`${long} is ${env}`]),
    ...choices.map((choice) => `${long} takes ${choice}`),
  ];
  const globals = new Set(commands.flatMap(({ global_flags }) => global_flags.flatMap(flag)));
  return [
    ...[...globals].map((line) => `any command: ${line}`),
    ...commands.flatMap(({ words, args, flags, exit_codes, results }) =>
      [
        'is there',
        ...args.map(
          ({ optional, many }, index) =>
            `argument ${index + 1}${optional ? ', optional' : ''}${many ? ', many' : ''}`,
        ),
        ...flags.flatMap(flag),
        ...exit_codes.map((code) => `ends with ${code}`),
        ...results.map(({ kind, version }) => `prints ${kind}@${version}`),
      ].map((line) => `${words}: ${line}`),
    ),
  ];
}

/** Each member of each kind of result. */
export const resultLines = async (): Promise<string[]> =>
  (await describeShapes()).flatMap(({ kind, version, schema }) =>
    schemaLines(`${kind}@${version}`, schema as Schema),
  );

function schemaLines(
  at: string,
  { type, properties, required, items, anyOf, enum: words, const: word, additionalProperties }: Schema,
): string[] {
  const inner = (path: string, one: unknown): string[] => (isSchema(one) ? schemaLines(path, one) : []);
  const always = new Set((required as string[] | undefined) ?? []);
  return [
    ...[type ?? []].flat().map((one) => `${at}: ${one}`),
    ...((words as unknown[] | undefined) ?? (word === undefined ? [] : [word])).map(
      (one) => `${at} = ${JSON.stringify(one)}`,
    ),
    ...Object.entries((properties as Record<string, unknown>) ?? {}).flatMap(([name, one]) => [
      ...(always.has(name) ? [`${at}.${name} is always there`] : []),
      ...inner(`${at}.${name}`, one),
    ]),
    ...((anyOf as unknown[] | undefined) ?? []).flatMap((one) => inner(at, one)),
    ...inner(`${at}[]`, items),
    ...inner(`${at}.*`, additionalProperties),
  ];
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
