/** The first character that has no place there; it alone gives nobody away. */
export function strange(text: string, allowed: RegExp): string | null {
  const characters = [...text];
  const at = characters.findIndex((one) => !allowed.test(one));
  if (at === -1) return null;
  const one = characters[at] ?? '';
  if (/\s/u.test(one)) return `has a blank in place ${at + 1}`;
  return `has ${/\p{L}/u.test(one) ? 'the letter ' : ''}${one} in place ${at + 1}`;
}
