/** Stands in for conf's JSON-schema validator in the build: our settings give conf no schema, and it loads it all the same. */
export class Ajv2020 {}
export default function withoutFormats(): void {}
