import { usage } from '../../core/problem.ts';

/** Before anything is sent: an expression that cannot be read must not be found out after a write. @throws Problem (usage) */
export async function checkQuery(query: string | undefined): Promise<void> {
  if (query === undefined) return;
  const { expressionOf } = await import('../query/expression.ts');
  try {
    await expressionOf(query);
  } catch (error) {
    throw usage(`--query is not a JMESPath expression: ${(error as Error).message}`);
  }
}
