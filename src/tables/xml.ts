/**
 * XML of ISO 20022, read piece by piece, whose elements are told by their paths. Whatever could be read in two ways is refused: an
 * element of another namespace, one that is there twice, text beside elements, a DOCTYPE, any encoding but UTF-8.
 */
import type { SaxesParser } from 'saxes';
import type { Hint } from '../core/next.ts';
import type { Problem } from '../core/problem.ts';
import { fileProblem, shortName, wordsOfFile } from './row.ts';
import { after, beforeStray, NOT_BLANK, type Spot, whyNotXml, withoutBlanks } from './xml-words.ts';

const DEEPEST = 40;
const LONGEST_TEXT = 100_000;
/** No element of the standard has nearly as many kinds of elements in it. */
const MOST_SLOTS = 200;
/** More are looked at each time. */
const MOST_PLACES = 10_000;
/** Without the end of a tag or a text, the library keeps what it has read. */
const LONGEST_UNREAD = 2_000_000;

export interface XmlElement {
  path: string;
  /** Its attribute `Ccy`. */
  currency: string | undefined;
  /** Where it begins. */
  at: Spot;
}

export interface XmlListener {
  /** The outermost element. @throws Problem where the file is of another kind */
  root(local: string, uri: string): void;
  /**
   * True where the place of the element is another: it would be passed over there. Asked once for a path, as
   * the two below.
   */
  isMisplaced(path: string): boolean;
  /**
   * Returns the place that an element takes in the one around it, and that no second may take; undefined
   * where several may stand.
   */
  slotOf(path: string): string | undefined;
  /**
   * True where the element holds members that the standard does not describe, of any namespace: those are
   * passed over.
   */
  isEnvelope(path: string): boolean;
  open(element: XmlElement): void;
  /** The text is without blanks around it; that of an element with others within it is empty. `line` is that of its end. */
  close(element: XmlElement, text: string, line: number): void;
}

/** Yields after each piece, so that what was found can be handed on. @throws Problem */
export async function* readXml(
  pieces: AsyncIterable<Buffer>,
  name: string,
  listener: XmlListener,
): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const walk = new Walk(name, parser, listener);
  for await (const piece of pieces) {
    walk.write(piece.toString());
    yield;
  }
  parser.close();
  yield;
}

/** `wages.xml: line 3, column 7 has …`. */
export const xmlProblem = (
  code: string,
  name: string,
  { line, column }: Spot,
  words: string,
  hint?: Hint,
): Problem => fileProblem(code, `${wordsOfFile(name)}: line ${line}, column ${column} ${words}`, hint);

/** The facts that hold for all elements of one path. */
interface Place {
  path: string;
  local: string;
  slot: string | undefined;
  /** True where everything within it is passed over. */
  isEnvelope: boolean;
  isMisplaced: boolean;
  within: Map<string, Place>;
}

/** An element that is open. */
interface Frame extends XmlElement {
  place: Place;
  text: string;
  /** Where its text begins; undefined where it has none. */
  textAt: Spot | undefined;
  hasElements: boolean;
  /**
   * The places that are taken in it, each with the name of the element that took it; most elements hold a
   * text alone.
   */
  slots: Map<string, string> | undefined;
}

class Walk {
  readonly #name: string;
  readonly #parser: SaxesParser<{ xmlns: true }>;
  readonly #listener: XmlListener;
  readonly #frames: Frame[] = [];
  /** How many elements are open within an envelope. */
  #passedOver = 0;
  #namespace = '';
  #places = 0;
  /** Where what is told next begins: the library tells where it ends. */
  #next: Spot = { line: 1, column: 1 };
  /** The same, as a place in the whole text. */
  #nextAt = 0;
  /** The text that was written from `#tailAt` on. */
  #tail = '';
  #tailAt = 0;

