import { accountValidationAnswer, accountValidationRequest } from '../resources/validation.ts';
import { operation } from './operation.ts';

/** A POST that changes nothing: repeated like a read. */
export const createAccountValidation = operation({
  id: 'account_validations.create',
  wireId: 'post-account-validations',
  method: 'POST',
  path: '/account_validations',
  summary: 'Ask the bank or the mobile operator about an account',
  query: [],
  body: accountValidationRequest,
  answer: accountValidationAnswer,
  status: 200,
  failures: [422],
  effect: 'read',
  settle: 'repeat',
  paging: 'none',
});
