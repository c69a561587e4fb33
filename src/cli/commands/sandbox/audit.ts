/** Shows what a partner's own program does when its answers are lost: does it pay twice? */

import { command } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { auditFlags, readAudit } from '../../flags/audit.ts';
import { auditView } from '../../views/audit.ts';

export { audit as command };

const audit = command({
  description: `Runs CMD again and again, each time in a fresh sandbox, and meets each of its writes in the ways in which answers are lost: done and the connection breaks, done and a gateway answers 502, sent twice by a relay, and others. Then it reads the sandbox's ledger. What two runs without a fault pay is what the program wishes to pay; whatever a case pays beyond that is paid twice, whatever its id.

CMD gets REMIT_BASE_URL, REMIT_API_KEY, REMIT_API_SECRET and REMIT_AUDIT_DIR, an empty folder that stays from one start to the next. It must end by itself. It ends with 0 where nothing was found, with 10 where something was, and with 2 where nothing could be audited. docs/audit.md begins with an example of twenty lines.

\`remit sandbox audit verify FILE\` says whether a report is as its approver signed it.`,
  args: [
    { name: 'CMD', summary: 'the program to audit, after --; or verify', optional: true },
    { name: 'ARGS', summary: 'its arguments; or the report', optional: true, many: true },
  ],
  flags: auditFlags,
  shows: [auditView],
  exits: [exitCodes.check, exitCodes.interrupted],
  examples: [
    'remit sandbox audit -- node pay.mjs',
    'remit sandbox audit --kill --env API_URL=url --env API_TOKEN=key -- python3 pay.py',
    'remit sandbox audit --budget 3m --report audit.json --report audit.xml -- ./pay',
    'remit sandbox audit --attach 4010 --trigger "curl -fs localhost:8080/pay" --idle 2s',
    'remit sandbox audit --webhook 8080 --public-url https://pay.example.com/hooks -- ./pay',
    'remit sandbox audit --case a55ae8:cut -- node pay.mjs',
    'remit sandbox audit verify audit.json',
  ],
  read: readAudit,
  async run(context, options) {
    const { runAudit, verifyReport } = await import('../../audit/run.ts');
    return options.kind === 'verify' ? verifyReport(context, options.file) : runAudit(context, options);
  },
});
