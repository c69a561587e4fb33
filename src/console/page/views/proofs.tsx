/** The files that prove a payout. They are fetched when somebody asks for them, and not before. */
import { useSignal } from '@preact/signals';
import { save } from '../download.tsx';
import { useAsked } from '../loaded.ts';
import { Command, Loading, Problem, Small, sentence, Their } from '../parts.tsx';

/** One file is saved at once; of several, each when its button is pressed, as browsers want it. */
export function Proofs({ id, command }: { id: string; command: string }) {
  const { answer, problem, ask } = useAsked('proofs');
  const isFetching = useSignal(false);
  const fetch = async (): Promise<void> => {
    isFetching.value = true;
    const [only, another] = (await ask({ id }))?.files ?? [];
    if (only?.base64 && another === undefined) save(only.name, only.type, only.base64);
    isFetching.value = false;
  };
  return (
    <>
      <p>It did not arrive? The proof of payment, for the operator:</p>
      <p>
        <button type="button" onClick={fetch}>
          Download the proof of payment
        </button>
      </p>
      <Problem problem={problem.value} />
      {isFetching.value && <Loading what="Fetching the files" />}
      {answer.value !== null && (
        <div role="status">
          {answer.value.files.map(({ name, type, base64, why }, index) => (
            <p key={index}>
              {base64 === null ? (
                <>
                  <Their text={name} /> was not fetched: <Their text={why ?? ''} />
                </>
              ) : (
                <Small onClick={() => save(name, type, base64)}>
                  Save <Their text={name} />
                </Small>
              )}
            </p>
          ))}
          {answer.value.note !== null && <p>{sentence(answer.value.note)}</p>}
        </div>
      )}
      <Command text={command} />
    </>
  );
}
