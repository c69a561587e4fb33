import { accountValidationAnswer, accountValidationRequest } from '../resources/validation.ts';
import { operation } from './operation.ts';

/** A POST that changes nothing: repeated like a read. */
export const createAccountValidation = operation({
  id: 'account_validations.create',
  wireId: 'post-account-validations',
  method: 'POST',
  path: '/account_validations',
  summary: 'Ask the bank or the mobile operator about an account',
  body: accountValidationRequest,
  answer: accountValidationAnswer,
  failures: [422],
  effect: 'read',
  settle: 'repeat',
});
