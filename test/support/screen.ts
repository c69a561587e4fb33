/** What a terminal shows after everything that was written to it: cursor moves, clearing and wrapping carried out. */
import { createRequire } from 'node:module';
import type { Terminal as Headless } from '@xterm/headless';

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Headless };

/** The visible lines, blanks at their ends cut; ids and times made the same in every run. */
export async function screenOf(raw: string, size: { cols: number; rows: number }): Promise<string> {
  const terminal = new Terminal({ ...size, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from(
    { length: size.rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
  );
  terminal.dispose();
  return `${plain(lines.join('\n')).trimEnd()}\n`;
}

/** How long ago is by this machine's clock where it is what remit itself did. */
const plain = (text: string): string =>
  text
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '00000000-0000-4000-8000-000000000000',
    )
    .replace(/\b(?:\d+s|[1-5]m(?: \d+s)?) ago/g, '0s ago');

/** Lines that were longer than the terminal, so that it broke them itself. */
export async function brokenLines(raw: string, size: { cols: number; rows: number }): Promise<string[]> {
  const terminal = new Terminal({ ...size, scrollback: 10_000, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(raw, resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row));
  terminal.dispose();
  return lines.filter((line) => line?.isWrapped).map((line) => line?.translateToString(true) ?? '');
}
