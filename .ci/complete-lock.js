// Adds to package-lock.json the optional packages of other platforms that the registry at hand did not serve: npm 11 refuses
// `npm ci` where one of them has no entry, though it would never install it here. Run it with `npm run lock`.
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  win32: 'win32',
  openharmony: 'openharmony',
};
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 's390x', 'riscv64'];

for (const [parent, { optionalDependencies = {}, dev, engines, license }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const own = `node_modules/${name}`;
    if (lock.packages[own] || lock.packages[`${parent}/${own}`]) continue;
    const words = name.split(/[-/]/);
    const system = words.map((word) => systems[word]).find(Boolean);
    const processor = processors.find((word) => words.includes(word));
    const library = { musl: 'musl', musleabihf: 'musl', gnu: 'glibc', gnueabihf: 'glibc' }[words.at(-1)];
    lock.packages[own] = {
      version,
      ...(processor ? { cpu: [processor] } : {}),
      ...(dev ? { dev } : {}),
      ...(engines ? { engines } : {}),
      ...(library ? { libc: [library] } : {}),
      license,
      optional: true,
      ...(system ? { os: [system] } : {}),
    };
  }
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
