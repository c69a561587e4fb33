import { fileProblem, wordsOfFile } from './row.ts';

/** A file that its format makes us read as a whole. @throws Problem where it is empty or too large */
export async function wholeText(
  pieces: AsyncIterable<Buffer>,
  { name, mostBytes }: { name: string; mostBytes: number },
): Promise<string> {
  const kept: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > mostBytes)
      throw fileProblem(
        'too_large',
        `${wordsOfFile(name)} is larger than ${mostBytes / 1_000_000} MB`,
        'CSV and NDJSON may be of any size',
      );
    kept.push(piece);
  }
  const text = Buffer.concat(kept).toString();
  if (text.trim() === '') throw fileProblem('empty_file', `${wordsOfFile(name)} is empty`);
  return text;
}

/** The first piece, or as many as have so many bytes, and all of them again. */
export async function peeked(
  source: AsyncGenerator<Buffer>,
  least = 1,
): Promise<{ first: string; pieces: AsyncGenerator<Buffer> }> {
  const begun: Buffer[] = [];
  for (let size = 0; size < least; ) {
    const { value, done } = await source.next();
    if (done) break;
    begun.push(value);
    size += value.length;
  }
  async function* again(): AsyncGenerator<Buffer> {
    yield* begun;
    yield* source;
  }
  return { first: Buffer.concat(begun).toString(), pieces: again() };
}
