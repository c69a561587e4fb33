/** The entry by which common hosts of agents start `remit mcp`, each in the form that the host documents for servers over standard input and output. */
import { byWord } from '../../core/by-word.ts';
import { usage } from '../../core/problem.ts';

export interface HostEntry {
  /** Where it goes. */
  file: string;
  text: string;
}

type Form = (args: readonly string[]) => unknown;

const COMMAND = 'remit';
const servers: Form = (args) => ({ mcpServers: { remit: { command: COMMAND, args } } });
const typed = { type: 'stdio', command: COMMAND };

const hosts: Readonly<Record<string, { file: string; form: Form | 'toml' }>> = byWord({
  'claude-code': {
    file: '.mcp.json in the folder of the project',
    form: (args) => ({ mcpServers: { remit: { ...typed, args } } }),
  },
  'claude-desktop': { file: 'claude_desktop_config.json', form: servers },
  codex: { file: 'config.toml in the folder .codex', form: 'toml' },
  cursor: { file: 'mcp.json in the folder .cursor', form: servers },
  gemini: { file: 'settings.json in the folder .gemini', form: servers },
  vscode: {
    file: 'mcp.json in the folder .vscode',
    form: (args) => ({ servers: { remit: { ...typed, args } } }),
  },
  windsurf: { file: 'mcp_config.json', form: servers },
  zed: {
    file: 'settings.json of the editor',
    form: (args) => ({ context_servers: { remit: { command: COMMAND, args, env: {} } } }),
  },
});

export const hostNames = Object.keys(hosts);

/** @throws Problem (usage) naming the hosts that are known */
export function hostEntry(name: string | undefined, args: readonly string[]): HostEntry {
  const host = name === undefined || !Object.hasOwn(hosts, name) ? undefined : hosts[name];
  if (host === undefined)
    throw usage(
      name === undefined ? 'the host is missing' : `no entry is known for the host "${name}"`,
      `one of ${hostNames.join(', ')}; any other host starts: remit ${args.join(' ')}`,
    );
  const { file, form } = host;
  if (form !== 'toml') return { file, text: JSON.stringify(form(args), undefined, 2) };
  return { file, text: `[mcp_servers.remit]\ncommand = "${COMMAND}"\nargs = ${JSON.stringify(args)}` };
}
