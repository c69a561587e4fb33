/** Keys of the page. None of them writes. They do nothing in fields, while a dialog is open, held down, or when turned off. */
import { signal } from '@preact/signals';

const KEY = 'remit.keys';
export const areOn = signal(localStorage.getItem(KEY) !== 'off');

export function setKeys(on: boolean): void {
  areOn.value = on;
  localStorage.setItem(KEY, on ? 'on' : 'off');
}

type Doing = () => void;
const bound = new Map<string, Doing>();

/** Binds keys until the function that is returned is called. Views bind before they are painted: a key that is pressed at what is seen is heard. */
export function bind(keys: Readonly<Record<string, Doing>>): () => void {
  const own = Object.entries(keys);
  for (const [key, doing] of own) bound.set(key, doing);
  return () => {
    for (const [key, doing] of own) if (bound.get(key) === doing) bound.delete(key);
  };
}

addEventListener('keydown', (event) => {
  const { key, target, repeat, isComposing, ctrlKey, altKey, metaKey, defaultPrevented } = event;
  if (!areOn.value || repeat || isComposing || ctrlKey || altKey || metaKey || defaultPrevented) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const doing = bound.get(key);
  if (doing === undefined) return;
  event.preventDefault();
  doing();
});
