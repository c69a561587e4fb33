export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];
export const isShell = (name: string): name is Shell => (shells as readonly string[]).includes(name);
