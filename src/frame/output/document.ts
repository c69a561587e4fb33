/** A document of a public format, printed as it is and without the envelope of our results: others read it. */
import type { FrameContext } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';

export async function printDocument({ globals, streams }: FrameContext, document: object): Promise<void> {
  const text = formatInfo(globals.output).isYaml
    ? (await import('../terminal/yaml.ts')).yamlText(document)
    : JSON.stringify(document, null, 2);
  streams.out(text.endsWith('\n') ? text : `${text}\n`);
}
