/** The files that prove a payout. They are fetched when somebody asks for them, and not before. */
import { useSignal } from '@preact/signals';
import { call } from '../call.ts';
import { save } from '../download.tsx';
import { useLoaded } from '../loaded.ts';
import { Command, Loading, Problem, sentence, Their } from '../parts.tsx';

export function Proofs({ id, command }: { id: string; command: string }) {
  const asked = useSignal(0);
  return (
    <>
      <p>It did not arrive? The proof of payment, for the operator:</p>
      <p>
        <button type="button" onClick={() => void asked.value++}>
          Download the proof of payment
        </button>
      </p>
      {asked.value > 0 && <Files id={id} asked={asked.value} />}
      <Command text={command} />
    </>
  );
}

/** One file is saved at once; of several, each when its button is pressed, as browsers want it. */
function Files({ id, asked }: { id: string; asked: number }) {
  const { now } = useLoaded(async () => {
    const got = await call('proofs', { id });
    const [{ name, type, base64 } = { base64: null }, another] = got.files;
    if (base64 !== null && another === undefined) save(name, type, base64);
    return got;
  }, `${id} ${asked}`);
  const { data, problem } = now.value;
  if (problem !== undefined) return <Problem problem={problem} />;
  if (data === undefined) return <Loading what="Fetching the files" />;
  return (
    <div role="status">
      {data.files.map(({ name, type, base64, why }, index) => (
        <p key={index}>
          {base64 === null ? (
            <>
              <Their text={name} /> was not fetched: <Their text={why ?? ''} />
            </>
          ) : (
            <button type="button" class="small" onClick={() => save(name, type, base64)}>
              Save <Their text={name} />
            </button>
          )}
        </p>
      ))}
      {data.note !== null && <p>{sentence(data.note)}</p>}
    </div>
  );
}
