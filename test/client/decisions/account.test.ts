/** Which keys are one account, and by which of them it is known. */
import { describe, expect, it } from 'vitest';
import { accountWith, knownKey } from '../../../src/contract/account-key.ts';
import {
  type AccountKey,
  accountRelation,
  firstKeyOf,
  type KeyJoin,
  type Kinship,
  keyLast4,
} from '../../../src/core/account.ts';

const URL_1 = 'https://api.example.com/v1';
const LOCAL = 'http://127.0.0.1:4010/v1';
const URL_2 = 'https://api.example.com/v2';
const [a, b, c, d] = ['key_a_0001', 'key_b_0002', 'key_c_0003', 'key_d_0004'] as const;
const at = (key: string, baseUrl = URL_1) => accountWith(baseUrl, key);
const join = (before: string, key: string, isProven = true, baseUrl = URL_1): KeyJoin => ({
  baseUrl,
  before: knownKey(before),
  key: knownKey(key),
  isProven,
  at: 1,
});
const old = (keyLast4: string): AccountKey => ({ baseUrl: URL_1, keyLast4 });

it.each([
  ['key_a_0001', '0001'],
  ['12345', '2345'],
  // Of a short key even the end would be all of it.
  ['1234', '••••'],
  ['', '••••'],
])('of the key %j people read %j', (key, last4) => expect(keyLast4(key)).toBe(last4));

describe('two keys', () => {
  it.each<[string, AccountKey, AccountKey, KeyJoin[], Kinship]>([
    ['one key', at(a), at(a), [], 'same'],
    ['one key under two spellings of the URL', at(a), at(a, 'https://API.example.com/v1/'), [], 'same'],
    ['one key at two URLs', at(a), at(a, URL_2), [], 'other'],
    ['two keys', at(a), at(b), [], 'other'],
    ['two keys with the same last four', at('key_x_0001'), at(a), [], 'other'],
    ['one that took the place of the other', at(b), at(a), [join(a, b)], 'same'],
    ['the same, asked the other way round', at(a), at(b), [join(a, b)], 'same'],
    ['by the word of somebody', at(b), at(a), [join(a, b, false)], 'unproven'],
    ['joined at another URL', at(b), at(a), [join(a, b, true, URL_2)], 'other'],
    ['joined at the same URL, spelt otherwise', at(b), at(a), [join(a, b, true, `${URL_1}/`)], 'same'],
    ['over one between them', at(c), at(a), [join(b, c), join(a, b)], 'same'],
    ['over two between them, in any order', at(d), at(a), [join(c, d), join(a, b), join(b, c)], 'same'],
    ['over one that nothing shows', at(c), at(a), [join(a, b, false), join(b, c)], 'unproven'],
    ['two that followed one', at(b), at(c), [join(a, b), join(a, c)], 'same'],
    ['one of which is in no join', at(d), at(a), [join(a, b), join(b, c)], 'other'],
    ['back again', at(a), at(b), [join(a, b), join(b, a)], 'same'],
    ['proven by a second way', at(b), at(a), [join(a, b, false), join(a, c), join(c, b)], 'same'],
    ['kept without a print, the same last four', old('0001'), at(a), [], 'same'],
    ['kept without a print, another last four', old('0009'), at(a), [], 'other'],
    ['kept without a print, of a key that was followed', old('0001'), at(b), [join(a, b)], 'same'],
    ['both without a print', old('0001'), old('0001'), [], 'same'],
    ['kept without a print, the same last four of another', at('key_x_0001'), old('0001'), [], 'same'],
    ['one key under any number of slashes', at(a), at(a, `${URL_1}///`), [], 'same'],
    [
      'one key on this machine, by two of its names',
      at(a, 'http://localhost:4010/v1'),
      at(a, LOCAL),
      [],
      'same',
    ],
    ['one key at two ports of this machine', at(a, 'http://localhost:4011/v1'), at(a, LOCAL), [], 'other'],
    ['one key at two names that are not this machine', at(a, 'https://a.example.com/v1'), at(a), [], 'other'],
  ])('%s', (_, one, other, joins, kin) => {
    expect(accountRelation(one, other, joins)).toBe(kin);
  });
});

describe('an account is known by', () => {
  it.each<[string, string, KeyJoin[], string]>([
    ['its only key', a, [], a],
    ['its only key, beside others', d, [join(a, b)], d],
    ['the first of two', b, [join(a, b)], a],
    ['the first of two, asked with it', a, [join(a, b)], a],
    ['the first of three', c, [join(a, b), join(b, c)], a],
    [
      'the first that was written, where two accounts turned out to be one',
      d,
      [join(c, d), join(a, b), join(b, c)],
      c,
    ],
    ['the first of two, by word alone', b, [join(a, b, false)], a],
    ['its own, where the join is at another URL', b, [join(a, b, true, URL_2)], b],
    ['the first, where the key came back', a, [join(a, b), join(b, a)], a],
  ])('%s', (_, key, joins, first) => {
    expect(firstKeyOf(at(key), joins)).toEqual(knownKey(first));
  });
});
