/** Each use case answers with a published shape: every command of the tree names those that it prints, and each is named by one. */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/payments/cli/command.ts';
import { describeShapes } from '../../src/program/help/describe.ts';
import { wholeTree } from '../../src/program/program.ts';
import { allShapes, checkShapes } from '../support/shapes.ts';

/** These print no record: a file, a document of a public format, the output of the program that they start, or the service's own bytes. */
const NO_RECORD = ['batch template', 'mcp', 'sandbox exec', 'sandbox openapi', 'schema'];

const shapesOf = ({ shows = [], tells = [] }: Command<never>) => [
  ...shows.map(({ shape }) => shape),
  ...tells,
];

describe('published shapes', () => {
  it('are named by each command that prints a record', async () => {
    const { commands } = await wholeTree();
    const without = commands.filter(({ command }) => shapesOf(command).length === 0);
    expect(without.map(({ leaf }) => leaf.words).sort()).toEqual(NO_RECORD);
  });

  it('have a kind each, and no two of them the same', () => {
    const kinds = allShapes.map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(kinds);
  });

  it('are all printed by some command', async () => {
    const printed = (await describeShapes()).map(({ kind }) => kind);
    expect(allShapes.map(({ kind }) => kind).sort()).toEqual(printed);
  });

  it('are JSON Schemas in which amounts are texts and a record of our own has no more members', async () => {
    const found = new Map((await describeShapes()).map(({ kind, schema }) => [kind, schema]));
    expect(found.get('payrun_row')).toMatchObject({ type: 'object', additionalProperties: false });
    const { input_amount: amount } = (found.get('transaction')?.properties ?? {}) as Record<string, unknown>;
    expect(amount).toMatchObject({ type: ['string', 'null'] });
    expect(found.get('transaction')).not.toMatchObject({ additionalProperties: false });
  });

  it('are compared with what every test of the command line prints', () => {
    const printed = (data: unknown) => JSON.stringify({ version: 1, kind: 'help', data });
    checkShapes([], printed({ name: 'a', meaning: 'b' }));
    expect(() => checkShapes([], printed({ name: 'a' }))).toThrow('prints no help');
    expect(() => checkShapes([], printed({ name: 'a', meaning: 'b', more: 1 }))).toThrow('prints no help');
    expect(() => checkShapes([], printed([{ name: 'a', meaning: 1 }]))).toThrow('prints no help');
    expect(() => checkShapes([], '{"version":2,"kind":"help","data":[]}')).toThrow('no shape is published');
  });
});
