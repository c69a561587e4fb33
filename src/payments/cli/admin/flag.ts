/** `--admin`: where a long-running command answers monitoring. */
import { usage } from '../../../core/problem.ts';
import { flags, type Input, type TextFlag } from '../../../frame/flags/flag.ts';

export interface AdminAddress {
  host: string;
  /** 0 takes a free one. */
  port: number;
}

export const adminFlag = flags({
  admin: {
    value: 'host:port',
    summary: 'answer /livez, /readyz and /metrics there; 127.0.0.1 where the host is left out, as in :9464',
  },
});

/** `localhost` means 127.0.0.1 to one program and ::1 to another, where something else may answer. @throws Problem (usage) */
export function refuseLocalhost(flag: 'at' | 'host', address: string | undefined): void {
  const [, name = '', port = ''] = /^(.*?)(:\d+)?$/.exec(address ?? '') ?? [];
  if (/^(?:.*\.)?localhost\.?$/i.test(name))
    throw usage(
      `--${flag} ${address}: localhost may also be another address of this machine, where another program answers`,
      `give --${flag} 127.0.0.1${port}`,
    );
}

const ADDRESS = /^(?:(\[[\da-f:.]+\]|[a-z\d.-]*):)?(\d{1,5})$/i;

/** @throws Problem (usage) */
export function readAdmin({ flags: { admin } }: Input<{ admin: TextFlag }>): AdminAddress | undefined {
  if (admin === undefined) return undefined;
  const [, host = '', port = ''] = ADDRESS.exec(admin) ?? [];
  if (port === '' || Number(port) > 65_535)
    throw usage(`--admin ${admin} is not a host and a port`, 'such as --admin 127.0.0.1:9464');
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) };
}
