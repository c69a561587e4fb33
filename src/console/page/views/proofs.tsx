/** The files that prove a payout. They are fetched when somebody asks for them, and not before. */
import { save } from '../download.tsx';
import { useAsked } from '../loaded.ts';
import { Command, Loading, Small, sentence, Their } from '../parts.tsx';
import { Read } from '../view.tsx';

/** One file is saved at once; of several, each when its button is pressed, as browsers want it. */
export function Proofs({ id, command }: { id: string; command: string }) {
  const { now, ask } = useAsked('proofs');
  const fetch = async (): Promise<void> => {
    const [only, another] = (await ask({ id }))?.files ?? [];
    if (only?.base64 && another === undefined) save(only.name, only.type, only.base64);
  };
  return (
    <>
      <p>It did not arrive? The proof of payment, for the operator:</p>
      <p>
        <button type="button" onClick={fetch}>
          Download the proof of payment
        </button>
      </p>
      {now.value.isLoading && <Loading what="Fetching the files" />}
      <Read now={now.value}>
        {({ files, note }) => (
          <div role="status">
            {files.map(({ name, type, base64, why }, index) => (
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
            {note !== null && <p>{sentence(note)}</p>}
          </div>
        )}
      </Read>
      <Command text={command} />
    </>
  );
}
