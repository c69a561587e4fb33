/** What published clients of the service send, in PHP, Ruby and others: their spellings are taken. */
import { describe, expect, test } from 'vitest';
import { paymentBody, person, problemsAt, startBench } from '../support/sandbox.ts';

const BYTES = Buffer.from('a picture of a passport, as far as this sandbox cares, in more than a line');
const broken = BYTES.toString('base64').replace(/.{20}/g, '$&\r\n');

describe('documents', () => {
  test.each([
    ['with line breaks', broken],
    ['with a line break at the end', `${BYTES.toString('base64')}\n`],
    ['with blanks', BYTES.toString('base64').replace(/.{10}/g, '$& ')],
    ['in one line', BYTES.toString('base64')],
  ])('base64 %s is the same file', async (_, base64) => {
    const { call, sandbox } = await startBench();
    const document = { upload: `data:image/png;base64,${base64}`, upload_file_name: 'passport.png' };
    const { status, body } = await call('POST', '/documents', { document });
    expect([status, body.object.upload_file_size]).toEqual([201, BYTES.length]);
    const { pathname } = new URL(body.object.url);
    const file = await sandbox.handle({ method: 'GET', url: pathname, headers: { host: '127.0.0.1' } });
    expect(Buffer.from(file.body)).toEqual(BYTES);
    const sender = await call('POST', '/senders', { sender: { ...person, documents: [document] } });
    expect(sender.status).toBe(201);
  });

  test.each(['', '\n', 'a=b=c', '@@@@'])('base64 that is %j is refused', async (base64) => {
    const { call } = await startBench();
    const document = { upload: `data:image/png;base64,${base64}`, upload_file_name: 'passport.png' };
    expect(problemsAt((await call('POST', '/documents', { document })).body.object.errors, 'upload')).toEqual(
      ['invalid'],
    );
  });
});

describe('metadata', () => {
  test('an empty list is an empty map, wherever it stands', async () => {
    const { call } = await startBench();
    const body = paymentBody('m-1', '0123456700', { metadata: [] });
    const [recipient] = body.transaction.recipients;
    Object.assign(recipient ?? {}, { metadata: [] });
    Object.assign(body.transaction.sender, { metadata: [] });
    const made = await call('POST', '/transactions', body);
    expect(made.status, made.text).toBe(201);
    const { metadata, sender, recipients } = made.body.object;
    expect([metadata, sender.metadata, recipients[0].metadata]).toEqual([{}, {}, {}]);
    const debit = { to_id: made.body.object.id, to_type: 'Transaction', metadata: [] };
    expect((await call('POST', '/accounts/debits', { debit })).status).toBe(201);
    expect((await call('POST', '/senders', { sender: { ...person, metadata: [1] } })).status).toBe(422);
    expect((await call('PATCH', `/senders/${sender.id}`, { sender: { metadata: [] } })).status).toBe(200);
  });

  test('and documents are asked for, unless the account says otherwise', async () => {
    const { call, sandbox } = await startBench();
    const { metadata: _, documents: __, ...bare } = person;
    const strict = await call('POST', '/senders', { sender: bare });
    expect([strict.status, Object.keys(strict.body.object.errors).sort()]).toEqual([
      422,
      ['documents', 'metadata'],
    ]);
    expect(sandbox.control.set({ strict_senders: false })).toEqual([]);
    const lenient = await call('POST', '/senders', { sender: bare });
    expect([lenient.status, lenient.body.object.documents, lenient.body.object.metadata]).toEqual([
      201,
      [],
      {},
    ]);
    const inside = paymentBody('m-2', '0123456700', { sender: { ...bare, external_id: 'bare' } });
    expect((await call('POST', '/transactions', inside)).status).toBe(201);
    sandbox.control.set({ kyc: 'documents' });
    const papers = await call('POST', '/senders', { sender: bare });
    expect(problemsAt(papers.body.object.errors, 'documents')).toEqual(['blank']);
  });
});

describe('array filters', () => {
  test.each([
    ['/recipients?state=0%3Derror', 'state'],
    ['/recipients?state[]=error&state[]=0%3Dsuccess', 'state'],
    ['/recipients?currency=%5B%22EUR%22%5D', 'currency'],
    ['/recipients?state=error,success', 'state'],
    ['/payout_methods?type=0%3DNGN::Bank', 'type'],
    ['/payout_methods?state[0]=a+b', 'state'],
  ])('%s is refused', async (path, name) => {
    const { call } = await startBench();
    const { status, body } = await call('GET', path);
    expect([status, problemsAt(body.object.errors, name)]).toEqual([422, ['invalid']]);
  });

  test.each([
    '/recipients?state[]=error&state[1]=success&currency=EUR',
    '/payout_methods?type[]=NGN::Bank&type[]=BTC&state=enabled',
    '/recipients?state=',
  ])('%s is taken', async (path) => {
    const { call } = await startBench();
    expect((await call('GET', path)).status).toBe(200);
  });
});

test('the partner balance is where the account has it', async () => {
  const { call } = await startBench({ settings: { partner_path: 'held' } });
  expect((await call('GET', '/held/balance')).body.object.length).toBeGreaterThan(0);
  expect((await call('GET', '/partner/balance')).status).toBe(404);
  for (const partner_path of ['', 'a/b', 'accounts', '..', 7]) {
    expect((await call('PATCH', '/_sandbox/settings', { partner_path })).status).toBe(422);
  }
  await call('PATCH', '/_sandbox/settings', { partner_path: 'partner' });
  expect((await call('GET', '/partner/balance')).status).toBe(200);
});
