/** Senders: the five ways of referring to one, identification, duplicates, and what corridors ask of them. */
import { describe, expect, test } from 'vitest';
import {
  type Bench,
  type Json,
  paymentBody,
  person,
  problemsAt,
  recipientBody,
  startBench,
} from '../support/sandbox.ts';

let made = 0;

function pay(bench: Bench, sender: Json, more: Json = {}, to = 'NGN::Bank', number = '0123456700') {
  made += 1;
  const given = { sender, recipients: [recipientBody(number, to)], ...more };
  return bench.call('POST', '/transactions', paymentBody(`s-${made}`, undefined, given));
}

describe('referring to a sender', () => {
  test('only its id, or only its external id', async () => {
    const bench = await startBench();
    const { body } = await bench.call('POST', '/senders', { sender: { ...person, external_id: 'x' } });
    const { id } = body.object;
    expect((await pay(bench, { id })).body.object.sender.id).toBe(id);
    expect((await pay(bench, { external_id: 'x' })).body.object.sender.id).toBe(id);
    expect((await bench.call('GET', '/senders')).body.meta.pagination.total_count).toBe(1);
  });

  test('an id that does not exist is refused', async () => {
    const bench = await startBench();
    const { status, body } = await pay(bench, { id: '00000000-0000-4000-8000-000000000000' });
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, 'sender.id')).toEqual(['invalid']);
    expect(problemsAt(body.object.sender.errors, 'id')).toEqual(['invalid']);
  });

  test('its id with other fields changes it', async () => {
    const bench = await startBench();
    const { body } = await bench.call('POST', '/senders', { sender: person });
    await pay(bench, { id: body.object.id, city: 'Hamburg' });
    const { object } = (await bench.call('GET', `/senders/${body.object.id}`)).body;
    expect(object).toMatchObject({ city: 'Hamburg', first_name: 'Ada' });
  });

  test('an external id with fields makes one, and later changes the one that has it', async () => {
    const bench = await startBench();
    const first = await pay(bench, { ...person, external_id: 'x' });
    const second = await pay(bench, { ...person, external_id: 'x', city: 'Hamburg' });
    expect(second.body.object.sender).toMatchObject({ id: first.body.object.sender.id, city: 'Hamburg' });
  });

  test('an external id that nobody has needs the fields', async () => {
    const bench = await startBench();
    const { status, body } = await pay(bench, { external_id: 'nobody' });
    expect(status).toBe(422);
    expect(problemsAt(body.object.sender.errors, 'first_name')).toEqual(['blank']);
    expect(problemsAt(body.object.errors, 'sender.first_name')).toEqual(['blank']);
  });

  test('both ids are refused on both', async () => {
    const bench = await startBench();
    const { body } = await pay(bench, { id: '00000000-0000-4000-8000-000000000000', external_id: 'x' });
    expect(problemsAt(body.object.sender.errors, 'id')).toEqual(['invalid']);
    expect(problemsAt(body.object.sender.errors, 'external_id')).toEqual(['invalid']);
  });

  test('a refused transaction leaves no sender and changes none', async () => {
    const bench = await startBench();
    await pay(bench, person, { input_currency: 'XXX' });
    expect((await bench.call('GET', '/senders')).body.object).toEqual([]);
    const { body } = await bench.call('POST', '/senders', { sender: person });
    await pay(bench, { id: body.object.id, city: 'Hamburg' }, { recipients: [] });
    expect((await bench.call('GET', `/senders/${body.object.id}`)).body.object.city).toBe('Berlin');
  });
});

describe('a sender of its own', () => {
  test('a used external id comes back with the one that has it', async () => {
    const { call } = await startBench();
    const first = await call('POST', '/senders', { sender: { ...person, external_id: 'x' } });
    const { status, body } = await call('POST', '/senders', { sender: { ...person, external_id: 'x' } });
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, 'external_id')).toEqual(['taken']);
    expect(body.meta.existing.sender).toEqual(first.body.object);
  });

  test.each([
    ['ip', undefined, 'blank'],
    ['ip', 'my.host', 'invalid'],
    ['documents', undefined, 'blank'],
    ['documents', 'none', 'invalid'],
    ['metadata', undefined, 'blank'],
    ['metadata', [1], 'invalid'],
    ['email', '', 'blank'],
    ['email', 'x', 'invalid'],
    ['birth_date', '1990-02-30', 'invalid'],
    ['country', 'ZZ', 'invalid'],
    ['first_name', { a: 1 }, 'invalid'],
    ['identification_number', '123', 'invalid'],
    ['identification_type', 'XX', 'invalid'],
    ['phone_number', 'call me', 'invalid'],
    ['type', 'robot', 'invalid'],
  ])('%s = %j is %s', async (field, value, word) => {
    const { call } = await startBench();
    const { status, body } = await call('POST', '/senders', { sender: { ...person, [field]: value } });
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, field)).toEqual([word]);
  });

  test.each([
    ['birth_date', '1990-02-03T00:00:00.000Z'],
    ['phone_number', '15112345678'],
    ['postal_code', 10115],
    ['never_heard_of', { any: ['thing'] }],
  ])('%s = %j is fine, and is kept as given', async (field, value) => {
    const { call } = await startBench();
    const { status, body } = await call('POST', '/senders', { sender: { ...person, [field]: value } });
    expect(status).toBe(201);
    expect(body.object[field]).toEqual(value);
  });

  test('a business gives other details', async () => {
    const { call } = await startBench();
    const { email, ip, documents, metadata, city, street, postal_code } = person;
    const business = {
      type: 'business',
      name: 'Eze GmbH',
      country: 'DE',
      trading_country: 'DE',
      city,
      street,
      postal_code,
      email,
      ip,
      documents,
      metadata,
    };
    expect((await call('POST', '/senders', { sender: business })).status).toBe(201);
    const { body } = await call('POST', '/senders', {
      sender: { ...business, name: '', legal_entity_type: 'mto' },
    });
    expect(problemsAt(body.object.errors, 'name')).toEqual(['blank']);
    expect(problemsAt(body.object.errors, 'aml_officer_email')).toEqual(['blank']);
  });

  test('a disabled sender is there, and cannot transact', async () => {
    const bench = await startBench();
    const { body } = await bench.call('POST', '/senders', { sender: person });
    const { id } = body.object;
    expect((await bench.call('DELETE', `/senders/${id}`)).body.object.state).toBe('disabled');
    expect((await bench.call('DELETE', `/senders/${id}`)).status).toBe(200);
    const refused = await pay(bench, { id });
    expect(refused.status).toBe(422);
    expect(problemsAt(refused.body.object.sender.errors, 'state')).toEqual(['invalid']);
    expect((await bench.call('PATCH', `/senders/${id}`, { sender: { city: 'Rom' } })).status).toBe(422);
  });
});

