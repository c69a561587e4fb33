/** Writes a short description of this program for agents, made from the command tree: what it is for, what an agent must not do, and each command with one line. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import { skillShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { command, result } from '../command.ts';
import type { View } from '../terminal/view.ts';

const view: View<DataOf<typeof skillShape>> = {
  shape: skillShape,
  columns: [{ name: 'file', get: (row) => row.file }],
  flat: [{ name: 'file', get: (row) => row.file }],
};

const install = command({
  description:
    'Writes remit/SKILL.md into a folder of skills: a short description for agents, made from the commands of this version. Run it again after an upgrade: it is written anew.',
  args: [{ name: 'FOLDER', summary: 'the folder of skills that your agent reads, such as .claude/skills' }],
  shows: [view],
  examples: ['remit skills install .claude/skills', 'remit skills install .agents/skills'],
  read: (input): { folder: string } => ({ folder: input.args[0] ?? '' }),
  async run({ world }, { folder }) {
    const { skillText } = await import('../mcp/skill.ts');
    const text = skillText((await world.tree?.describe()) ?? [], world.version);
    const file = join(resolve(world.cwd, folder), 'remit', 'SKILL.md');
    try {
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, text);
    } catch (error) {
      throw usage(`${file} cannot be written: ${(error as Error).message}`);
    }
    return result(view, { file });
  },
});

export const commands = { install };
