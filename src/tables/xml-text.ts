/** A text within XML: what no XML may hold becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

/** Only its first characters, where a standard has room for so many. */
export const cutXml = (text: string, most: number): string => xmlText([...text].slice(0, most).join(''));
