/** Leaves the texts of messages alone: what has a space in it is read by people, and decides nothing. */
const isText = (node) =>
  (node.type === 'StringLiteral' && node.value.includes(' ')) ||
  (node.type === 'TemplateLiteral' && node.quasis.some(({ value }) => value.raw.includes(' '))) ||
  (node.type === 'TaggedTemplateExpression' && node.tag.name === 'said');

const ignorer = { shouldIgnore: ({ node }) => (isText(node) ? 'a text of a message' : undefined) };

export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: ignorer }];
