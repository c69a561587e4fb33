/** The rate and the amounts, seen before anything is paid. */
import { calculated } from '../client/bound.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import type { Desk } from './desk.ts';

/** @throws ApiError when the service refuses it */
export const calculate = async (desk: Desk, body: TransactionWrite): Promise<Transaction> =>
  calculated(await desk.client(), body);
