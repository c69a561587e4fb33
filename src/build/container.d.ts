export const OWNER: number;
export function buildah(store: string, words: readonly string[]): string;
export function machineSources(): string[];
export function buildContainer(
  folder: string,
  more: { deb: string; release?: Record<string, unknown> },
): string;
