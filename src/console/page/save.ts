import { bytesOf } from './call.ts';

/** Hands a file to the browser, which puts it where downloads go. @param base64 its bytes */
export function save(name: string, type: string, base64: string): void {
  saveBlob(name, new Blob([bytesOf(base64)], { type }));
}

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
