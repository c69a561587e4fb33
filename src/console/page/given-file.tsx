/** A file that the user chooses, or drops anywhere on the page. */
import { useEffect, useState } from 'preact/hooks';
import { type SentFile as Given, MOST_FILE } from '../wire/parts.ts';

export function FileInput({ what, onFile }: { what: string; onFile: (file: Given) => unknown }) {
  const [isOver, setOver] = useState(false);
  const [tooLarge, setTooLarge] = useState('');
  const take = async (list: FileList | null | undefined): Promise<void> => {
    const [given] = list ?? [];
    if (given === undefined) return;
    const content = await base64Of(given);
    const fits = content.length <= MOST_FILE;
    setTooLarge(fits ? '' : given.name);
    if (fits) onFile({ name: given.name, content });
  };
  useEffect(() => {
    // All of the page takes it: a browser would leave the page for a file that is dropped beside.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') void take(event.dataTransfer?.files);
    };
    const names = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of names) addEventListener(name, over);
    return () => {
      for (const name of names) removeEventListener(name, over);
    };
  }, []);
  return (
    <p class={isOver ? 'dropping' : ''}>
      <label>
        {what}: drop it here, or choose it{' '}
        <input type="file" onChange={(event) => void take(event.currentTarget.files)} />
      </label>
      {tooLarge !== '' && (
        <strong class="bad" role="alert">
          {tooLarge} is too large for the page: the terminal takes it.
        </strong>
      )}
    </p>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  // In parts: a function takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
