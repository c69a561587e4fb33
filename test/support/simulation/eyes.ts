/** The auditor's own way to look: signed requests straight to the sandbox, by no code of the client. */
import { signedHeaders } from '../../../src/contract/signing.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { credentials, HOST } from '../sandbox.ts';
import { Broken } from './broken.ts';
import type { Json } from './look.ts';

export class Eyes {
  readonly #sandbox: Sandbox;
  #looks = 0;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Undefined when there is nothing of that name. */
  async read(path: string): Promise<Json | undefined> {
    this.#looks += 1;
    const url = `/v1${path}`;
    const signing = {
      nonce: `auditor-${this.#looks}`,
      method: 'GET',
      url: `http://${HOST}${url}`,
      body: undefined,
    };
    const headers = { host: HOST, ...signedHeaders(credentials, signing) };
    const { status, body } = await this.#sandbox.handle({ method: 'GET', url, headers });
    if (status === 404) return undefined;
    if (status !== 200) throw new Broken('lists', `GET ${path} answered ${status}: ${body}`);
    return JSON.parse(String(body));
  }

  async transaction(id: string): Promise<Json | undefined> {
    return (await this.read(`/transactions/${id}`))?.object;
  }

  /** One page of a list, newest first. */
  async page(path: string, page: number, per = 100): Promise<{ object: Json[]; meta: Json }> {
    return this.read(`${path}${path.includes('?') ? '&' : '?'}per=${per}&page=${page}`);
  }

  async ask(control: 'sandbox.state' | 'sandbox.explain', id = ''): Promise<Json | undefined> {
    const said = await this.#sandbox.control.ask(control, { id });
    return said.kind === 'done' ? said.object : undefined;
  }
}
