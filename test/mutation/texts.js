/** Leaves the texts of messages alone: what has a space in it is read by people, and decides nothing. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const isText = (node) =>
  (node.type === 'StringLiteral' && node.value.includes(' ')) ||
  (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' '))) ||
  (node.type === 'TaggedTemplateExpression' && node.tag.name === 'said');

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'texts', {
    shouldIgnore: ({ node }) => (isText(node) ? 'a text of a message' : undefined),
  }),
];
