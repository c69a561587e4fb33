export function stage(
  name: 'remit-cli' | '@remit/client',
  folder: string,
  release?: Record<string, unknown>,
): Promise<void>;
export function checkNative(home: string): void;
