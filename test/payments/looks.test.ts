import { expect, it } from 'vitest';
import { lookOf } from '../../src/payments/words/looks.ts';

it.each([
  ['applied', 'good'],
  ['active', 'good'],
  ['open', 'waiting'],
  ['unknown', 'bad'],
  ['conflict', 'bad'],
  ['paid', 'good'],
  ['error', 'bad'],
  ['pending', 'waiting'],
  ['refunded', 'good'],
  ['Ada', undefined],
  ['constructor', undefined],
])('%s looks %s', (word, look) => expect(lookOf(word)).toBe(look));
