/** Every command of the tree on a terminal. In a pipe: effects.test.ts. */
import { expect, it } from 'vitest';
import { leaves } from '../../src/program/tree.ts';
import { tour } from '../support/tour.ts';
import { walkThrough } from '../support/walk.ts';

it('every command of the tree has a stop, and every stop a command', () => {
  expect(Object.keys(tour).sort()).toEqual(leaves.map(({ words }) => words).sort());
});

walkThrough('on a terminal', ['--yes'], { tty: true, columns: 80 });
