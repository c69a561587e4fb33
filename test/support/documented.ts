/** What documents tell people to type, and whether it can be typed. */
import type { DescribedCommand } from '../../src/frame/help/described.ts';
import { linesOf } from './shell.ts';

/** Command lines of this program: in code within sentences, then in blocks of shell. */
export function commandsIn(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const prose = markdown.replace(/^```.*?^```$/gms, '');
  return [
    ...[...prose.matchAll(/`(remit [^`]+)`/g)].map(([, line = '']) => line.replace(/\s+/g, ' ')),
    ...blocks
      .filter(([, language]) => language === 'sh')
      .flatMap(([, , block = '']) => linesOf(block).flatMap(ours)),
  ];
}

/** Parts of a line that are remit's own; what is quoted stands as one word. */
const ours = (line: string): string[] =>
  line
    .replace(/\s#.*$/, '')
    .replace(/'[^']*'|"[^"]*"/g, 'QUOTED')
    .split(/&&|\||<\(|\)/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => /^remit(?: |$)/.test(part));

const ANY = ['--help', '-h', '--version', '-V'];

/** What of it is no command, or no flag of that command. A group may stand for itself, and so may what has alternatives. */
export function wrongIn(line: string, commands: readonly DescribedCommand[]): string[] {
  const [, ...tokens] = line.replace(/ -- .*$/, '').split(' ');
  if (tokens.some((token) => token === '…' || token === '|')) return [];
  const words = tokens.slice(0, firstOther(tokens));
  const command = [words.slice(0, 2), words.slice(0, 1)]
    .map((path) => commands.find((one) => one.words === path.join(' ')))
    .find((one) => one !== undefined);
  const isGroup = words.length === 1 && commands.some((one) => one.words.startsWith(`${words[0]} `));
  if (command === undefined && !isGroup && words.length > 0 && words[0] !== 'COMMAND')
    return [`${line}: no such command`];
  const flags = [...(command?.flags ?? []), ...(commands[0]?.global_flags ?? [])].flatMap(
    ({ long, short }) => [long, short],
  );
  return tokens
    .filter((token) => /^-{1,2}[a-zA-Z]/.test(token))
    .map((token) => token.replace(/[=,].*$/, ''))
    .filter((flag) => !flags.includes(flag) && !ANY.includes(flag))
    .map((flag) => `${line}: ${flag}`);
}

const firstOther = (tokens: readonly string[]): number => {
  const at = tokens.findIndex((token) => token.startsWith('-'));
  return at < 0 ? tokens.length : at;
};
