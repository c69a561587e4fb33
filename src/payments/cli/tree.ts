/** The commands of this slice: words, one-line summary, loader. */
import { oneFile, type Tree } from '../../frame/command-tree.ts';

export const groups = {
  tx: 'Create, fund, cancel and look up transactions',
  recipient: 'Find, correct and cancel payouts to recipients',
  sender: 'Find, create and change senders',
  'payout-method': 'Store and change payout methods',
  'payin-method': 'Show, complete, retry and cancel collections',
  document: 'List and upload documents of senders',
  mandate: 'Show mandates of recipients',
};

export const tree: Tree = {
  tx: {
    create: ['Create a transaction; with --fund, pay it at once', () => import('./tx/create.ts')],
    fund: ['Fund a transaction from the balance', () => import('./tx/fund.ts')],
    cancel: ['Cancel every recipient of a transaction', () => import('./tx/cancel.ts')],
    show: ['Show a transaction with its recipients', () => import('./tx/show.ts')],
    list: ['List transactions', () => import('./tx/list.ts')],
    calculate: ['Show amounts and rate, without creating anything', () => import('./tx/calculate.ts')],
    validate: [
      'Check a transaction and its payin flows, without creating it',
      () => import('./tx/validate.ts'),
    ],
    watch: ['Follow a transaction until it is over', () => import('./tx/watch.ts')],
  },
  recipient: {
    list: ['List recipients of all transactions', () => import('./recipient/list.ts')],
    show: ['Show a recipient: what happened, and what can be done', () => import('./recipient/show.ts')],
    triage: ['List payouts that need someone, by who must act', () => import('./recipient/triage.ts')],
    edit: ['Correct a recipient; the next try uses the new details', () => import('./recipient/edit.ts')],
    cancel: ['Cancel payouts to recipients', () => import('./recipient/cancel.ts')],
    proofs: ['List or download the files that prove a payout', () => import('./recipient/proofs.ts')],
  },
  sender: oneFile(() => import('./sender.ts'), {
    find: 'Find a sender by external id',
    show: 'Show a sender',
    create: 'Create a sender',
    list: 'List senders',
    edit: 'Change a sender',
    disable: 'Disable a sender',
  }),
  balance: ['Show balances; --min checks that there is enough', () => import('./balance.ts')],
  'validate-account': ['Ask the provider about an account', () => import('./validate-account.ts')],
  rates: ['Show the rate between two currencies', () => import('./rates.ts')],
  currencies: ['List currencies, and which can be changed into which', () => import('./currencies.ts')],
  methods: ['List ways to pay in and out, and their fields', () => import('./methods.ts')],
  'payout-method': oneFile(() => import('./payout-method.ts'), {
    list: 'List stored payout methods',
    show: 'Show a stored payout method',
    create: 'Store a payout method',
    edit: 'Change the details of a stored payout method',
    disable: 'Disable a stored payout method',
  }),
  'payin-method': oneFile(() => import('./payin-method.ts'), {
    show: 'Show how a collection is paid',
    edit: 'Give a one-time code, or change a detail',
    cancel: 'Cancel a collection',
    retry: 'Try a failed collection again',
  }),
  document: oneFile(() => import('./document.ts'), {
    list: 'List uploaded documents',
    show: 'Show a document',
    create: 'Upload a document',
  }),
  mandate: oneFile(() => import('./mandate.ts'), {
    show: 'Show a mandate of this calendar year',
  }),
  corridors: ['List payout types, their fields, and a payment to fill in', () => import('./corridors.ts')],
  history: ['List payments and changes that this machine sent', () => import('./history.ts')],
};
