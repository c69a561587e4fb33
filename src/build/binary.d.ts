interface Runtime {
  package: string;
  version: string;
  integrity: string;
}

export function unpackRuntime(folder: string, runtime?: Runtime): string;
export function buildBinary(folder: string): string;