  constructor(name: string, parser: SaxesParser<{ xmlns: true }>, listener: XmlListener) {
    this.#name = name;
    this.#parser = parser;
    this.#listener = listener;
    parser.on('error', (error) => {
      const { words, hint } = whyNotXml(error);
      throw this.#strayProblem() ?? this.#broken(words, hint);
    });
    parser.on('doctype', () => {
      throw xmlProblem('not_xml', this.#name, this.#next, 'has a DOCTYPE, which is not read', 'delete it');
    });
    parser.on('xmldecl', ({ encoding = 'UTF-8' }) => {
      if (!/^(?:utf-8|us-ascii)$/i.test(encoding))
        throw xmlProblem(
          'not_xml',
          this.#name,
          this.#next,
          'names another encoding than UTF-8',
          'save it again as UTF-8',
        );
      this.#passed();
    });
    parser.on('comment', () => this.#passed());
    parser.on('processinginstruction', () => this.#passed());
    parser.on('opentag', ({ local, uri, attributes }) => {
      this.#open(local, uri, attributes.Ccy?.value);
      this.#passed();
    });
    parser.on('text', (text) => {
      this.#take(text);
      // The library has read the < behind it.
      this.#next = this.#here();
      this.#nextAt = this.#parser.position - 1;
    });
    parser.on('cdata', (text) => {
      this.#take(text);
      this.#passed();
    });
    parser.on('closetag', () => {
      this.#close();
      this.#passed();
    });
  }

  /** @throws Problem */
  write(piece: string): void {
    this.#tail += piece;
    this.#parser.write(piece);
    this.#tail = this.#tail.slice(this.#nextAt - this.#tailAt);
    this.#tailAt = this.#nextAt;
    if (this.#tail.length > LONGEST_UNREAD)
      throw this.#strayProblem() ?? this.#broken('has a text without an end');
  }

  #strayProblem(): Problem | undefined {
    const read = this.#tail.slice(this.#nextAt - this.#tailAt, this.#parser.position - this.#tailAt);
    const found = beforeStray(read);
    if (found === undefined) return undefined;
    const { words, hint } = found.why;
    return xmlProblem('not_xml', this.#name, after(this.#next, found.before), words, hint);
  }

  /** The character that was read last. */
  #here(): Spot {
    return { line: this.#parser.line, column: Math.max(1, this.#parser.column) };
  }

  #passed(): void {
    this.#next = { line: this.#parser.line, column: this.#parser.column + 1 };
    this.#nextAt = this.#parser.position;
  }

  #broken(words: string, hint?: string): Problem {
    return xmlProblem('not_xml', this.#name, this.#here(), words, hint);
  }

  #refuse(code: string, at: Spot, words: string, hint?: string): never {
    throw xmlProblem(code, this.#name, at, words, hint);
  }

  #open(local: string, uri: string, currency: string | undefined): void {
    const parent = this.#frames.at(-1);
    if (this.#frames.length + this.#passedOver >= DEEPEST) throw this.#broken('is nested too deep');
    if (parent?.place.isEnvelope) {
      this.#passedOver++;
      return;
    }
    const at = this.#next;
    if (parent === undefined) {
      this.#listener.root(local, uri);
      this.#namespace = uri;
    } else if (uri !== this.#namespace)
      this.#refuse(
        'foreign_element',
        at,
        `has an element ${shortName(local)} of another namespace than its document`,
        'nobody can say what it means: delete it',
      );
    const place = this.#placeOf(parent?.place, local);
    if (parent !== undefined) this.#admit(parent, place, at);
    const { path } = place;
    const begun = { text: '', textAt: undefined, hasElements: false, slots: undefined };
    const frame: Frame = { path, currency, at, place, ...begun };
    this.#frames.push(frame);
    this.#listener.open(frame);
  }

  #placeOf(around: Place | undefined, local: string): Place {
    const known = around?.within.get(local);
    if (known !== undefined) return known;
    const path = around === undefined ? local : `${around.path}/${local}`;
    const place = {
      path,
      local,
      slot: this.#listener.slotOf(path),
      isEnvelope: this.#listener.isEnvelope(path),
      isMisplaced: this.#listener.isMisplaced(path),
      within: new Map(),
    };
    if (this.#places++ < MOST_PLACES) around?.within.set(local, place);
    return place;
  }

  /** @throws Problem where the element may not stand there */
  #admit(parent: Frame, { local, slot, isMisplaced }: Place, at: Spot): void {
    const [name, around] = [shortName(local), shortName(parent.place.local)];
    if (isMisplaced) this.#refuse('misplaced_element', at, `has ${name} where the standard has none`);
    if (parent.textAt !== undefined) this.#refuseStray(parent, parent.textAt);
    parent.hasElements = true;
    parent.text = '';
    if (slot === undefined) return;
    parent.slots ??= new Map();
    const before = parent.slots.get(slot);
    if (before !== undefined)
      this.#refuse(
        'repeated_element',
        at,
        before === local
          ? `has ${name} a second time in one ${around}`
          : `has ${name} beside ${shortName(before)} in one ${around}`,
        'one of them may stand there',
      );
    if (parent.slots.size >= MOST_SLOTS) throw this.#broken('has too many elements in one');
    parent.slots.set(slot, local);
  }

  #refuseStray({ place }: Frame, at: Spot): never {
    this.#refuse(
      'stray_text',
      at,
      `has a text beside the elements of ${shortName(place.local)}`,
      'delete one of the two',
    );
  }

  #take(text: string): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined || frame.place.isEnvelope) return;
    const blanks = text.search(NOT_BLANK);
    if (blanks >= 0) frame.textAt ??= after(this.#next, text.slice(0, blanks));
    if (frame.hasElements && frame.textAt !== undefined) this.#refuseStray(frame, frame.textAt);
    frame.text += text;
    if (frame.text.length > LONGEST_TEXT) throw this.#broken('has a text that is too long');
  }

  #close(): void {
    if (this.#passedOver > 0) {
      this.#passedOver--;
      return;
    }
    const frame = this.#frames.at(-1);
    if (frame === undefined) return;
    this.#frames.pop();
    this.#listener.close(frame, withoutBlanks(frame.text), this.#parser.line);
  }
}
