export function stage(
  name: 'remit-cli' | '@remit/client',
  folder: string,
  more?: { release?: Record<string, unknown>; vendored?: { sha256: Record<string, string> } },
): Promise<void>;
export function checkNative(home: string): void;
