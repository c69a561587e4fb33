/** Certificates for 127.0.0.1 and localhost, and the authority that signed them: `test/fixtures/tls/README.md`. */
import { fileURLToPath } from 'node:url';

export const TLS_FIXTURES = fileURLToPath(new URL('../fixtures/tls', import.meta.url));
