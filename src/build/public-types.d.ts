export function publicTypes(path: string): string;
