/** Tells whether there is a newer remit. It is the one command that asks for that, and only with --check. */
import { usage } from '../../core/problem.ts';
import { upgradeShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { command, result } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { View } from '../terminal/view.ts';
import { glued } from '../terminal/wrap.ts';
import { newestVersion, PACKAGE } from '../upgrade/ask-npm.ts';
import { isBreak, isNewer, versionOf } from '../upgrade/versions.ts';

export { upgrade as command };

type Upgrade = DataOf<typeof upgradeShape>;

interface UpgradeOptions {
  registry: string | undefined;
}

const DEFAULT_MS = 15_000;

const view: View<Upgrade> = {
  shape: upgradeShape,
  columns: [
    { name: 'version', get: (row) => row.version },
    { name: 'newest', get: (row) => row.newest },
    { name: 'is_newer', get: (row) => (row.is_newer ? 'yes' : 'no') },
    { name: 'is_break', get: (row) => (row.is_break ? 'yes' : 'no') },
    { name: 'install', get: (row) => row.install },
  ],
  details: (row) => [
    ['this version', row.version],
    ['the newest', row.newest],
    ['means', meaningOf(row), { wrap: true }],
    ['to install it', row.install && glued(row.install)],
  ],
};

function meaningOf({ is_newer: isNew, is_break: isBreaking, version, newest }: Upgrade): string {
  if (isNew && isBreaking)
    return 'A newer one, which breaks with this one: read its CHANGELOG.md before you install it.';
  if (isNew) return 'A newer one, which takes what this one takes.';
  return version === newest ? 'You have the newest.' : 'You have a later one than the registry offers.';
}

const installLine = (version: string, registry: string | undefined): string =>
  `npm install --global ${PACKAGE}@${version}${registry === undefined ? '' : ` --registry ${registry}`}`;

const upgrade = command({
  description: `Asks the registry that npm is set up with, through npm, and installs nothing. remit asks for a newer version only here and only with --check. It counts nothing, and reports nothing to anybody.
It gives up after 15 s; --request-timeout says otherwise.`,
  flags: {
    check: { summary: 'ask for the newest version' },
    registry: { value: 'url', summary: 'ask this registry, not the one that npm is set up with' },
  },
  shows: [view],
  exits: [exitCodes.auth, exitCodes.notFound, exitCodes.temporary, exitCodes.interrupted],
  examples: ['remit upgrade --check', 'remit upgrade --check -o json'],
  read({ flags: { check, registry } }): UpgradeOptions {
    if (!check)
      throw usage(
        `remit does not install itself: npm install --global ${PACKAGE}@latest does`,
        'remit upgrade --check says whether there is a newer version',
      );
    return { registry: readRegistry(registry) };
  },
  async run({ world, globals }, { registry }) {
    const newest = await newestVersion(world, {
      registry,
      timeoutMs: globals.requestTimeoutMs ?? DEFAULT_MS,
    });
    const [ours, theirs] = [versionOf(world.version), versionOf(newest)];
    const isNew = ours !== undefined && theirs !== undefined && isNewer(theirs, ours);
    const isBinary = world.installation.from === 'binary';
    const data: Upgrade = {
      version: world.version,
      newest,
      is_newer: isNew,
      is_break: isNew && isBreak(theirs, ours),
      install: isNew && !isBinary ? installLine(newest, registry) : null,
    };
    const notes =
      isNew && isBinary ? ['It is one file: take the newer one from where you have this one.'] : [];
    return result(view, data, { notes });
  },
});

/** No letter that a shell would take for something, and no password, which would stand in the list of processes. */
const REGISTRY = /^https?:\/\/[\w.:[\]/~-]+$/;

function readRegistry(given: string | undefined): string | undefined {
  if (given === undefined || (REGISTRY.test(given) && URL.canParse(given))) return given;
  throw usage(
    '--registry is the URL of a registry, without a user, a password or a query',
    'a registry that wants a password is set up in npm: npm config set registry URL',
  );
}
