import { usage } from '../../core/problem.ts';

/** Before anything is sent: an expression that cannot be read must not be found out after a write. @throws Problem (usage) */
export async function checkQuery(query: string | undefined): Promise<void> {
  if (query === undefined) return;
  const { default: jmespath } = await import('jmespath');
  try {
    jmespath.search(null, query);
  } catch (error) {
    const { name, message } = error as Error;
    // Anything else may suit the answer that is still to come.
    const isWrong = name === 'ParserError' || name === 'LexerError' || message.includes('Unknown function');
    if (isWrong) throw usage(`--query is not a JMESPath expression: ${message}`);
  }
}
