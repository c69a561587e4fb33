/** A write of payout details that on a terminal is corrected and sent again, where the service refuses it and says what it takes. */
import type { Context } from '../context.ts';

type Details = Readonly<Record<string, unknown>>;

const ROUNDS = 3;

/**
 * `send` gets the details to send, and whether somebody was asked for them: then they are confirmed. A refusal applied nothing,
 * so each round is a write of its own. `current` is what stands. @throws what the last round threw
 */
export async function inRounds<T>(
  context: Context,
  { asked, current, wasAsked }: { asked: Details; current: Details; wasAsked: boolean },
  send: (details: Details, wasAsked: boolean) => Promise<T>,
): Promise<T> {
  let details = asked;
  for (let round = 1; ; round++) {
    try {
      return await send(details, wasAsked || round > 1);
    } catch (error) {
      const again = round < ROUNDS ? await corrected(context, error, { ...current, ...details }) : undefined;
      if (again === undefined) throw error;
      details = { ...details, ...again };
    }
  }
}

/** Its prompts are loaded only where somebody is there to be asked. */
async function corrected(context: Context, error: unknown, details: Details): Promise<Details | undefined> {
  if (!context.interactive) return undefined;
  const { correctedDetails } = await import('./again.ts');
  return correctedDetails(context, error, details);
}
