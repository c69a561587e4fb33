/**
 * Stands in for what conf brings along in the build (decision 0001): its JSON-schema validator (our settings give conf no
 * schema, and it loads it all the same), and the signal handlers of its file writer.
 */
export class Ajv2020 {}
export default function nothing(): void {}
