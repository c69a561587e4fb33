/** The environment of a process, as it is handed in. */
export type Env = Readonly<Record<string, string | undefined>>;
