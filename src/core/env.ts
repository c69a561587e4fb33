/** The environment of a process, as it is handed in. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A variable of remit that is empty counts as not set: shells and CI leave such behind. Windows knows no empty one. */
export function withoutEmpty(env: Env): Env {
  const empty = Object.keys(env).filter((name) => name.startsWith('REMIT_') && env[name] === '');
  if (empty.length === 0) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !empty.includes(name)));
}