describe('identification', () => {
  const {
    phone_number,
    email,
    street,
    city,
    postal_code,
    birth_date,
    identification_number,
    identification_type,
    ...bare
  } = person;

  test('without the simplified rules all of it is asked for', async () => {
    const { call } = await startBench();
    const { body } = await call('POST', '/senders', { sender: bare });
    expect(Object.keys(body.object.errors).sort()).toEqual(
      ['birth_date', 'city', 'email', 'phone_number', 'postal_code', 'street'].sort(),
    );
  });

  test.each([{ identification_number, identification_type }, { street, city, postal_code }, { birth_date }])(
    'with them one set is enough: %j',
    async (set) => {
      const { call } = await startBench({ settings: { wtr2: true } });
      expect((await call('POST', '/senders', { sender: { ...bare, ...set } })).status).toBe(201);
      expect((await call('POST', '/senders', { sender: bare })).status).toBe(422);
    },
  );

  test('cash corridors ask for all of it nevertheless', async () => {
    const bench = await startBench({ settings: { wtr2: true } });
    const { status, body } = await pay(bench, { ...bare, birth_date }, {}, 'MAD::Cash', '+212600000001');
    expect(status).toBe(422);
    expect(problemsAt(body.object.sender.errors, 'street')).toEqual(['blank']);
  });

  test.each(['MAD::Cash', 'XOF::Cash'])('%s asks for all of it however the sender is named', async (to) => {
    const bench = await startBench({ settings: { wtr2: true } });
    const external_id = 'short';
    const { body } = await bench.call('POST', '/senders', { sender: { ...bare, birth_date, external_id } });
    const { id } = body.object;
    const number = '+212600000001';
    for (const sender of [{ id }, { external_id }, { ...bare, birth_date, external_id }]) {
      const refused = await pay(bench, sender, {}, to, number);
      expect(refused.status, JSON.stringify(sender)).toBe(422);
      expect(problemsAt(refused.body.object.sender.errors, 'street')).toEqual(['blank']);
      expect(problemsAt(refused.body.object.errors, 'sender.phone_number')).toEqual(['blank']);
      expect((await pay(bench, sender)).status, 'other corridors do not').toBe(201);
    }
    const rest = {
      phone_number,
      email,
      street,
      city,
      postal_code,
      identification_number,
      identification_type,
    };
    expect((await bench.call('PATCH', `/senders/${id}`, { sender: rest })).status).toBe(200);
    const completed = await pay(bench, { id }, {}, to, number);
    expect(completed.body.object.sender.errors ?? null).toBe(null);
  });

  test('a sender that was taken under simplified rules is asked for the rest once they are off', async () => {
    const bench = await startBench({ settings: { wtr2: true } });
    const { body } = await bench.call('POST', '/senders', { sender: { ...bare, birth_date } });
    const { id } = body.object;
    await bench.call('PATCH', '/_sandbox/settings', { wtr2: false });
    const refused = await pay(bench, { id });
    expect(refused.status).toBe(422);
    expect(problemsAt(refused.body.object.sender.errors, 'city')).toEqual(['blank']);
  });

  test('a corridor asks the sender for what it needs', async () => {
    const bench = await startBench();
    const { nationality, ...stateless } = person;
    const { status, body } = await pay(bench, stateless, {}, 'UGX::Mobile', '+256772123400');
    expect(status).toBe(422);
    expect(problemsAt(body.object.errors, 'sender.nationality')).toEqual(['blank']);
  });

  test('where documents are asked for, none is a problem', async () => {
    const { call } = await startBench({ settings: { kyc: 'documents' } });
    const { body } = await call('POST', '/senders', { sender: person });
    expect(problemsAt(body.object.errors, 'documents')).toEqual(['blank']);
  });
});
