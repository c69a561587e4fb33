/** A name for a file, from outside: one that leads nowhere else, on any system. */

/** Names that Windows gives to devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST = 100;

/** Empty where nothing of it can be kept. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  if (plain === '' || DEVICE.test(plain)) return plain === '' ? '' : `_${plain}`;
  const end = /\.\w{1,8}$/.exec(plain)?.[0] ?? '';
  return plain.length <= LONGEST ? plain : plain.slice(0, LONGEST - end.length) + end;
}
