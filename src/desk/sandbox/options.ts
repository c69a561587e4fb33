/** Checks the options that `startSandbox` and `control` are called with: a partner's program need not be typed. */
import { controlIds, controls } from '../../contract/controls/index.ts';
import {
  type Check,
  type Checks,
  call,
  checkOptions as check,
  must,
  OptionError,
  oneOf,
} from '../../core/check-options.ts';
import { currencyRule } from '../../core/currency.ts';
import { isDecimal } from '../../core/money.ts';
import { badSetting, badSettings } from '../../sandbox/settings.ts';
import type * as Public from './public.ts';

const OPTIONS: Checks<Public.SandboxOptions> = {
  port: must('a port from 0 to 65535', (value) => isWhole(value) && value <= 65_535),
  seed: must('a text or a number', (value) => typeof value === 'string' || Number.isFinite(value)),
  clock: oneOf('standing', 'running'),
  start: must('milliseconds since 1970', isWhole),
  webhook: must('a URL or a port', (value) => typeof value === 'string' || isWhole(value)),
  deliverTo: must('a list of hosts', (value) => Array.isArray(value) && value.every(isText)),
  onWebhook: call,
  settings: must('an object of settings', isObject),
  balances: must('an object of amounts by currency', isObject),
};

/** `more` are options that our own commands have beside the public ones. @throws OptionError */
export function checkOptions(given: object, more: Readonly<Record<string, Check>> = {}): void {
  check('a sandbox', { ...OPTIONS, ...more }, given);
  const { settings = {}, balances = {} } = given as Public.SandboxOptions;
  const [bad] = badSettings(settings as Record<string, unknown>);
  if (bad !== undefined) throw new OptionError('invalid', 'settings', badSetting(bad));
  checkBalances(balances);
}

function checkBalances(balances: Record<string, unknown>): void {
  for (const [currency, amount] of Object.entries(balances)) {
    const rule = currencyRule(currency);
    if (!rule) throw new OptionError('invalid', 'balances', `there is no currency ${currency}`);
    const text = String(amount);
    const [, fraction = ''] = text.split('.');
    if (!isDecimal(text) || text.startsWith('-') || fraction.length > rule.decimals)
      throw new OptionError('invalid', 'balances', `the balance in ${currency} is no amount: ${text}`);
  }
}

const ASKED: readonly string[] = ['id', 'body', 'bytes'] satisfies (keyof Public.ControlAsked)[];

/** @throws OptionError */
export function checkControl(name: string, asked: unknown): asserts name is Public.ControlName {
  const id = controlIds.find((each) => each === name);
  if (!id) throw new OptionError('unknown', 'name', `there is no control ${name}: ${controlIds.join(', ')}`);
  if (!isObject(asked))
    throw new OptionError('invalid', 'asked', `${name} takes an object: ${ASKED.join(', ')}`);
  const odd = Object.keys(asked).find((member) => !ASKED.includes(member));
  if (odd !== undefined)
    throw new OptionError('unknown', odd, `${name} takes no ${odd}: ${ASKED.join(', ')}`);
  const { path, body, bytes } = controls[id];
  const wantsId = path.includes('{id}');
  if (wantsId !== isText(asked.id))
    throw new OptionError(
      wantsId ? 'missing' : 'invalid',
      'id',
      wantsId ? `${name} needs an id` : `${name} takes no id`,
    );
  if (asked.body !== undefined && !(body && isObject(asked.body)))
    throw new OptionError(
      'invalid',
      'body',
      body ? `the body of ${name} is an object` : `${name} takes no body`,
    );
  if (asked.bytes !== undefined && bytes !== 'in')
    throw new OptionError('invalid', 'bytes', `${name} takes no bytes`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** @throws OptionError */
export function checkAdvance(ms: number): void {
  if (!Number.isFinite(ms) || ms < 0)
    throw new OptionError('invalid', 'ms', 'advance takes milliseconds: 0, or a number above it');
}
