/** Mobile money providers by currency and country (docs/wire.md 5 and 15). */
type ByCountry = Readonly<Record<string, readonly string[]>>;

export const payoutProviders = {
  GHS: { GH: ['airteltigo', 'mtn', 'vodafone'] },
  GNF: { GN: ['mtn', 'orange'] },
  KES: { KE: ['mpesa'] },
  UGX: { UG: ['airtel', 'mtn'] },
  XAF: { CM: ['mtn', 'orange'], GA: ['airtel', 'moov'] },
  XOF: {
    BF: ['moov', 'orange'],
    BJ: ['moov', 'mtn'],
    CI: ['moov', 'mtn', 'orange', 'wave'],
    SN: ['expresso', 'free', 'orange', 'wave'],
    TG: ['moov', 'tmoney'],
  },
} as const satisfies Record<string, ByCountry>;
