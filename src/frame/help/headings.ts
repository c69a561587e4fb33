import { byWord } from '../../core/by-word.ts';

/** Tells which commands stand together in a listing, by job: for the whole program (''), and for groups with many. */
export const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = byWord({
  '': {
    Money: 'tx batch approver balance statement summary rates validate-account reconcile history',
    'People and accounts': 'recipient sender payout-method payin-method document mandate',
    'Look up': 'search console books explain corridors methods currencies logs reports',
    Agents: 'mcp approve',
    Webhooks: 'webhooks',
    Sandbox: 'demo sandbox',
    'Account and connection': 'login logout whoami profiles doctor check',
    'This tool': 'api sign schema commands completion help',
  },
  tx: {
    Pay: 'calculate validate create fund',
    'Look up': 'show list watch',
    Cancel: 'cancel',
  },
  batch: {
    Prepare: 'template map check diff plan approve',
    Pay: 'run fix hold release watch work',
    'Look up': 'status list rows show report',
    'Put right': 'settle cancel remaining take-back',
    'Clear up': 'forget',
  },
  sandbox: {
    'Run it': 'start exec audit env scenario',
    'Time and faults': 'clock fail faults',
    'Decisions of others': 'payout payin balance approve reject ban review refund mandate',
    'Look up': 'state explain openapi assumptions',
    'Data and settings': 'seed settings snapshot restore reset',
  },
});
