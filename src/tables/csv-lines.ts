/** Single lines of a CSV file, as far as they can be understood before it is known what divides its cells. */

export const DELIMITERS: readonly string[] = [',', ';', '\t', '|'];

/** The one that is there most often in the first line, outside of quotes. */
export function delimiterOf(text: string): string {
  const [line = ''] = text
    .trimStart()
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((one) => line.split(one).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The cells of one line; a quote that is not closed reaches to its end. */
export function cellsOf(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at++) {
    const one = line[at] ?? '';
    if (one === '"' && isQuoted && line[at + 1] === '"') {
      cell += one;
      at++;
    } else if (one === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (one === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += one;
  }
  return [...cells, cell];
}
