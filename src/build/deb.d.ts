export function buildDeb(folder: string, more?: { release?: Record<string, unknown> }): string;
