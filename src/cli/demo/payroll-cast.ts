/** Who is paid in `remit demo payroll`: twelve made-up people in three corridors, and the file that finance would write. */
import { SENDER } from './cast.ts';

export const RUN_NAME = 'demo-wages';

/** One pays everybody. The Kenyan corridor wants to know more of a sender than this one says: only the service can tell. */
export const SENDERS = [
  { ...SENDER, external_id: 'demo-company' },
  {
    ...SENDER,
    email: 'rui@example.com',
    phone_number: '912345679',
    external_id: 'demo-company-known',
    identification_type: 'PP',
    identification_number: 'P1234567',
    source_of_funds: 'salary',
  },
] as const;

const [COMPANY, KNOWN] = ['demo-company', 'demo-company-known'];

const HEADER =
  'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account,phone_number,mobile_provider,transfer_reason,gender,street';

export interface Person {
  key: string;
  first: string;
  last: string;
  /** The state in which it should end. */
  fate: 'paid' | 'in_error' | 'refused';
  cells: string;
}

const person = (row: number, name: string, fate: Person['fate'], cells: string): Person => {
  const [first = '', last = ''] = name.split(' ');
  return { key: `E-${String(row).padStart(2, '0')}`, first, last, fate, cells };
};
const nigerian = (row: number, name: string, amount: string, account: string): Person =>
  person(
    row,
    name,
    // The bank of the sandbox says of such an account that it does not exist.
    account.endsWith('19') ? 'in_error' : 'paid',
    `NGN::Bank,${amount},EUR,${COMPANY},*,044,${account},,,,,`,
  );
const ghanaian = (row: number, name: string, amount: string, phone: string): Person =>
  person(
    row,
    name,
    'paid',
    `GHS::Mobile,${amount},EUR,${COMPANY},*,,,${phone},airteltigo,personal_account,F,`,
  );
const kenyan = (row: number, name: string, amount: string, account: string, sender = KNOWN): Person =>
  person(
    row,
    name,
    sender === KNOWN ? 'paid' : 'refused',
    `KES::Bank,${amount},EUR,${sender},*,10,${account},,,,,1 Market Street`,
  );

export const PEOPLE: readonly Person[] = [
  nigerian(1, 'Ada Obi', '450000', '0123456700'),
  ghanaian(2, 'Ama Mensah', '3200.50', '+233302123400'),
  kenyan(3, 'Wanjiru Kamau', '52000', '0123456700'),
  nigerian(4, 'Chidi Eze', '380000', '0123456819'),
  ghanaian(5, 'Esi Owusu', '2950', '+233302123500'),
  nigerian(6, 'Ngozi Bello', '515000', '0123456900'),
  kenyan(7, 'Otieno Odhiambo', '61500', '0123456800'),
  kenyan(8, 'Achieng Were', '48000', '0123456900', COMPANY),
  nigerian(9, 'Tunde Bakare', '402500', '0123457000'),
  ghanaian(10, 'Akua Boateng', '3075.25', '+233302123600'),
  kenyan(11, 'Njeri Mwangi', '57250', '0123457000'),
  nigerian(12, 'Yemi Alade', '467000', '0123457100'),
];

export const CSV = `${[
  HEADER,
  ...PEOPLE.map(({ key, first, last, cells }) => `${key},${cells.replace('*', `${first},${last}`)}`),
].join('\n')}\n`;
