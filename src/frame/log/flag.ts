/** `--log`: how a command that runs for long tells on stderr what happens. */
import { flags } from '../flags/flag.ts';

export const FOR_PROGRAMS = 'json';

export const logFlag = flags({
  log: {
    value: 'format',
    summary: 'text, or json: each line on stderr is one event, with personal data masked',
    choices: ['text', FOR_PROGRAMS],
  },
});
