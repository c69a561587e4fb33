/** Names, choices and messages of an attacker at every kind of prompt, in a real pseudo-terminal: shown, never obeyed. */
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { bundleProgram } from '../support/child-program.ts';
import { type Bench, createBench, paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { sends } from '../support/review.ts';
import { variablesFor } from '../support/service.ts';
import { keys, openProgram, openTerminal, type Terminal } from '../support/terminal.ts';

/** Writes the clipboard, makes a link, turns the text round, begins a control sequence of 8 bits, clears the screen. */
const HOSTILE: Record<string, string> = {
  'OSC 52': '\u001b]52;c;cm0gLXJmIC8=\u0007',
  'OSC 8': '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'U+202E': 'obi\u202egnp.exe',
  C1: 'a\u009d52;c;eA==\u009cb\u009b2Jc',
  CSI: 'x\u001b[2J\u001b[1;1Hy',
  invisible: 'A\u200bd\u2060a\u00ad',
};
/** What must not reach the terminal: all that no prompt draws of its own accord. */
const RAW =
  /\u001b[\]P^_X]|[\u0080-\u009f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\u0007]|\u001b\[2J|\u001b\[1;1H/;
const expectClean = (terminal: Terminal): void => expect(RAW.exec(terminal.raw())?.[0]).toBeUndefined();

let program: string;
beforeAll(async () => {
  const prompts = fileURLToPath(new URL('../../src/frame/terminal/prompt.ts', import.meta.url));
  program = await bundleProgram(`
    import { askChoice, askConfirm, askSecret, askText } from ${JSON.stringify(prompts)};
    const context = {
      streams: { stdin: process.stdin, stderr: process.stderr },
      process: { interrupt: new AbortController().signal },
    };
    const text = JSON.parse(process.env.TEXT);
    const many = Array.from({ length: 20 }, (_, n) => ({ value: n + text, label: 'label ' + n + text }));
    const kinds = {
      confirm: () => askConfirm(context, text),
      secret: () => askSecret(context, text),
      text: () => askText(context, text, { default: text }),
      padded: () => askText(context, 'Name', { default: ' ' + text + ' ' }),
      wrong: () => askText(context, text, { default: text, validate: (given) => given === 'fine' || 'no: ' + given }),
      short: () => askChoice(context, text, [{ value: text, label: text }, { value: 'b', label: 'b' }], { standing: text }),
      gone: () => askChoice(context, text, [{ value: 'b', label: 'b' }], { standing: text }),
      long: () => askChoice(context, text, many, { standing: '3' + text }),
    };
    const answer = await kinds[process.env.KIND]();
    process.stdout.write('ANSWER ' + Buffer.from(JSON.stringify(answer)).toString('hex') + ' END');
  `);
});

const ask = (kind: string, text: string): Terminal =>
  openProgram(process.execPath, [program], { KIND: kind, TEXT: JSON.stringify(text) });
async function answerOf(terminal: Terminal): Promise<unknown> {
  await terminal.exit;
  expectClean(terminal);
  const [, hex = ''] = /ANSWER ([0-9a-f]+) END/.exec(terminal.screen()) ?? [];
  return JSON.parse(Buffer.from(hex, 'hex').toString());
}
const texts = some(Object.entries(HOSTILE), 2);

describe.each(texts)('%s', (_, text) => {
  it.each([
    ['confirm', false],
    ['secret', ''],
    ['text', text],
    ['padded', ` ${text} `],
    ['short', text],
    ['gone', text],
    ['long', `3${text}`],
  ])('at a prompt of the kind %s; Enter keeps the true value', async (kind, kept) => {
    const terminal = ask(kind, text);
    await terminal.sees('?');
    await terminal.sees(kind === 'short' || kind === 'gone' || kind === 'long' ? '⏎ select' : ' ');
    if (kind === 'long') await terminal.chooses('ANSWER');
    else {
      await terminal.listens();
      terminal.types(keys.enter);
    }
    expect(await answerOf(terminal)).toEqual(kept);
  });

  it('in what is said to be wrong, and in what was typed', async () => {
    const terminal = ask('wrong', text);
    await terminal.answers('?');
    await terminal.answers('no: ', 'fine');
    expect(await answerOf(terminal)).toBe('fine');
  });
});

it('what was only shown is not taken: Tab puts it into the line, and a change of it is refused', async () => {
  const terminal = ask('text', 'obi\u202egnp');
  await terminal.sees('obi\\u202egnp');
  terminal.types('\t');
  terminal.types(`X${keys.enter}`);
  await terminal.sees('type it whole');
  terminal.types(keys.backspace);
  terminal.types(keys.enter);
  expect(await answerOf(terminal)).toBe('obi\u202egnp');
});

it('what is pasted is escaped too', async () => {
  const terminal = ask('padded', 'a');
  await terminal.answers('?', 'x\u202ey');
  await terminal.exit;
  // The terminal itself echoes nothing: what it shows is what the prompt drew.
  expect(terminal.screen()).toContain('x\\u202ey');
  expectClean(terminal);
});

describe('stored names', () => {
  let bench: Bench;
  let listening: Listening;
  let env: Record<string, string>;
  beforeEach(async () => {
    bench = await createBench();
    listening = await listen(bench.sandbox, { port: 0 });
    env = variablesFor(listening, bench.dir);
  });
  afterEach(async () => {
    await listening.close();
    await bench.close();
  });
  const writes = async (verb: string): Promise<string[]> =>
    (await bench.run(['logs', 'api', '--reveal', '-o', 'json']))
      .data<{ request_method: string; request_body: string }[]>()
      .filter(({ request_method }) => request_method === verb)
      .map(({ request_body }) => request_body);

  it.runIf(isLong)(
    'of a sender at `sender edit`, of a recipient at `recipient edit`, and in triage',
    async () => {
      const name = `Ada${HOSTILE['OSC 52']}${HOSTILE['U+202E']}`;
      await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
      expect((await bench.run(['sender', 'edit', 'customer-1', '--first-name', name])).code).toBe(0);
      const flags = paymentFlags('customer-1', '0123456719').map((flag) =>
        flag === 'first_name=Ada' ? `first_name=${name}` : flag,
      );
      const made = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20', '-o', 'json']);
      const id = made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
      for (const [argv, steps] of [
        [
          ['sender', 'edit', 'customer-1'],
          ['First name', 'Last name'],
        ],
        [
          ['recipient', 'edit', id],
          ['Account number', 'Bank', 'Use this account all the same?'],
        ],
        [
          ['recipient', 'triage'],
          ['enter look at one', 'What now?'],
        ],
      ] as const) {
        const terminal = openTerminal(argv, env);
        for (const step of steps) {
          if (step === 'First name' && argv[0] === 'sender') {
            await terminal.answers('Your reference');
          }
          await terminal.sees(step);
          if (step === steps.at(-1)) break;
          terminal.types((step === 'Account number' ? '0123456700' : '') + keys.enter);
        }
        terminal.types(keys.ctrlC);
        await terminal.exit;
        expect(terminal.screen()).toContain('\\x1b]52');
        expectClean(terminal);
      }
    },
  );

  it('stays as it is at the service when another field is changed', async () => {
    const name = `Ines${HOSTILE.C1}`;
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['sender', 'edit', 'customer-1', '--first-name', name]);
    const terminal = openTerminal(['sender', 'edit', 'customer-1'], env);
    for (const [field, reply] of [
      ['Your reference', ''],
      ['First name', ''],
      ['Last name', 'Nova'],
      ['Country', ''],
      ['E-mail', ''],
      ['Phone number', ''],
      ['IP address', ''],
    ] as const) {
      await terminal.sees(field);
      terminal.types(reply + keys.enter);
    }
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    const sent = (await writes('PATCH')).concat(await writes('PUT')).map((body) => JSON.parse(body));
    expect(sent).toContainEqual({ sender: { last_name: 'Nova' } });
    expectClean(terminal);
  });
});
